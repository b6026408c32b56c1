"""What other settings would do, before they are kept: headline numbers, and tasks entering and leaving the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, select

from accord.coefficients.estimate import Estimate
from accord.pipeline.overall import unit_agreement
from accord.pipeline.question import Question
from accord.values import BoolArray, FloatArray, Index
from accord.workspace.database import Database
from accord.workspace.listing import is_reviewed
from accord.workspace.loading import Loaded, load
from accord.workspace.policies import ReviewPolicy
from accord.workspace.projects import project_row
from accord.workspace.settings import Settings, settings_of
from accord.workspace.tables import CODED_TASKS, TASKS
from accord.workspace.whole_annotations import with_annotations

#: Tasks listed as entering or leaving.
MOST: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """Headline of a control; ``undefined`` says why there is no value."""

    coefficient: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    undefined: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlPreview:
    """A control with the settings in force and with the others; None where it has no score at all."""

    name: str
    before: Headline | None
    after: Headline | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would change. Agreement is the mean over tasks, not corrected for chance; tasks are named by their keys."""

    controls: Sequence[ControlPreview]
    agreement_before: float | None
    agreement_after: float | None
    waiting_before: int
    waiting_after: int
    entering: Sequence[str]
    entering_total: int
    leaving: Sequence[str]
    leaving_total: int


@dataclass(frozen=True)
class _Scored:
    """A project measured with some settings: headlines, mean, and which tasks would wait, by position."""

    headlines: Mapping[str, Headline]
    agreement: float | None
    waiting: BoolArray


class Previews:
    """Other settings tried on the projects of a workspace; nothing is kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, project_id: int, wanted: Mapping[str, Any]) -> Preview:
        """Measure with the settings in force and with others.

        Raises
        ------
        UsageError
            Something in the settings is not known or not allowed.
        """
        new = Settings.from_dict(wanted)
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            old = settings_of(connection, project_id, row.plan_version)
            tasks = _open_tasks(connection, project_id)
            before = _scored(connection, project_id, old, tasks)
            after = before if _same(old, new) else _scored(connection, project_id, new, tasks)
            entering, leaving = after.waiting & ~before.waiting, before.waiting & ~after.waiting
            return Preview(
                controls=_controls(before, after),
                agreement_before=before.agreement,
                agreement_after=after.agreement,
                waiting_before=int(before.waiting.sum()),
                waiting_after=int(after.waiting.sum()),
                entering=_keys(connection, tasks.numbers[entering]),
                entering_total=int(entering.sum()),
                leaving=_keys(connection, tasks.numbers[leaving]),
                leaving_total=int(leaving.sum()),
            )


@dataclass(frozen=True)
class _Tasks:
    """Coded tasks in order of their numbers, raters of each, and which nobody has decided."""

    numbers: Index
    raters: Index
    undecided: BoolArray


def _open_tasks(connection: Connection, project_id: int) -> _Tasks:
    query = select(TASKS.c.id, CODED_TASKS.c.raters, is_reviewed().label("reviewed"))
    query = query.join(CODED_TASKS, CODED_TASKS.c.task_id == TASKS.c.id).order_by(TASKS.c.id)
    rows = connection.execute(query.where(TASKS.c.project_id == project_id, TASKS.c.deleted_at.is_(None))).all()
    return _Tasks(
        np.array([row.id for row in rows], dtype=np.int64),
        np.array([row.raters for row in rows], dtype=np.int64),
        np.array([not row.reviewed for row in rows], dtype=np.bool_),
    )


def _same(old: Settings, new: Settings) -> bool:
    return (old.plan, old.review, old.custom) == (new.plan, new.review, new.custom)


def _scored(connection: Connection, project_id: int, settings: Settings, tasks: _Tasks) -> _Scored:
    plan = settings.measuring
    loaded = with_annotations(connection, load(connection, project_id, plan.cluster), plan)
    questions = {name: Question.of(loaded.dataset, name, plan) for name in loaded.dataset.columns}
    if not questions or not len(loaded.tasks):
        return _Scored({}, None, np.zeros(len(tasks.numbers), dtype=np.bool_))
    mean = _by_task(loaded.tasks, unit_agreement(list(questions.values())), tasks.numbers)
    known = mean[np.isfinite(mean)]
    return _Scored(
        {name: _headline(question) for name, question in questions.items()},
        float(known.mean()) if len(known) else None,
        _waiting(settings.review, mean, questions, loaded, tasks),
    )


def _waiting(
    policy: ReviewPolicy, mean: FloatArray, questions: Mapping[str, Question], loaded: Loaded, tasks: _Tasks
) -> BoolArray:
    """Which tasks the policy would queue, for a reviewer without answers of their own."""
    value = mean if policy.control is None else np.full(len(mean), np.nan)
    question = None if policy.control is None else questions.get(policy.control)
    if question is not None:
        sums, weights, _ = question.scores.units
        value = _ratio(np.searchsorted(tasks.numbers, loaded.tasks[question.places]), sums, weights, len(mean))
    below = np.less(value, policy.threshold, out=np.zeros(len(value), dtype=np.bool_), where=np.isfinite(value))
    return below & (tasks.raters >= policy.answers) & tasks.undecided


def _by_task(task: Index, value: FloatArray, numbers: Index) -> FloatArray:
    """Mean of the values of each task's units, NaN where it has none."""
    known = np.isfinite(value)
    place = np.searchsorted(numbers, task[known])
    return _ratio(place, value[known], np.ones(len(place)), len(numbers))


def _ratio(place: Index, sums: FloatArray, weights: FloatArray, size: int) -> FloatArray:
    """Sums over weights of each place, NaN where nothing weighs."""
    total, weight = np.bincount(place, sums, size), np.bincount(place, weights, size)
    return np.divide(total, weight, out=np.full(size, np.nan), where=weight > 0)


def _headline(question: Question) -> Headline:
    found: Estimate = question.estimate(question.headline)
    interval = found.interval
    return Headline(
        coefficient=question.headline,
        metric=question.metric,
        value=None if found.undefined else found.value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        undefined=found.undefined,
    )


def _controls(before: _Scored, after: _Scored) -> list[ControlPreview]:
    names = dict.fromkeys((*before.headlines, *after.headlines))
    return [ControlPreview(name=n, before=before.headlines.get(n), after=after.headlines.get(n)) for n in names]


def _keys(connection: Connection, numbers: Index) -> list[str]:
    query = select(TASKS.c.key).where(TASKS.c.id.in_(numbers[:MOST].tolist())).order_by(TASKS.c.id)
    return list(connection.scalars(query))
