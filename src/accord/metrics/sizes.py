"""Pixel sizes of images, for geometry that is stored in percent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.values import FloatArray, Index

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


def distinct_on(left: Index, right: Index, sizes: FloatArray) -> tuple[Index, FloatArray, tuple[Index, Index]]:
    """Regions of pairs on the image of their pair, each combination once.

    Parameters
    ----------
    left, right
        Numbers of the regions of each pair, (n,).
    sizes
        Width and height of the image of each pair, (n, 2).

    Returns
    -------
    numbers, sizes, places
        Region and image of each combination, (k,) and (k, 2), and which of them is left and right in each pair, (n,).
    """
    keys = np.column_stack((np.concatenate((left, right)), np.tile(sizes, (2, 1)))).astype(np.float64)
    distinct, place = np.unique(keys, axis=0, return_inverse=True)
    i, j = np.split(place.ravel(), 2)
    return distinct[:, 0].astype(np.int64), np.asarray(distinct[:, 1:], dtype=np.float64), (i, j)
