"""Margins of many groups (raters, or sides of rater pairs) in columns for the values that occur."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accord.values import FloatArray, Index

#: Numbers in one block of unfolded margins.
BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Groups:
    """Columns sorted by group, then value: ``start`` (groups + 1,), ``code`` (columns,), V values."""

    start: Index
    code: Index
    values: int

    @property
    def count(self) -> int:
        """Number of groups."""
        return len(self.start) - 1

    def columns(self, groups: Index) -> tuple[Index, Index]:
        """Columns of some groups, and their places in an unfolded (len(groups), V) array."""
        size = self.start[groups + 1] - self.start[groups]
        ends = np.cumsum(size)
        total = int(ends[-1]) if len(ends) else 0
        column = np.arange(total) + np.repeat(self.start[groups] - (ends - size), size)
        return column, np.repeat(np.arange(len(groups)) * self.values, size) + self.code[column]

    def unfold(self, margins: FloatArray, groups: Index) -> FloatArray:
        """Counts by value (B, len(groups), V) of some groups, from columns (B, all)."""
        column, place = self.columns(groups)
        out = np.zeros((len(margins), len(groups) * self.values))
        out[:, place] = margins[:, column]
        return out.reshape(len(margins), len(groups), self.values)

    def blocks(self, length: int, resamples: int) -> Iterator[slice]:
        """Ranges over ``length`` groups or pairs of them that unfold to a bounded number of counts."""
        step = max(1, BLOCK // max(1, resamples * self.values))
        for first in range(0, length, step):
            yield slice(first, min(first + step, length))


def grouped(
    group: npt.NDArray[np.integer], code: npt.NDArray[np.integer], count: int, values: int
) -> tuple[Groups, npt.NDArray[np.integer]]:
    """Make a column for every (group, code) that occurs; return the columns and that of each entry."""
    seen, column = occurring(group.astype(np.int64) * values + code, count * values)
    start = np.searchsorted(seen // values, np.arange(count + 1))
    return Groups(start, seen % values, values), column


def occurring(key: npt.NDArray[np.integer], size: int) -> tuple[Index, npt.NDArray[np.integer]]:
    """Keys below ``size`` that occur, sorted, and the place of each entry's key among them."""
    if size > max(4096, 4 * len(key)):
        return np.unique(key, return_inverse=True)
    seen = np.flatnonzero(np.bincount(key, minlength=size))
    place = np.zeros(size, dtype=np.int32)
    place[seen] = np.arange(len(seen), dtype=np.int32)
    return seen, place[key]
