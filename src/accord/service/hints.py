"""What webhooks say, turned into pulls by a thread, so that a delivery is answered whatever the database does."""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from accord.errors import AccordError
from accord.workspace import Workspace
from accord.workspace.database import StoreError

LOGGER = logging.getLogger("accord.service")
#: Seconds in which deliveries are gathered into one pull.
GATHER: Final = 0.1
#: A pull of more named tasks than this is one of all that changed.
MOST_TASKS: Final = 500
#: Seconds until the database is tried again.
PAUSE: Final = 1.0


class Hints:
    """Deliveries that wait to become jobs; a hint that gets lost costs no data, since a pull comes by the clock."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._waiting: dict[int, set[int] | None] = {}
        self._guard = threading.Lock()
        self._news = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, project: int, tasks: tuple[int, ...]) -> None:
        """Note that something changed: these tasks, or nobody knows which where there are none."""
        with self._guard:
            known = self._waiting.get(project, set())
            together = None if known is None or not tasks else known | set(tasks)
            self._waiting[project] = None if together is not None and len(together) > MOST_TASKS else together
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="accord-hints", daemon=True)
                self._thread.start()
        self._news.set()

    def _run(self) -> None:
        while True:
            self._news.wait()
            self._news.clear()
            time.sleep(GATHER)
            with self._guard:
                taken, self._waiting = self._waiting, {}
            for project, tasks in taken.items():
                self._ask(project, tasks)

    def _ask(self, project: int, tasks: set[int] | None) -> None:
        try:
            self._workspace.connections.ask(project, None if tasks is None else sorted(tasks))
        except StoreError:
            LOGGER.warning("a webhook waits for the database", exc_info=True)
            time.sleep(PAUSE)
            self.add(project, () if tasks is None else tuple(tasks))
        except AccordError as error:  # the project or its connection is gone
            LOGGER.info("a webhook came too late: %s", error)
