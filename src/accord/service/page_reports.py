"""Reports as the server gives them out: the last one that was made, at once, while the next one is being made."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from accord.pipeline.report import Report
from accord.pipeline.signoff import facts_of
from accord.service.drawing import draw
from accord.workspace import Workspace
from accord.workspace.making import full_report, loaded_with
from accord.workspace.projects import project_row
from accord.workspace.reports import Made

#: Reports kept in memory.
KEPT: Final = 8
#: Seconds that a program waits for the report on what it has just changed, and how many may wait at a time.
PATIENCE: Final = 3.0
WAITING: Final = 4
LOOK_SECONDS: Final = 0.1


@dataclass(frozen=True)
class Text:
    """JSON of a stored report."""

    json: bytes

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """What the JSON says."""
        found: Mapping[str, Any] = json.loads(self.json)
        return found


@dataclass(frozen=True, slots=True)
class Given:
    """A report that is given out, and which one it is."""

    made: Made
    text: Text


@dataclass(frozen=True, slots=True)
class Seen:
    """A whole report, the versions of data and settings it was made from, and what a sign-off says of the data."""

    versions: tuple[int, int]
    report: Report
    facts: Mapping[str, Any]


class PageReports:
    """Reports of the projects of one workspace.

    Parameters
    ----------
    here
        Make them in this process while somebody waits, as a server without workers must; else a worker does.
    """

    def __init__(self, workspace: Workspace, *, here: bool) -> None:
        self._workspace = workspace
        self._here = here
        self._kept: OrderedDict[tuple[int, str], tuple[int, Text | None]] = OrderedDict()
        self._locks: dict[int, threading.Lock] = {}
        self._guard, self._making = threading.Lock(), threading.Lock()
        self._seen: tuple[int, tuple[int, int], Seen] | None = None
        self._waiting = threading.BoundedSemaphore(WAITING)

    def page(self, project: int) -> Given | None:
        """What pages show, of the last report; None before the first one. The next one is asked for where it must be.

        Nobody waits for a worker here: the page says that there is something newer.
        """
        return self._given(project, "page", self._newest(project, "page"))

    def report(self, project: int) -> Given | None:
        """Report in the form of ``accord score --json``; waits a little for the one on what there is now."""
        made = self._newest(project, "report")
        if (made is None or not made.fresh) and not self._here and self._waiting.acquire(blocking=False):
            try:
                made = self._awaited(project)
            finally:
                self._waiting.release()
        return self._given(project, "report", made)

    def seen(self, project: int) -> Seen | None:
        """Report on what there is now, made while the caller waits, one at a time; the last one is kept."""
        with self._making:
            with self._workspace.database.read() as connection:
                row = project_row(connection, project)
                versions = row.coded_data, row.coded_plan
                if self._seen is not None and self._seen[:2] == (project, versions):
                    return self._seen[2]
                loaded, settings = loaded_with(connection, row)
            if not loaded.dataset.columns:
                return None
            made = Seen(versions, full_report(row, loaded, settings), facts_of(loaded.dataset))
            self._seen = project, versions, made
            return made

    def _newest(self, project: int, kind: str) -> Made | None:
        made = self._workspace.reports.made(project, kind)
        if made is not None and made.latest:
            return made
        if not self._here:
            self._workspace.reports.ask(project)
            return made
        with self._lock(project):
            self._workspace.reports.make(project, draw=partial(draw, self._workspace, project))
        return self._workspace.reports.made(project, kind)

    def _awaited(self, project: int) -> Made | None:
        """Report on at least what there is at this moment, or the last one when patience ends."""
        with self._workspace.database.read() as connection:
            row = project_row(connection, project)
        until, reports = time.monotonic() + PATIENCE, self._workspace.reports
        while True:
            made = reports.made(project)
            known = made is not None and made.data_version >= row.data_version and made.plan_version >= row.plan_version
            if known or time.monotonic() > until:
                return made
            if not (made is not None and made.latest) and not reports.ask(project):
                return made
            time.sleep(LOOK_SECONDS)

    def _given(self, project: int, kind: str, made: Made | None) -> Given | None:
        """Content of a report; that of the one after it, if it took its place meanwhile."""
        while made is not None:
            with self._lock(project):  # read once, however many ask
                number, text = self._kept.get((project, kind), (0, None))
                if number != made.id:
                    text = self._read(project, kind, made.id)
            if text is not None:
                return Given(made, text)
            made = self._workspace.reports.made(project, kind)
        return None

    def _read(self, project: int, kind: str, number: int) -> Text | None:
        found = self._workspace.reports.text(number)
        if found is None:
            return None
        text = Text(found.encode("ascii"))
        with self._guard:
            self._kept[project, kind] = number, text
            self._kept.move_to_end((project, kind))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return text

    def _lock(self, project: int) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(project, threading.Lock())
