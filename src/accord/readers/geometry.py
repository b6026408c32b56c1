"""Shapes drawn on images, in percent of the image: boxes, ellipses, polygons, lines and points."""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

from accord.readers.coordinates import (
    Item,
    Point,
    Size,
    image_size,
    note_outside,
    numbers,
    rotation_of,
    tell_unusable,
    turned,
)
from accord.readers.here import Here
from accord.readers.slots import Slot
from accord.readers.vertices import vector_lines
from accord.rings import crosses_itself, is_tangled
from accord.values import Box, Ellipse, Geometry, KeyPoint, Polygon, Vector, finite


def box(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read a rectangle; a negative size moves the corner."""
    found = numbers(value, ("x", "y", "width", "height"), slot)
    rotation = rotation_of(value, slot)
    if found is None or rotation is None:
        tell_unusable(value, slot)
        return None
    size = image_size(item, here, slot, needed=rotation != 0)
    if "pageIndex" in value and _is_share(found):
        found = [100.0 * number for number in found]
    x, y, width, height = found
    if rotation == 0 and x >= 0 and y >= 0 and width > 0 and height > 0 and x + width <= 100 and y + height <= 100:
        return Box(x, y, width, height, rotation, size)
    placed = placed_box(found, rotation, size, slot)
    if placed.width == 0 or placed.height == 0:
        slot.notices.add("zero-area", control=slot.name)
    if min(placed.x, placed.y, placed.width, placed.height) > 100:
        slot.notices.add("box-scale", ", ".join(map(str, found)), control=slot.name)
    else:
        note_outside(corners(placed), slot)
    return placed


def _is_share(found: list[float]) -> bool:
    """Whether a box is given in shares of its page rather than in percent."""
    x, y, width, height = found
    return max(x, y, x + width, y + height) <= 1.0


def placed_box(found: list[float], rotation: float, size: Size | None, slot: Slot) -> Box:
    """Box from x, y, width and height; one that was drawn to the left or upwards gets its corner moved."""
    x, y, width, height = found
    if width < 0 or height < 0:
        slot.notices.add("negative-size", f"{width} x {height}", control=slot.name)
        right, down = turned(min(width, 0.0), min(height, 0.0), rotation, size)
        x, y, width, height = x + right, y + down, abs(width), abs(height)
    return Box(x, y, width, height, rotation, size)


def corners(placed: Box) -> tuple[Point, ...]:
    """Corners of a box; of one that is not turned two opposite ones."""
    x, y = placed.x, placed.y
    if placed.rotation == 0:
        return (x, y), (x + placed.width, y + placed.height)
    sides = (placed.width, 0.0), (placed.width, placed.height), (0.0, placed.height)
    steps = [turned(along, down, placed.rotation, placed.size) for along, down in sides]
    return (x, y), *((x + right, y + down) for right, down in steps)


def ellipse(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read an ellipse by its centre."""
    found = numbers(value, ("x", "y", "radiusX", "radiusY"), slot)
    rotation = rotation_of(value, slot)
    if found is None or rotation is None:
        tell_unusable(value, slot)
        return None
    x, y, radius_x, radius_y = found
    if radius_x < 0 or radius_y < 0:
        slot.notices.add("negative-size", f"{radius_x} x {radius_y}", control=slot.name)
        radius_x, radius_y = abs(radius_x), abs(radius_y)
    if radius_x == 0 or radius_y == 0:
        slot.notices.add("zero-area", control=slot.name)
    size = image_size(item, here, slot, needed=rotation != 0)
    across, along = turned(radius_x, 0.0, rotation, size), turned(0.0, radius_y, rotation, size)
    wide, high = (math.hypot(a, b) for a, b in zip(across, along, strict=True))
    note_outside(((x - wide, y - high), (x + wide, y + high)), slot)
    return Ellipse(x, y, radius_x, radius_y, rotation, size)


def polygon(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read a ring of points; what is wrong with its shape is for the metric to repair."""
    more = value.get("rings", ())
    rings = [_ring(given) for given in (value.get("points"), *(more if isinstance(more, list) else ()))]
    known = [ring for ring in rings if ring is not None]
    if len(known) < len(rings):
        tell_unusable(value, slot)
        return None
    for ring in known:
        _note_ring(ring, slot)
    closed = value.get("closed") is not False
    if not closed:
        slot.notices.add("polygon-open", control=slot.name)
    first, *others = map(tuple, known)
    return Polygon(first, closed, image_size(item, here, slot), tuple(others))


def _ring(given: Any) -> list[Point] | None:
    """Points of a ring, None if one cannot be read."""
    points = [_point(point) for point in given] if isinstance(given, list) else [None]
    return None if None in points else [point for point in points if point is not None]


def _note_ring(points: list[Point], slot: Slot) -> None:
    """Count what is wrong with a ring."""
    note_outside(points, slot)
    if len(set(points)) < 3:
        slot.notices.add("polygon-points", str(len(points)), control=slot.name)
    elif len(points) > 3 and crosses_itself(points):
        slot.notices.add("polygon-tangled" if is_tangled(points) else "polygon-crossed", str(points), control=slot.name)
    elif _is_flat(points):
        slot.notices.add("zero-area", str(points), control=slot.name)


def _is_flat(points: list[Point]) -> bool:
    """Whether a ring of three different points lies on one line; longer ones would touch themselves."""
    if len(points) > 3:
        return False
    (x, y), (p, q), (u, v) = points
    return (p - x) * (v - y) == (u - x) * (q - y)


def _point(given: Any) -> Point | None:
    if not isinstance(given, list) or len(given) != 2:
        return None
    x, y = finite(given[0]), finite(given[1])
    return None if x is None or y is None else (x, y)


def vector(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read the lines through the vertices of a vector."""
    lines = vector_lines(value.get("vertices"), closed=value.get("closed") is True)
    if lines is None:
        tell_unusable(value, slot)
        return None
    places = list(chain.from_iterable(lines))
    note_outside(places, slot)
    if len(set(places)) < 2:
        slot.notices.add("vector-points", control=slot.name)
    return Vector(lines, image_size(item, here, slot))


def keypoint(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read a point; its width is the size of the dot."""
    found = numbers(value, ("x", "y"), slot)
    if found is None:
        tell_unusable(value, slot)
        return None
    x, y = found
    note_outside(((x, y),), slot)
    return KeyPoint(x, y, finite(value.get("width")) or 0.0, image_size(item, here, slot, needed=True))
