"""One control in coded form: what every coefficient works on.

A Study holds C cells (one answer each) as parallel int32 arrays sorted by unit, then rater. Codes index
``values``; the first ``domain`` of them are the declared domain, in order. Missing answers have no cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from accord.values import EMPTY, BoolArray, FloatArray, Index, IntArray, Kind, Level, Value

#: Answers looked at a time, so that temporary arrays stay in the cache.
BLOCK = 1 << 17
#: So many answers often show all values.
EARLY = 1 << 14


@dataclass(frozen=True, kw_only=True)
class Study:
    """Coded answers of R raters to U units, with V distinct values.

    Parameters
    ----------
    unit, rater, code
        Arrays (C,), sorted by unit then rater; at most one cell for a (unit, rater).
    values
        Distinct values (V,), declared domain first.
    domain
        Number of declared values, None if the domain is open.
    slots
        True if raters are only interchangeable slots (a counts table): rater-specific margins mean nothing.
    cluster
        Cluster number of each unit (U,), None if units are independent.
    matrix
        Optional dense codes (U, R), -1 = missing: the same cells, when they came as a table.
    """

    unit: IntArray
    rater: IntArray
    code: IntArray
    values: tuple[Value, ...]
    unit_names: Sequence[str]
    rater_names: Sequence[str]
    name: str = ""
    kind: Kind = Kind.LABEL
    level: Level = Level.NOMINAL
    domain: int | None = None
    slots: bool = False
    cluster: IntArray | None = None
    matrix: IntArray | None = field(default=None, repr=False)

    @property
    def U(self) -> int:  # noqa: N802 - the letters of the docstrings
        """Number of units with at least one answer."""
        return len(self.unit_names)

    @property
    def R(self) -> int:  # noqa: N802
        """Number of raters."""
        return len(self.rater_names)

    @property
    def V(self) -> int:  # noqa: N802
        """Number of distinct values, declared ones included."""
        return len(self.values)

    @property
    def C(self) -> int:  # noqa: N802
        """Number of answers."""
        return len(self.code)

    @cached_property
    def m(self) -> Index:
        """Answers per unit, (U,)."""
        return np.diff(self.start)

    @cached_property
    def start(self) -> Index:
        """First cell of each unit, and C at the end, (U + 1,)."""
        if self.is_complete:
            return np.arange(0, self.C + 1, max(1, self.R))
        heads = np.flatnonzero(self.unit[1:] != self.unit[:-1]) + 1
        if self.C and len(heads) + 1 == self.U:
            return np.concatenate(([0], heads, [self.C]))
        return np.concatenate(([0], np.cumsum(np.bincount(self.unit, minlength=self.U))))

    @cached_property
    def remembered(self) -> dict[str, Any]:
        """What coefficients have computed on these cells and need again, by name; a changed study starts anew."""
        return {}

    @cached_property
    def counts(self) -> Index:
        """How often each value was given, (V,)."""
        step = max(1 << 17, 4 * self.V)
        total = np.zeros(self.V, dtype=np.int64)
        for first in range(0, self.C, step):
            total += np.bincount(self.code[first : first + step], minlength=self.V)
        return total

    @cached_property
    def P(self) -> int:  # noqa: N802
        """Number of unordered pairs of answers within units."""
        return int((self.m * (self.m - 1)).sum()) // 2

    @cached_property
    def pairs(self) -> tuple[Index, Index]:
        """Cells (i, j) of every unordered pair of answers within a unit, i < j, two arrays (P,)."""
        first, second = [], []
        for size in np.unique(self.m).tolist():
            if size < 2:
                continue
            starts = self.start[:-1][self.m == size]
            left, right = np.triu_indices(size, 1)
            first.append((starts[:, None] + left).ravel())
            second.append((starts[:, None] + right).ravel())
        if not first:
            none = np.empty(0, dtype=np.int64)
            return none, none
        left, right = np.concatenate(first), np.concatenate(second)
        order = np.lexsort((right, left))
        return left[order], right[order]

    @cached_property
    def seen(self) -> BoolArray:
        """Which values occur, (V,)."""
        early = np.bincount(self.code[:EARLY], minlength=self.V) > 0
        return early if self.C <= EARLY or early.all() else self.counts > 0

    @cached_property
    def observed_values(self) -> int:
        """Number of distinct values that occur, EMPTY not counted."""
        return self._distinct(0)

    @cached_property
    def q(self) -> int:
        """Number of categories: the declared domain united with what was said, EMPTY never counted."""
        declared = self.domain or 0
        return declared + self._distinct(declared)

    def _distinct(self, first: int) -> int:
        """Number of values from code ``first`` on that occur, EMPTY not counted."""
        return sum(1 for i in np.flatnonzero(self.seen[first:]).tolist() if self.values[first + i] is not EMPTY)

    @cached_property
    def numbers(self) -> FloatArray:
        """Values as numbers, (V,); raises TypeError if a value is not one."""
        return np.array([_number(value) for value in self.values], dtype=np.float64)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every rater answered every unit."""
        return self.C == self.U * self.R

    def where(self, units: BoolArray) -> Study:
        """Keep only the units of a mask (U,)."""
        return self.cells(units[self.unit])

    def cells(self, keep: BoolArray) -> Study:
        """Keep only the answers of a mask (C,); units that lose all answers go, raters stay."""
        units = np.bincount(self.unit[keep], minlength=self.U) > 0
        renumber = np.cumsum(units, dtype=np.int32) - np.int32(1)
        return replace(
            self,
            unit=renumber[self.unit[keep]],
            rater=self.rater[keep],
            code=self.code[keep],
            unit_names=pick(self.unit_names, np.flatnonzero(units)),
            cluster=None if self.cluster is None else self.cluster[units],
            matrix=None,
        )

    def only(self, *raters: int) -> Study:
        """Keep only the answers of some raters, renumbered in the order given."""
        order, begins = self.by_rater
        new = np.full(self.R, -1, dtype=np.int32)
        new[list(raters)] = np.arange(len(raters), dtype=np.int32)
        cells = np.sort(np.concatenate([order[begins[i] : begins[i + 1]] for i in raters]), kind="stable")
        unit, rater = self.unit[cells], new[self.rater[cells]]
        if list(raters) != sorted(raters):
            place = np.lexsort((rater, unit))
            cells, unit, rater = cells[place], unit[place], rater[place]
        heads = np.concatenate((unit[:1] >= 0, unit[1:] != unit[:-1]))
        units = unit[heads]
        return replace(
            self,
            unit=np.cumsum(heads, dtype=np.int32) - np.int32(1),
            rater=rater,
            code=self.code[cells],
            unit_names=pick(self.unit_names, units),
            rater_names=[self.rater_names[i] for i in raters],
            cluster=None if self.cluster is None else self.cluster[units],
            matrix=None,
        )

    @cached_property
    def by_rater(self) -> tuple[Index, Index]:
        """Cells by rater, then unit, and the first of each rater, (C,) and (R + 1,)."""
        kind = np.uint8 if self.R <= 1 << 8 else np.uint16 if self.R <= 1 << 16 else np.int32
        order = np.argsort(self.rater.astype(kind), kind="stable")
        return order, np.concatenate(([0], np.cumsum(np.bincount(self.rater, minlength=self.R))))


def _number(value: Value) -> float:
    if isinstance(value, bool | str) or not isinstance(value, int | float | np.number):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def occurring(numbers: IntArray, size: int) -> BoolArray:
    """Which of the numbers 0..size - 1 occur, (size,); -1 is none of them."""
    used = np.zeros(size + 1, dtype=np.bool_)
    for begin in range(0, len(numbers), BLOCK):
        used[numbers[begin : begin + BLOCK].astype(np.intp, copy=False)] = True
        if begin == 0 and used[:size].all():
            break
    return used[:size]


def compact(numbers: IntArray, size: int) -> tuple[IntArray, Index]:
    """Renumber 0.. in order without gaps; also return which of the ``size`` old numbers are used."""
    used = occurring(numbers, size)
    kept = np.flatnonzero(used)
    if len(kept) == size:
        return numbers, kept
    renumber = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return renumber[numbers], kept


def pick(names: Sequence[str], kept: Index | IntArray) -> Sequence[str]:
    """Names at some positions; the sequence itself if these are all."""
    return names if len(kept) == len(names) else Picked(names, kept)


class Picked(Sequence[str]):
    """Some of many names, looked up on demand."""

    def __init__(self, names: Sequence[str], kept: Index | IntArray) -> None:
        inner = names if isinstance(names, Picked) else None
        self._names: Sequence[str] = names if inner is None else inner._names
        self._kept: Index | IntArray = kept if inner is None else inner._kept[kept]

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, index: Any) -> Any:
        found = self._kept[index]
        return [self._names[i] for i in found.tolist()] if isinstance(index, slice) else self._names[int(found)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
