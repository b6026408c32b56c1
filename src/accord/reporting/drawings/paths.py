"""Regions on an image as paths of SVG: whatever the data hold, short and within bounds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.metrics.boxes import shape_numbers
from accord.metrics.masks import Pixels, decode
from accord.metrics.outlines import box_rings
from accord.metrics.runs import merged
from accord.values import Box, Ellipse, FloatArray, Geometry, Index, KeyPoint, Mask, Polygon, Vector

#: Points of one path.
MOST_POINTS = 160
#: Rings or lines of one path.
MOST_RINGS = 40
#: Rows in which a mask is read.
MASK_ROWS = 90
#: Runs of one row that are told apart.
MOST_RUNS = 60
#: Percent of the image beyond which nothing is drawn.
FAR = 100.0
DOT = 5.0

Form: TypeAlias = Literal["area", "line", "dot"]


@dataclass(frozen=True, slots=True)
class Canvas:
    """Blank canvas on which percent of the image become units of the picture."""

    width: float
    height: float

    def at(self, points: FloatArray) -> FloatArray:
        """Points (n, 2) in percent -> units; what lies far outside is drawn at the edge of a wider frame."""
        near = np.clip(np.nan_to_num(points), -FAR, 100.0 + FAR)
        return near * (self.width / 100.0, self.height / 100.0)


@dataclass(frozen=True, slots=True)
class Path:
    """Path data, its form (an area, a line or a dot), and the top-left corner of its bounds in units."""

    data: str
    form: Form
    corner: tuple[float, float]


def path_of(geometry: Geometry, canvas: Canvas) -> Path | None:
    """Path of a region; None for a mask that cannot be decoded and for what has no place on an image."""
    match geometry:
        case Box():
            size = np.array([geometry.size or (canvas.width, canvas.height)], dtype=np.float64)
            ring = box_rings(np.array([shape_numbers(geometry)[:5]], dtype=np.float64), size)[0]
            return _lines([canvas.at(ring)], closed=True)
        case Ellipse():
            return _ellipse(geometry, canvas)
        case KeyPoint(x, y):
            return _dot(canvas.at(np.array([[x, y]]))[0])
        case Polygon(points, closed, _, rings):
            return _lines([canvas.at(_points(ring)) for ring in (points, *rings)], closed=closed)
        case Vector(lines):
            return _lines([canvas.at(_points(line)) for line in lines], closed=False)
        case Mask():
            return _mask(geometry, canvas)
        case _:
            return None


def _lines(rings: Iterable[FloatArray], *, closed: bool) -> Path | None:
    kept = [np.round(ring, 1) for ring in rings if len(ring)][:MOST_RINGS]
    if not kept:
        return None
    end = "Z" if closed else ""
    data = "".join(f"M{' '.join(f'{x:g} {y:g}' for x, y in ring.tolist())}{end}" for ring in kept)
    x, y = np.concatenate(kept).min(axis=0).tolist()
    return Path(data, "area" if closed else "line", (x, y))


def _points(given: Sequence[tuple[float, float]]) -> FloatArray:
    return _thinned(np.array(given, dtype=np.float64).reshape(-1, 2))


def _thinned(points: FloatArray) -> FloatArray:
    """At most MOST_POINTS of the points, evenly spread along the list."""
    if len(points) <= MOST_POINTS:
        return points
    return points[np.linspace(0, len(points) - 1, MOST_POINTS).astype(np.int64)]


def _ellipse(shape: Ellipse, canvas: Canvas) -> Path:
    (x, y), (rx, ry) = canvas.at(np.array([[shape.x, shape.y], [abs(shape.radius_x), abs(shape.radius_y)]])).tolist()
    turn = shape.rotation % 360.0
    dx, dy = rx * math.cos(math.radians(turn)), rx * math.sin(math.radians(turn))
    arc = f"A{rx:.1f} {ry:.1f} {turn:.1f} 1 1"
    data = f"M{x - dx:.1f} {y - dy:.1f}{arc} {x + dx:.1f} {y + dy:.1f}{arc} {x - dx:.1f} {y - dy:.1f}Z"
    return Path(data, "area", (x - rx, y - ry))


def _dot(place: FloatArray) -> Path:
    x, y = place.tolist()
    cross = f"M{x - DOT:.1f} {y:.1f}h{2 * DOT:g}M{x:.1f} {y - DOT:.1f}v{2 * DOT:g}"
    ring = "".join(f"a{DOT:g} {DOT:g} 0 1 1 {side * 2 * DOT:g} 0" for side in (1, -1))
    return Path(f"{cross}M{x - DOT:.1f} {y:.1f}{ring}", "dot", (x - DOT, y - DOT))


def _mask(geometry: Mask, canvas: Canvas) -> Path | None:
    """Outline of a mask, read in at most MASK_ROWS rows of its height."""
    pixels = decode(geometry)
    if pixels is None or pixels.size is None or not len(pixels.runs.start):
        return None
    import shapely

    boxes = _bands(pixels, pixels.size)
    if not len(boxes):
        return None
    step = float((boxes[:, 3] - boxes[:, 1]).max())
    shape = shapely.union_all(shapely.box(*boxes.T))
    rings: Sequence[Any] = []
    for tolerance in (0.6 * step, 2 * step, 6 * step, 20 * step):
        simple = shapely.get_parts(shapely.simplify(shape, tolerance))
        rings = [ring for part in simple for ring in (part.exterior, *part.interiors)]
        if sum(len(ring.coords) for ring in rings) <= 2 * MOST_POINTS:
            break
    rings = sorted(rings, key=lambda ring: -ring.length)
    width, height = pixels.size
    return _lines(
        [canvas.at(_thinned(np.array(ring.coords[:-1]) * (100.0 / width, 100.0 / height))) for ring in rings],
        closed=True,
    )


def _bands(pixels: Pixels, size: tuple[int, int]) -> FloatArray:
    """Rectangles that stand for the mask: its runs in some rows, each as high as the distance of rows, (n, 4)."""
    width = size[0]
    start, stop = pixels.runs.start, pixels.runs.stop
    top, bottom = int(start[0]) // width, (int(stop[-1]) - 1) // width + 1
    step = max(1, -(-(bottom - top) // MASK_ROWS))
    bands = []
    for row in range(top, bottom, step):
        begin = min(row + step // 2, bottom - 1) * width
        first, last = np.searchsorted(stop, begin, "right"), np.searchsorted(start, begin + width, "left")
        left = np.maximum(start[first:last] - begin, 0)
        right = np.minimum(stop[first:last] - begin, width)
        if len(left) > MOST_RUNS:
            left, right = _coarse(left, right, max(1, width // (2 * MOST_RUNS)))
        rows = np.full(len(left), row)
        bands.append(np.column_stack((left, rows, right, np.minimum(rows + step, bottom))))
    return np.concatenate(bands).astype(np.float64)


def _coarse(left: Index, right: Index, grid: int) -> tuple[Index, Index]:
    """Runs of a row snapped to a grid and joined where they touch."""
    joined = merged(np.column_stack((left // grid * grid, -(-right // grid) * grid)))
    return joined.start, joined.stop
