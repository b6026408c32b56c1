"""Disagreement inside units: what every coefficient of this package observes.

Distances (1 - similarity) are summed rather than similarities, so that near-perfect agreement keeps its digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from accord.coefficients.blocks import Codes, blocks, even_size
from accord.coefficients.equal import equal_pairs
from accord.similarity.core import Identity, Quadratic, Similarity, comparable, costly, skips
from accord.study import Study
from accord.values import FloatArray, Index

#: Pairs of answers handled at once.
BLOCK = 1 << 17

#: From this many answers a unit is scored through its counts by value instead of pair by pair.
CROWD = 64


@dataclass(frozen=True, slots=True)
class Within:
    """Sums over the comparable pairs of each unit, all (U,).

    ``distance`` adds up their distances, ``pairs`` counts them, ``size`` counts the answers, ``usable`` is 1 where
    there is a pair, else 0. Where all units are alike these are views of one number.
    """

    distance: FloatArray
    pairs: FloatArray
    size: FloatArray
    usable: FloatArray
    skipped: int = 0

    @property
    def mean(self) -> FloatArray:
        """Mean distance of the comparable pairs of each unit, 0 where there is none, (U,)."""
        return self.distance / np.maximum(self.pairs, 1.0)

    @property
    def agreement(self) -> FloatArray:
        """Mean similarity of the comparable pairs of each unit, 0 where there is none, (U,)."""
        return self.usable - self.mean


def within(study: Study, similarity: Similarity) -> Within:
    """Compare all answers of each unit with each other."""
    distance = np.zeros(study.U)
    size = answers_per_unit(study)
    unknown_pairs = np.zeros(study.U) if skips(similarity) else None
    for block in blocks(study):
        distance[block.units], unknown = distances(block.codes, similarity)
        if unknown is not None and unknown_pairs is not None:
            unknown_pairs[block.units] = unknown
    pairs = alike(size, lambda m: m * (m - 1.0) / 2.0)
    if unknown_pairs is not None:
        pairs = pairs - unknown_pairs
    skipped = 0 if unknown_pairs is None else round(float(unknown_pairs.sum()))
    return Within(distance, pairs, size, alike(pairs, lambda n: (n > 0.0).astype(np.float64)), skipped)


def answers_per_unit(study: Study) -> FloatArray:
    """Number of answers of each unit, (U,); a view of one number where it is the same for all."""
    size = even_size(study)
    return study.m.astype(np.float64) if size is None else np.broadcast_to(np.float64(size), study.U)


def alike(values: FloatArray, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Apply a function of single numbers; a view of one number stays one."""
    if len(values) and values.strides == (0,):
        return np.broadcast_to(function(values[:1])[0], values.shape)
    return function(values)


def distances(codes: Codes, similarity: Similarity) -> tuple[FloatArray, FloatArray | None]:
    """Sum of distances over the pairs of each unit, from codes (m, n) to (n,); number of pairs left out, if any."""
    size = len(codes)
    if isinstance(similarity, Identity):
        return size * (size - 1) / 2.0 - equal_pairs(codes), None
    if isinstance(similarity, Quadratic):
        return _squares(codes, similarity), None
    if size > CROWD and similarity.size <= CROWD * CROWD and not costly(similarity):
        return _by_counts(codes, similarity)
    return _pair_by_pair(codes.astype(np.int64), similarity)


def _squares(codes: Codes, similarity: Quadratic) -> FloatArray:
    """Sum of squared differences over pairs, m sum y^2 - (sum y)^2 with y counted from the first answer.

    For whole numbers this is exact, so that units with the same answers have the same row in any order of raters.
    """
    y = similarity.positions[codes]
    y[1:] -= y[0]
    total = y[1:].sum(axis=0)
    np.multiply(y, y, out=y)
    return (len(codes) * y[1:].sum(axis=0) - total * total) / similarity.scale


def _pair_by_pair(codes: Codes, similarity: Similarity) -> tuple[FloatArray, FloatArray | None]:
    """Each answer against all later ones, one by one or, in large units, together."""
    distance, unknown = np.zeros(codes.shape[1]), np.zeros(codes.shape[1])
    partial = skips(similarity)
    step = 1 if len(codes) <= CROWD else max(1, BLOCK // codes.shape[1])
    for i, left in enumerate(codes):
        for first in range(i + 1, len(codes), step):
            right = codes[first : first + step]
            apart = 1.0 - similarity.at(np.broadcast_to(left, right.shape).ravel(), right.ravel()).reshape(right.shape)
            if partial:
                missing = np.isnan(apart)
                apart[missing] = 0.0
                unknown += missing.sum(axis=0)
            distance += apart.sum(axis=0)
    return distance, unknown if partial else None


def _by_counts(codes: Codes, similarity: Similarity) -> tuple[FloatArray, FloatArray | None]:
    """Many answers, few values: compare the values and weight by their counts."""
    size, units = codes.shape
    values = similarity.size
    distance, unknown = np.empty(units), np.empty(units)
    step = max(1, BLOCK // values)
    for first in range(0, units, step):
        some = codes[:, first : first + step]
        flat = (np.arange(some.shape[1]) * values + some).ravel()
        counts = np.bincount(flat, minlength=some.shape[1] * values).reshape(-1, values).astype(np.float64)
        total = (comparable(similarity, counts) * counts).sum(axis=-1)
        near = (similarity.times(counts) * counts).sum(axis=-1)
        distance[first : first + step] = (total - near) / 2.0
        unknown[first : first + step] = (size * size - total) / 2.0
    return distance, np.rint(unknown) if skips(similarity) else None


def pair_blocks(study: Study) -> Iterator[tuple[Index, Index, Index]]:
    """Yield unit and cells (i, j), i < j, of all pairs of answers within units, in blocks."""
    m = study.m
    for size in np.unique(m[m > 1]).tolist():
        left, right = np.triu_indices(size, 1)
        members = np.flatnonzero(m == size)
        step = max(1, BLOCK // len(left))
        for first in range(0, len(members), step):
            some = members[first : first + step]
            start = study.start[some][:, None]
            yield np.repeat(some, len(left)), (start + left).ravel(), (start + right).ravel()
