"""Boxes and ellipses: overlap of areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from accord.metrics.outlines import area_iou, box_outline, ellipse_outline
from accord.metrics.regions import region_metrics, regions_of
from accord.registry import Option
from accord.values import Box, Ellipse, FloatArray, Kind, Region

Shape = Box | Ellipse


def upright_iou(left: Sequence[Box], right: Sequence[Box]) -> FloatArray:
    """Intersection over union of boxes whose rotation is ignored, (n, m); two equal boxes without area score 1."""
    a, b = _bounds(left)[:, None, :], _bounds(right)[None, :, :]
    sides = np.maximum(np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2]), 0.0)
    common = sides.prod(axis=-1)
    total = (a[..., 2:] - a[..., :2]).prod(axis=-1) + (b[..., 2:] - b[..., :2]).prod(axis=-1) - common
    flat = np.where((a == b).all(axis=-1), 1.0, np.nan)
    return np.where(total > 0, np.clip(common / np.where(total > 0, total, 1.0), 0.0, 1.0), flat)


def _bounds(boxes: Sequence[Box]) -> FloatArray:
    """Left, top, right, bottom, (n, 4); negative sides are turned round."""
    x, y, w, h = np.array([(b.x, b.y, b.width, b.height) for b in boxes], dtype=np.float64).reshape(-1, 4).T
    return np.column_stack([np.minimum(x, x + w), np.minimum(y, y + h), np.maximum(x, x + w), np.maximum(y, y + h)])


def box_table(left: Sequence[Region], right: Sequence[Region], *, rotation: str = "honour") -> FloatArray:
    """Overlap of boxes with boxes and ellipses with ellipses, (n, m); NaN where the types differ."""
    a, b = [cast("Shape", r.geometry) for r in left], [cast("Shape", r.geometry) for r in right]
    if rotation == "ignore":
        a, b = list(map(_unturned, a)), list(map(_unturned, b))
    if all(isinstance(shape, Box) and shape.rotation % 360.0 == 0.0 for shape in (*a, *b)):
        return upright_iou(cast("list[Box]", a), cast("list[Box]", b))
    size = next((shape.size for shape in (*a, *b) if shape.size), None)
    table = area_iou([_outline(shape, size) for shape in a], [_outline(shape, size) for shape in b], (a, b))
    alike = np.array([[type(x) is type(y) for y in b] for x in a])
    return np.where(alike, table, np.nan)


def _outline(shape: Shape, size: tuple[int, int] | None) -> Any:
    return box_outline(shape, size) if isinstance(shape, Box) else ellipse_outline(shape, size)


def _unturned(shape: Shape) -> Shape:
    if isinstance(shape, Box):
        return Box(shape.x, shape.y, shape.width, shape.height, 0.0, shape.size)
    return Ellipse(shape.x, shape.y, shape.radius_x, shape.radius_y, 0.0, shape.size)


region_metrics(
    "box_iou",
    "box",
    geometry=box_table,
    kinds=(Kind.BOXES, Kind.ELLIPSES),
    prepare=regions_of(Box, Ellipse),
    reference="Jaccard index of areas; rotation about the top-left corner (boxes) or the centre (ellipses), in pixels",
    about="Area two boxes share over the area they cover",
    options={"rotation": Option("honour", ("honour", "ignore"), "ignore compares the unturned boxes")},
)
