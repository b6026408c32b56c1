"""Every flag of every command has one form, and says what it does."""

import sys

import pytest
import typer

from accord.cli import main
from accord.cli.app import app


def walk(command, path=()):
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from walk(inner, (*path, name))


COMMANDS = dict(walk(typer.main.get_command(app)))
FLAGS = [
    (path, option)
    for path, command in COMMANDS.items()
    for option in command.params
    if getattr(option, "is_flag", False) and option.name != "help"
]


def test_there_are_commands_and_flags():
    assert {("score",), ("report",), ("gate",), ("catalog",)} <= COMMANDS.keys()
    assert {"--json", "--strict", "--no-content"} <= {name for _, option in FLAGS for name in option.opts}


@pytest.mark.parametrize("path, option", FLAGS, ids=lambda part: getattr(part, "name", None) or "-".join(part))
def test_a_flag_has_no_negative_form(path, option, monkeypatch, capsys):
    assert option.secondary_opts == []
    assert option.help
    for name in option.opts:
        negative = f"--no-{name.lstrip('-')}"
        monkeypatch.setattr(sys, "argv", ["accord", *path, negative])
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 2
        assert f"No such option: {negative}" in capsys.readouterr().err


@pytest.mark.parametrize("path", COMMANDS, ids="-".join)
def test_help_names_no_negative_form(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["accord", *path, "--help"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    assert "/--no-" not in capsys.readouterr().out.replace(" ", "")
