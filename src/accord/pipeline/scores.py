"""Pairwise scores: one number per pair of answers, their means per task, per rater and per pair of raters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index


@dataclass(frozen=True)
class PairScores:
    """Similarities of every within-unit pair of answers of a study.

    ``left`` and ``right`` are cells (P,), ``score`` their similarities (P,), NaN = not comparable.
    """

    study: Study
    left: Index
    right: Index
    score: FloatArray

    @classmethod
    def of(cls, study: Study, similarity: Similarity) -> PairScores:
        """Score every pair once."""
        left, right = study.pairs
        return cls(study, left, right, similarity.at(study.code[left], study.code[right]))

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
        """Mean over the scored pairs of each unit, (U,); NaN where there are none."""
        return group_mean(self.unit, self.score, self.study.U)

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


def group_mean(group: Index, values: FloatArray, size: int) -> FloatArray:
    """Mean of ``values`` by group, NaN left out; NaN for groups without a value, (size,)."""
    known = np.isfinite(values)
    total = np.bincount(group, np.where(known, values, 0.0), size)
    count = np.bincount(group, known.astype(np.float64), size)
    return np.divide(total, count, out=np.full(size, np.nan), where=count > 0)
