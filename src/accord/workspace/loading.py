"""From coded rows back to a dataset: the very one a reader makes of the project's export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select

from accord.dataset import Annotations, Column, Control, Dataset, Flag, ImportReport, Notice, Rater
from accord.pipeline.value_json import decode
from accord.readers.assemble import natural
from accord.values import FloatArray, Index, IntArray, Value
from accord.workspace.coded_units import CodedRows, CodedUnits
from accord.workspace.coding import BLANK, CELL, FACT, HIDDEN
from accord.workspace.tables import ANNOTATIONS, ANSWER_VALUES, CODED_TASKS, CONTROLS, PROJECTS, RATERS, TASKS
from accord.workspace.tables.types import kept_text
from accord.workspace.vocabulary import control_from


@dataclass(frozen=True, slots=True)
class Loaded:
    """A dataset with the numbers the store has for its parts.

    ``tasks`` (U,) numbers of the tasks of units, ``raters`` (R,), ``controls`` by name, ``annotations`` (A,).
    """

    dataset: Dataset
    tasks: Index
    raters: Index
    controls: Mapping[str, int]
    annotations: Index


def load(connection: Connection, project_id: int, cluster: str | None = None) -> Loaded:
    """Load the coded answers of a project; ``cluster`` is the field of the data by which the plan groups units."""
    rows = _Rows(_fetched(connection, project_id), _rater_names(connection, project_id))
    shape = json.loads(connection.scalar(select(PROJECTS.c.shape).where(PROJECTS.c.id == project_id)) or "{}")
    columns, controls = {}, {}
    for number, control in _controls(connection, project_id):
        if control.name in shape.get("controls", {}):
            controls[control.name] = number
            column = rows.column(number, control, _values(connection, number))
            columns[control.name] = column if shape["separable"] else _with_counts(column, shape["controls"])
    dataset = Dataset(
        units=rows.units.names,
        raters=tuple(Rater(rows.names[number]) for number in rows.raters.tolist()),
        columns=columns,
        annotations=rows.annotations,
        clusters=rows.units.clusters(cluster),
        report=_report(connection, project_id, shape),
        source_kind="workspace",
    )
    return Loaded(dataset, rows.units.tasks, rows.raters, controls, rows.facts[:, 0].astype(np.int64))


@dataclass(frozen=True)
class _Rows:
    """Coded rows, and names of raters by number."""

    rows: CodedRows
    names: Mapping[int, str]

    @cached_property
    def cells(self) -> IntArray:
        return np.frombuffer(b"".join(self.rows.cells), dtype=np.int32).reshape(-1, CELL)

    @cached_property
    def facts(self) -> FloatArray:
        return np.frombuffer(b"".join(self.rows.facts), dtype=np.float64).reshape(-1, FACT)

    @cached_property
    def units(self) -> CodedUnits:
        return CodedUnits.of(self.rows)

    @cached_property
    def raters(self) -> Index:
        """Numbers of the raters that have annotations, by name."""
        used = np.unique(self.facts[:, 1].astype(np.int64)).tolist()
        return np.array(sorted(used, key=lambda number: natural(self.names[number])), dtype=np.int64)

    @cached_property
    def rater_place(self) -> Index:
        return places(self.raters)

    @cached_property
    def unit(self) -> Index:
        """Unit of each cell."""
        row = _row_of_each(self.rows.cells, 4 * CELL)
        return self.units.rank[self.units.first[row] + self.cells[:, 1]]

    @cached_property
    def rater(self) -> Index:
        """Rater of each cell."""
        return self.rater_place[self.cells[:, 2]]

    @cached_property
    def annotation(self) -> Index:
        """Position of the annotation of each cell."""
        return places(self.facts[:, 0].astype(np.int64))[self.cells[:, 4]]

    @cached_property
    def annotations(self) -> Annotations:
        facts = self.facts
        row = _row_of_each(self.rows.facts, 8 * FACT)
        return Annotations(
            ids=[str(number) for number in facts[:, 0].astype(np.int64).tolist()],
            unit=self.units.leading[row].astype(np.int32),
            rater=self.rater_place[facts[:, 1].astype(np.int64)].astype(np.int32),
            flags=facts[:, 2].astype(np.int32),
            created=facts[:, 3],
            updated=facts[:, 4],
            lead_time=facts[:, 5],
        )

    @cached_property
    def counted(self) -> int:
        """Annotations that no other of their rater supersedes."""
        return int(np.count_nonzero((self.annotations.flags & int(Flag.SUPERSEDED)) == 0))

    def column(self, number: int, control: Control, values: Mapping[int, Value]) -> Column:
        """Column of a control, cells by unit and rater, values by first use behind the declared domain."""
        mine = np.flatnonzero(self.cells[:, 0] == number)
        order = mine[np.lexsort((self.rater[mine], self.unit[mine]))]
        said = self.cells[order, 3]
        given, blank = order[said >= 0], order[said == BLANK]
        hidden = int(np.count_nonzero(said == HIDDEN))
        code, pool = _codes(self.cells[given, 3], control, values)
        blanks = np.column_stack((self.unit[blank], self.rater[blank], self.annotation[blank])).astype(np.int32)
        return Column(
            control=control,
            unit=self.unit[given].astype(np.int32),
            rater=self.rater[given].astype(np.int32),
            code=code,
            values=pool,
            annotation=self.annotation[given].astype(np.int32),
            missing=self.counted - len(given) - hidden,
            not_applicable=hidden,
            blanks=blanks if len(blanks) else None,
        )


def _codes(number: IntArray, control: Control, values: Mapping[int, Value]) -> tuple[IntArray, tuple[Value, ...]]:
    """Codes of answers given by the numbers of their values, and the pool."""
    declared = control.domain if control.domain is not None and not control.kind.is_set else ()
    place = {value: i for i, value in enumerate(declared)}
    used, first, inverse = np.unique(number, return_index=True, return_inverse=True)
    table = np.empty(len(used), dtype=np.int32)
    for i in np.argsort(first).tolist():
        table[i] = place.setdefault(values[int(used[i])], len(place))
    return table[inverse].astype(np.int32), tuple(place)


def places(numbers: Index) -> Index:
    """Table from a number to its position, -1 where it is none of them."""
    table = np.full(int(numbers.max(initial=-1)) + 1, -1, dtype=np.int64)
    table[numbers] = np.arange(len(numbers))
    return table


def _row_of_each(parts: Sequence[bytes], size: int) -> Index:
    """Row of each record, where every row holds some of this size."""
    return np.repeat(np.arange(len(parts)), np.fromiter(map(len, parts), np.int64, len(parts)) // size)


def _with_counts(column: Column, counts: Mapping[str, Sequence[int]]) -> Column:

    missing, hidden = counts[column.control.name]
    return replace(column, missing=missing, not_applicable=hidden)


def _fetched(connection: Connection, project_id: int) -> CodedRows:
    c = CODED_TASKS.c
    query = select(c.task_id, c.name, c.scope, c.cluster, c.units, c.cells, c.facts).where(c.project_id == project_id)
    # By the driver itself: rows and processors of SQLAlchemy take longer than all that is computed from 10^5 tasks.
    rows = connection.execute(query.order_by(c.task_id)).cursor.fetchall()
    if not rows:
        return CodedRows()
    tasks, names, scopes, clusters, units, cells, facts = zip(*rows, strict=True)
    return CodedRows(
        tasks,
        [kept_text(text) or "" for text in names],
        [kept_text(text) or "" for text in scopes],
        list(map(kept_text, clusters)),
        units,
        cells,
        facts,
    )


def _rater_names(connection: Connection, project_id: int) -> dict[int, str]:
    query = select(RATERS.c.id, RATERS.c.name).where(RATERS.c.project_id == project_id)
    return {row.id: row.name for row in connection.execute(query)}


def _controls(connection: Connection, project_id: int) -> list[tuple[int, Control]]:
    query = select(CONTROLS.c.id, CONTROLS.c.facts).where(CONTROLS.c.project_id == project_id)
    rows = connection.execute(query.order_by(CONTROLS.c.position, CONTROLS.c.id))
    return [(row.id, control_from(row.facts)) for row in rows]


def _values(connection: Connection, control_id: int) -> dict[int, Value]:
    query = select(ANSWER_VALUES.c.id, ANSWER_VALUES.c.payload).where(ANSWER_VALUES.c.control_id == control_id)
    return {row.id: decode(json.loads(row.payload)) for row in connection.execute(query)}


def _report(connection: Connection, project_id: int, shape: Mapping[str, Any]) -> ImportReport:
    """Counts of what the project holds, and what the last whole read found."""

    def count(table: Any, *wanted: Any) -> int:
        query = select(func.count()).select_from(table).where(table.c.project_id == project_id)
        return connection.scalar(query.where(table.c.deleted_at.is_(None), *wanted)) or 0

    return ImportReport(
        sources=("workspace",),
        shape="Label Studio: tasks of a workspace",
        notices=tuple(Notice(code, number, meaning) for code, number, meaning in shape.get("notices", ())),
        tasks=count(TASKS),
        annotations=count(ANNOTATIONS, ANNOTATIONS.c.cancelled.is_(False)),
        cancelled=count(ANNOTATIONS, ANNOTATIONS.c.cancelled.is_(True)),
    )
