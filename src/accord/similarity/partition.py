"""Equality of classes: 1 within a class of values, 0 between classes, in O(V)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from accord.similarity.core import Codes
from accord.values import FloatArray


class Partition:
    """Similarity of V values given the class of each."""

    scale = 1.0

    def __init__(self, classes: Sequence[Hashable], name: str) -> None:
        index: dict[Hashable, int] = {}
        numbers = (index.setdefault(item, len(index)) for item in classes)
        self._class = np.fromiter(numbers, dtype=np.int64, count=len(classes))
        self._classes = len(index)
        self.name = name
        self.size = len(classes)

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Compare classes."""
        return (self._class[i] == self._class[j]).astype(np.float64)

    def times(self, p: FloatArray, /) -> FloatArray:
        """Add p up within classes."""
        if self._classes == self.size:
            return p
        from scipy.sparse import csr_array

        every = np.arange(self.size)
        member = csr_array((np.ones(self.size), (self._class, every)), shape=(self._classes, self.size))
        sums = (member @ p.reshape(-1, self.size).T).T
        return np.asarray(sums, dtype=np.float64)[:, self._class].reshape(p.shape)

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V)."""
        return (self._class[:, None] == self._class[None, :]).astype(np.float64)
