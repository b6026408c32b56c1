"""Fréchet distance between two lines of straight sides, walked from end to end."""

from __future__ import annotations

import math

import numpy as np

from accord.values import BoolArray, FloatArray

_TRIALS = 32
_ENOUGH = 1e-9
MOST_CELLS = 4_000_000


def discrete_frechet(a: FloatArray, b: FloatArray) -> float:
    """Distance where both walkers jump from point to point.

    Parameters
    ----------
    a, b
        Points of either line, (n, 2) and (m, 2), two or more each.

    Returns
    -------
    distance
        NaN if there are more than 4 million pairs of points.

    Examples
    --------
    >>> discrete_frechet(np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 1.0]]))
    2.23606797749979
    """
    if len(a) * len(b) > MOST_CELLS:
        return math.nan
    apart = np.hypot(a[:, None, 0] - b[None, :, 0], a[:, None, 1] - b[None, :, 1])
    reach = np.maximum.accumulate(apart[0])
    for row in apart[1:]:
        reach = _next_row(row, np.minimum(reach, np.concatenate(([np.inf], reach[:-1]))))
    return float(reach[-1])


def _next_row(row: FloatArray, above: FloatArray) -> FloatArray:
    """Solve x[j] = max(row[j], min(above[j], x[j - 1])) from left to right.

    Shapely has this distance too, but gives another one where points are repeated (GEOS 3.14).
    """
    out, before = [], math.inf
    for apart, least in zip(row.tolist(), above.tolist(), strict=True):
        before = max(apart, min(least, before))
        out.append(before)
    return np.array(out)


def continuous_frechet(a: FloatArray, b: FloatArray) -> float:
    """Distance where both walkers move along the lines, to nine digits; NaN if there are too many points.

    Examples
    --------
    >>> round(continuous_frechet(np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 1.0]])), 6)
    1.0
    """
    high = discrete_frechet(a, b)
    if math.isnan(high):
        return high
    low = float(max(np.hypot(*(a[0] - b[0])), np.hypot(*(a[-1] - b[-1]))))
    while high - low > _ENOUGH * high:
        trials = np.linspace(low, high, _TRIALS + 2)[1:-1]
        enough = frechet_within(a, b, trials)
        first = int(np.argmax(enough)) if enough.any() else _TRIALS
        low, high = trials[first - 1] if first else low, trials[first] if first < _TRIALS else high
    return float(high)


def frechet_within(a: FloatArray, b: FloatArray, distance: FloatArray) -> BoolArray:
    """Whether two walkers on continuous lines can stay within each distance, neither going back, (E,).

    Parameters
    ----------
    a, b
        Points of either line, (n, 2) and (m, 2), two or more each.
    distance
        Distances to try, (E,).

    References
    ----------
    Alt and Godau 1995, Computing the Fréchet distance between two polygonal curves.
    """
    low, high = _free(a[:, None], b[None, :-1], b[None, 1:], distance)
    low_b, high_b = _free(b[None, :], a[:-1, None], a[1:, None], distance)
    low[0] = _from_start(low[0], high[0])
    low_b[:, 0] = _from_start(low_b[:, 0], high_b[:, 0])
    n, m = len(a) - 1, len(b) - 1
    for diagonal in range(n + m - 1):
        i = np.arange(max(0, diagonal - m + 1), min(n, diagonal + 1))
        j = diagonal - i
        left, below = low[i, j], low_b[i, j]
        low[i + 1, j] = _reached(low[i + 1, j], high[i + 1, j], left, below)
        low_b[i, j + 1] = _reached(low_b[i, j + 1], high_b[i, j + 1], below, left)
    return np.asarray(np.isfinite(low[n, m - 1]) & (high[n, m - 1] >= 1.0))


def _free(
    point: FloatArray, start: FloatArray, stop: FloatArray, distance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """First and last place (0 to 1) on a side that is near a point, (n, m, E) each; infinity where none is."""
    side, back = stop - start, start - point
    square = (side**2).sum(axis=-1)[..., None]
    along = (side * back).sum(axis=-1)[..., None]
    at_start = np.hypot(back[..., 0], back[..., 1])[..., None] <= distance
    at_stop = np.hypot(*np.moveaxis(stop - point, -1, 0))[..., None] <= distance
    inside = along**2 - square * ((back**2).sum(axis=-1)[..., None] - distance**2)
    root, length = np.sqrt(np.maximum(inside, 0.0)), np.where(square > 0.0, square, 1.0)
    low = np.where(at_start, 0.0, (-along - root) / length)
    high = np.where(at_stop, 1.0, (-along + root) / length)
    none = ~(at_start | at_stop) & ((inside < 0.0) | (square == 0.0) | (low > 1.0) | (high < 0.0))
    return np.where(none, np.inf, np.clip(low, 0.0, 1.0)), np.where(none, -np.inf, np.clip(high, 0.0, 1.0))


def _from_start(low: FloatArray, high: FloatArray) -> FloatArray:
    """Along a border of the free space only what is joined to its start can be reached, (k, E)."""
    whole = np.concatenate((np.ones((1, low.shape[1]), dtype=np.bool_), high[:-1] >= 1.0))
    joined = np.logical_and.accumulate(whole & (low <= 0.0), axis=0)
    return np.where(joined, 0.0, np.inf)


def _reached(low: FloatArray, high: FloatArray, opposite: FloatArray, beside: FloatArray) -> FloatArray:
    """First reachable place of a border of a cell, from the opposite border and the one beside, (k, E)."""
    first = np.where(np.isfinite(beside), low, np.maximum(low, opposite))
    return np.where(first <= high, first, np.inf)
