"""Sums over pairs of texts in closed form: cosines of vectors."""

from __future__ import annotations

import numpy as np

from accord.values import FloatArray


class CosineSums:
    """slope * cosine + offset of unit vectors (T, d): sums over all pairs in O(T d), without a pair being formed.

    Where ``blank`` is true, one place more stands for what says nothing: 1 with itself, 0 with any text.
    """

    def __init__(self, vectors: FloatArray, slope: float, offset: float, *, blank: bool) -> None:
        self._vectors = vectors
        self._slope, self._offset, self._blank = slope, offset, blank

    def times(self, p: FloatArray) -> FloatArray:
        """Sum_v s(u, v) p(..., v), shape (..., size)."""
        texts = len(self._vectors)
        said = p[..., :texts]
        out = np.empty(p.shape)
        out[..., :texts] = self._slope * ((said @ self._vectors) @ self._vectors.T)
        out[..., :texts] += self._offset * said.sum(axis=-1, keepdims=True)
        if self._blank:
            out[..., texts] = p[..., texts]
        return out

    def known(self, p: FloatArray) -> FloatArray:
        """Every pair can be compared."""
        return np.broadcast_to(p.sum(axis=-1, keepdims=True), p.shape)
