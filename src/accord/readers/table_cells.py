"""Answers of one control as cells: rows to lay out, sort by unit and rater, and at most one answer each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from accord.errors import DataError, UsageError
from accord.readers.table_order import by_counting, is_sorted, on_grid
from accord.values import FloatArray, Index, IntArray

Duplicates = Literal["newest", "first", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Parallel arrays (C,); ``row`` is the row of the table, ``time`` decides between duplicates (None = no times).

    ``once`` says that no rater answers a unit again.
    """

    unit: IntArray
    rater: IntArray
    code: IntArray
    row: IntArray | None = None
    time: FloatArray | None = None
    once: bool = False

    def take(self, where: Any) -> Cells:
        """Keep the cells of a mask or in an order."""
        index = np.flatnonzero(where) if where.dtype == np.bool_ else where
        return Cells(
            unit=self.unit[index],
            rater=self.rater[index],
            code=self.code[index],
            row=index.astype(np.int32, copy=False) if self.row is None else self.row[index],
            time=None if self.time is None else self.time[index],
        )

    def rows(self) -> IntArray:
        """Row of every cell, (C,)."""
        return np.arange(len(self.unit), dtype=np.int32) if self.row is None else self.row


@dataclass(frozen=True, slots=True)
class Repeated:
    """Groups of answers by one rater to one unit: how many answers were left out, and the groups, to name some."""

    dropped: int = 0
    groups: tuple[tuple[int, int], ...] = ()


def in_order(cells: Cells, *, rows: bool = True) -> Cells:
    """Sort cells by unit, then rater; cells already in order cost one comparison.

    ``rows`` False says that nobody asks for the row of a cell, unless a rater answered a unit again.
    """
    unit, rater = cells.unit, cells.rater
    if len(unit) < 2 or is_sorted(unit, rater):
        return cells
    if not rows and cells.time is None:
        laid = on_grid(unit, rater, cells.code)
        if laid is not None:
            return Cells(unit=laid[0], rater=laid[1], code=laid[2], once=True)
    number = np.arange(len(unit), dtype=np.int32)
    unit, rater, order = on_grid(unit, rater, number) or by_counting(unit, rater, number)
    return Cells(
        unit=unit,
        rater=rater,
        code=cells.code[order],
        row=order if cells.row is None else cells.row[order],
        time=None if cells.time is None else cells.time[order],
    )


def without_repeats(
    cells: Cells, rule: Duplicates, refuse: Callable[[Sequence[int], str], DataError]
) -> tuple[Cells, Repeated]:
    """Keep one answer of each rater to each unit of sorted cells.

    Equal answers count once. Of different ones the newest (or first) by time is kept; the order of the rows never
    decides, so without times, or with equal ones, ``refuse(rows, why)`` builds the error.
    """
    if rule not in ("newest", "first", "error"):
        raise UsageError(f"Unknown rule {rule!r} for duplicates. Allowed: newest, first, error.")
    if cells.once:
        return cells, Repeated()
    again = (cells.unit[1:] == cells.unit[:-1]) & (cells.rater[1:] == cells.rater[:-1])
    if not again.any():
        return cells, Repeated()
    cells = _by_time(cells, rule)
    starts = np.flatnonzero(np.concatenate(([True], ~again)))
    sizes = np.diff(np.append(starts, len(cells.unit)))
    groups = np.flatnonzero(sizes > 1)
    _check_groups(cells, starts[groups], sizes[groups], rule, refuse)
    kept = cells.take(starts)
    named = tuple((int(kept.unit[g]), int(kept.rater[g])) for g in groups[:5].tolist())
    return kept, Repeated(len(cells.unit) - len(starts), named)


def _by_time(cells: Cells, rule: Duplicates) -> Cells:
    """Put the answer to keep first within each group."""
    if cells.time is None:
        return cells
    time = cells.time if rule == "first" else -cells.time
    return cells.take(np.lexsort((cells.code, time, cells.rater, cells.unit)))


def _check_groups(
    cells: Cells, starts: Index, sizes: Index, rule: Duplicates, refuse: Callable[[Sequence[int], str], DataError]
) -> None:
    offsets = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    members = np.repeat(starts, sizes) + offsets
    group = np.repeat(np.arange(len(starts)), sizes)
    first = starts[group]
    differ = cells.code[members] != cells.code[first]
    if rule == "error":
        bad = np.ones(len(members), dtype=np.bool_)
        why = "and duplicates=error was asked for"
    elif cells.time is None:
        bad, why = differ, "and there is no column with a time to choose by"
    else:
        unknown = np.isnan(cells.time[members])
        late = np.zeros(len(starts), dtype=np.bool_)
        np.logical_or.at(late, group, unknown)
        bad = differ & ((cells.time[members] == cells.time[first]) | late[group])
        why = (
            "and the times do not tell which is the newest"
            if rule == "newest"
            else "and the times do not tell which is first"
        )
    if bad.any():
        at = int(group[np.argmax(bad)])
        rows = range(int(starts[at]), int(starts[at] + sizes[at]))
        raise refuse([row if cells.row is None else int(cells.row[row]) for row in rows], why)
