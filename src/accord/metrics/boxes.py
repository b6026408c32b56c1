"""Boxes and ellipses: overlap of areas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from accord.metrics.outlines import OVERLAP, box_rings, ellipse_rings, hull_areas, in_form, reach, turned_overlaps
from accord.metrics.ragged import Geometry, Pool
from accord.metrics.regions import answers_of, region_metrics
from accord.metrics.sizes import borrowed, size_columns
from accord.registry import Option
from accord.values import BoolArray, Box, Ellipse, FloatArray, Index, Kind, Region


@dataclass(frozen=True, slots=True)
class BoxColumns:
    """N boxes and ellipses: x, y, sides or radii, rotation; image sizes; sides of the unturned box, (4, N).

    ``upright`` marks boxes that are not turned.
    """

    numbers: FloatArray
    sizes: FloatArray
    is_ellipse: BoolArray
    sides: FloatArray
    upright: BoolArray


def box_numbers(regions: tuple[Region, ...]) -> FloatArray:
    """Boxes and ellipses of one answer: x, y, sides or radii, rotation, 1 for an ellipse, image size, (n, 8)."""
    shapes = [cast("Box | Ellipse", region.geometry) for region in regions]
    numbers = np.array([shape_numbers(shape) for shape in shapes], dtype=np.float64).reshape(-1, 6)
    return np.concatenate((numbers, size_columns([shape.size for shape in shapes])), axis=1)


def shape_numbers(shape: Box | Ellipse) -> tuple[float, ...]:
    """Place, sides or radii, rotation, and 1 for an ellipse."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.width, shape.height, shape.rotation, 0.0
    return shape.x, shape.y, shape.radius_x, shape.radius_y, shape.rotation, 1.0


def box_columns(shapes: Sequence[FloatArray]) -> BoxColumns:
    """Lay the boxes of several answers out flat; negative sides are turned round."""
    table = np.concatenate([np.empty((0, 8)), *shapes])
    x, y, w, h, turn, ellipse = table[:, :6].T
    sides = np.stack((np.minimum(x, x + w), np.minimum(y, y + h), np.maximum(x, x + w), np.maximum(y, y + h)))
    is_ellipse = ellipse == 1.0
    return BoxColumns(table[:, :5], table[:, 6:], is_ellipse, sides, ~is_ellipse & (turn % 360.0 == 0.0))


def upright_iou(sides: FloatArray, left: Index, right: Index) -> FloatArray:
    """Overlap of unturned boxes in pairs, (N,); two equal boxes without area score 1, others without area NaN."""
    area = (sides[2] - sides[0]) * (sides[3] - sides[1])
    width = np.minimum(sides[2][left], sides[2][right])
    width -= np.maximum(sides[0][left], sides[0][right])
    score = np.zeros(len(left))
    meet = np.flatnonzero(width > 0)
    score[meet] = _shared_area(sides, area, left[meet], right[meet], width[meet])
    if not area.all():
        flat = np.flatnonzero((area[left] == 0) & (area[right] == 0))
        score[flat] = np.where((sides[:, left[flat]] == sides[:, right[flat]]).all(axis=0), 1.0, np.nan)
    return score


def _shared_area(sides: FloatArray, area: FloatArray, a: Index, b: Index, width: FloatArray) -> FloatArray:
    """Overlap of boxes that share a width; 0 without area."""
    height = np.minimum(sides[3][a], sides[3][b])
    height -= np.maximum(sides[1][a], sides[1][b])
    common = width * np.maximum(height, 0.0)
    total = area[a] + area[b] - common
    return np.minimum(common / np.where(total > 0, total, 1.0), 1.0)


def box_overlap(
    pool: Pool, left: Index, right: Index, /, *, rotation: str = "honour", overlap: str = "iou"
) -> FloatArray:
    """Overlap of boxes with boxes and of ellipses with ellipses in pairs, (N,); NaN where the types differ."""
    columns: BoxColumns = pool.shapes
    iou = _iou(columns, left, right, rotation)
    if overlap != "giou":
        return in_form(iou, overlap)
    use = np.flatnonzero((iou > 0) & (iou < 1))
    iou[use] = _generalised(columns, left[use], right[use], iou[use], turn=rotation == "honour")
    return iou


def _generalised(columns: BoxColumns, left: Index, right: Index, iou: FloatArray, *, turn: bool) -> FloatArray:
    """Generalised intersection over union of shapes that overlap, not below 0."""
    a, b = columns.sides[:, left], columns.sides[:, right]
    hull = (np.maximum(a[2], b[2]) - np.minimum(a[0], b[0])) * (np.maximum(a[3], b[3]) - np.minimum(a[1], b[1]))
    plain = columns.upright | (~columns.is_ellipse & (not turn))
    turned = np.flatnonzero(~(plain[left] & plain[right]))
    hull[turned] = _each_kind(hull_areas, columns, left[turned], right[turned], turn=turn)
    area = np.abs(columns.numbers[:, 2] * columns.numbers[:, 3]) * np.where(columns.is_ellipse, np.pi, 1.0)
    covered = (area[left] + area[right]) / (1.0 + iou)
    return np.clip(iou - 1.0 + covered / hull, 0.0, 1.0)


def _iou(columns: BoxColumns, left: Index, right: Index, rotation: str) -> FloatArray:
    plain = columns.upright | (~columns.is_ellipse & (rotation == "ignore"))
    if plain.all():
        return upright_iou(columns.sides, left, right)
    score = np.full(len(left), np.nan)
    simple = plain[left] & plain[right]
    alike = columns.is_ellipse[left] == columns.is_ellipse[right]
    upright, turned = np.flatnonzero(simple), np.flatnonzero(alike & ~simple)
    score[upright] = upright_iou(columns.sides, left[upright], right[upright])
    score[turned] = _turned(columns, left[turned], right[turned], turn=rotation == "honour")
    return score


def _turned(columns: BoxColumns, left: Index, right: Index, *, turn: bool) -> FloatArray:
    """Overlap of the outlines of turned boxes and of ellipses; two equal ones without area score 1."""
    score = _each_kind(turned_overlaps, columns, left, right, turn=turn)
    alike = (columns.numbers[left] == columns.numbers[right])[:, : 5 if turn else 4].all(axis=1)
    return np.where(np.isnan(score) & alike, 1.0, score)


def _each_kind(
    measure: Callable[..., FloatArray], columns: BoxColumns, left: Index, right: Index, *, turn: bool
) -> FloatArray:
    """Measure pairs of boxes by the rings of boxes, pairs of ellipses by those of ellipses, (n,)."""
    a, b = (columns.numbers[side] * (1, 1, 1, 1, turn) for side in (left, right))
    one, other = columns.sizes[left], columns.sizes[right]
    sizes = borrowed(one, other), borrowed(other, one)
    result = np.empty(len(left))
    for rings, chosen in ((box_rings, ~columns.is_ellipse[left]), (ellipse_rings, columns.is_ellipse[left])):
        use = np.flatnonzero(chosen)
        result[use] = measure(rings, a[use], b[use], (sizes[0][use], sizes[1][use]))
    return result


def box_bounds(columns: BoxColumns) -> FloatArray:
    """Sides of the boxes, and what turned boxes and ellipses cannot leave; all there is if an image size is missing."""
    bounds = columns.sides.copy()
    turned = np.flatnonzero(~columns.upright)
    bounds[:, turned] = reach(columns.numbers[turned], columns.sizes[turned])
    unplaced = turned[np.isnan(columns.sizes[turned, 0])]
    if len(unplaced):
        bounds[:, unplaced] = np.concatenate((bounds[:2].min(axis=1), bounds[2:].max(axis=1)))[:, None]
    return bounds


region_metrics(
    "box_iou",
    "box",
    geometry=Geometry(box_columns, box_overlap, box_bounds),
    kinds=(Kind.BOXES, Kind.ELLIPSES),
    prepare=answers_of(Box, Ellipse, shapes=box_numbers),
    reference="Jaccard index of areas; rotation about the top-left corner (boxes) or the centre (ellipses), in pixels",
    about="Area two boxes share over the area they cover",
    options={
        "rotation": Option("honour", ("honour", "ignore"), "ignore compares the unturned boxes"),
        "overlap": Option(
            "iou",
            ("iou", "dice", "giou"),
            f"{OVERLAP.help}; giou: iou less the share of the hull round both that neither covers, not below 0",
        ),
    },
)
