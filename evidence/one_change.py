"""One changed answer among 10^5 tasks of three raters: seconds until the page of the project shows it.

``python evidence/one_change.py [TASKS [TURNS]]``. Everything goes over HTTP: a change comes by a delivery of a webhook,
for which the server asks the other one, or by an import of the one task; the page is asked again and again for its
headline number.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import httpx
from faults import client
from load import server
from mirror import Mirror
from studio import Studio, served

RATERS = 3
PATIENCE = 900.0
#: Seconds between changes, and between looks at the page.
PAUSE, LOOK = 4.0, 0.02


def headline(line: httpx.Client, project: int) -> float | None:
    """Coefficient at the top of the page of a project."""
    page = line.get(f"/projects/{project}.json").raise_for_status().json()
    if page["now"]:
        return page["now"][0]["value"]
    controls = (page["report"] or {}).get("controls")
    return controls[0]["coefficients"][controls[0]["headline"]]["value"] if controls else None


def filled(line: httpx.Client, project: int, tasks: int) -> None:
    """Wait until everything is pulled, scored and reported."""
    until = time.monotonic() + PATIENCE
    while True:
        known = line.get(f"/api/projects/{project}").raise_for_status().json()["tasks"]
        waits = any(
            job["status"] in ("queued", "running") for job in line.get("/api/jobs").raise_for_status().json()["items"]
        )
        if known == tasks and not waits and headline(line, project) is not None:
            return
        assert time.monotonic() < until, "the project is not filled in time"
        time.sleep(1.0)


def seconds(line: httpx.Client, project: int, change: Callable[[], object]) -> float:
    """Time from a change to the page that shows it."""
    before, started = headline(line, project), time.monotonic()
    change()
    while headline(line, project) == before:
        assert time.monotonic() < started + PATIENCE, "the page never shows the change"
        time.sleep(LOOK)
    return time.monotonic() - started


def main(tasks: int = 100_000, turns: int = 10) -> None:
    """Run and print."""
    studio = Studio(tasks, random.Random(3), RATERS)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(studio),
        server(Path(folder)) as running,
        client(running) as line,
    ):
        measure(line, studio, tasks, turns)


def measure(line: httpx.Client, studio: Studio, tasks: int, turns: int) -> None:
    """Follow the other server, then change it again and again."""
    mirror = Mirror.connected(line, studio, minutes=0)
    filled(line, mirror.project, tasks)

    def webhook() -> None:
        mirror.deliver(line, studio.update())

    def import_() -> None:
        number = studio.update()["task"]["id"]
        task = studio.page(range(1), {number})[0]
        line.post(f"/api/projects/{mirror.project}/import", json=task).raise_for_status()

    for name, change in (("webhook", webhook), ("import", import_)):
        taken = []
        for _ in range(turns):
            taken.append(seconds(line, mirror.project, change))
            time.sleep(PAUSE)
        print(f"{name}: median {median(taken):.2f} s, longest {max(taken):.2f} s of {turns}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
