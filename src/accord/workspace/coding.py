"""From a dataset to coded rows, one a task: what everything else is computed from.

The row of a task holds its answers by the numbers of controls, raters and values, and its scores. Whatever a
coefficient tallies follows from these in one pass, and a changed task changes its own row only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, insert

from accord.dataset import Annotations, Column, Dataset, Flag
from accord.pipeline.overall import unit_agreement
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.readers.given_tasks import TasksRead
from accord.values import FloatArray, Index, IntArray
from accord.workspace.coded_units import place_in
from accord.workspace.keeping import portions
from accord.workspace.stored_tasks import StoredTask
from accord.workspace.tables import CODED_TASKS, TASK_SCORES
from accord.workspace.texts import json_text
from accord.workspace.vocabulary import Vocabulary

#: Columns of a cell: control, unit within the task, rater, value, annotation.
CELL: Final = 5
#: Columns of a fact: annotation, rater, flags, created, updated, lead time.
FACT: Final = 6
#: Stand for a value: an answer came without content; a condition hid the control.
BLANK: Final = -1
HIDDEN: Final = -2


@dataclass(frozen=True, slots=True)
class Brief:
    """What coding needs of a stored task: numbers of it and of the annotations that count, and how it is named."""

    id: int
    name: str
    scope: str
    cluster: str | None
    annotations: tuple[int, ...]

    @classmethod
    def of(cls, task: StoredTask, cluster: str | None) -> Brief:
        """Take it from a task; ``cluster`` is a field of its data."""
        data = task.task.get("data")
        value = data.get(cluster) if cluster is not None and isinstance(data, dict) else None
        return cls(task.id, str(task.task["id"]), task.scope, None if value is None else str(value), task.counted)


@dataclass(frozen=True)
class Coder:
    """Writes the rows of what was read from ``tasks``, which are in order; there must be no rows of them."""

    connection: Connection
    project_id: int
    read: TasksRead
    tasks: Sequence[Brief]
    plan: Plan

    @property
    def dataset(self) -> Dataset:
        """What was read."""
        return self.read.dataset

    def write(self) -> None:
        """Add the rows; tasks without a counted annotation have none."""
        if not self._controls or not len(self.dataset.units):
            return
        for some in portions(list(self._rows())):
            self.connection.execute(insert(CODED_TASKS), some)
        for some in portions(list(self._scores())):
            self.connection.execute(insert(TASK_SCORES), some)

    def _rows(self) -> Iterator[dict[str, Any]]:
        task = self._task_of_unit
        cells, cell_task = self._cells()
        facts, fact_task = self._facts(), self._task_of_annotation
        ends, fact_ends = _ends(cell_task, len(self.tasks)), _ends(fact_task, len(self.tasks))
        unit_ends = _ends(np.sort(task), len(self.tasks))
        order = np.argsort(task, kind="stable")
        means = _mean_by(task, unit_agreement(self._questions), len(self.tasks))
        for t in np.unique(task).tolist():
            mine = cells[ends[t] : ends[t + 1]]
            task_row = self.tasks[t]
            units = [
                place_in(self.dataset.units[int(u)], task_row.name) for u in order[unit_ends[t] : unit_ends[t + 1]]
            ]
            yield {
                "task_id": task_row.id,
                "project_id": self.project_id,
                "name": task_row.name,
                "scope": task_row.scope,
                "cluster": task_row.cluster,
                "units": json_text(units),
                "cells": mine.tobytes(),
                "facts": facts[fact_ends[t] : fact_ends[t + 1]].tobytes(),
                "raters": len(np.unique(mine[mine[:, 3] >= 0, 2])),
                "agreement": None if np.isnan(means[t]) else float(means[t]),
            }

    @cached_property
    def _questions(self) -> list[Question]:
        return [Question.of(self.dataset, name, self.plan) for name in self.dataset.columns]

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self.connection, self.project_id)

    @cached_property
    def _controls(self) -> list[int]:
        return self._vocabulary.controls(self.dataset.controls)

    @cached_property
    def _raters(self) -> Index:
        names = [rater.name for rater in self.dataset.raters]
        return np.array(self._vocabulary.raters(names), dtype=np.int64)

    @cached_property
    def _table(self) -> Annotations:
        if self.dataset.annotations is None or len(self.dataset.annotations) != len(self._annotations):
            raise RuntimeError("the reader made other annotations than it was given")
        return self.dataset.annotations

    @cached_property
    def _annotations(self) -> Index:
        return np.array([a for task in self.tasks for a in task.annotations], dtype=np.int64)

    @cached_property
    def _task_of_annotation(self) -> Index:
        return np.repeat(np.arange(len(self.tasks)), [len(task.annotations) for task in self.tasks])

    @cached_property
    def _task_of_unit(self) -> Index:
        """Position of the task of each unit, (U,): a task is the cluster of the unit that its annotations name."""
        cluster = self.dataset.clusters["task"]
        task = np.zeros(int(cluster.max()) + 1, dtype=np.int64)
        task[cluster[self._table.unit]] = self._task_of_annotation
        return task[cluster]

    def _cells(self) -> tuple[IntArray, Index]:
        """All cells (n, 5) by task, and the task of each (n,)."""
        parts = [part for number, column in self._columns() for part in self._parts(number, column)]
        cells = np.concatenate([np.empty((0, CELL), dtype=np.int64), *parts])
        of_task = self._task_of_unit[cells[:, 1]]
        cells[:, 1] = _within(self._task_of_unit)[cells[:, 1]]
        order = np.argsort(of_task, kind="stable")
        return cells[order].astype(np.int32), of_task[order]

    def _columns(self) -> Iterator[tuple[int, Column]]:
        return zip(self._controls, self.dataset.columns.values(), strict=True)

    def _parts(self, number: int, column: Column) -> Iterator[Index]:
        """Cells of a control, still with the units of the dataset."""
        values = np.array(self._vocabulary.values(number, column.values), dtype=np.int64)
        annotation = np.empty(0, dtype=np.int32) if column.annotation is None else column.annotation
        yield self._part(number, column.unit, column.rater, values[column.code], annotation)
        if column.blanks is not None:
            unit, rater, annotation = column.blanks.T
            yield self._part(number, unit, rater, np.full(len(unit), BLANK), annotation)
        hidden = self.read.hidden[column.control.name]
        hidden = hidden[(self._table.flags[hidden] & int(Flag.SUPERSEDED)) == 0]
        if len(hidden):
            unit, rater = self._table.unit[hidden], self._table.rater[hidden]
            yield self._part(number, unit, rater, np.full(len(unit), HIDDEN), hidden)

    def _part(self, number: int, unit: IntArray, rater: IntArray, value: Index, annotation: IntArray) -> Index:
        return np.column_stack(
            (np.full(len(unit), number), unit, self._raters[rater], value, self._annotations[annotation])
        )

    def _facts(self) -> FloatArray:
        table = self._table
        columns = (self._annotations, self._raters[table.rater], table.flags)
        return np.column_stack((*columns, table.created, table.updated, table.lead_time)).astype(np.float64)

    def _scores(self) -> Iterator[dict[str, Any]]:
        size = len(self.tasks)
        for number, question in zip(self._controls, self._questions, strict=True):
            where = self._task_of_unit[question.places]
            sums, weights, counts = (np.bincount(where, part, size) for part in question.scores.units)
            for t in np.flatnonzero(weights > 0).tolist():
                yield {
                    "task_id": self.tasks[t].id,
                    "control_id": number,
                    "value": float(sums[t] / weights[t]),
                    "pairs": round(float(counts[t])),
                }


def _ends(sorted_numbers: Index, size: int) -> list[int]:
    """Where the rows of each number begin in sorted rows, (size + 1,)."""
    return np.searchsorted(sorted_numbers, np.arange(size + 1)).tolist()


def _within(task: Index) -> Index:
    """Position of each unit among the units of its task, (U,)."""
    order = np.argsort(task, kind="stable")
    ranked = task[order]
    place = np.arange(len(task)) - np.searchsorted(ranked, ranked)
    result = np.empty(len(task), dtype=np.int64)
    result[order] = place
    return result


def _mean_by(group: Index, values: FloatArray, size: int) -> FloatArray:
    known = np.isfinite(values)
    count = np.bincount(group[known], minlength=size)
    total = np.bincount(group[known], values[known], size)
    return np.divide(total, count, out=np.full(size, np.nan), where=count > 0)
