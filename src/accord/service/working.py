"""``accord worker``: does jobs until a signal, or the end of the server that started it."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

from accord.service.logs import start_logging
from accord.service.workers import ATTACHED
from accord.workspace import Workspace
from accord.workspace.worker import Worker


def work(url: str) -> None:
    """Work until asked to stop; a job under way goes back to the queue.

    Raises
    ------
    DataError
        If the database cannot be opened.
    """
    start_logging()
    with Workspace.open(url) as workspace:
        worker = Worker(workspace)

        def stop(number: int, frame: FrameType | None) -> None:
            del number, frame
            worker.stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        if os.environ.get(ATTACHED) == "1":
            threading.Thread(target=_end_with_server, args=(worker.stop,), daemon=True).start()
        worker.run()


def _end_with_server(stop: threading.Event) -> None:
    """Wait until the other end of standard input is closed, which happens when the server ends, however it ends."""
    while os.read(0, 1024):
        pass
    stop.set()
