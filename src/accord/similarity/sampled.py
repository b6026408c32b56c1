"""A similarity with too many value pairs to score them all: sums over pairs drawn once.

The sample is a fixed bilinear form: each draw keeps its inclusion probability, so every reweighting (resamples,
subsets, raters) is an unbiased estimate of its own sum and nothing is scored twice. Equal values are exact.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from accord.similarity.core import Codes, Similarity
from accord.values import FloatArray


class Sampled:
    """Pairs exactly, sums by a seeded sample of pairs.

    Parameters
    ----------
    similarity
        Scores single pairs.
    counts
        How often each value was given, (V,); pairs are drawn in proportion. None = all alike.
    """

    def __init__(self, similarity: Similarity, counts: FloatArray | None, seed: int, draws: int) -> None:
        self.size, self.scale = similarity.size, similarity.scale
        self._drawn = f"[{draws} pairs,seed={seed}]"
        self._i, self._j, self._weight = _draw(self._mass(counts), draws, np.random.default_rng(seed))
        self._rest_on(similarity)

    def resting_on(self, similarity: Similarity) -> Sampled:
        """Return the same draws under another similarity of the same values."""
        other = copy.copy(self)
        other._rest_on(similarity)
        return other

    @property
    def exact(self) -> Similarity:
        """What scores single pairs."""
        return self._exact

    @property
    def placed(self) -> Any:
        """What to expect of the same regions at random places; None where the similarity does not know."""
        return getattr(self._exact, "placed", None)

    def _rest_on(self, similarity: Similarity) -> None:
        self._exact = similarity
        self.name = f"{similarity.name}{self._drawn}"
        self._score = similarity.at(self._i, self._j)
        every = np.arange(self.size)
        self._self = similarity.at(every, every)
        self._sum = self._matrix(np.nan_to_num(self._score), np.nan_to_num(self._self))
        unknown = np.isnan(self._score), np.isnan(self._self)
        self._total = not (unknown[0].any() or unknown[1].any())
        self._comparable = self._matrix(*((~part).astype(np.float64) for part in unknown))

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Exact similarities of value pairs, (n,)."""
        return self._exact.at(i, j)

    def times(self, p: FloatArray, /) -> FloatArray:
        """Estimate of sum_v s(u, v) p(..., v), shape (..., V)."""
        return self._apply(p, self._sum)

    def known(self, p: FloatArray, /) -> FloatArray:
        """Sum of p over comparable values, shape (..., V): exact where every drawn pair compares, else an estimate."""
        if self._total:
            return np.broadcast_to(p.sum(axis=-1, keepdims=True), p.shape)
        return self._apply(p, self._comparable)

    def among(self, rows: Any) -> tuple[FloatArray, FloatArray]:
        """Of each sparse row p (G, V): estimates of sum_uv p(u) p(v) (1 - s(u, v)) and of sum_uv p(u) p(v), (G,)."""
        if self._total:
            known = np.asarray(rows.sum(axis=1), dtype=np.float64).ravel() ** 2
        else:
            known = self._products(rows, self._comparable)
        return known - self._products(rows, self._sum), known

    def _products(self, rows: Any, matrix: Any) -> FloatArray:
        return np.asarray((rows @ matrix).multiply(rows).sum(axis=1), dtype=np.float64).ravel()

    def dense(self) -> FloatArray:
        """Return the whole exact matrix (V, V); scores every pair."""
        return self._exact.dense()

    def error(self, p: FloatArray, q: FloatArray, weight: FloatArray | None = None) -> float:
        """Standard error of the estimate of sum_k weight_k p_k S q_k, for p and q of shape (K, V) or (V,)."""
        p, q = np.atleast_2d(p, q)
        each = np.ones(len(p)) if weight is None else weight
        mean_weight = each @ (p[:, self._i] * q[:, self._j] + p[:, self._j] * q[:, self._i]) / 2.0
        terms = np.nan_to_num(self._score) * self._weight * len(self._i) * mean_weight
        return float(terms.std(ddof=1) / np.sqrt(len(terms)))

    def _mass(self, counts: FloatArray | None) -> FloatArray:
        mass = np.ones(self.size) if counts is None else np.maximum(np.asarray(counts, dtype=np.float64), 0.0) + 0.5
        return mass / mass.sum()

    def _matrix(self, drawn: FloatArray, own: FloatArray) -> Any:
        from scipy.sparse import coo_array

        half = drawn * self._weight / 2.0
        every = np.arange(self.size)
        rows = np.concatenate((self._i, self._j, every))
        columns = np.concatenate((self._j, self._i, every))
        return coo_array((np.concatenate((half, half, own)), (rows, columns)), shape=(self.size, self.size)).tocsr()

    def _apply(self, p: FloatArray, matrix: Any) -> FloatArray:
        flat = p.reshape(-1, self.size)
        return np.asarray((matrix @ flat.T).T, dtype=np.float64).reshape(p.shape)


def _draw(mass: FloatArray, draws: int, rng: np.random.Generator) -> tuple[Any, Any, FloatArray]:
    """Ordered pairs of different values with probability m_i m_j / (1 - m_i) each, and 1 / (draws x probability)."""
    i = rng.choice(len(mass), size=draws, p=mass)
    j = rng.choice(len(mass), size=draws, p=mass)
    while (same := np.flatnonzero(i == j)).size:
        j[same] = rng.choice(len(mass), size=same.size, p=mass)
    return i, j, (1.0 - mass[i]) / (mass[i] * mass[j] * draws)
