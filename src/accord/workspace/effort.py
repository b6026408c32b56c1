"""Work as it was done: answers and skips, time a task, and who has met whom on the same tasks. No judgement in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, func, select

from accord.dataset import Flag
from accord.inference.scores import wilson
from accord.pipeline.labels import UNLABELLED, Labels
from accord.values import BoolArray, FloatArray, Index
from accord.workspace.database import Database
from accord.workspace.loading import Loaded, load
from accord.workspace.projects import project_row
from accord.workspace.records import RaterRow
from accord.workspace.suspension import Suspensions
from accord.workspace.tables import ANNOTATIONS, PROJECTS, TASKS

#: Rows of each list.
MOST: Final = 200
#: Above so many raters pairs are not listed.
MOST_RATERS: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipRate:
    """Skips among what was asked of a rater, on a task, or on tasks where somebody chose a label; 95 % limits."""

    name: str
    answered: int
    skipped: int
    limits: tuple[float, float]

    @property
    def rate(self) -> float | None:
        """Share of skips; None where nothing was asked."""
        asked = self.answered + self.skipped
        return self.skipped / asked if asked else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Who shares tasks with whom: raters of different ``groups`` share none, directly or through others.

    ``never_met`` lists pairs without a shared task (at most some hundred; ``never_met_total`` counts all). ``missing``
    are assignments, rater and task, that would join the groups.
    """

    groups: Sequence[Sequence[str]]
    never_met: Sequence[tuple[str, str]]
    never_met_total: int
    missing: Sequence[tuple[str, str]]

    @property
    def connected(self) -> bool:
        """Whether all raters can be compared, if only through others."""
        return len(self.groups) <= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Skips by rater, by task (most skipped first) and by label (``control: label``), and the overlap of raters."""

    raters: Sequence[SkipRate]
    tasks: Sequence[SkipRate]
    labels: Sequence[SkipRate]
    overlap: Overlap


class Raters:
    """The raters of the projects of a workspace, and their work."""

    def __init__(self, database: Database, suspensions: Suspensions) -> None:
        self._database = database
        self._suspensions = suspensions

    def all(self, project_id: int) -> list[RaterRow]:
        """Every rater with an annotation that counts, by name: tasks, skips, median seconds a task, state."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            loaded = load(connection, project_id)
            skipped = _skips_by_rater(connection, project_id)
        states = self._suspensions.states(project_id)
        table = loaded.dataset.annotations
        rows = []
        for i, (number, rater) in enumerate(zip(loaded.raters.tolist(), loaded.dataset.raters, strict=True)):
            mine = np.zeros(0, dtype=np.int64) if table is None else np.flatnonzero(table.rater == i)
            rows.append(
                RaterRow(
                    id=number,
                    name=rater.name,
                    tasks=0 if table is None else len(np.unique(loaded.tasks[table.unit[mine]])),
                    skipped=skipped.get(rater.name, 0),
                    lead_time_median=None if table is None else _median(table.lead_time[mine]),
                    state=states.get(number, "active"),
                )
            )
        return rows

    def effort(self, project_id: int) -> Effort:
        """Skips and overlap."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            loaded = load(connection, project_id)
            by_rater = _skips_by_rater(connection, project_id)
            by_task = _skips_by_task(connection, project_id)
        answered = _answered(loaded)
        names = [rater.name for rater in loaded.dataset.raters]
        counts = dict(zip(names, answered.sum(axis=0).tolist(), strict=True)) if len(names) else {}
        raters = [_rate(name, int(counts.get(name, 0)), by_rater.get(name, 0)) for name in sorted({*names, *by_rater})]
        return Effort(
            raters=raters,
            tasks=_task_rates(loaded, answered, by_task),
            labels=_label_rates(loaded, answered, {task: n for task, (_, n) in by_task.items()}),
            overlap=_overlap(loaded, answered),
        )


def _rate(name: str, answered: int, skipped: int) -> SkipRate:
    return SkipRate(name=name, answered=answered, skipped=skipped, limits=wilson(skipped, answered + skipped))


def _median(seconds: FloatArray) -> float | None:
    known = seconds[np.isfinite(seconds)]
    return float(np.median(known)) if len(known) else None


def _skips(project_id: int) -> Any:
    here = ANNOTATIONS.c.project_id == project_id
    return here & ANNOTATIONS.c.cancelled.is_(True) & ANNOTATIONS.c.deleted_at.is_(None)


def _skips_by_rater(connection: Connection, project_id: int) -> dict[str, int]:
    """Skipped tasks by rater, ids under the e-mail they belong to."""
    shape = json.loads(connection.scalar(select(PROJECTS.c.shape).where(PROJECTS.c.id == project_id)) or "{}")
    links: Mapping[str, str] = shape.get("links", {})
    query = select(ANNOTATIONS.c.author, func.count(ANNOTATIONS.c.task_id.distinct()).label("number"))
    found: dict[str, int] = {}
    for row in connection.execute(query.where(_skips(project_id)).group_by(ANNOTATIONS.c.author)):
        name = links.get(row.author, row.author) or "unknown"
        found[name] = found.get(name, 0) + row.number
    return found


def _skips_by_task(connection: Connection, project_id: int) -> dict[int, tuple[str, int]]:
    query = select(TASKS.c.id, TASKS.c.key, func.count().label("number")).join(
        ANNOTATIONS, ANNOTATIONS.c.task_id == TASKS.c.id
    )
    rows = connection.execute(query.where(_skips(project_id), TASKS.c.deleted_at.is_(None)).group_by(TASKS.c.id))
    return {row.id: (row.key, row.number) for row in rows}


def _answered(loaded: Loaded) -> BoolArray:
    """Which rater answered which task, (T, R), tasks by number."""
    size = len(np.unique(loaded.tasks))
    table = loaded.dataset.annotations
    found = np.zeros((size, len(loaded.dataset.raters)), dtype=np.bool_)
    if table is not None and len(table):
        counts = (table.flags & int(Flag.SUPERSEDED)) == 0
        found[_task_place(loaded)[table.unit[counts]], table.rater[counts]] = True
    return found


def _task_place(loaded: Loaded) -> Index:
    """Position of the task of each unit among the tasks, (U,)."""
    return np.unique(loaded.tasks, return_inverse=True)[1]


def _task_rates(loaded: Loaded, answered: BoolArray, skips: Mapping[int, tuple[str, int]]) -> list[SkipRate]:
    place = {number: i for i, number in enumerate(np.unique(loaded.tasks).tolist())}
    most = sorted(skips.items(), key=lambda item: (-item[1][1], item[0]))[:MOST]
    return [_rate(key, int(answered[place[task]].sum()) if task in place else 0, n) for task, (key, n) in most]


def _label_rates(loaded: Loaded, answered: BoolArray, skips: Mapping[int, int]) -> list[SkipRate]:
    """Skips on the tasks where somebody chose a label."""
    numbers, place = np.unique(loaded.tasks), _task_place(loaded)
    skipped = np.array([skips.get(number, 0) for number in numbers.tolist()], dtype=np.int64)
    given = answered.sum(axis=1)
    found = []
    for column in loaded.dataset.columns.values():
        if column.control.kind in UNLABELLED:
            continue
        labels = Labels.of(column.values, column.control.kind)
        for i, label in enumerate(labels.names[:MOST]):
            tasks = np.unique(place[column.unit[labels.has(i)[column.code]]])
            if len(tasks):
                name = f"{column.control.name}: {label}"
                found.append(_rate(name, int(given[tasks].sum()), int(skipped[tasks].sum())))
    return found


def _overlap(loaded: Loaded, answered: BoolArray) -> Overlap:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    names = [rater.name for rater in loaded.dataset.raters]
    if not names or len(names) > MOST_RATERS:
        return Overlap(groups=[names] if names else [], never_met=[], never_met_total=0, missing=[])
    work = csr_array(answered.astype(np.int32))
    shared = (work.T @ work).toarray() > 0
    _, group = connected_components(csr_array(shared))
    members = [np.flatnonzero(group == g).tolist() for g in range(int(group.max()) + 1)]
    members.sort(key=len, reverse=True)
    apart = [(names[i], names[j]) for i, j in combinations(range(len(names)), 2) if not shared[i, j]]
    return Overlap(
        groups=[[names[i] for i in some] for some in members],
        never_met=apart[:MOST],
        never_met_total=len(apart),
        missing=_joining(loaded, answered, members, names),
    )


def _joining(
    loaded: Loaded, answered: BoolArray, members: Sequence[Sequence[int]], names: Sequence[str]
) -> list[tuple[str, str]]:
    """One assignment for each group but the largest: its busiest rater answers a task of the largest group."""
    if len(members) < 2:
        return []
    work = answered.sum(axis=0)
    task = int(np.argmax(answered[:, list(members[0])].any(axis=1)))
    unit = int(np.flatnonzero(_task_place(loaded) == task)[0])
    return [(names[max(some, key=lambda i: int(work[i]))], str(loaded.dataset.units[unit])) for some in members[1:]]
