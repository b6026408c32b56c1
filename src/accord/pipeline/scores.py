"""Pairwise scores: their means per task, per answer and per pair of raters, in memory that follows the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.coefficients.raters_once import fits_once, pair_sums
from accord.metrics.label_weights import checked_weights, pair_weights
from accord.pipeline.crowds import is_crowd, of_crowds
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index

#: Pairs of answers scored at a time.
BLOCK = 1 << 18
#: Pairs of answers that are kept one by one, for findings that look at each.
MOST_KEPT = 4_000_000
#: Pairs of answers up to which pairs of raters are compared one pair of answers after the other.
MOST_SCORED = 500_000_000


@dataclass(frozen=True, slots=True)
class Pairs:
    """Some pairs of answers: cells (n,), similarities (NaN = not comparable), mean weight of the labels they hold."""

    left: Index
    right: Index
    score: FloatArray
    weight: FloatArray


@dataclass(frozen=True, slots=True)
class RaterPairs:
    """Pairs of raters that met: numbers first < second, mean similarity, shared scored units, all (K,)."""

    first: Index
    second: Index
    mean: FloatArray
    shared: Index


@dataclass(frozen=True)
class PairScores:
    """Similarities of all within-unit pairs of answers of a study, weighted by the labels they hold if asked."""

    study: Study
    similarity: Similarity
    label_weights: Mapping[str, float] | None = None

    def blocks(self, first: int = 0, stop: int | None = None) -> Iterator[Pairs]:
        """Score the pairs of the units ``first`` to ``stop``, some at a time, unit after unit."""
        start = self.study.start
        cell, last = int(start[first]), int(start[self.study.U if stop is None else stop])
        while cell < last:
            some = np.arange(cell, min(last, cell + BLOCK))
            later = start[self.study.unit[some] + 1] - some - 1
            fit = max(1, int(np.searchsorted(np.cumsum(later), BLOCK, side="right")))
            left = np.repeat(some[:fit], later[:fit])
            offset = np.arange(len(left)) - np.repeat(np.cumsum(later[:fit]) - later[:fit], later[:fit])
            yield self._scored(left, left + 1 + offset)
            cell += fit

    def _scored(self, left: Index, right: Index) -> Pairs:
        study = self.study
        a, b = study.code[left], study.code[right]
        weight = np.broadcast_to(1.0, len(left))
        if self.label_weights:
            weight = pair_weights(study.values, a, b, checked_weights(self.label_weights))
        return Pairs(left, right, self.similarity.at(a, b), weight)

    @cached_property
    def every(self) -> Pairs | None:
        """All pairs, unit after unit; None if they are too many to keep."""
        if self.study.P > MOST_KEPT:
            return None
        found = [(p.left, p.right, p.score, p.weight) for p in self.blocks()]
        empty = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))
        return Pairs(*map(np.concatenate, zip(empty, *found, strict=True)))

    def between(self, first: int, stop: int) -> Iterator[Pairs]:
        """Pairs of the units ``first`` to ``stop``, from memory where they are kept."""
        every = self.every
        if every is None:
            return self.blocks(first, stop)
        some = slice(*np.searchsorted(every.left, (self.study.start[first], self.study.start[stop])).tolist())
        return iter((Pairs(every.left[some], every.right[some], every.score[some], every.weight[some]),))

    def parts(self) -> Iterator[Pairs]:
        """All pairs, from memory where they are kept."""
        return self.between(0, self.study.U)

    @cached_property
    def cells(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Of each answer the weighted sum of its scores, the sum of their weights, and their number, (C,) each."""
        study = self.study
        if not self.label_weights and is_crowd(study, self.similarity):
            total, count = of_crowds(study, self.similarity)
            return total, count, count
        sums = (np.zeros(study.C), np.zeros(study.C), np.zeros(study.C))
        for pairs in self.parts():
            known = np.isfinite(pairs.score)
            weight = known * pairs.weight
            columns = (weight * np.nan_to_num(pairs.score), weight, known)
            for cell in (pairs.left, pairs.right):
                low, high = int(cell.min(initial=study.C)), int(cell.max(initial=-1)) + 1
                for whole, part in zip(sums, columns, strict=True):
                    whole[low:high] += np.bincount(cell - low, part, max(0, high - low))
        return sums

    @cached_property
    def units(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """As ``cells``, for each unit and counting each pair once, (3, U)."""
        total, weight, count = (np.bincount(self.study.unit, cells, self.study.U) / 2.0 for cells in self.cells)
        return total, weight, count

    @property
    def known(self) -> int:
        """Pairs that could be compared."""
        return round(float(self.units[2].sum()))

    @property
    def skipped(self) -> int:
        """Pairs that could not be compared."""
        return self.study.P - self.known

    @cached_property
    def per_unit(self) -> FloatArray:
        """Weighted mean over the scored pairs of each unit, (U,); NaN where there are none."""
        total, weight, _ = self.units
        return divided(total, weight)

    @cached_property
    def unit_weight(self) -> FloatArray:
        """Mean weight of the scored pairs of each unit, (U,); 0 where there are none."""
        _, weight, count = self.units
        return np.nan_to_num(divided(weight, count))

    @cached_property
    def per_rater_unit(self) -> FloatArray:
        """Mean similarity of each answer with the others of its unit, (C,); NaN where there are none."""
        if self.label_weights:
            return PairScores(self.study, self.similarity).per_rater_unit
        return divided(*self.cells[:2])

    @cached_property
    def rater_pairs(self) -> RaterPairs | None:
        """Mean similarity and number of shared scored units of the raters that met; None if that is out of reach."""
        study = self.study
        if fits_once(study):
            units, apart, _, _ = pair_sums(study, self.similarity)
            first, second = np.nonzero(np.triu(units, 1))
            shared = units[first, second]
            return RaterPairs(first, second, 1.0 - apart[first, second] / shared, shared.astype(np.int64))
        if study.P > MOST_SCORED:
            return None
        keys = np.empty(0, np.int64)
        totals: FloatArray = np.empty(0)
        counts: FloatArray = np.empty(0)
        for pairs in self.parts():
            known = np.isfinite(pairs.score)
            one, other = study.rater[pairs.left[known]], study.rater[pairs.right[known]]
            key = np.minimum(one, other).astype(np.int64) * study.R + np.maximum(one, other)
            keys, place = np.unique(np.concatenate((keys, key)), return_inverse=True)
            totals = _sums(place, totals, pairs.score[known])
            counts = _sums(place, counts, np.ones(len(key)))
        return RaterPairs(keys // study.R, keys % study.R, totals / np.maximum(counts, 1.0), counts.astype(np.int64))


def _sums(place: Index, before: FloatArray, new: FloatArray) -> FloatArray:
    return np.bincount(place, np.concatenate((before, new))).astype(np.float64, copy=False)


def divided(total: FloatArray, count: FloatArray) -> FloatArray:
    """Return total / count, NaN where the count is 0."""
    return np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)


def group_mean(group: Index, values: FloatArray, size: int, weight: FloatArray | None = None) -> FloatArray:
    """Weighted mean of ``values`` by group, NaN left out; NaN for groups without a value, (size,)."""
    known = np.isfinite(values) * (1.0 if weight is None else weight)
    total = np.bincount(group, known * np.nan_to_num(values), size).astype(np.float64, copy=False)
    return divided(total, np.bincount(group, known, size).astype(np.float64, copy=False))
