"""Rounds of annotation compared: agreement in each, and whether it changed, for controls and for annotators."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from sqlalchemy import Connection, select

from accord.dataset import Column, Dataset
from accord.inference.scores import mean_score
from accord.pipeline.question import Question
from accord.readers.assemble import natural
from accord.values import BoolArray, FloatArray, Index
from accord.workspace.database import Database
from accord.workspace.loading import Loaded
from accord.workspace.making import loaded_with
from accord.workspace.policies import MOST_ROUNDS
from accord.workspace.projects import project_row
from accord.workspace.settings import Settings, settings_of
from accord.workspace.tables import TASKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A value of one round with its limits and what it rests on.

    ``change`` are limits of the difference to the round before, None where one of both is unknown; ``changed``: they
    leave zero out.
    """

    value: float | None
    low: float | None
    high: float | None
    units: int
    undefined: str | None = None
    change: tuple[float, float] | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A control with its headline coefficient, or an annotator in a control, round by round."""

    control: str
    name: str
    rounds: Sequence[Measured]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """Rounds in order with their tasks; ``unknown`` tasks belong to none.

    Coefficients have the limits of their level; limits of annotators hold for all of a control together (Bonferroni).
    """

    names: Sequence[str]
    tasks: Sequence[int]
    unknown: int
    controls: Sequence[Series]
    raters: Sequence[Series]


class RoundsOfProjects:
    """Rounds of the projects of a workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, project_id: int) -> Rounds | None:
        """Compare the rounds; None where the settings name none, or there are no scores."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            policy = settings_of(connection, project_id, row.coded_plan).rounds
            if not (policy.field or policy.dates):
                return None
            loaded, settings = loaded_with(connection, row)
            if not loaded.dataset.columns:
                return None
            names, place = _places(connection, project_id, loaded, settings)
        plan = settings.measuring
        tasks = [len(np.unique(loaded.tasks[place == i])) for i in range(len(names))]
        questions = [Question.of(loaded.dataset, name, plan) for name in loaded.dataset.columns]
        return Rounds(
            names=names,
            tasks=tasks,
            unknown=len(np.unique(loaded.tasks[place < 0])),
            controls=[_control(question, place, len(names)) for question in questions],
            raters=[one for question in questions for one in _raters(question, place, len(names))],
        )


def _places(connection: Connection, project_id: int, loaded: Loaded, settings: Settings) -> tuple[list[str], Index]:
    """Names of the rounds in order, and the round of each unit, (U,), -1 = none."""
    begun = _begun(loaded)
    if settings.rounds.dates:
        cuts = settings.rounds.cuts
        place = _by_date(begun, cuts, ZoneInfo(settings.time_zone))
        spans = zip(("", *map(str, cuts)), (*map(str, cuts), ""), strict=True)
        return [_span(first, last) for first, last in spans], place
    value = _fields(connection, project_id, str(settings.rounds.field))
    named = [value.get(task) for task in loaded.tasks.tolist()]
    known = sorted({name for name in named if name is not None}, key=natural)[:MOST_ROUNDS]
    number = {name: i for i, name in enumerate(known)}
    return known, np.array([number.get(name, -1) if name is not None else -1 for name in named], dtype=np.int64)


def _span(first: str, last: str) -> str:
    if not first:
        return f"before {last}"
    return f"{first} to {last}" if last else f"from {first}"


def _fields(connection: Connection, project_id: int, field: str) -> dict[int, str]:
    """Value of a data field by task."""
    query = select(TASKS.c.id, TASKS.c.payload).where(TASKS.c.project_id == project_id, TASKS.c.deleted_at.is_(None))
    found = {}
    for row in connection.execute(query):
        data = json.loads(row.payload).get("data")
        value = data.get(field) if isinstance(data, dict) else None
        if isinstance(value, str | int | float) and str(value).strip():
            found[row.id] = str(value).strip()[:200]
    return found


def _begun(loaded: Loaded) -> FloatArray:
    """When the first answer to the task of each unit was made, (U,), NaN = unknown."""
    numbers, task = np.unique(loaded.tasks, return_inverse=True)
    first = np.full(len(numbers), np.inf)
    table = loaded.dataset.annotations
    if table is not None:
        known = np.isfinite(table.created)
        np.minimum.at(first, task[table.unit[known]], table.created[known])
    return np.where(np.isfinite(first), first, np.nan)[task]


def _by_date(begun: FloatArray, cuts: Sequence[dt.date], zone: ZoneInfo) -> Index:
    edges = [dt.datetime.combine(cut, dt.time(), zone).timestamp() for cut in cuts]
    place = np.searchsorted(edges, begun, side="right")
    return np.where(np.isfinite(begun), place, -1)


def _control(whole: Question, place: Index, size: int) -> Series:
    """Headline of a control in each round, as its tasks alone give it."""
    found = []
    for i in range(size):
        question = Question.of(_only(whole.dataset, whole.name, place == i), whole.name, whole.plan)
        made = question.estimate(whole.headline)
        value = None if made.undefined else made.value
        low, high = (None, None) if made.interval is None else (made.interval.low, made.interval.high)
        found.append(Measured(value=value, low=low, high=high, units=made.units, undefined=made.undefined))
    return Series(control=whole.name, name=whole.headline, rounds=_with_changes(found))


def _only(dataset: Dataset, name: str, unit: BoolArray) -> Dataset:
    """Dataset with the answers of some units to one control."""
    column = dataset[name]
    keep = unit[column.unit]
    annotation = None if column.annotation is None else column.annotation[keep]
    blanks = None if column.blanks is None else column.blanks[unit[column.blanks[:, 0]]]
    cells: dict[str, Any] = {"unit": column.unit[keep], "rater": column.rater[keep], "code": column.code[keep]}
    part: Column = replace(column, **cells, annotation=annotation, blanks=blanks)
    return replace(dataset, columns={name: part})


def _raters(question: Question, place: Index, size: int) -> list[Series]:
    """Mean similarity of each annotator with the others, round by round, not corrected for chance."""
    study = question.study
    if study.slots:
        return []
    score, of_cell = question.scores.per_rater_unit, place[question.places][study.unit]
    level = 1.0 - (1.0 - (question.plan.ci or 0.95)) / max(study.R, 1)
    found = []
    for rater in range(study.R):
        mine = study.rater == rater
        parts = [_mean(score[mine & (of_cell == i)], level) for i in range(size)]
        if sum(part.value is not None for part in parts) > 1:
            name = str(study.rater_names[rater])
            found.append(Series(control=question.name, name=name, rounds=_with_changes(parts)))
    return found


def _mean(scores: FloatArray, level: float) -> Measured:
    known = scores[np.isfinite(scores)]
    value, interval = mean_score(known, level=level)
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return Measured(value=value if len(known) else None, low=low, high=high, units=len(known))


def _with_changes(found: Sequence[Measured]) -> list[Measured]:
    done = list(found[:1])
    for before, after in pairwise(found):
        change = difference(before, after)
        done.append(replace(after, change=change, changed=change is not None and not change[0] <= 0.0 <= change[1]))
    return done


def difference(before: Measured, after: Measured) -> tuple[float, float] | None:
    """Limits of the difference of two independent values from the limits of each (MOVER).

    References
    ----------
    Zou and Donner 2008, Construction of confidence limits about effect measures: a general approach.

    Examples
    --------
    >>> one = Measured(value=0.5, low=0.4, high=0.6, units=50)
    >>> low, high = difference(one, Measured(value=0.8, low=0.7, high=0.85, units=50))
    >>> round(low, 3), round(high, 3)
    (0.159, 0.412)
    """
    if before.value is None or after.value is None:
        return None
    if before.low is None or before.high is None or after.low is None or after.high is None:
        return None
    change = after.value - before.value
    low = math.hypot(after.value - after.low, before.high - before.value)
    high = math.hypot(after.high - after.value, before.value - before.low)
    return change - low, change + high
