"""``accord worker``: does jobs until a signal, or the end of the server that started it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Mapping
from functools import partial
from types import FrameType
from typing import Final

from accord.errors import DataError
from accord.service.drawing import draw
from accord.service.logs import start_logging
from accord.service.workers import ATTACHED
from accord.workspace import Workspace
from accord.workspace.worker import HANDLERS, Handler, Worker, report

LOOK_SECONDS: Final = 0.2
#: What workers do; with a report they also draw what the pages show of it.
DOING: Final[Mapping[str, Handler]] = {**HANDLERS, "report": partial(report, draw=draw)}


def work(url: str) -> None:
    """Work until asked to stop; a job under way goes back to the queue.

    Raises
    ------
    DataError
        If the database cannot be opened.
    """
    start_logging()
    with Workspace.open(url) as workspace:
        worker = Worker(workspace, handlers=DOING, reports=False)
        reporter = Worker(workspace, handlers=DOING, reports=True)
        reporter.stop = worker.stop

        def stop(number: int, frame: FrameType | None) -> None:
            del number, frame
            worker.stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        if os.environ.get(ATTACHED) == "1":
            threading.Thread(target=_end_with_server, args=(worker.stop,), daemon=True).start()
        beside = threading.Thread(target=reporter.run, name="accord-reports")
        beside.start()
        try:
            worker.run()
        finally:
            worker.stop.set()
            beside.join()


def _end_with_server(stop: threading.Event) -> None:
    """Wait until the other end of standard input is closed, which happens when the server ends, however it ends."""
    while os.read(0, 1024):
        pass
    stop.set()


def recompute(url: str, project: int) -> dict[str, int]:
    """Score every task of a project anew, here or by the worker of a running server; returns the counts.

    Raises
    ------
    UsageError
        If there is no such project.
    DataError
        If the job failed or was cancelled.
    """
    with Workspace.open(url) as workspace:
        workspace.projects.get(project)
        job = workspace.jobs.add("recompute", project)
        worker = Worker(workspace, handlers=DOING)
        while (found := workspace.jobs.get(job)).status in ("queued", "running"):
            if not worker.run_one():
                time.sleep(LOOK_SECONDS)
    if found.status != "done":
        raise DataError.at(f"the job was not done: {found.error or 'it was cancelled'}.")
    return {name: int(found.result[name]) for name in ("scanned", "scored", "mismatch", "skipped")}
