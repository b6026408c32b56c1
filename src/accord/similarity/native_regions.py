"""Geometry of a Label Studio ``value`` object, recognised by its keys."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from accord.readers.vertices import vector_lines
from accord.values import (
    Box,
    Ellipse,
    Frames,
    Geometry,
    KeyFrame,
    KeyPoint,
    Mask,
    Polygon,
    Raw,
    Region,
    Span,
    Track,
    Vector,
    finite,
)

Size = tuple[int, int] | None


def region(value: Mapping[str, Any], size: Size = None, identity: str = "") -> Region | None:
    """Region of a ``value`` object, None if it holds no geometry."""
    try:
        geometry = _geometry(value, size)
    except (AttributeError, TypeError, ValueError, KeyError, IndexError, OverflowError):
        geometry = Raw(json.dumps(value, sort_keys=True, default=str))
    if geometry is None:
        return None
    return Region(
        geometry, labels=labels_of(value), choices=_choices(value), text=_nested_text(value, geometry), id=identity
    )


def labels_of(value: Mapping[str, Any]) -> frozenset[str]:
    """Labels under any key that ends in "labels"."""
    found: set[str] = set()
    for key, content in value.items():
        if key.endswith("labels") and isinstance(content, list | tuple):
            found.update(map(str, content))
    return frozenset(found)


def image_size(item: Mapping[str, Any]) -> Size:
    """Pixel size of the image of a result item, None if it is not there."""
    width, height = item.get("original_width"), item.get("original_height")
    sides = [finite(side) for side in (width, height) if not isinstance(side, str)]
    if len(sides) < 2 or any(side is None or side < 1 for side in sides):
        return None
    return int(sides[0] or 0), int(sides[1] or 0)


def moment(text: str) -> datetime | None:
    """Parse an ISO date or time; without a zone it is taken as UTC."""
    try:
        parsed = datetime.fromisoformat(text.strip())
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _geometry(value: Mapping[str, Any], size: Size) -> Geometry | None:
    for key, build in _BUILDERS:
        if key in value:
            return build(value, size)
    return None


def _number(value: Any, missing: float | None = None) -> float:
    if value is None and missing is not None:
        return missing
    number = finite(value)
    if number is None:
        raise ValueError("not a number that can be measured")
    return number


def _frames(value: Mapping[str, Any], _size: Size) -> Frames:
    ranges = [(r.get("start") or r.get("end"), r.get("end") or r.get("start")) for r in value["ranges"]]
    return Frames(tuple((int(min(a, b)), int(max(a, b))) for a, b in ranges))


def _track(value: Mapping[str, Any], size: Size) -> Track:
    states = {int(state["frame"]): state for state in value["sequence"]}
    keys = tuple(
        KeyFrame(frame, _box(state, size), bool(state.get("enabled", True))) for frame, state in sorted(states.items())
    )
    count = value.get("framesCount")
    return Track(int(count) if count else None, keys)


def _box(value: Mapping[str, Any], size: Size) -> Box:
    x, y = _number(value["x"]), _number(value["y"])
    return Box(x, y, _number(value["width"]), _number(value["height"]), _number(value.get("rotation"), 0.0), size)


def _ellipse(value: Mapping[str, Any], size: Size) -> Ellipse:
    x, y = _number(value["x"]), _number(value["y"])
    return Ellipse(
        x, y, _number(value["radiusX"]), _number(value["radiusY"]), _number(value.get("rotation"), 0.0), size
    )


def _polygon(value: Mapping[str, Any], size: Size) -> Polygon:
    points = tuple((_number(x), _number(y)) for x, y in value["points"])
    return Polygon(points, bool(value.get("closed", True)), size)


def _point(value: Mapping[str, Any], size: Size) -> KeyPoint:
    return KeyPoint(_number(value["x"]), _number(value["y"]), _number(value.get("width"), 0.0), size)


def _mask(value: Mapping[str, Any], size: Size) -> Mask:
    return Mask("rle", bytes(value["rle"]), size)


def _coco(value: Mapping[str, Any], _size: Size) -> Mask:
    height, width = map(int, value["size"])
    counts = value["counts"]
    if isinstance(counts, str | bytes):
        return Mask("coco", counts.encode("ascii") if isinstance(counts, str) else counts, (width, height))
    return Mask("coco_counts", json.dumps([int(n) for n in counts]).encode(), (width, height))


def _bitmap(value: Mapping[str, Any], size: Size) -> Mask:
    try:
        return Mask("png", base64.b64decode(str(value["imageDataURL"]).partition(",")[2], validate=True), size)
    except binascii.Error as error:
        raise ValueError("not base64") from error


def _global_span(value: Mapping[str, Any], _size: Size) -> Span:
    offsets = value["globalOffsets"]
    return _span(offsets["start"], offsets["end"], "")


def _node_span(value: Mapping[str, Any], _size: Size) -> Geometry:
    """Offsets within one paragraph or node; a span over several cannot be placed without the text."""
    if str(value["start"]) != str(value["end"]):
        return Raw(json.dumps(value, sort_keys=True, default=str))
    return _span(value["startOffset"], value["endOffset"], str(value["start"]))


def _axis_span(value: Mapping[str, Any], _size: Size) -> Span:
    channel = value.get("channel")
    axis = "" if channel in (None, 0, "0") else str(channel)
    return _span(_place(value["start"]), _place(value["end"]), axis)


def _place(value: Any) -> float:
    """Place on an axis; a time in words becomes milliseconds since 1970."""
    time = moment(value) if isinstance(value, str) and not value.strip().lstrip("-").isnumeric() else None
    return _number(value) if time is None else time.timestamp() * 1000.0


def _span(start: Any, end: Any, axis: str) -> Span:
    low, high = sorted((_number(start), _number(end)))
    return Span(low, high, axis)


def _vector(value: Mapping[str, Any], size: Size) -> Vector:
    lines = vector_lines(value["vertices"], closed=value.get("closed") is True)
    if lines is None:
        raise ValueError("no usable vertices")
    return Vector(lines, size)


def _outline(value: Mapping[str, Any], size: Size) -> Polygon:
    """Read a GeoJSON polygon or several, in percent."""
    parts = [value["coordinates"]] if value["type"] == "Polygon" else list(value["coordinates"])
    first, *others = (tuple((_number(x), _number(y)) for x, y in ring) for part in parts for ring in part)
    return Polygon(first, size=size, rings=tuple(others))


_BUILDERS = (
    ("ranges", _frames),
    ("sequence", _track),
    ("rle", _mask),
    ("imageDataURL", _bitmap),
    ("counts", _coco),
    ("points", _polygon),
    ("vertices", _vector),
    ("coordinates", _outline),
    ("radiusX", _ellipse),
    ("height", _box),
    ("x", _point),
    ("globalOffsets", _global_span),
    ("startOffset", _node_span),
    ("start", _axis_span),
)


def _choices(value: Mapping[str, Any]) -> frozenset[str] | None:
    content = value.get("choices")
    if content is None:
        return None
    items = content if isinstance(content, list | tuple) else [content]
    return frozenset(" / ".join(map(str, item)) if isinstance(item, list | tuple) else str(item) for item in items)


def _nested_text(value: Mapping[str, Any], geometry: Geometry) -> str | None:
    """Text typed about a region; a plain string on a span only repeats what the span covers."""
    content = value.get("text")
    if isinstance(content, list | tuple):
        return " ".join(map(str, content))
    return content if isinstance(content, str) and not isinstance(geometry, Span | Raw) else None
