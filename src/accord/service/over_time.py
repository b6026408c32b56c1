"""What happened by day and by week: annotations made, and the mean agreement of the tasks they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
from markupsafe import Markup

from accord.reporting import tables, words
from accord.reporting.figure import Figure
from accord.reporting.markup import join, label, line, picture, rect
from accord.values import FloatArray
from accord.workspace import Workspace
from accord.workspace.loading import load
from accord.workspace.tables import CODED_TASKS

MOST_BARS = 60


@dataclass(frozen=True, slots=True)
class Stretch:
    """One day or week: annotations, and mean agreement of their tasks (not corrected for chance), None = unknown."""

    start: date
    annotations: int
    agreement: float | None


def stretches(workspace: Workspace, project: int, zone: str, days: int) -> tuple[Stretch, ...]:
    """Count annotations by stretches of ``days`` (1 or 7) in a time zone; those without a time are left out."""
    with workspace.database.read() as connection:
        loaded = load(connection, project)
        query = CODED_TASKS.select().with_only_columns(CODED_TASKS.c.task_id, CODED_TASKS.c.agreement)
        rows = connection.execute(query.where(CODED_TASKS.c.project_id == project))
        score = {row.task_id: row.agreement for row in rows}
    table = loaded.dataset.annotations
    if table is None or not len(table):
        return ()
    known = np.isfinite(table.created)
    tasks = loaded.tasks[table.unit[known]]
    agreement = np.array([np.nan if score.get(task) is None else score[task] for task in tasks.tolist()])
    return _grouped(_days(table.created[known], ZoneInfo(zone)), agreement, days)


def _days(moments: FloatArray, zone: ZoneInfo) -> list[date]:
    return [datetime.fromtimestamp(moment, UTC).astimezone(zone).date() for moment in moments.tolist()]


def _grouped(when: list[date], agreement: FloatArray, days: int) -> tuple[Stretch, ...]:
    starts = [day - timedelta(days=day.weekday() if days == 7 else 0) for day in when]
    places: dict[date, list[int]] = {}
    for i, start in enumerate(starts):
        places.setdefault(start, []).append(i)
    return tuple(_stretch(start, agreement[places[start]]) for start in sorted(places))


def _stretch(start: date, agreement: FloatArray) -> Stretch:
    known = agreement[np.isfinite(agreement)]
    return Stretch(start, len(agreement), float(known.mean()) if len(known) else None)


def figure(found: tuple[Stretch, ...], unit: str, zone: str) -> Figure:
    """Bars of annotations with the agreement above them as a table."""
    heads = tables.headings(unit, "#Annotations", "#Mean agreement")
    rows = tuple(
        (
            tables.text(one.start.isoformat()),
            tables.integer(one.annotations),
            tables.number(one.agreement),
        )
        for one in found
    )
    shown = found[-MOST_BARS:]
    return Figure(
        title=f"Annotations by {unit.lower()}",
        subtitle=f"Time zone {zone}; agreement of their tasks, not corrected for chance",
        table=tables.Table(f"Annotations by {unit.lower()}", heads, rows),
        picture=_bars(shown, unit) if len(shown) > 1 else None,
    )


def _bars(found: tuple[Stretch, ...], unit: str) -> Markup:
    peak = max(one.annotations for one in found)
    step = 292 / len(found)
    bars = [
        rect(
            4 + i * step + 0.5,
            130 - 110 * one.annotations / peak,
            max(step - 1, 1),
            110 * one.annotations / peak,
            "bar",
        )
        for i, one in enumerate(found)
    ]
    ends = [
        label(4, 146, found[0].start.isoformat(), "q t11"),
        label(296, 146, found[-1].start.isoformat(), "q t11", "end"),
        label(4, 12, f"at most {words.count(peak)}", "q t11"),
    ]
    title = f"Annotations by {unit.lower()}: {words.plural(sum(one.annotations for one in found), 'annotation')}"
    return picture(300, 152, title, join(*bars), line(4, 130, 296, 130, "ax"), *ends)
