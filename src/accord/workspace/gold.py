"""Gold answers of a project: what reviewers accepted or composed, else what was marked as ground truth at its source.

They join the dataset as raters of the role reference, one for each of several valid answers, so that they are compared
with other answers as these are with each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
from sqlalchemy import Connection, Row

from accord.dataset import Column, Dataset, Flag, Rater, Role
from accord.readers.given_tasks import TasksRead
from accord.values import BoolArray, Index, IntArray, canonical
from accord.workspace.coded_units import place_in
from accord.workspace.decisions import accepted, reviews_of
from accord.workspace.loading import Loaded, places
from accord.workspace.rescoring import read_stored
from accord.workspace.settings import Settings
from accord.workspace.stored_tasks import StoredTask, some_tasks

#: A gold answer nobody of the raters gave.
NOBODY: Final = -1
Numbers: TypeAlias = Index | IntArray


@dataclass(frozen=True, slots=True)
class Gold:
    """Dataset with reference raters behind the others, the ``raters`` first ones being those who are measured.

    ``owner`` (U, K) is the rater whose answer the k-th gold answer of a unit is, ``NOBODY`` for composed ones, and
    for units without. ``since`` says by task since when there is gold, where reviewers made it.
    """

    dataset: Dataset
    raters: int
    owner: Index
    since: Mapping[int, float]

    @property
    def slots(self) -> int:
        """Most gold answers of one unit, K."""
        return len(self.dataset.raters) - self.raters


@dataclass(frozen=True, slots=True)
class _Sources:
    """Accepted annotations and composed answers by task."""

    annotations: Mapping[int, Sequence[int]]
    composed: Mapping[int, Sequence[Sequence[Any]]]
    since: Mapping[int, float]

    @property
    def slots(self) -> int:
        """Most gold answers of one task."""
        tasks = {*self.annotations, *self.composed}
        return max((len(self.annotations.get(t, ())) + len(self.composed.get(t, ())) for t in tasks), default=0)


def with_gold(connection: Connection, row: Row[Any], settings: Settings, loaded: Loaded) -> Gold | None:
    """Add the gold answers to a project's dataset; None where there are none."""
    sources = _sources(connection, row.id, loaded)
    if not sources.slots:
        return None
    dataset, size = loaded.dataset, len(loaded.dataset.raters)
    owner = np.full((len(dataset.units), sources.slots), NOBODY, dtype=np.int64)
    slot = _slots(sources, loaded)
    columns = {}
    for name, column in dataset.columns.items():
        columns[name] = _with_accepted(column, slot, owner, size)
    if sources.composed:
        stored = _composed(some_tasks(connection, list(sources.composed)), sources)
        read, _ = read_stored(stored, row, settings)
        columns = _with_composed(columns, read, stored, sources, loaded)
    references = tuple(Rater(f"gold {k + 1}", Role.REFERENCE) for k in range(sources.slots))
    return Gold(replace(dataset, raters=(*dataset.raters, *references), columns=columns), size, owner, sources.since)


def _sources(connection: Connection, project_id: int, loaded: Loaded) -> _Sources:
    annotations: dict[int, Sequence[int]] = {}
    composed: dict[int, Sequence[Sequence[Any]]] = {}
    since: dict[int, float] = {}
    reviewed = set()
    for task, reviews in reviews_of(connection, project_id).items():
        standing = [review for review in reviews if review.undone_at is None]
        if standing:
            reviewed.add(task)
            now = accepted(standing)
            annotations[task], composed[task] = now.annotations, now.composed
            since[task] = standing[-1].created_at
    table = loaded.dataset.annotations
    if table is not None:
        marked = ((table.flags & int(Flag.GROUND_TRUTH)) != 0) & ((table.flags & int(Flag.SUPERSEDED)) == 0)
        tasks = loaded.tasks[table.unit[marked]].tolist()
        for task, number in zip(tasks, loaded.annotations[marked].tolist(), strict=True):
            if task not in reviewed:
                annotations[task] = (*annotations.get(task, ()), number)
    return _Sources(_filled(annotations), _filled(composed), since)


def _filled(found: Mapping[int, Sequence[Any]]) -> dict[int, Sequence[Any]]:
    return {task: some for task, some in found.items() if some}


def _slots(sources: _Sources, loaded: Loaded) -> Index:
    """Which gold answer of its task each annotation is, (A,); -1 for those that are none."""
    place, slot = places(loaded.annotations), np.full(len(loaded.annotations), -1, dtype=np.int64)
    for numbers in sources.annotations.values():
        for k, number in enumerate(numbers):
            if number < len(place) and place[number] >= 0:
                slot[place[number]] = k
    return slot


def _with_accepted(column: Column, slot: Index, owner: Index, size: int) -> Column:
    """Repeat the cells of accepted annotations as answers of reference raters; notes whose they are."""
    if column.annotation is None:
        return column
    mine = np.flatnonzero(slot[column.annotation] >= 0)
    k = slot[column.annotation[mine]]
    owner[column.unit[mine], k] = column.rater[mine]
    return _appended(column, column.unit[mine], size + k, column.code[mine])


def _appended(column: Column, unit: Numbers, rater: Numbers, code: Numbers) -> Column:
    """Add cells without annotation, (n,) each."""
    units, raters = np.concatenate((column.unit, unit)), np.concatenate((column.rater, rater))
    old = np.full(len(column.unit), -1) if column.annotation is None else column.annotation
    annotations = np.concatenate((old, np.full(len(unit), -1)))
    order = np.lexsort((raters, units))
    parts = (units, raters, np.concatenate((column.code, code)), annotations)
    of_unit, of_rater, of_code, of_annotation = (part[order].astype(np.int32) for part in parts)
    return replace(column, unit=of_unit, rater=of_rater, code=of_code, annotation=of_annotation)


def _composed(tasks: Sequence[StoredTask], sources: _Sources) -> list[StoredTask]:
    """Tasks whose annotations are the answers composed for them."""
    return [
        replace(
            task,
            task={
                **task.task,
                "annotations": [
                    {"id": k + 1, "completed_by": f"composed {k}", "result": list(items)}
                    for k, items in enumerate(sources.composed[task.id])
                ],
            },
            annotations=tuple(range(1, len(sources.composed[task.id]) + 1)),
        )
        for task in tasks
    ]


def _with_composed(
    columns: Mapping[str, Column], read: TasksRead, tasks: Sequence[StoredTask], sources: _Sources, loaded: Loaded
) -> dict[str, Column]:
    """Add composed answers behind the accepted ones of their tasks."""
    dataset, size = read.dataset, len(loaded.dataset.raters)
    table = dataset.annotations
    if table is None:
        return dict(columns)
    task_of = np.repeat([task.id for task in tasks], [len(task.annotations) for task in tasks])
    order = np.concatenate([np.arange(len(task.annotations)) for task in tasks])
    first = np.array([len(sources.annotations.get(task, ())) for task in task_of.tolist()], dtype=np.int64)
    unit = _units(dataset, tasks, task_of, loaded)
    found = dict(columns)
    for name, column in dataset.columns.items():
        if name in found and column.annotation is not None:
            known: BoolArray = unit[column.unit] >= 0
            values, code = _merged(found[name], column)
            slot = size + (first + order)[column.annotation[known]]
            wider = replace(found[name], values=values)
            found[name] = _appended(wider, unit[column.unit[known]], slot, code[column.code[known]])
    return found


def _units(dataset: Dataset, tasks: Sequence[StoredTask], task_of: Index, loaded: Loaded) -> Index:
    """Units of the project's dataset that the units of composed answers are, -1 where it has none."""
    names = {task.id: str(task.task["id"]) for task in tasks}
    known = {}
    for unit in np.flatnonzero(np.isin(loaded.tasks, list(names))).tolist():
        number = int(loaded.tasks[unit])
        known[number, place_in(loaded.dataset.units[unit], names[number])] = unit
    cluster = dataset.clusters["task"]
    task = np.zeros(int(cluster.max(initial=-1)) + 1, dtype=np.int64)
    if dataset.annotations is not None:
        task[cluster[dataset.annotations.unit]] = task_of
    mine = task[cluster].tolist()
    found = [known.get((t, place_in(name, names[t])), -1) for t, name in zip(mine, dataset.units, strict=True)]
    return np.array(found, dtype=np.int64)


def _merged(column: Column, other: Column) -> tuple[tuple[Any, ...], Index]:
    """Values of a column with those of another behind them, and the codes that the other's values have there."""
    place = {canonical(value): i for i, value in enumerate(column.values)}
    values = list(column.values)
    code = np.empty(len(other.values), dtype=np.int64)
    for i, value in enumerate(other.values):
        code[i] = place.setdefault(canonical(value), len(values))
        if code[i] == len(values):
            values.append(value)
    return tuple(values), code
