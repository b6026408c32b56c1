"""Regions put down anew: the same sizes and shapes, anywhere they could lie.

A region moves along one to three sides: across and down an image, along a text, recording or video.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import chain
from typing import Any

import numpy as np

from accord.metrics.boxes import shape_numbers
from accord.metrics.masks import decode, runs_mask
from accord.metrics.outlines import box_rings, ellipse_rings
from accord.metrics.runs import Runs
from accord.metrics.sizes import size_columns
from accord.values import (
    Box,
    Ellipse,
    FloatArray,
    Frames,
    KeyPoint,
    Mask,
    Polygon,
    Region,
    Regions,
    Span,
    Track,
    Value,
    Vector,
)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Side:
    """Where a region lies along one side, from ``low`` to ``high``, and where it may, from ``first`` to ``last``.

    ``whole``: only whole steps are possible. A region that fills the side, or reaches over it, stays where it is.
    """

    low: float
    high: float
    first: float
    last: float
    whole: bool = False

    def steps(self, chance: FloatArray) -> FloatArray:
        """How far to move, from numbers between 0 and 1."""
        free = (self.last - self.first) - (self.high - self.low)
        if free <= 0:
            return np.zeros(len(chance))
        start = self.first - self.low
        return start + (np.floor(chance * (free + 1.0)) if self.whole else chance * free)


@dataclass(frozen=True, slots=True)
class Movable:
    """One region that can be moved: the sides along which it may be, and how it is moved."""

    region: Region
    sides: tuple[Side, ...]
    move: Callable[..., Any]

    def anew(self, chance: FloatArray) -> list[Region]:
        """Regions at n random places, from numbers between 0 and 1, (sides, n)."""
        if not self.sides:
            return [self.region] * chance.shape[1]
        steps = [side.steps(row).tolist() for side, row in zip(self.sides, chance, strict=True)]
        return [replace(self.region, geometry=self.move(*place)) for place in zip(*steps, strict=True)]


def movable(value: Value, reach: float) -> tuple[Movable, ...] | None:
    """Regions of an answer that can be moved; None if one cannot.

    Parameters
    ----------
    reach
        How far the text, recording or video reaches; images have their own border.
    """
    if not isinstance(value, tuple) or not all(isinstance(region, Region) for region in value):
        return None
    found = [_movable(region, reach) for region in value]
    return None if None in found else tuple(part for part in found if part is not None)


def _movable(region: Region, reach: float) -> Movable | None:
    found = _room(region.geometry, reach)
    return None if found is None else Movable(region, *found)


def reach_of(value: Value) -> float:
    """How far the regions of an answer reach along a text, recording or video; 0 where there is only an image."""
    regions: Regions = value if isinstance(value, tuple) else ()
    return max((_reach(region.geometry) for region in regions if isinstance(region, Region)), default=0.0)


def _reach(geometry: Any) -> float:
    if isinstance(geometry, Span):
        return float(geometry.end)
    if isinstance(geometry, Frames):
        return float(max(chain.from_iterable(geometry.ranges), default=0))
    if isinstance(geometry, Track):
        return float(max(geometry.frames_count or 0, *(key.frame for key in geometry.sequence), 0))
    return 0.0


@singledispatch
def _room(geometry: Any, reach: float) -> tuple[tuple[Side, ...], Callable[..., Any]] | None:
    """Sides along which a geometry may lie, and how to move it along them; None if it cannot be moved."""
    del geometry, reach
    return None


@_room.register
def _(geometry: Span, reach: float) -> Any:
    start, end = geometry.start, geometry.end
    whole = float(start).is_integer() and float(end).is_integer() and float(reach).is_integer()
    side = Side(start, end, min(0.0, start), max(reach, end), whole)
    return (side,), lambda step: replace(geometry, start=start + step, end=end + step)


@_room.register
def _(geometry: Frames, reach: float) -> Any:
    if not geometry.ranges:
        return (), lambda: geometry
    low, high = min(chain.from_iterable(geometry.ranges)), max(chain.from_iterable(geometry.ranges))
    side = Side(low, high, 1, max(reach, high), whole=True)
    return (side,), lambda step: Frames(tuple((a + int(step), b + int(step)) for a, b in geometry.ranges))


@_room.register
def _(geometry: Box, reach: float) -> Any:
    del reach
    return _on_image(_corners(geometry)), lambda dx, dy: replace(geometry, x=geometry.x + dx, y=geometry.y + dy)


@_room.register
def _(geometry: Ellipse, reach: float) -> Any:
    del reach
    corners = ellipse_rings(*_drawn(geometry))[0]
    return _on_image(corners), lambda dx, dy: replace(geometry, x=geometry.x + dx, y=geometry.y + dy)


@_room.register
def _(geometry: KeyPoint, reach: float) -> Any:
    del reach
    sides = _on_image([(geometry.x, geometry.y)])
    return sides, lambda dx, dy: replace(geometry, x=geometry.x + dx, y=geometry.y + dy)


@_room.register
def _(geometry: Polygon, reach: float) -> Any:
    del reach
    if not geometry.points:
        return (), lambda: geometry

    def move(dx: float, dy: float) -> Polygon:
        rings = tuple(_shifted(ring, dx, dy) for ring in geometry.rings)
        return replace(geometry, points=_shifted(geometry.points, dx, dy), rings=rings)

    return _on_image(chain(geometry.points, *geometry.rings)), move


@_room.register
def _(geometry: Vector, reach: float) -> Any:
    del reach
    if not any(geometry.lines):
        return (), lambda: geometry

    def move(dx: float, dy: float) -> Vector:
        return replace(geometry, lines=tuple(_shifted(line, dx, dy) for line in geometry.lines))

    return _on_image(chain.from_iterable(geometry.lines)), move


@_room.register
def _(geometry: Mask, reach: float) -> Any:
    del reach
    pixels = decode(geometry)
    if pixels is None or pixels.size is None:
        return None
    (width, height), runs = pixels.size, pixels.runs
    if not len(runs.start):
        return (), lambda: geometry
    top, bottom = int(runs.start[0]) // width, int(runs.stop[-1] - 1) // width
    left, right = int((runs.start % width).min()), int(((runs.stop - 1) % width).max()) + 1
    if (runs.start // width != (runs.stop - 1) // width).any():
        left, right = 0, width
    sides = Side(left, right, 0, width, whole=True), Side(top, bottom + 1, 0, height, whole=True)

    def move(dx: float, dy: float) -> Mask:
        step = int(dy) * width + int(dx)
        return runs_mask(Runs(runs.start + step, runs.stop + step), (width, height))

    return sides, move


@_room.register
def _(geometry: Track, reach: float) -> Any:
    if not geometry.sequence:
        return (), lambda: geometry
    corners = np.concatenate([_corners(key.box) for key in geometry.sequence])
    first, last = geometry.sequence[0].frame, geometry.sequence[-1].frame
    time = Side(first, last, 1, max(reach, last), whole=True)

    def move(dx: float, dy: float, step: float) -> Track:
        keys = tuple(
            replace(key, frame=key.frame + int(step), box=replace(key.box, x=key.box.x + dx, y=key.box.y + dy))
            for key in geometry.sequence
        )
        return replace(geometry, sequence=keys)

    return (*_on_image(corners), time), move


def _on_image(points: Iterable[Any]) -> tuple[Side, Side]:
    """Both sides of an image in percent, for something that spans some points."""
    x, y = np.array(list(points), dtype=np.float64).T
    return Side(float(x.min()), float(x.max()), 0.0, 100.0), Side(float(y.min()), float(y.max()), 0.0, 100.0)


def _shifted(points: Iterable[Point], dx: float, dy: float) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for x, y in points)


def _corners(box: Box) -> FloatArray:
    """Corners of a box, (4, 2)."""
    return box_rings(*_drawn(box))[0]


def _drawn(shape: Box | Ellipse) -> tuple[FloatArray, FloatArray]:
    return np.array([shape_numbers(shape)[:5]], dtype=np.float64), size_columns([shape.size])
