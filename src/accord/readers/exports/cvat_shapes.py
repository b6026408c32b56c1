"""Shapes of CVAT on one image or frame, brought from pixels to percent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from accord.readers.codes import Notices
from accord.readers.exports.export import Item, Source
from accord.readers.exports.items import (
    UNKNOWN_SIDE,
    Size,
    box_in_percent,
    marked,
    percent,
    ring_in_percent,
    sized,
)
from accord.readers.exports.parts import column_counts
from accord.values import finite

Point = tuple[float | None, float | None]

_CORNERS: Final = ("xtl", "ytl", "xbr", "ybr")


def outline(shape: Any, size: Size | None, notices: Notices) -> tuple[str, Item]:
    """Form and value of a box, ellipse, polygon, polyline or mask; "" for any other shape."""
    if shape.tag == "box":
        return "boxes", box_of(shape, size)
    if shape.tag == "ellipse":
        return "ellipses", _ellipse(shape, size)
    if shape.tag == "polygon":
        return "polygons", {"points": ring_in_percent(_points(shape), size)}
    if shape.tag == "polyline":
        return "vectors", _line(shape, size)
    return ("masks", _mask(shape, size, notices)) if shape.tag == "mask" else ("", {})


def box_of(shape: Any, size: Size | None) -> Item:
    """Value of a box; it is turned about its centre there, and about its corner here."""
    corners = [finite(shape.get(key)) for key in _CORNERS]
    rotation = finite(shape.get("rotation", "0"))
    if None in corners or rotation is None:
        return box_in_percent([None] * 4, size)
    left, top, right, bottom = (corner or 0.0 for corner in corners)
    c, s = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    wide, high = right - left, bottom - top
    x = (left + right) / 2 - (wide * c - high * s) / 2 if rotation else left
    y = (top + bottom) / 2 - (wide * s + high * c) / 2 if rotation else top
    return box_in_percent([x, y, wide, high], size, rotation)


def _ellipse(shape: Any, size: Size | None) -> Item:
    across, along = size or (UNKNOWN_SIDE, UNKNOWN_SIDE)
    sides = {"x": ("cx", across), "y": ("cy", along), "radiusX": ("rx", across), "radiusY": ("ry", along)}
    value = {key: percent(shape.get(name), side) for key, (name, side) in sides.items()}
    return {**value, "rotation": finite(shape.get("rotation", "0"))}


def _points(shape: Any) -> list[Point]:
    """Points of ``x,y;x,y;…``; a broken one cannot be used."""
    pairs = [pair.split(",") for pair in shape.get("points", "").split(";")]
    return [(finite(pair[0]), finite(pair[1])) if len(pair) == 2 else (None, None) for pair in pairs]


def _line(shape: Any, size: Size | None) -> Item:
    points = ring_in_percent(_points(shape), size)
    names = [str(place) for place in range(len(points))]
    vertices = [
        {"id": name, "x": x, "y": y, "prevPointId": names[place - 1] if place else None}
        for place, (name, (x, y)) in enumerate(zip(names, points, strict=True))
    ]
    return {"vertices": vertices, "closed": False}


def _mask(shape: Any, size: Size | None, notices: Notices) -> Item:
    """Value of a mask of run lengths within a box; one that does not fit its image cannot be used."""
    try:
        lengths = [int(word) for word in shape.get("rle", "").split(",")]
        left, top, wide, high = (int(shape.get(key, "")) for key in ("left", "top", "width", "height"))
        across, along = size or (left + wide, top + high)
        return column_counts(lengths, (left, top), (wide, high), (int(across), int(along)))
    except (ValueError, OverflowError) as error:
        notices.add("mask-length", str(error))
        return {"counts": None, "size": None}


def keypoints(shape: Any, size: Size | None, source: Source) -> Iterator[Item]:
    """Points of a shape, or of the points in a skeleton that are not outside the image."""
    name = source.export.ask("keypoints", "keypoints", "image")
    parts = shape.iterfind("points") if shape.tag == "skeleton" else [shape]
    for part in parts:
        if part.get("outside") == "1":
            continue
        for x, y in ring_in_percent(_points(part), size):
            value = {"x": x, "y": y, "width": 0}
            yield sized(marked(name, "keypoints", "image", value, [part.get("label", "")]), size)
