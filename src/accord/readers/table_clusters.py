"""Clusters of units: the file they come from, and columns the user names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.errors import DataError, UsageError, listed
from accord.readers.table_data import Table
from accord.readers.table_layout import Layout
from accord.readers.table_parts import Part, join_parts, names_of, stack
from accord.values import IntArray


def clusters_of(
    tables: Sequence[Table], layouts: Sequence[Layout], parts: Sequence[Part], fields: Sequence[str]
) -> Mapping[str, IntArray]:
    """Cluster number of every unit (U,), by name: the columns asked for, and ``file`` if files share no unit."""
    part = join_parts(parts)
    units = len(part.unit.distinct)
    found: dict[str, IntArray] = {}
    for field in fields:
        found[field] = _by_field(tables, layouts, part, field)
    if len(parts) > 1:
        file = np.repeat(np.arange(len(parts), dtype=np.int32), [len(piece) for piece in parts])
        numbers = _per_unit(part.unit.codes, file, units)
        if (numbers[part.unit.codes] == file).all():
            found["file"] = numbers
    return found


def _by_field(tables: Sequence[Table], layouts: Sequence[Layout], part: Part, field: str) -> IntArray:
    columns = []
    for table, layout in zip(tables, layouts, strict=True):
        if field not in table.columns:
            raise UsageError(f"{table.name} has no column {field!r}. Columns: {listed(table.columns)}.")
        column = names_of(table.load([field])[field], table, field)
        each = len(layout.answers) if layout.shape == "wide" else 1
        columns.append(replace(column, codes=np.repeat(column.codes, each)) if each > 1 else column)
    column = stack(columns)
    numbers = _per_unit(part.unit.codes, column.codes, len(part.unit.distinct))
    differ = numbers[part.unit.codes] != column.codes
    if differ.any():
        row = int(np.argmax(differ))
        raise DataError.at(
            f"item {part.unit.distinct[part.unit.codes[row]]!r} has two values in column {field!r}.",
            **part.place(row),
            found=f"{column.distinct[column.codes[row]]!r} and {column.distinct[numbers[part.unit.codes[row]]]!r}",
            hint="A cluster column has one value an item.",
        )
    return numbers


def _per_unit(unit: IntArray, number: IntArray, units: int) -> IntArray:
    result = np.zeros(units, dtype=np.int32)
    result[unit] = number
    return result
