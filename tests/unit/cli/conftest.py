"""Run the command line in this process: exit code, standard output, standard error."""

import json
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from accord.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


@pytest.fixture
def accord(monkeypatch, capsys, tmp_path) -> Callable[..., Ran]:
    def run(*args: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["accord", *map(str, args)])
        monkeypatch.chdir(tmp_path)
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "tone.csv"
    rows = [
        "item,ann,ben",
        *(f"{i},{a},{b}" for i, (a, b) in enumerate([("x", "x")] * 20 + [("y", "y")] * 15 + [("x", "y")] * 5)),
    ]
    path.write_text("\n".join(rows) + "\n")
    return path
