"""Headline numbers as they are now: computed once for each version, by one request at a time, never back to back."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from accord.workspace import Workspace
from accord.workspace.projects import project_row

#: Requests that wait for newer numbers at a time; the others get the last ones, marked.
WAITING: Final = 4


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers of a project, the versions they belong to, and until when no others are computed."""

    versions: tuple[int, int]
    rest_until: float
    content: Mapping[str, Any]


class LiveNumbers:
    """Headline numbers of the projects of one workspace.

    While everybody asks and everything changes, computing takes half of one core at most.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._kept: dict[int, Numbers] = {}
        self._locks: dict[int, threading.Lock] = {}
        self._guard = threading.Lock()
        self._waiting = threading.BoundedSemaphore(WAITING)

    def get(self, project: int) -> Mapping[str, Any]:
        """Numbers as ``Reports.live`` gives them; ``fresh`` is False where they are not the newest."""
        now, kept = self._versions(project), self._kept.get(project)
        if kept is not None and kept.versions == now:
            return kept.content
        if not self._waiting.acquire(blocking=kept is None):
            return dict(kept.content if kept is not None else {}) | {"fresh": False}
        try:
            with self._lock(project):
                return self._at_least(project, now)
        finally:
            self._waiting.release()

    def _at_least(self, project: int, now: tuple[int, int]) -> Mapping[str, Any]:
        kept = self._kept.get(project)
        if kept is not None and kept.versions[0] >= now[0] and kept.versions[1] >= now[1]:
            return kept.content
        if kept is not None:
            time.sleep(max(kept.rest_until - time.monotonic(), 0.0))
        started = time.monotonic()
        content = self._workspace.reports.live(project)
        gc.collect()  # studies refer to themselves, and the collector would let many of them pile up
        ended = time.monotonic()
        versions = (content["data_version"], content["plan_version"])
        if content["fresh"]:
            self._kept[project] = Numbers(versions, 2 * ended - started, content)
        return content

    def _versions(self, project: int) -> tuple[int, int]:
        with self._workspace.database.read() as connection:
            row = project_row(connection, project)
        return row.data_version, row.plan_version

    def _lock(self, project: int) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(project, threading.Lock())
