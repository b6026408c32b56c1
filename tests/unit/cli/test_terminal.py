"""On a terminal there are progress bars; in pipes nothing but the result."""

import json
import os
import pty
import subprocess
import sys

import pytest


def on_terminal(*arguments, cwd):
    """Run with standard error on a pseudo-terminal, standard output in a pipe."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "accord", *map(str, arguments)]
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=slave, stdin=subprocess.DEVNULL) as running:
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        out = running.stdout.read()
    os.close(master)
    return running.returncode, out.decode(), shown.decode(errors="replace")


@pytest.mark.parametrize("command", ["score", "inspect"])
def test_bars_on_a_terminal(wide, tmp_path, command):
    code, out, shown = on_terminal(command, wide, cwd=tmp_path)
    assert code == 0, shown
    assert "Reading" in shown
    assert "Reading" not in out


def answer(number, rater, label):
    item = {"from_name": "c", "to_name": "t", "type": "choices", "value": {"choices": [label]}}
    return {"id": number, "completed_by": rater, "result": [item]}


def test_bars_while_an_export_is_read_and_reported(tmp_path):
    export = tmp_path / "export.json"
    tasks = [
        {"id": i, "data": {}, "annotations": [answer(2 * i, 1, "xy"[i % 2]), answer(2 * i + 1, 2, "x")]}
        for i in range(40)
    ]
    export.write_text(json.dumps(tasks))
    code, out, shown = on_terminal("report", export, "-o", "r.html", cwd=tmp_path)
    assert code == 0, shown
    assert "Measuring" in shown
    assert "krippendorff_alpha" in out


def test_silence_in_pipes(wide, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "accord", "score", str(wide)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
