"""Disagreement inside units: what every coefficient of this package observes.

Distances (1 - similarity) are summed rather than similarities, so that near-perfect agreement keeps its digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.coefficients.equal import equal_pairs
from accord.similarity.core import Identity, Quadratic, Similarity, comparable
from accord.study import Study
from accord.values import FloatArray, Index

#: Pairs of answers handled at once.
BLOCK = 1 << 19

#: From this many answers a unit is scored through its counts by value instead of pair by pair.
CROWD = 64


@dataclass(frozen=True, slots=True)
class Within:
    """Sum of distances over the comparable pairs of each unit (U,), and their number (U,)."""

    distance: FloatArray
    pairs: FloatArray
    skipped: int = 0

    @property
    def usable(self) -> FloatArray:
        """1 for units with a comparable pair, else 0, (U,)."""
        return (self.pairs > 0).astype(np.float64)

    @property
    def agreement(self) -> FloatArray:
        """Mean similarity of the comparable pairs of each unit, 0 where there is none, (U,)."""
        return self.usable - self.distance / np.maximum(self.pairs, 1.0)


def within(study: Study, similarity: Similarity) -> Within:
    """Compare all answers of each unit with each other."""
    if isinstance(similarity, Identity):
        pairs = _pairs(study)
        return Within(pairs - equal_pairs(study), pairs)
    if isinstance(similarity, Quadratic):
        return Within(_squares(study, similarity), _pairs(study))
    return _scored(study, similarity)


def _pairs(study: Study) -> FloatArray:
    m = study.m.astype(np.float64)
    return m * (m - 1.0) / 2.0


def _squares(study: Study, similarity: Quadratic) -> FloatArray:
    """Sum of squared differences over pairs = m times the sum of squares about the unit's mean."""
    x = similarity.positions[study.code]
    m = study.m
    mean = np.bincount(study.unit, weights=x, minlength=study.U) / np.maximum(m, 1)
    deviation = x - mean[study.unit]
    squares = np.bincount(study.unit, weights=deviation * deviation, minlength=study.U)
    return m * squares / similarity.scale


def _scored(study: Study, similarity: Similarity) -> Within:
    distance, pairs = np.zeros(study.U), np.zeros(study.U)
    crowded = (study.m > CROWD) & (study.V <= CROWD * CROWD)
    for unit, i, j in pair_blocks(study, ~crowded):
        apart = 1.0 - similarity.at(study.code[i], study.code[j])
        known = ~np.isnan(apart)
        distance += np.bincount(unit[known], weights=apart[known], minlength=study.U)
        pairs += np.bincount(unit[known], minlength=study.U)
    for units in _unit_blocks(np.flatnonzero(crowded), study.V):
        counts = unit_counts(study, units)
        total = (comparable(similarity, counts) * counts).sum(axis=-1)
        near = (similarity.times(counts) * counts).sum(axis=-1)
        distance[units] = (total - near) / 2.0
        pairs[units] = (total - counts.sum(axis=-1)) / 2.0
    return Within(distance, pairs, round(float(_pairs(study).sum() - pairs.sum())))


def pair_blocks(study: Study, units: np.ndarray | None = None) -> Iterator[tuple[Index, Index, Index]]:
    """Yield unit and cells (i, j), i < j, of all pairs of answers within units, in blocks."""
    m = study.m if units is None else np.where(units, study.m, 0)
    for size in np.unique(m[m > 1]).tolist():
        left, right = np.triu_indices(size, 1)
        members = np.flatnonzero(m == size)
        step = max(1, BLOCK // len(left))
        for first in range(0, len(members), step):
            some = members[first : first + step]
            start = study.start[some][:, None]
            yield np.repeat(some, len(left)), (start + left).ravel(), (start + right).ravel()


def _unit_blocks(units: Index, width: int) -> Iterator[Index]:
    step = max(1, BLOCK // max(1, width))
    for first in range(0, len(units), step):
        yield units[first : first + step]


def unit_counts(study: Study, units: Index) -> FloatArray:
    """Counts by value of some units, (len(units), V)."""
    size = study.m[units]
    row = np.repeat(np.arange(len(units)), size)
    ends = np.cumsum(size)
    cell = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(study.start[units] - (ends - size), size)
    flat = np.bincount(row * study.V + study.code[cell], minlength=len(units) * study.V)
    return flat.reshape(len(units), study.V).astype(np.float64)
