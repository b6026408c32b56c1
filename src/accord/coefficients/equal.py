"""Pairs of equal answers in units with equally many of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accord.coefficients.blocks import Codes
from accord.values import FloatArray

#: Up to this many answers a unit is compared answer by answer; above, its answers are sorted.
FEW = 32


def equal_pairs(codes: Codes) -> FloatArray:
    """Number of unordered pairs of equal answers of each unit, from codes (m, n) to (n,)."""
    if len(codes) <= FEW:
        return _compared(codes)
    return _sorted(codes)


def _compared(codes: Codes) -> FloatArray:
    size, units = codes.shape
    total: npt.NDArray[np.signedinteger] = np.zeros(units, dtype=np.int8 if size <= 16 else np.int16)
    same = np.empty(units, dtype=np.bool_)
    for i in range(size):
        for j in range(i + 1, size):
            np.equal(codes[i], codes[j], out=same)
            np.add(total, same.view(np.int8), out=total)
    return total.astype(np.float64)


def _sorted(codes: Codes) -> FloatArray:
    """A run of c equal answers holds c (c - 1) / 2 pairs."""
    size, units = codes.shape
    rows = np.sort(codes.T, axis=1)
    head = np.ones(rows.shape, dtype=np.bool_)
    np.not_equal(rows[:, 1:], rows[:, :-1], out=head[:, 1:])
    place = np.flatnonzero(head)
    run = np.diff(np.append(place, rows.size)).astype(np.float64)
    return np.bincount(place // size, weights=run * (run - 1.0) / 2.0, minlength=units).astype(np.float64)
