"""Pixel sizes of images, for geometry that is stored in percent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.values import FloatArray

Size = tuple[int, int]


def size_columns(sizes: Sequence[Size | None]) -> FloatArray:
    """Width and height of the image of every region of one answer, (n, 2).

    A region without a size takes that of the first region that has one; NaN if none has.
    """
    first = next((size for size in sizes if size), (np.nan, np.nan))
    return np.array([size or first for size in sizes], dtype=np.float64).reshape(-1, 2)


def borrowed(own: FloatArray, partner: FloatArray) -> FloatArray:
    """Own sizes, and the partner's where the own one is unknown, (n, 2)."""
    return np.where(np.isnan(own), partner, own)
