"""The making of a report from coded rows: measure, put into JSON, keep with the versions it was made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, delete, insert

from accord.pipeline.contract import to_full_dict
from accord.pipeline.measure import Progress, measure
from accord.pipeline.report import Report
from accord.workspace.database import Database
from accord.workspace.loading import Loaded, load
from accord.workspace.projects import project_row
from accord.workspace.settings import Settings, settings_of
from accord.workspace.tables import REPORTS
from accord.workspace.texts import json_text
from accord.workspace.whole_annotations import with_annotations

#: Makes what the pages show of a report, as JSON.
Draw: TypeAlias = Callable[[Report], Mapping[str, Any]]


def payloads_of(
    database: Database, project_id: int, draw: Draw | None = None, progress: Progress | None = None
) -> tuple[Row[Any], dict[str, Mapping[str, Any]]]:
    """Row of a project, and by kind what is kept of a report on it; nothing where nothing was answered."""
    with database.read() as connection:
        row = project_row(connection, project_id)
        loaded, settings = loaded_with(connection, row)
    if not loaded.dataset.columns:
        return row, {}
    made = full_report(row, loaded, settings, progress)
    found: dict[str, Mapping[str, Any]] = {"report": to_full_dict(made)}
    if draw is not None:
        found["page"] = draw(made)
    return row, found


def keep(
    connection: Connection, row: Row[Any], payloads: Mapping[str, Mapping[str, Any]], *, at: float
) -> dict[str, int]:
    """Store reports in the place of those before; returns their numbers by kind."""
    numbers = {}
    for kind, payload in payloads.items():
        connection.execute(delete(REPORTS).where(REPORTS.c.project_id == row.id, REPORTS.c.kind == kind))
        values = {
            "project_id": row.id,
            "kind": kind,
            "data_version": row.coded_data,
            "plan_version": row.coded_plan,
            "payload": json_text(payload),
            "created_at": at,
        }
        numbers[kind] = connection.execute(insert(REPORTS).values(values).returning(REPORTS.c.id)).scalar_one()
    return numbers


def full_report(row: Row[Any], loaded: Loaded, settings: Settings, progress: Progress | None = None) -> Report:
    """Measure everything the pages show."""
    return measure(loaded.dataset, settings.measuring, tasks=True, page=True, title=row.name, progress=progress)


def loaded_with(connection: Connection, row: Row[Any]) -> tuple[Loaded, Settings]:
    """Coded answers of a project, and the settings they were scored with."""
    settings = settings_of(connection, row.id, row.coded_plan)
    plan = settings.measuring
    return with_annotations(connection, load(connection, row.id, plan.cluster), plan), settings
