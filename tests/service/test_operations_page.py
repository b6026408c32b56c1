"""The page on operations: its commands run, and its unit and container start the server with options there are."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from live_server import EXAMPLES

from accord.workspace import Workspace
from accord.workspace.worker import Worker

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")


def accord(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "accord", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_commands_on_backups_run_in_order(tmp_path: Path) -> None:
    (tmp_path / "accord-data").mkdir()
    with Workspace.open(tmp_path / "accord-data" / "accord.db") as workspace:
        config = (EXAMPLES / "support-config.xml").read_text(encoding="utf-8")
        project = workspace.projects.create("Support", config, actor="tests")
        workspace.content.import_(project, EXAMPLES / "support-export.json", actor="tests")
        Worker(workspace).run_all()
        before = workspace.projects.get(project)
    commands = re.findall(r"^\$ accord (.*accord-backup.*|recompute.*)$", PAGE, flags=re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        done = accord(shlex.split(command), tmp_path)
        assert done.returncode == 0, done.stderr
    with Workspace.open(tmp_path / "restored" / "accord.db") as workspace:
        after = workspace.projects.get(project)
    assert (after.tasks, after.annotations, after.fresh) == (before.tasks, before.annotations, True)


def started() -> dict[str, list[str]]:
    """Command lines by where they stand."""
    unit = configparser.ConfigParser()
    unit.optionxform = str
    unit.read_string(re.search(r"```ini\n(.*?)```", PAGE, flags=re.DOTALL)[1])
    container = re.search(r"^CMD (.*)$", PAGE, flags=re.MULTILINE)[1]
    found = {"unit": shlex.split(unit["Service"]["ExecStart"])[1:], "container": json.loads(container)[1:]}
    for number, line in enumerate(re.findall(r"^\$ accord ((?:serve|worker) .*)$", PAGE, flags=re.MULTILINE)):
        found[f"line {number}"] = shlex.split(line)
    return found


@pytest.mark.parametrize("where", started())
def test_options_are_known(where: str, tmp_path: Path) -> None:
    name, *options = started()[where]
    known = accord([name, "--help"], tmp_path).stdout
    for option in (text for text in options if text.startswith("--")):
        assert option in known
