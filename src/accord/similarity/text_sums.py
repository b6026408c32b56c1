"""Sums over pairs of texts in closed form: cosines of vectors."""

from __future__ import annotations

import numpy as np

from accord.values import BoolArray, FloatArray


class CosineSums:
    """slope * cosine + offset of unit vectors (T, d): sums over all pairs in O(T d), without a pair being formed.

    Where ``blank`` is true, one place more stands for what says nothing: 1 with itself, 0 with any text. A text whose
    vector is NaN can be compared with itself and with what says nothing, no more.
    """

    def __init__(self, vectors: FloatArray, slope: float, offset: float, *, blank: bool) -> None:
        self._lost: BoolArray = np.asarray(np.isnan(vectors).any(axis=1))
        self._vectors = np.where(self._lost[:, None], 0.0, vectors)
        self._slope, self._offset, self._blank = slope, offset, blank

    def times(self, p: FloatArray) -> FloatArray:
        """Sum_v s(u, v) p(..., v), shape (..., size)."""
        texts = len(self._vectors)
        said = np.where(self._lost, 0.0, p[..., :texts])
        out = np.empty(p.shape)
        out[..., :texts] = self._slope * ((said @ self._vectors) @ self._vectors.T)
        out[..., :texts] += self._offset * said.sum(axis=-1, keepdims=True)
        out[..., :texts] = np.where(self._lost, p[..., :texts], out[..., :texts])
        if self._blank:
            out[..., texts] = p[..., texts]
        return out

    def known(self, p: FloatArray) -> FloatArray:
        """Sum of p over the places that u can be compared with."""
        every = p.sum(axis=-1, keepdims=True)
        if not self._lost.any():
            return np.broadcast_to(every, p.shape)
        texts = len(self._vectors)
        lost = np.where(self._lost, p[..., :texts], 0.0).sum(axis=-1, keepdims=True)
        nothing = p[..., texts:].sum(axis=-1, keepdims=True)
        out = np.broadcast_to(every - lost, p.shape).copy()
        out[..., :texts] = np.where(self._lost, p[..., :texts] + nothing, out[..., :texts])
        out[..., texts:] = every
        return out
