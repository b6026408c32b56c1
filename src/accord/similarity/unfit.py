"""The similarity of values on which a level or weight scheme means nothing."""

from __future__ import annotations

import numpy as np

from accord.similarity.core import Codes
from accord.values import FloatArray


class Unfit:
    """Compares nothing and says why; coefficients refuse it with its reason.

    Parameters
    ----------
    size
        Number of values V.
    name
        Level or weights that were asked for.
    reason
        Sentence for people: why they do not fit these values.
    """

    scale = 1.0

    def __init__(self, size: int, name: str, reason: str) -> None:
        self.size = size
        self.name = name
        self.reason = reason

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Return NaN for every pair."""
        return np.full(np.broadcast_shapes(np.shape(i), np.shape(j)), np.nan)

    def times(self, p: FloatArray, /) -> FloatArray:
        """Return zeros: nothing can be compared."""
        return np.zeros_like(p)

    def known(self, p: FloatArray, /) -> FloatArray:
        """Return zeros: nothing can be compared."""
        return np.zeros_like(p)

    def dense(self) -> FloatArray:
        """Return a matrix of NaN."""
        return np.full((self.size, self.size), np.nan)
