"""Over time: annotations and mean agreement of tasks, by day and by week of the project's time zone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
from sqlalchemy import Connection, select

from accord.values import FloatArray, Index
from accord.workspace.database import Database
from accord.workspace.projects import project_row
from accord.workspace.settings import settings_of
from accord.workspace.tables import ANNOTATIONS, CODED_TASKS

#: What lies outside the years 1 to 9999 in some time zone is no time of an annotation.
EARLIEST: Final = -62_135_000_000.0
LATEST: Final = 253_402_100_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A day, or a week by its Monday: annotations made in it, and mean agreement of the tasks completed in it.

    A task is completed with its last annotation. The mean is not corrected for chance; None where no task has a score.
    """

    begin: dt.date
    annotations: int
    tasks: int
    agreement: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """Days and weeks with something in them, in order; ``unknown`` annotations have no time."""

    time_zone: str
    days: Sequence[Period]
    weeks: Sequence[Period]
    unknown: int


class Trends:
    """How the projects of a workspace went on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, project_id: int) -> Trend:
        """By day and by week."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            zone = settings_of(connection, project_id, row.plan_version).time_zone
            time, task = _annotations(connection, project_id)
            agreement = _agreement(connection, project_id)
        known = (time > EARLIEST) & (time < LATEST)
        day = _days(time[known], ZoneInfo(zone))
        last: dict[int, int] = {}
        for number, when in zip(task[known].tolist(), day.tolist(), strict=True):
            last[number] = max(when, last.get(number, when))
        week = _mondays(day)
        weekly = dict(zip(last, _mondays(np.array(list(last.values()), dtype=np.int64)).tolist(), strict=True))
        return Trend(
            time_zone=zone,
            days=_periods(day, last, agreement),
            weeks=_periods(week, weekly, agreement),
            unknown=int(np.count_nonzero(~known)),
        )


def _annotations(connection: Connection, project_id: int) -> tuple[FloatArray, Index]:
    """When submitted annotations were made, and their tasks; NaN where nobody knows."""
    columns = ANNOTATIONS.c
    query = select(columns.created, columns.updated, columns.task_id).where(
        columns.project_id == project_id, columns.deleted_at.is_(None), columns.cancelled.is_(False)
    )
    rows = connection.execute(query).all()
    times = [row.created if row.created is not None else row.updated for row in rows]
    time = np.array([np.nan if when is None else when for when in times], dtype=np.float64)
    return time, np.array([row.task_id for row in rows], dtype=np.int64)


def _agreement(connection: Connection, project_id: int) -> dict[int, float]:
    query = select(CODED_TASKS.c.task_id, CODED_TASKS.c.agreement)
    query = query.where(CODED_TASKS.c.project_id == project_id, CODED_TASKS.c.agreement.is_not(None))
    return {row.task_id: row.agreement for row in connection.execute(query)}


def _days(time: FloatArray, zone: ZoneInfo) -> Index:
    """Day of each moment in a time zone, as ordinals; every distinct quarter of an hour is looked up once."""
    quarter, inverse = np.unique(np.floor(time / 900.0), return_inverse=True)
    days = [_ordinal(q * 900.0, zone) for q in quarter.tolist()]
    return np.array(days, dtype=np.int64)[inverse]


def _ordinal(seconds: float, zone: ZoneInfo) -> int:
    return dt.datetime.fromtimestamp(seconds, zone).date().toordinal()


def _mondays(day: Index) -> Index:
    """Monday of the week of each day; ordinal 1 is a Monday."""
    return day - (day - 1) % 7


def _periods(begin: Index, last: Mapping[int, int], agreement: Mapping[int, float]) -> list[Period]:
    sums: dict[int, list[float]] = {}
    for task, when in last.items():
        if task in agreement:
            sums.setdefault(when, []).append(agreement[task])
    found = []
    for when, count in zip(*(part.tolist() for part in np.unique(begin, return_counts=True)), strict=True):
        scores = sums.get(when, [])
        found.append(
            Period(
                begin=dt.date.fromordinal(when),
                annotations=count,
                tasks=len(scores),
                agreement=sum(scores) / len(scores) if scores else None,
            )
        )
    return found
