"""Sums over pairs of texts that rest on a sample: a fixed bilinear form, reweighted and never scored again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.similarity.core import Codes, Dense, Drawn
from accord.similarity.pair_population import PairPopulation
from accord.similarity.sample_designs import UNSEEN, Sample, Z
from accord.similarity.sampled import Sampled
from accord.values import FloatArray


@dataclass(frozen=True, slots=True)
class _Groups:
    """Groups of draws, (H,) each.

    ``drawn`` is their number, ``mean`` the mean score, ``variance`` that of their part of a sum, ``reach`` that part if
    all scored 1, ``left_out`` the share of the group that was not drawn.
    """

    drawn: FloatArray
    mean: FloatArray
    variance: FloatArray
    reach: FloatArray
    left_out: FloatArray


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
        return float(np.sqrt(self._groups(p, q, weight).variance.sum()))

    def limits(self, p: FloatArray, q: FloatArray, weight: FloatArray) -> tuple[float, float]:
        """How far below and above the estimate of that sum the truth may lie (95 %).

        Wilson limits of the mean score of each group, with as many draws as give its variance, put together as
        variances are (Zou and Donner 2008): limits stay apart where every draw scored alike.
        """
        groups = self._groups(p, q, weight)
        mean = groups.mean
        spare = np.maximum(mean * (1.0 - mean), 1e-12)
        share = groups.reach**2 * groups.left_out * spare
        draws = np.maximum(np.maximum(groups.drawn, 1.0), share / np.maximum(groups.variance, 1e-300))
        centre = (mean + Z**2 / (2.0 * draws)) / (1.0 + Z**2 / draws)
        half = Z * np.sqrt(spare / draws + Z**2 / (4.0 * draws**2)) / (1.0 + Z**2 / draws)
        scale = groups.reach * np.sqrt(groups.left_out)
        below, above = scale * (mean - centre + half), scale * (centre + half - mean)
        return float(np.sqrt((below**2).sum())), float(np.sqrt((above**2).sum()))

    def _groups(self, p: FloatArray, q: FloatArray, weight: FloatArray) -> _Groups:
        sample = self.sample
        drawn, group, count = sample.drawn, sample.group, len(sample.size)
        every = np.maximum(drawn, 1.0)
        factor = self._terms(p, q, weight)
        reach = np.bincount(group, factor, count) / every
        score = np.clip(np.bincount(group, sample.score, count) / every, 0.0, 1.0)
        terms = factor * (sample.score - sample.fitted)
        mean = np.bincount(group, terms, count) / every
        missed = UNSEEN * np.bincount(group, factor**2, count) / every * (1.0 - score) ** 2
        squares = np.bincount(group, (terms - mean[group]) ** 2, count) + missed
        left_out = np.maximum(1.0 - drawn / np.maximum(sample.size, 1.0), 0.0)
        variance = sample.size**2 * left_out * squares / np.maximum(drawn - 1.0, 1.0) / every
        return _Groups(drawn, score, variance, sample.size * reach, left_out)

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
