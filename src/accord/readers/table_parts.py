"""From laid-out tables to one stack of answers: names of units, raters and controls, and values, all as codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.errors import DataError
from accord.readers.table_data import ArrowTexts, Numerals, RawColumn, Table, name_of
from accord.readers.table_layout import TIMES, Layout
from accord.readers.table_times import seconds
from accord.readers.table_values import numbers_of
from accord.values import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One table with one answer a row, or several controls a row: parallel columns (n,)."""

    name: str
    unit: RawColumn
    rater: RawColumn
    values: dict[str, RawColumn]
    control: RawColumn | None = None
    times: dict[str, FloatArray] = field(default_factory=dict)
    place: Callable[[int], Mapping[str, Any]]
    by_rows: bool = True

    def __len__(self) -> int:
        return len(self.unit.codes)


def long_part(table: Table, layout: Layout) -> Part:
    """Read a table with one row an answer (or a row an annotation with several controls)."""
    columns = table.load(layout.needed)
    unit = names_of(columns[str(layout.unit)], table, str(layout.unit))
    if layout.rater is None:
        rater = RawColumn(np.zeros(len(unit.codes), dtype=np.int32), [table.stem or table.name])
    else:
        rater = names_of(columns[layout.rater], table, layout.rater)
    control = None if layout.control is None else names_of(columns[layout.control], table, layout.control)
    times = {
        role: seconds(columns[name], lambda row, text, name=name: not_a_time(table, name, row, text))  # type: ignore[misc]
        for role, name in layout.times.items()
    }
    return Part(
        name=table.name,
        unit=unit,
        rater=rater,
        control=control,
        values={name: columns[name] for name in layout.answers},
        times=times,
        place=table.place,
    )


def not_a_time(table: Table, column: str, row: int, text: str) -> DataError:
    """Build the error for a cell that is not a time."""
    return DataError.at(
        f"column {column!r} holds something that is not a time.",
        **table.place(row),
        found=text,
        allowed="ISO dates such as 2026-01-31T12:00:00Z, or seconds since 1970",
    )


def wide_part(table: Table, layout: Layout, label: str) -> Part:
    """Read a table with one row an item and one column a rater, row after row."""
    columns = table.load(layout.needed)
    value = stack([columns[name] for name in layout.answers])
    raters = len(layout.answers)
    rows = len(value.codes) // raters
    codes = np.ascontiguousarray(value.codes.reshape(raters, rows).T).ravel()
    if layout.unit is None:
        unit = RawColumn(np.arange(rows, dtype=np.int32), [str(row + 1) for row in range(rows)])
    else:
        unit = names_of(columns[layout.unit], table, layout.unit)
        _check_unique(unit, table, layout.unit)
    return Part(
        name=table.name,
        unit=RawColumn(np.repeat(unit.codes, raters), unit.distinct),
        rater=RawColumn(np.tile(np.arange(raters, dtype=np.int32), rows), list(layout.answers)),
        values={label: RawColumn(codes, value.distinct, value.is_text)},
        place=lambda row: table.place(row // raters),
        by_rows=False,
    )


def _check_unique(unit: RawColumn, table: Table, column: str) -> None:
    counts = np.bincount(unit.codes, minlength=1)
    if counts.max() > 1:
        code = int(np.argmax(counts > 1))
        first, second = np.flatnonzero(unit.codes == code)[:2].tolist()
        lines = [table.place(row).get("line", row + 1) for row in (first, second)]
        raise DataError.at(
            f"item {unit.distinct[code]!r} of column {column!r} has several rows (lines {lines[0]} and {lines[1]}).",
            file=table.name,
            hint="A wide table has one row an item. If a row is one answer, name its columns: --rater C --value C.",
        )


def names_of(column: RawColumn, table: Table, title: str) -> RawColumn:
    """Turn the cells of a column into names; a blank one is an error with its line."""
    if isinstance(column.distinct, Numerals):
        return column
    if isinstance(column.distinct, range) and int(column.codes.min(initial=0)) >= 0:
        return RawColumn(column.codes, Numerals(column.distinct))
    if isinstance(column.distinct, ArrowTexts):
        distinct = _clean_texts(column.distinct)
        if distinct is not None:
            return RawColumn(column.codes, distinct) if not (column.codes < 0).any() else _no_name(column, table, title)
    names = [name_of(value) for value in column.distinct]
    place = {name: code for code, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    codes = np.array([*(-1 if name is None else place[name] for name in names), -1], dtype=np.int32)[column.codes]
    if (codes < 0).any():
        return _no_name(RawColumn(codes, []), table, title)
    return RawColumn(codes, list(place))


def _no_name(column: RawColumn, table: Table, title: str) -> RawColumn:
    raise DataError.at(
        f"column {title!r} is blank, so the answer cannot be placed.",
        **table.place(int(np.argmax(column.codes < 0))),
        hint="Fill the cell, or remove the row.",
    )


def _clean_texts(texts: ArrowTexts) -> ArrowTexts | None:
    """Return names that need no cleaning as they are: no blank, in form NFC. None if one needs it."""
    import pyarrow.compute as pc

    array = texts.array
    if not len(array):
        return texts
    if pc.any(pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(array)), 0)).as_py():
        return None
    if not pc.all(pc.string_is_ascii(array)).as_py():
        return texts if pc.all(pc.equal(pc.utf8_normalize(array, "NFC"), array)).as_py() else None
    return texts


def stack(columns: Sequence[RawColumn]) -> RawColumn:
    """Join columns one below the other; equal values of one type share a code."""
    if len(columns) == 1:
        return columns[0]
    is_text = all(column.is_text or not len(column.distinct) for column in columns)
    place: dict[tuple[type, Any], int] = {}
    pieces: list[IntArray] = []
    for column in columns:
        cells = list(column.distinct)
        if column.is_text and not is_text:
            cells = numbers_of(cells)
        table = [place.setdefault((type(cell), cell), len(place)) for cell in cells]
        pieces.append(np.array([*table, -1], dtype=np.int32)[column.codes])
    return RawColumn(np.concatenate(pieces), [cell for _, cell in place], is_text)


def join_parts(parts: Sequence[Part]) -> Part:
    """Put the rows of several tables one below the other."""
    if len(parts) == 1:
        return parts[0]
    begins = np.cumsum([0, *(len(part) for part in parts)])

    def place(row: int) -> Mapping[str, Any]:
        at = int(np.searchsorted(begins, row, side="right")) - 1
        return parts[at].place(row - int(begins[at]))

    names = dict.fromkeys(name for part in parts for name in part.values)
    roles = [role for role in TIMES if any(role in part.times for part in parts)]
    has_control = parts[0].control is not None
    return Part(
        name=f"{parts[0].name} and {len(parts) - 1} more",
        unit=stack([part.unit for part in parts]),
        rater=stack([part.rater for part in parts]),
        control=stack([part.control for part in parts if part.control is not None]) if has_control else None,
        values={name: stack([_values(part, name) for part in parts]) for name in names},
        times={
            role: np.concatenate([part.times.get(role, np.full(len(part), np.nan)) for part in parts]) for role in roles
        },
        place=place,
        by_rows=parts[0].by_rows,
    )


def _values(part: Part, name: str) -> RawColumn:
    nothing = RawColumn(np.full(len(part), -1, dtype=np.int32), [])
    return part.values.get(name, nothing)
