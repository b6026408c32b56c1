"""Worker processes beside the server: started with it, replaced when they die, stopped with it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from types import TracebackType
from typing import Final, Self

from accord.service.settings import Settings

LOGGER = logging.getLogger("accord.service")
DATABASE: Final = "ACCORD_DATABASE"
ATTACHED: Final = "ACCORD_WORKER_ATTACHED"
LOOK_SECONDS: Final = 1.0
MOST_PAUSE: Final = 30.0


class Workers:
    """The worker processes of one server; a context in which they run.

    Each holds the reading end of a pipe as its standard input, and stops when the server is gone.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stop = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="accord-workers", daemon=True)
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self._running = [self._start() for _ in range(self._settings.workers)]
        self._watching.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        del kind, error, trace
        self._stop.set()
        self._watching.join()
        for worker in self._running:
            worker.terminate()
        for worker in self._running:
            try:
                worker.wait(self._settings.stop_seconds)
            except subprocess.TimeoutExpired:
                worker.kill()  # its lease runs out and another worker takes the job
                worker.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        environment = os.environ | {DATABASE: self._settings.url, ATTACHED: "1"}
        command = [sys.executable, "-m", "accord", "worker", "--data", str(self._settings.data)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)  # noqa: S603 - our own program

    def _watch(self) -> None:
        pause = LOOK_SECONDS
        while not self._stop.wait(pause):
            dead = [i for i, worker in enumerate(self._running) if worker.poll() is not None]
            pause = min(pause * 2, MOST_PAUSE) if dead else LOOK_SECONDS
            for i in dead:
                LOGGER.error("a worker ended with %s and is replaced", self._running[i].returncode)
                self._running[i] = self._start()
