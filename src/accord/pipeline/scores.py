"""Pairwise scores: one number per pair of answers, their means per task, per rater and per pair of raters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.metrics.label_weights import checked_weights, pair_weights
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index


@dataclass(frozen=True)
class PairScores:
    """Similarities of every within-unit pair of answers of a study.

    ``left`` and ``right`` are cells (P,), ``score`` their similarities (P,), NaN = not comparable; ``weight`` (P,) is
    the mean weight of the labels either answer holds.
    """

    study: Study
    left: Index
    right: Index
    score: FloatArray
    weight: FloatArray

    @classmethod
    def of(cls, study: Study, similarity: Similarity, label_weights: Mapping[str, float] | None = None) -> PairScores:
        """Score every pair once."""
        left, right = study.pairs
        first, second = study.code[left], study.code[right]
        weight = np.ones(len(left))
        if label_weights:
            weight = pair_weights(study.values, first, second, checked_weights(label_weights))
        return cls(study, left, right, similarity.at(first, second), weight)

    @cached_property
    def unit(self) -> Index:
        """Unit of each pair, (P,)."""
        return self.study.unit[self.left].astype(np.int64)

    @cached_property
    def known(self) -> FloatArray:
        """1 where the pair was comparable, (P,)."""
        return np.isfinite(self.score).astype(np.float64)

    @property
    def skipped(self) -> int:
        """Pairs that could not be compared."""
        return int(len(self.score) - self.known.sum())

    @cached_property
    def per_unit(self) -> FloatArray:
        """Weighted mean over the scored pairs of each unit, (U,); NaN where there are none."""
        return group_mean(self.unit, self.score, self.study.U, self.weight)

    @cached_property
    def unit_weight(self) -> FloatArray:
        """Mean weight of the scored pairs of each unit, (U,); 0 where there are none."""
        weight = np.where(self.known > 0, self.weight, np.nan)
        return np.nan_to_num(group_mean(self.unit, weight, self.study.U))

    @cached_property
    def loss(self) -> FloatArray:
        """Summed disagreement 1 - s of each unit, each unit's pairs weighted 1/(m - 1), (U,)."""
        weight = 1.0 / np.maximum(self.study.m - 1, 1)
        loss = np.nan_to_num(1.0 - self.score) * self.known
        return np.bincount(self.unit, loss, self.study.U) * weight

    @cached_property
    def per_rater_unit(self) -> FloatArray:
        """Mean similarity of each answer with the others of its unit, (C,); NaN where there are none."""
        cells = np.concatenate([self.left, self.right])
        return group_mean(cells, np.concatenate([self.score, self.score]), self.study.C)

    def by_rater_pair(self) -> tuple[FloatArray, Index]:
        """Mean similarity and number of shared scored units for each pair of raters, two arrays (R, R)."""
        size = self.study.R
        first, second = self.study.rater[self.left], self.study.rater[self.right]
        key = np.minimum(first, second).astype(np.int64) * size + np.maximum(first, second)
        count = np.bincount(key[self.known > 0], minlength=size * size).reshape(size, size)
        mean = group_mean(key, self.score, size * size).reshape(size, size)
        return np.where(np.isnan(mean), mean.T, mean), count + count.T


def group_mean(group: Index, values: FloatArray, size: int, weight: FloatArray | None = None) -> FloatArray:
    """Weighted mean of ``values`` by group, NaN left out; NaN for groups without a value, (size,)."""
    known = np.isfinite(values) * (1.0 if weight is None else weight)
    total = np.bincount(group, known * np.nan_to_num(values), size)
    count = np.bincount(group, known, size)
    return np.divide(total, count, out=np.full(size, np.nan), where=count > 0)
