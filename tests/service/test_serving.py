"""``accord serve`` as a process: what it prints, whom it lets in, how it ends."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


def command(data: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "accord", "serve", "--data", str(data), "--port", "0", *more]


@contextmanager
def serving(data: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """A server, its address and the first lines it printed."""
    with subprocess.Popen(command(data, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            lines: list[str] = []
            while not (lines and lines[-1].startswith(("  http", "A token"))):
                line = process.stdout.readline()
                assert line, process.stderr.read()
                lines.append(line.rstrip("\n"))
            yield process, ADDRESS.search(lines[0])[0], lines
        finally:
            process.kill()


def wait_until_ready(address: str) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            if httpx.get(f"{address}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail("the server did not become ready")


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [int(number) for thread in threads for number in thread.read_text().split()]


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_first_start_prints_a_link_and_ends_gracefully(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (process, address, lines):
        secret = lines[-1].partition(f"{address}/welcome/")[2]
        assert len(secret) == 43
        wait_until_ready(address)
        workers = workers_of(process)
        assert len(workers) == 1
        assert httpx.get(lines[-1].strip()).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert not any(map(is_running, workers))
        assert secret not in process.stderr.read()
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_worker_is_replaced_and_ends_with_its_server(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address, _):
        wait_until_ready(address)
        (first,) = workers_of(process)
        os.kill(first, signal.SIGKILL)
        end = time.monotonic() + 20
        while time.monotonic() < end and workers_of(process) in ([], [first]):
            time.sleep(0.1)
        (second,) = workers_of(process)
        assert second != first
        time.sleep(3)
        process.kill()
        end = time.monotonic() + 20
        while time.monotonic() < end and is_running(second):
            time.sleep(0.1)
        assert not is_running(second)


def test_a_token_for_programs(tmp_path: Path) -> None:
    target = tmp_path / "token.txt"
    with serving(tmp_path / "data", "--token-out", str(target)) as (_, address, _):
        wait_until_ready(address)
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        headers = {"Authorization": f"Bearer {target.read_text().strip()}"}
        assert httpx.get(f"{address}/api/users", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "nobody has set a password"),
        (["--host", "256.1.1.1"], "nobody has set a password"),
        (["--port", "99999"], "does not exist"),
        (["--database", "mysql://x/y"], "not kept in"),
        (["--token-out", "/nowhere/at/all"], "cannot be written"),
    ],
)
def test_a_door_that_cannot_or_must_not_open(tmp_path: Path, options: list[str], words: str) -> None:
    done = subprocess.run(command(tmp_path, *options), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert words in done.stderr
