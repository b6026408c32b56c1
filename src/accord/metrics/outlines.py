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
_FLAT = 1e-12


def box_outline(box: Box, size: Size | None) -> Any:
    """Rectangle turned clockwise about its top-left corner, in pixels of ``size`` (square if unknown)."""
    from shapely import Polygon as Ring

    numbers = np.array([[box.x, box.y, box.width, box.height, box.rotation]], dtype=np.float64)
    return Ring(_corners(numbers, box.size or size)[0])


def ellipse_outline(ellipse: Ellipse, size: Size | None) -> Any:
    """Ellipse turned about its centre: a polygon of 256 sides of equal area."""
    angle = np.linspace(0.0, 2.0 * math.pi, _SIDES, endpoint=False)
    swell = math.sqrt(2.0 * math.pi / (_SIDES * math.sin(2.0 * math.pi / _SIDES)))
    ring = swell * np.column_stack([np.cos(angle), np.sin(angle)]) * (ellipse.radius_x, ellipse.radius_y)
    return _turned(ring, (ellipse.x, ellipse.y), ellipse.rotation, ellipse.size or size)


def turned_overlaps(x: FloatArray, y: FloatArray, size: Size | None) -> FloatArray:
    """Overlap of boxes in pairs, (F,), each given as x, y, width, height, rotation, (F, 5); NaN without area."""
    import shapely

    a, b = (shapely.polygons(_corners(boxes, size)) for boxes in (x, y))
    common = shapely.area(shapely.intersection(a, b))
    return share(common, shapely.area(a) + shapely.area(b) - common)


def share(common: FloatArray, total: FloatArray) -> FloatArray:
    """Shared area over covered area; NaN without area, and 0 where shapes overlap only by rounding."""
    ratio = np.clip(common / np.where(total > _FLAT, total, np.nan), 0.0, 1.0)
    return np.where(ratio < _FLAT, 0.0, ratio)


def _corners(boxes: FloatArray, size: Size | None) -> FloatArray:
    """Corners of turned boxes in percent, (F, 4, 2)."""
    scale = np.array(size or (1, 1), dtype=np.float64)
    offsets = _CORNERS[None, :, :] * boxes[:, None, 2:4] * scale
    angle = np.radians(boxes[:, 4] % 360.0)[:, None]
    cos, sin = np.cos(angle), np.sin(angle)
    across = offsets[..., 0] * cos - offsets[..., 1] * sin
    along = offsets[..., 0] * sin + offsets[..., 1] * cos
    return np.stack((across, along), axis=-1) / scale + boxes[:, None, :2]


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
    return ring if is_valid(ring) else _areas(make_valid(ring))


def _areas(shape: Any) -> Any:
    """Keep the parts that have an area: a repaired ring may also hold lines and points."""
    import shapely

    parts = shapely.get_parts(shapely.get_parts(shape))
    return shapely.multipolygons(parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON])


def area_iou(left: Sequence[Any], right: Sequence[Any], sources: tuple[Sequence[Any], Sequence[Any]]) -> FloatArray:
    """Intersection over union of areas, (n, m).

    Parameters
    ----------
    left, right
        Outlines.
    sources
        What they were made of: two shapes without area score 1 if these are equal, else NaN (not comparable).
    """
    import shapely

    a, b = np.array(left, dtype=object)[:, None], np.array(right, dtype=object)[None, :]
    common = shapely.area(shapely.intersection(a, b))
    total = shapely.area(a) + shapely.area(b) - common
    score = share(common, total)
    for i, j in np.argwhere(np.isnan(score)).tolist():
        score[i, j] = 1.0 if sources[0][i] == sources[1][j] else np.nan
    return score
