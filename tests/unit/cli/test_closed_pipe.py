"""A reader that goes away ends the command quietly, with the status that shells give such a program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

READER_GONE = 141


@pytest.mark.parametrize(
    "command",
    [
        ["catalog"],
        ["catalog", "--json"],
        ["score", "tone.csv"],
        ["score", "tone.csv", "--json", "--tasks"],
        ["--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_a_closed_pipe_is_quiet(command, wide):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "accord", *command],
            cwd=wide.parent,
            stdout=gone,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.stderr == b""
    assert done.returncode == READER_GONE


def test_a_full_disk_is_an_error(wide):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "accord", "score", str(wide)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 3
    assert done.stderr == b"accord: No space left on device\n"
