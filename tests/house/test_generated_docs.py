"""The generated pages are fresh, and name every command, option, coefficient, metric and code."""

import subprocess
import sys
from pathlib import Path

import typer

from accord.cli.app import app
from accord.coefficients.spec import COEFFICIENTS
from accord.metrics.spec import METRICS

DOCS = Path(__file__).parents[2] / "docs"


def test_pages_are_fresh() -> None:
    command = [sys.executable, DOCS / "generate.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr


def test_every_key_is_in_the_catalogue() -> None:
    text = (DOCS / "catalogue.md").read_text(encoding="utf-8")
    for spec in (*COEFFICIENTS.catalog(), *METRICS.catalog()):
        assert f"### `{spec.key}`" in text
        assert spec.summary in text


def test_every_command_and_option_is_documented_and_has_help() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    for name, command in typer.main.get_command(app).commands.items():
        assert f"## accord {name}" in text
        assert command.help, name
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert parameter.help, f"{name} {parameter.name}"
                assert all(f"`{spelling}" in text for spelling in parameter.opts)
