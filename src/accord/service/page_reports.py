"""Whole reports for the overview: computed once for each version of a project, the last few kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.pipeline.report import Report
from accord.pipeline.signoff import facts_of
from accord.service.api.asked import as_bytes
from accord.workspace import Workspace
from accord.workspace.projects import project_row
from accord.workspace.reports import full_report, loaded_with

KEPT = 8


@dataclass(frozen=True, slots=True)
class Seen:
    """A report and the versions of data and settings it was made from; None where no answer was scored yet.

    ``facts`` are what a sign-off says of the data.
    """

    versions: str
    report: Report | None
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Body:
    """A stored report as it is sent: its number, and the versions of data and settings it belongs to."""

    versions: tuple[int, int]
    number: int
    json: bytes


class PageReports:
    """Reports of the projects of one workspace; two requests never compute the same one."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._kept: OrderedDict[int, Seen] = OrderedDict()
        self._bodies: OrderedDict[int, Body] = OrderedDict()
        self._locks: dict[int, threading.Lock] = {}
        self._guard = threading.Lock()

    def versions(self, project: int) -> str:
        """Which scores there are now."""
        with self._workspace.database.read() as connection:
            row = project_row(connection, project)
        return f"{row.coded_data}.{row.coded_plan}"

    def get(self, project: int) -> Seen:
        """Report on the scores there are now."""
        with self.lock(project):
            kept = self._kept.get(project)
            if kept is not None and kept.versions == self.versions(project):
                return kept
            made = self._make(project)
        with self._guard:
            self._kept[project] = made
            self._kept.move_to_end(project)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made

    def body(self, project: int) -> Body | None:
        """Stored report as JSON, written once for each version; None where there is none yet."""
        with self.lock(project):
            with self._workspace.database.read() as connection:
                row = project_row(connection, project)
            now = (row.data_version, row.plan_version)
            kept = self._bodies.get(project)
            if kept is not None and kept.versions == now:
                return kept
            stored = self._workspace.reports.current(project)
            if stored is None:
                return None
            made = Body(now, stored.id, as_bytes(stored.payload))
        if stored.fresh and (stored.data_version, stored.plan_version) == now:
            with self._guard:
                self._bodies[project] = made
                self._bodies.move_to_end(project)
                while len(self._bodies) > KEPT:
                    self._bodies.popitem(last=False)
        return made

    def _make(self, project: int) -> Seen:
        with self._workspace.database.read() as connection:
            row = project_row(connection, project)
            loaded, settings = loaded_with(connection, row)
        report = full_report(row, loaded, settings) if loaded.dataset.columns else None
        return Seen(f"{row.coded_data}.{row.coded_plan}", report, facts_of(loaded.dataset))

    def lock(self, project: int) -> threading.Lock:
        """Lock under which one request computes what the others wait for."""
        with self._guard:
            return self._locks.setdefault(project, threading.Lock())
