"""Shapes on an image as shapely polygons in percent of the image.

Areas in percent and in pixels differ by one common factor, so an overlap is the same in both. Only a rotation needs
the pixel size: it is applied in pixels and the result brought back to percent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from accord.registry import Option
from accord.values import BoolArray, FloatArray

Rings: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""(shapes (n, 5), image sizes (n, 2)) -> corners (n, k, 2)."""

OVERLAP = Option("iou", ("iou", "dice"), "iou: shared over covered area; dice: twice the shared over the sum of both")
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
_SIDES = 256
_FLAT = 1e-12
_AT_ONCE = 2048


def box_rings(boxes: FloatArray, sizes: FloatArray) -> FloatArray:
    """Corners of boxes turned clockwise about their top-left corner, (n, 4, 2) in percent.

    Parameters
    ----------
    boxes
        x, y, width, height, rotation, (n, 5).
    sizes
        Width and height of the image in pixels, (n, 2); NaN = square.
    """
    return _turned(_CORNERS * boxes[:, None, 2:4], boxes, sizes)


def ellipse_rings(ellipses: FloatArray, sizes: FloatArray) -> FloatArray:
    """Ellipses turned about their centre as polygons of 256 sides of equal area, (n, 256, 2)."""
    angle = np.linspace(0.0, 2.0 * math.pi, _SIDES, endpoint=False)
    swell = math.sqrt(2.0 * math.pi / (_SIDES * math.sin(2.0 * math.pi / _SIDES)))
    ring = swell * np.column_stack([np.cos(angle), np.sin(angle)])
    return _turned(ring * ellipses[:, None, 2:4], ellipses, sizes)


def _turned(offsets: FloatArray, shapes: FloatArray, sizes: FloatArray) -> FloatArray:
    scale = np.where(np.isnan(sizes), 1.0, sizes)[:, None, :]
    angle = np.radians(shapes[:, 4] % 360.0)[:, None]
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = np.moveaxis(offsets * scale, -1, 0)
    return np.stack((x * cos - y * sin, x * sin + y * cos), axis=-1) / scale + shapes[:, None, :2]


def reach(shapes: FloatArray, sizes: FloatArray) -> FloatArray:
    """Left, top, right, bottom that a box or an ellipse cannot leave however it is turned, (4, n)."""
    scale = np.where(np.isnan(sizes), 1.0, sizes)
    radius = 1.001 * np.hypot(*(shapes[:, 2:4] * scale).T)[:, None] / scale
    return np.concatenate((shapes[:, :2] - radius, shapes[:, :2] + radius), axis=1).T


def meet(a: FloatArray, b: FloatArray) -> BoolArray:
    """Whether rectangles meet, in pairs, given as left, top, right, bottom, (4, n); NaN meets nothing."""
    return np.asarray((a[0] <= b[2]) & (b[0] <= a[2]) & (a[1] <= b[3]) & (b[1] <= a[3]))


def turned_overlaps(rings: Rings, a: FloatArray, b: FloatArray, sizes: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Overlap of boxes or of ellipses in pairs, (n,); NaN without area.

    Parameters
    ----------
    rings
        ``box_rings`` or ``ellipse_rings``.
    a, b
        Place, sides or radii, and rotation, (n, 5).
    sizes
        Image sizes of either side, (n, 2).
    """
    area = np.abs(a[:, 2] * a[:, 3]) + np.abs(b[:, 2] * b[:, 3])
    score = np.where(area > _FLAT, 0.0, np.nan)
    near = np.flatnonzero(meet(reach(a, sizes[0]), reach(b, sizes[1])))
    for use in np.split(near, range(_AT_ONCE, len(near), _AT_ONCE)):
        score[use] = _ring_overlaps(rings(a[use], sizes[0][use]), rings(b[use], sizes[1][use]))
    return score


def _ring_overlaps(a: FloatArray, b: FloatArray) -> FloatArray:
    import shapely

    left, right = shapely.polygons(a), shapely.polygons(b)
    common = shapely.area(shapely.intersection(left, right))
    return share(common, shapely.area(left) + shapely.area(right) - common)


def hull_areas(rings: Rings, a: FloatArray, b: FloatArray, sizes: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Area of the smallest convex shape round both shapes of every pair, (n,)."""
    import shapely

    areas = np.empty(len(a))
    for use in np.split(np.arange(len(a)), range(_AT_ONCE, len(a), _AT_ONCE)):
        points = np.concatenate((rings(a[use], sizes[0][use]), rings(b[use], sizes[1][use])), axis=1)
        areas[use] = shapely.area(shapely.convex_hull(shapely.linestrings(points)))
    return areas


def share(common: FloatArray, total: FloatArray) -> FloatArray:
    """Shared area over covered area; NaN without area, and 0 where shapes overlap only by rounding."""
    ratio = np.clip(common / np.where(total > _FLAT, total, np.nan), 0.0, 1.0)
    return np.where(ratio < _FLAT, 0.0, ratio)


def in_form(iou: FloatArray, overlap: str) -> FloatArray:
    """Intersection over union as it is, or as Dice: twice the shared over the sum of both."""
    return 2.0 * iou / (1.0 + iou) if overlap == "dice" else iou
