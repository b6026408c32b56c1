"""Many clients at once on a server of its own: times, failures, memory.

``python evidence/load.py [CLIENTS [SECONDS [PAUSE]]]``, where each client waits PAUSE seconds between its requests.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import httpx
from clients import Tally, Target, hammer, megabytes, quantile

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
#: Seconds after which memory should not grow any more.
WARM = 15.0


@dataclass(frozen=True, slots=True)
class Running:
    """A server in a process of its own."""

    process: int
    address: str
    token: str


@contextmanager
def server(folder: Path, *more: str) -> Iterator[Running]:
    """Start a server on an empty folder and end it again."""
    token = folder / "token"
    command = [sys.executable, "-m", "accord", "serve", "--data", str(folder / "data"), "--port", "0"]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            [*command, "--token-out", str(token), *more], stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            first = process.stdout.readline() + process.stdout.readline()
            address = re.search(r"http://\S+", first)[0]
            yield Running(process.pid, address, token.read_text(encoding="ascii").strip())
        finally:
            process.terminate()
            process.wait(30)


def project(running: Running) -> Target:
    """Import the shipped example."""
    with httpx.Client(
        base_url=running.address, headers={"Authorization": f"Bearer {running.token}"}, timeout=120
    ) as client:
        config = (EXAMPLES / "support-config.xml").read_text(encoding="utf-8")
        number = client.post("/api/projects", json={"name": "Load", "label_config": config}).json()["id"]
        export = (EXAMPLES / "support-export.json").read_bytes()
        done = client.post(f"/api/projects/{number}/import", files={"file": ("export.json", export)})
        done.raise_for_status()
        tasks = client.get(f"/api/projects/{number}/export").json()
        rows = client.get(f"/api/projects/{number}/tasks?limit=1000").json()["items"]
        numbers = {row["key"]: row["id"] for row in rows}
        client.post(f"/api/projects/{number}/quality/recompute", json={}).raise_for_status()
        while client.get(f"/api/projects/{number}/quality/report").status_code == 409:
            time.sleep(0.2)
    return Target(
        running.address, running.token, number, [task | {"number": numbers[str(task["id"])]} for task in tasks]
    )


@contextmanager
def watched(process: int) -> Iterator[list[float]]:
    """Note the memory of a process every second."""
    seen, stop = [megabytes(process)], threading.Event()

    def look() -> None:
        while not stop.wait(1.0):
            seen.append(megabytes(process))

    watching = threading.Thread(target=look)
    watching.start()
    try:
        yield seen
    finally:
        stop.set()
        watching.join()


def main(clients: float = 200, seconds: float = 60, pause: float = 0) -> int:
    """Run and print; 1 if something failed."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as running:
        target = project(running)
        with watched(running.process) as memory:
            found = hammer(target, int(clients), seconds, pause)
    print(f"{clients:.0f} clients for {seconds:.0f} s, {pause:g} s between the requests of one")
    print(table(found, memory, min(WARM, seconds / 3)))
    for body in sorted(set(found.bodies))[:5]:
        print(body, file=sys.stderr)
    return 1 if found.failed else 0


def table(found: Tally, memory: list[float], warm: float) -> str:
    """Markdown of a run."""
    later = [one for second, one in enumerate(memory) if second >= warm]
    early, late = median(later[:10]), median(later[-10:])
    lines = [
        f"answers {len(found.all_seconds):,}, failures {found.failed}, broken connections {dict(found.broken)}",
        f"status {dict(sorted(found.status.items()))}",
        f"p99 {quantile(found.all_seconds, 0.99):.2f} s",
        f"memory {memory[0]:.0f} MB at first, {early:.0f} MB warm, {late:.0f} MB at the end ({late / early - 1:+.1%})",
        "",
        "| request | answers | p50 s | p99 s | longest s |",
        "|---|---|---|---|---|",
    ]
    for name, taken in (*sorted(found.seconds.items()), ("all", found.all_seconds)):
        taken = sorted(taken)
        spread = " | ".join(f"{one:.2f}" for one in (quantile(taken, 0.5), quantile(taken, 0.99), taken[-1]))
        lines.append(f"| {name} | {len(taken):,} | {spread} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
