"""Shapes on an image as shapely polygons in percent of the image.

Areas in percent and in pixels differ by one common factor, so an overlap is the same in both. Only a rotation needs
the pixel size: it is applied in pixels and the result brought back to percent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.values import Box, Ellipse, FloatArray, Polygon

Size = tuple[int, int]
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
_SIDES = 256


def box_outline(box: Box, size: Size | None) -> Any:
    """Rectangle turned clockwise about its top-left corner, in pixels of ``size`` (square if unknown)."""
    return _turned(_CORNERS * (box.width, box.height), (box.x, box.y), box.rotation, box.size or size)


def ellipse_outline(ellipse: Ellipse, size: Size | None) -> Any:
    """Ellipse turned about its centre: a polygon of 256 sides of equal area."""
    angle = np.linspace(0.0, 2.0 * math.pi, _SIDES, endpoint=False)
    swell = math.sqrt(2.0 * math.pi / (_SIDES * math.sin(2.0 * math.pi / _SIDES)))
    ring = swell * np.column_stack([np.cos(angle), np.sin(angle)]) * (ellipse.radius_x, ellipse.radius_y)
    return _turned(ring, (ellipse.x, ellipse.y), ellipse.rotation, ellipse.size or size)


def _turned(offsets: FloatArray, anchor: tuple[float, float], degrees: float, size: Size | None) -> Any:
    from shapely import Polygon as Ring

    scale = np.array(size or (1, 1), dtype=np.float64)
    angle = math.radians(degrees % 360.0)
    cos, sin = math.cos(angle), math.sin(angle)
    pixels = (offsets * scale) @ np.array([[cos, sin], [-sin, cos]])
    return Ring(pixels / scale + anchor)


def polygon_outline(polygon: Polygon) -> Any:
    """Area inside a ring; a crossed ring is repaired by the even-odd rule, fewer than three points are empty."""
    from shapely import Polygon as Ring
    from shapely import is_valid, make_valid

    if len(set(polygon.points)) < 3:
        return Ring()
    ring = Ring(polygon.points)
    return ring if is_valid(ring) else make_valid(ring)


def area_iou(left: Sequence[Any], right: Sequence[Any]) -> FloatArray:
    """Intersection over union of areas, (n, m).

    Two shapes without area score 1 if they are equal, NaN (not comparable) if they differ.
    """
    import shapely

    a, b = np.array(left, dtype=object)[:, None], np.array(right, dtype=object)[None, :]
    common = shapely.area(shapely.intersection(a, b))
    total = shapely.area(a) + shapely.area(b) - common
    flat = np.where(shapely.equals(a, b) & ~shapely.is_empty(a), 1.0, np.nan)
    return np.where(total > 0, np.clip(common / np.where(total > 0, total, 1.0), 0.0, 1.0), flat)
