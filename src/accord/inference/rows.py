"""Row algebra: sums by cluster, distinct rows with their counts, totals without one row. Dense or sparse alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.coefficients.spec import CoefficientSpec, Rows
from accord.values import FloatArray, Index, IntArray

#: Bytes that one block of intermediate numbers may take.
BLOCK = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Sample:
    """Distinct rows (G, k), how many units have each (G,), and the row of every unit (U,)."""

    rows: Rows
    count: FloatArray
    where: Index

    @property
    def units(self) -> int:
        """Number of units (or clusters) that can be drawn."""
        return len(self.where)


def number(result: FloatArray) -> float:
    """First (often only) entry of finished numbers."""
    return float(np.asarray(result).item(0))


def by_cluster(rows: Rows, clusters: IntArray | None) -> Rows:
    """Add up the rows of each cluster, (K, k); unchanged without clusters."""
    if clusters is None:
        return rows
    from scipy.sparse import csr_array

    units = len(clusters)
    shape = (int(clusters.max()) + 1, units)
    member = csr_array((np.ones(units), (clusters, np.arange(units))), shape=shape)
    return member @ rows


def distinct(rows: Rows) -> Sample:
    """Merge equal rows where that saves work; otherwise every unit keeps its own row."""
    units = rows.shape[0]
    alone = Sample(rows, np.ones(units), np.arange(units))
    if units < 16:
        return alone
    # A random projection is a hash: equal rows meet, and the comparison below never lets unequal rows merge.
    key = rows @ np.random.default_rng(0).uniform(1.0, 2.0, rows.shape[1])
    order = np.argsort(key)
    ranked = key[order]
    first = np.concatenate(([True], ranked[1:] != ranked[:-1]))
    groups = int(np.count_nonzero(first))
    if 8 * groups > units or 8 * groups * rows.shape[1] > BLOCK:
        return alone
    where = np.empty(units, dtype=np.int64)
    where[order] = np.cumsum(first) - 1
    found = rows[order[first]]
    if not _equal(found[where], rows):
        return alone
    return Sample(dense_block(found, 0, groups), np.bincount(where).astype(np.float64), where)


def _equal(first: Rows, second: Rows) -> bool:
    if isinstance(first, np.ndarray):
        return np.array_equal(first, second)
    return not np.any((first - second).data)


def dense_block(rows: Rows, start: int, stop: int) -> FloatArray:
    """Rows ``start`` to ``stop`` as a dense array."""
    block = rows[start:stop]
    return block if isinstance(block, np.ndarray) else block.toarray()


def spans(length: int, width: int) -> Iterator[tuple[int, int]]:
    """Ranges over ``length`` items of ``width`` numbers each, no range above BLOCK bytes."""
    step = max(1, BLOCK // (8 * max(1, width)))
    for start in range(0, length, step):
        yield start, min(start + step, length)


def without_each(spec: CoefficientSpec, rows: Rows, context: object) -> FloatArray:
    """Return the value without each row in turn, (G,): total minus row, then finish."""
    finish = spec.finish
    if finish is None:
        raise TypeError(f"{spec.key} has no rows")
    totals = np.asarray(rows.sum(axis=0), dtype=np.float64).reshape(1, -1)
    return without_each_of(spec, rows, totals, context)


def without_each_of(spec: CoefficientSpec, rows: Rows, totals: FloatArray, context: object) -> FloatArray:
    """As ``without_each``, for rows that add up to only a part of ``totals`` or stand for several units."""
    known = None if spec.without is None else spec.without(rows, totals, context)
    if known is None:
        return _finished_without(spec, rows, totals, context)
    use, found = known
    values = np.empty(rows.shape[0])
    values[use] = found
    rest = np.setdiff1d(np.arange(rows.shape[0]), use, assume_unique=True)
    if len(rest):
        values[rest] = _finished_without(spec, rows[rest], totals, context)
    return values


def _finished_without(spec: CoefficientSpec, rows: Rows, totals: FloatArray, context: object) -> FloatArray:
    if spec.finish is None:
        raise TypeError(f"{spec.key} has no rows")
    values = [
        np.atleast_1d(spec.finish(totals - dense_block(rows, start, stop), context).value)
        for start, stop in spans(rows.shape[0], rows.shape[1])
    ]
    return np.concatenate(values) if values else np.empty(0)
