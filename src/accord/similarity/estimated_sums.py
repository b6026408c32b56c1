"""Sums over pairs of texts that rest on a sample: a fixed bilinear form, reweighted and never scored again."""

from __future__ import annotations

import numpy as np

from accord.similarity.core import Codes, Dense, Drawn
from accord.similarity.pair_population import PairPopulation
from accord.similarity.sample_designs import Sample
from accord.similarity.sampled import Sampled
from accord.values import FloatArray


class EstimatedSums:
    """Known pairs exactly, all others by their level and the corrections at the pairs drawn.

    Parameters
    ----------
    exact
        Table (size, size) that holds the known pairs and the diagonal; the rest is overwritten.
    known
        Places of the known pairs.
    """

    def __init__(
        self, exact: FloatArray, known: tuple[Codes, Codes], population: PairPopulation, sample: Sample
    ) -> None:
        self.population, self.sample, self._known_pairs = population, sample, known
        left, right = population.left, population.right
        exact[left, right] = exact[right, left] = sample.level
        self._smooth = Dense(exact, "levels")
        whole = exact.copy()
        drawn = sample.member
        corrections = sample.weight * (sample.score - sample.fitted) / population.multiplicity[drawn]
        np.add.at(whole, (left[drawn], right[drawn]), corrections)
        np.add.at(whole, (right[drawn], left[drawn]), corrections)
        self._whole = Dense(whole, "estimate")

    def times(self, p: FloatArray) -> FloatArray:
        """Estimate of sum_v s(u, v) p(..., v), shape (..., size)."""
        return self._whole.times(p)

    def known(self, p: FloatArray) -> FloatArray:
        """Sum of p over the values that can be compared."""
        return self._whole.known(p)

    @property
    def smooth(self) -> Dense:
        """The levels alone: the same sums over all answers, without the noise of single draws in single rows."""
        return self._smooth

    def error(self, p: FloatArray, q: FloatArray, weight: FloatArray) -> float:
        """Standard error of sum_k weight_k p_k S q_k, for p and q of shape (K, size)."""
        terms = self._terms(p, q, weight) * (self.sample.score - self.sample.fitted)
        group, drawn = self.sample.group, self.sample.drawn
        mean = np.bincount(group, terms, len(drawn)) / np.maximum(drawn, 1.0)
        squares = np.bincount(group, (terms - mean[group]) ** 2, len(drawn)) / np.maximum(drawn - 1.0, 1.0)
        size = self.sample.size
        left_out = np.maximum(1.0 - drawn / np.maximum(size, 1.0), 0.0)
        return float(np.sqrt((size**2 * left_out * squares / np.maximum(drawn, 1.0)).sum()))

    def unseen(self, p: FloatArray, q: FloatArray, weight: FloatArray) -> float:
        """What groups in which every draw scored 0 may hide, at most (rule of three)."""
        sample = self.sample
        positive = np.bincount(sample.group, sample.score, len(sample.size))
        terms = self._terms(p, q, weight)
        mean = np.bincount(sample.group, terms, len(sample.size)) / np.maximum(sample.drawn, 1.0)
        partly = (positive == 0.0) & (sample.drawn > 0) & (sample.drawn < sample.size)
        return float((partly * sample.size * mean * 3.0 / np.maximum(sample.drawn, 3.0)).sum())

    def _terms(self, p: FloatArray, q: FloatArray, weight: FloatArray) -> FloatArray:
        """What a score of 1 at each draw adds to the sum, for one of the pairs of answers that have these texts."""
        member = self.sample.member
        i, j = self.population.left[member], self.population.right[member]
        both = weight @ (p[:, i] * q[:, j] + p[:, j] * q[:, i])
        return both / self.population.multiplicity[member]

    @property
    def failed(self) -> float:
        """Share of the draws that got no score."""
        return self.sample.failed / max(1, self.sample.failed + len(self.sample.score))

    def drawn(self) -> Drawn:
        """Known pairs, and the draws with what they stand for."""
        member = self.sample.member
        i, j = self._known_pairs
        weight = self.sample.weight / self.population.multiplicity[member]
        return Drawn(
            np.concatenate((i, self.population.left[member])),
            np.concatenate((j, self.population.right[member])),
            np.concatenate((np.ones(len(i)), weight)),
        )


class RandomSums(Sampled):
    """Sums over pairs drawn at random, for more texts than a table of pairs can hold."""

    @property
    def failed(self) -> float:
        """Share of the draws that got no score."""
        return float(np.isnan(self._score).mean())

    def drawn(self) -> Drawn:
        """Pairs drawn and what they stand for."""
        return Drawn(self._i, self._j, self._weight / 2.0)
