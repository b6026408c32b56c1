"""A table as the readers of this package see it: named columns, each as codes of its distinct raw values."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from accord.errors import DataError, shorten
from accord.readers.answer_types import NOT_AVAILABLE, RefusedError, answers_of, distinct_answers, hashable
from accord.readers.coding import EXACT
from accord.study import occurring
from accord.values import EMPTY, IntArray

COLUMNS: Final = "If the column holds no answers, name those that do: --unit C --rater C --value C."


@dataclass(frozen=True, slots=True)
class RawColumn:
    """Codes (n,) into distinct raw values, -1 = null.

    ``is_text`` says that every value came as text of a file, so that numbers and lists in it are still to be read.
    """

    codes: IntArray
    distinct: Sequence[Any]
    is_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that loads the columns asked for.

    ``name`` is the file as the user wrote it; ``kind`` says what it is (CSV, Excel sheet 'x', ...);
    ``line_of`` finds the line of a row for a message.
    """

    name: str
    kind: str
    columns: tuple[str, ...]
    load: Callable[[Sequence[str]], Mapping[str, RawColumn]]
    stem: str = ""
    line_of: Callable[[int], int] | None = None
    notes: tuple[str, ...] = field(default=())

    def place(self, row: int) -> Mapping[str, Any]:
        """Name the place of a row (from 0) for a message."""
        return row_place(self.name, self.line_of)(row)


class ArrowTexts(Sequence[str]):
    """Texts kept in an Arrow array, so that millions of names cost their bytes only."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: Any) -> Any:
        found = self.array[index]
        return found.to_pylist() if isinstance(index, slice) else found.as_py()

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self.array), 65536):
            yield from self.array[begin : begin + 65536].to_pylist()


class Numerals(Sequence[str]):
    """Whole numbers in a row as texts, made on demand."""

    def __init__(self, numbers: range) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: Any) -> Any:
        found = self._numbers[index]
        return str(found) if isinstance(found, int) else list(map(str, found))


def check_columns(name: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Refuse a table whose columns cannot be told apart or written down, or that has fewer than two."""
    try:
        answers_of(columns)
    except RefusedError as error:
        raise DataError.at(f"the name of column {error.index + 1}: {error}", file=name, line=1) from None
    seen: set[str] = set()
    for column in columns:
        if column in seen:
            raise DataError.at(
                f"two columns are called {shorten(column)!r}.",
                file=name,
                line=1,
                hint="Rename one of them, or remove it.",
            )
        seen.add(column)
    if len(columns) < 2:
        raise DataError.at(
            "the table has one column; an item and the answers of raters are needed.",
            file=name,
            line=1,
            found=", ".join(columns),
            hint="Use commas, semicolons, tabs or bars between columns.",
        )
    return tuple(columns)


def column_of(items: Sequence[Any]) -> RawColumn:
    """Column of Python values; values of two types are two values."""
    items = hashable(items)
    firsts = dict.fromkeys(zip(map(type, items), items, strict=True))
    place = {key: code for code, key in enumerate(firsts)}
    codes = np.fromiter(map(place.__getitem__, zip(map(type, items), items, strict=True)), np.int32, len(items))
    return RawColumn(codes, distinct_answers((value for _, value in firsts), items))


def named_columns(
    wanted: Sequence[str], column: Callable[[str], RawColumn], place: Callable[[int], Mapping[str, Any]]
) -> dict[str, RawColumn]:
    """Load columns one by one; an error about a value names its column and row."""
    found: dict[str, RawColumn] = {}
    for name in wanted:
        try:
            found[name] = column(name)
        except RefusedError as error:
            raise DataError.at(f"column {name!r}: {error}", **place(error.index), hint=COLUMNS) from None
    return found


def row_place(name: str, line_of: Callable[[int], int] | None = None) -> Callable[[int], Mapping[str, Any]]:
    """How a row (from 0) of a table is called in a message: by its line, where the table has lines."""
    if line_of is None:
        return lambda row: {"file": f"{name}, row {row + 1}"}
    return lambda row: {"file": name, "line": line_of(row)}


def column_of_numbers(array: npt.NDArray[Any]) -> RawColumn:
    """Column of an integer, float or truth array; NaN is null."""
    if array.dtype.kind == "f":
        given = ~np.isnan(array)
        known = array if given.all() else array[given]
        inner = _column_of_floats(known)
        if len(known) == len(array):
            return inner
        codes = np.full(len(array), -1, dtype=np.int32)
        codes[given] = inner.codes
        return RawColumn(codes, inner.distinct)
    if array.dtype.kind in "iu" and len(array):
        low, high = int(array.min()), int(array.max())
        if high - low < 2 * len(array) + 1024 and abs(low) < EXACT:
            return used_values(RawColumn(_from_zero(array, low), range(low, high + 1)))
    distinct, inverse = np.unique(array, return_inverse=True)
    return RawColumn(inverse.astype(np.int32), distinct.tolist())


def _column_of_floats(known: npt.NDArray[np.floating[Any]]) -> RawColumn:
    """Whole numbers by counting, others by sorting."""
    if len(known) and np.abs(known).max() < EXACT and (known == np.rint(known)).all():
        return column_of_numbers(known.astype(np.int64))
    distinct, inverse = np.unique(known, return_inverse=True)
    return RawColumn(inverse.astype(np.int32), [whole(value) for value in distinct.tolist()])


def _from_zero(array: npt.NDArray[np.integer[Any]], low: int) -> IntArray:
    if low == 0:
        return array.astype(np.int32, copy=False)
    shifted = array.astype(np.int64)
    shifted -= low
    return shifted.astype(np.int32)


def whole(value: float) -> int | float:
    """Return the integer that a float is, if it is one."""
    return int(value) if value.is_integer() and abs(value) < EXACT else value


def used_values(column: RawColumn) -> RawColumn:
    """Drop distinct values that do not occur, as a range of numbers or a list of categories may hold."""
    used = occurring(column.codes, len(column.distinct))
    if used.all():
        return column
    table = np.append(np.cumsum(used, dtype=np.int32) - np.int32(1), np.int32(-1))
    return RawColumn(table[column.codes], [column.distinct[i] for i in np.flatnonzero(used).tolist()], column.is_text)


def name_of(value: Any) -> str | None:
    """Name of a unit, rater, control or cluster; None where there is none."""
    if value is None or type(value).__name__ in NOT_AVAILABLE or value is EMPTY:
        return None
    if isinstance(value, float):
        return None if value != value else str(whole(value))
    text = unicodedata.normalize("NFC", str(value))
    return text if text.strip() else None
