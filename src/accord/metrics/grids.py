"""Pixels of an image as runs, with a margin round every row: rims, and whatever lies within a distance.

A pixel stands for its centre: column c of row r lies at (c + 1/2, r + 1/2).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from accord.metrics.overlays import both, without
from accord.metrics.ragged import spread
from accord.metrics.runs import Runs, merged, union
from accord.metrics.sizes import Size

MOST_RUNS = 1 << 22
"""Runs laid out at once; shapes that need more are not comparable."""
_MOST_GROWN = 1 << 26


def pixels_inside(area: Any, size: Size) -> Runs | None:
    """Pixels whose centre lies inside a shape given in percent, row by row; None if there are too many runs.

    Parameters
    ----------
    area
        Polygon or multipolygon of shapely.
    size
        Width and height of the image in pixels.
    """
    import shapely

    points, ring = shapely.get_coordinates(shapely.get_rings(shapely.get_parts(area)), return_index=True)
    points = points * np.array(size) / 100.0
    side = np.flatnonzero(ring[1:] == ring[:-1])
    a, b = points[side], points[side + 1]
    ends = np.stack((np.minimum(a[:, 1], b[:, 1]), np.maximum(a[:, 1], b[:, 1])))
    first, stop = np.clip(np.ceil(ends - 0.5), 0, size[1]).astype(np.int64)
    count = stop - first
    if count.sum() > MOST_RUNS:
        return None
    row, side = spread(first, count), np.repeat(np.arange(len(count)), count)
    share = (row + 0.5 - a[side, 1]) / (b[side, 1] - a[side, 1])
    x = a[side, 0] + share * (b[side, 0] - a[side, 0])
    order = np.lexsort((x, row))
    column = np.clip(np.ceil(x[order] - 0.5), 0, size[0]).astype(np.int64)
    pairs = (row[order] * size[0] + column).reshape(-1, 2)
    return merged(pairs[pairs[:, 1] > pairs[:, 0]])


def in_rows(runs: Runs, width: int, margin: int) -> Runs | None:
    """Runs cut at the ends of rows and laid out with a margin on either side of each; None if too many."""
    first, last = runs.start // width, (runs.stop - 1) // width
    count = last - first + 1
    if count.sum() > MOST_RUNS:
        return None
    row = spread(first, count)
    shift = row * 2 * margin + margin
    start = np.maximum(np.repeat(runs.start, count), row * width)
    stop = np.minimum(np.repeat(runs.stop, count), (row + 1) * width)
    return Runs(start + shift, stop + shift)


def rim(rows: Runs, stride: int) -> Runs:
    """Pixels with a neighbour above, below, left or right that does not belong to the set, or with none there.

    Parameters
    ----------
    rows
        Runs with a margin of 1 or more.
    stride
        Width of a row with both margins.
    """
    long = rows.stop - rows.start > 2
    inner = Runs(rows.start[long] + 1, rows.stop[long] - 1)
    inside = both([inner, Runs(rows.start - stride, rows.stop - stride), Runs(rows.start + stride, rows.stop + stride)])
    return without(rows, inside)


def grown(rows: Runs, radius: float, stride: int) -> Runs | None:
    """Pixels within a distance of the set, (margins of the radius); None if there are too many runs."""
    reach = math.floor(radius)
    if (2 * reach + 1) * len(rows.start) > _MOST_GROWN:
        return None
    step = max(1, MOST_RUNS // max(1, len(rows.start)))
    found = Runs(rows.start, rows.stop)
    for begin in range(-reach, reach + 1, step):
        down = np.arange(begin, min(begin + step, reach + 1))
        across = np.floor(np.sqrt(radius**2 - down.astype(np.float64) ** 2)).astype(np.int64)
        start = (rows.start + (down * stride - across)[:, None]).ravel()
        stop = (rows.stop + (down * stride + across)[:, None]).ravel()
        found = union([found, merged(np.column_stack((start, stop)))])
    return found
