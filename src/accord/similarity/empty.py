"""EMPTY beside a scale: equal to itself, nothing like any position."""

from __future__ import annotations

import numpy as np

from accord.similarity.core import Codes, Similarity
from accord.values import FloatArray


class WithEmpty:
    """A similarity of positions, in which one value is EMPTY: s(EMPTY, EMPTY) = 1, s(EMPTY, x) = 0."""

    def __init__(self, inner: Similarity, empty: int) -> None:
        self._inner = inner
        self._empty = empty
        self.name = inner.name
        self.scale = inner.scale
        self.size = inner.size

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Similarities of value pairs, (n,)."""
        left, right = i == self._empty, j == self._empty
        return np.where(left | right, (left & right).astype(np.float64), self._inner.at(i, j))

    def times(self, p: FloatArray, /) -> FloatArray:
        """Sum_v s(u, v) p(..., v), shape (..., V)."""
        others = p.copy()
        others[..., self._empty] = 0.0
        out = self._inner.times(others).copy()
        out[..., self._empty] = p[..., self._empty]
        return out

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V)."""
        out = self._inner.dense().copy()
        out[self._empty, :] = 0.0
        out[:, self._empty] = 0.0
        out[self._empty, self._empty] = 1.0
        return out
