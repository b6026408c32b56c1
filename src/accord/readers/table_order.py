"""Order cells by unit, then rater, without comparing them: on a grid where it is full enough, else by counting."""

from __future__ import annotations

from typing import Final

import numpy as np

from accord.values import Index, IntArray

Sorted = tuple[IntArray, IntArray, IntArray]

#: Cells laid on the grid at a time, so that temporary arrays stay in the cache.
BLOCK: Final = 1 << 16
#: A grid of all units and raters has at most so many places for each cell.
SPARSEST: Final = 4
#: Below this a sort is quick enough.
FEW: Final = 1 << 16


def is_sorted(unit: IntArray, rater: IntArray) -> bool:
    """Whether cells come by unit, then rater."""
    for begin in range(0, len(unit) - 1, BLOCK):
        some = slice(begin, begin + BLOCK + 1)
        one, who = unit[some], rater[some]
        same = one[1:] == one[:-1]
        if not ((one[1:] > one[:-1]) | (same & (who[1:] >= who[:-1]))).all():
            return False
    return True


def on_grid(unit: IntArray, rater: IntArray, number: IntArray) -> Sorted | None:
    """Lay numbers (C,), none negative, on a grid of units and raters, and read it off row by row.

    None if the grid would be mostly holes, or if a rater has several cells in a unit.
    """
    shape = (int(unit.max()) + 1, int(rater.max()) + 1)
    if shape[0] * shape[1] > SPARSEST * len(unit) + FEW:
        return None
    grid = np.full(shape[0] * shape[1], -1, dtype=np.min_scalar_type(-1 - int(number.max())))
    for begin in range(0, len(unit), BLOCK):
        some = slice(begin, begin + BLOCK)
        place = unit[some].astype(np.intp)
        place *= shape[1]
        place += rater[some]
        grid[place] = number[some].astype(grid.dtype, copy=False)
    filled = (grid >= 0).reshape(shape)
    if int(np.count_nonzero(filled)) < len(unit):
        return None
    units, raters = np.arange(shape[0], dtype=np.int32), np.arange(shape[1], dtype=np.int32)
    if len(unit) == filled.size:
        return np.repeat(units, shape[1]), np.tile(raters, shape[0]), grid.astype(np.int32)
    units, raters = np.repeat(units, filled.sum(axis=1)), np.broadcast_to(raters, shape)[filled]
    return units, raters, grid.reshape(shape)[filled].astype(np.int32)


def by_counting(unit: IntArray, rater: IntArray, number: IntArray) -> Sorted:
    """Sort numbers (C,) stably by unit, then rater."""
    sizes = (int(unit.max()) + 1, int(rater.max()) + 1)
    if len(unit) < FEW or max(sizes) > SPARSEST * len(unit):
        order: Index = np.lexsort((rater, unit))
        return unit[order], rater[order], number[order]
    from scipy.sparse import csr_array

    ones = np.ones(len(rater), dtype=np.int8)
    each = np.arange(len(rater) + 1, dtype=np.int32)
    ranked = csr_array((ones, rater, each), shape=(len(rater), sizes[1])).tocsc()
    order = ranked.indices
    table = csr_array((number[order], unit[order], ranked.indptr), shape=(sizes[1], sizes[0])).tocsc()
    units = np.repeat(np.arange(sizes[0], dtype=np.int32), np.diff(table.indptr))
    return units, table.indices.astype(np.int32, copy=False), table.data
