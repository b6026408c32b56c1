"""One metric at several thresholds: every pair is scored once, whatever the number of thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.similarity.core import Codes, Similarity
from accord.similarity.partition import Partition
from accord.similarity.sampled import Sampled
from accord.similarity.scored import CACHED_VALUES, MetricSimilarity, cut, row_sums
from accord.values import BoolArray, FloatArray

#: Sums for all thresholds are kept together up to this many numbers.
TOGETHER = 1 << 24


def at_thresholds(graded: Similarity, thresholds: Sequence[float]) -> tuple[Similarity, ...]:
    """Threshold forms of a graded similarity, one for each threshold.

    Scores of classes are 0 or 1 already: no threshold changes them.

    Examples
    --------
    >>> from accord.similarity.metric import from_metric
    >>> graded = from_metric(["cat", "cats", "dog"], "text_similarity")
    >>> [float(s.at(np.array([0]), np.array([1]))[0]) for s in at_thresholds(graded, (0.5, 0.8))]
    [1.0, 0.0]
    """
    if isinstance(graded, Partition):
        return (graded,) * len(thresholds)
    if isinstance(graded, Sampled):
        return tuple(graded.resting_on(form) for form in at_thresholds(graded.exact, thresholds))
    if not isinstance(graded, MetricSimilarity):
        raise TypeError(f"{graded.name} has no threshold form")
    shared = _Shared(graded, thresholds)
    return tuple(_Cut(shared, place) for place in range(len(thresholds)))


class _Shared:
    """Scores behind all thresholds, and the last sums asked for."""

    def __init__(self, graded: MetricSimilarity, thresholds: Sequence[float]) -> None:
        self.graded = graded
        self.thresholds = tuple(thresholds)
        self._last: tuple[FloatArray, FloatArray, FloatArray] | None = None

    def cut(self, scores: FloatArray, place: int, odd: BoolArray) -> FloatArray:
        """Scores at one threshold; where one of two answers is EMPTY (``odd``) they stay 0."""
        return np.where(odd, 0.0, cut(scores, self.thresholds[place]))

    def sums(self, p: FloatArray, place: int) -> tuple[FloatArray, FloatArray]:
        """Sums of p over matching and over comparable values at one threshold, two arrays (..., V)."""
        if p.size * len(self.thresholds) > TOGETHER:
            scored, known = self._sums(p, (place,))
            return scored[0], known
        if self._last is None or not np.array_equal(self._last[0], p):
            self._last = p.copy(), *self._sums(p, range(len(self.thresholds)))
        return self._last[1][place], self._last[2]

    def _sums(self, p: FloatArray, places: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Go over the matrix once; (T, ..., V) and (..., V)."""
        graded = self.graded
        scored, known = np.zeros((len(places), *p.shape)), np.zeros(p.shape)
        if graded.size <= CACHED_VALUES:
            graded.dense()
        for rows, block in graded.upper():
            right = slice(rows.start, graded.size)
            below = slice(rows.stop, graded.size)
            odd = graded.empty[rows, None] != graded.empty[None, right]
            height = rows.stop - rows.start
            for number, place in enumerate(places):
                passed = self.cut(block, place, odd)
                parts = row_sums(p[..., right], passed), row_sums(p[..., rows], passed[:, height:].T)
                scored[number][..., rows] += parts[0][0]
                scored[number][..., below] += parts[1][0]
                if number == 0:
                    known[..., rows] += parts[0][1]
                    known[..., below] += parts[1][1]
        return scored, known


class _Cut:
    """The shared scores at one threshold."""

    scale = 1.0

    def __init__(self, shared: _Shared, place: int) -> None:
        self._shared, self._place = shared, place
        self.size = shared.graded.size
        self.name = shared.graded.named(shared.thresholds[place])

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Similarities of value pairs, (n,)."""
        graded = self._shared.graded
        return self._shared.cut(graded.at(i, j), self._place, graded.empty[i] != graded.empty[j])

    def times(self, p: FloatArray, /) -> FloatArray:
        """Sum of p over the matching values, shape (..., V)."""
        return self._shared.sums(p, self._place)[0]

    def known(self, p: FloatArray, /) -> FloatArray:
        """Sum of p over the comparable values, shape (..., V)."""
        return self._shared.sums(p, self._place)[1]

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V)."""
        graded = self._shared.graded
        return self._shared.cut(graded.dense(), self._place, graded.empty[:, None] != graded.empty[None, :])
