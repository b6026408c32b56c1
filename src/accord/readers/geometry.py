"""Regions on images and video, as the editor stores them: percent of the image, encoded masks, key frames."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from typing import Any, Final

from accord.readers.here import Here
from accord.readers.payloads import canonical_json
from accord.readers.slots import Slot
from accord.readers.vertices import vector_lines
from accord.values import Box, Ellipse, Geometry, KeyFrame, KeyPoint, Mask, Polygon, Raw, Track, Vector, finite

Item = Mapping[str, Any]
Size = tuple[int, int]

_BORDER: Final = 100.0 + 1e-6


def box(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read a rectangle; a negative size moves the corner."""
    found = _numbers(value, ("x", "y", "width", "height"), slot)
    rotation = _rotation(value, slot)
    if found is None or rotation is None:
        _tell_unusable(value, slot)
        return None
    x, y, width, height = found
    size = image_size(item, here, slot, needed=rotation != 0)
    if width < 0 or height < 0:
        slot.notices.add("negative-size", f"{width} x {height}", control=slot.name)
        x, y, width, height = _turned(x, y, width, height, rotation, size)
    if width == 0 or height == 0:
        slot.notices.add("zero-area", control=slot.name)
    if min(x, y, width, height) > 100:
        slot.notices.add("box-scale", f"{x}, {y}, {width}, {height}", control=slot.name)
    elif rotation == 0 and (x < 0 or y < 0 or x + width > _BORDER or y + height > _BORDER):
        slot.notices.add("outside-image", f"{x}, {y}, {width}, {height}", control=slot.name)
    return Box(x, y, width, height, rotation, size)


def _turned(
    x: float, y: float, width: float, height: float, rotation: float, size: Size | None
) -> tuple[float, float, float, float]:
    """Corner and size of a box that was drawn to the left or upwards; the turn happens in pixels."""
    right, down = min(width, 0.0), min(height, 0.0)
    across, along = size or (1, 1)
    c, s = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    x += (right * across * c - down * along * s) / across
    y += (right * across * s + down * along * c) / along
    return x, y, abs(width), abs(height)


def ellipse(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read an ellipse by its centre."""
    found = _numbers(value, ("x", "y", "radiusX", "radiusY"), slot)
    rotation = _rotation(value, slot)
    if found is None or rotation is None:
        _tell_unusable(value, slot)
        return None
    x, y, radius_x, radius_y = found
    if radius_x < 0 or radius_y < 0:
        slot.notices.add("negative-size", f"{radius_x} x {radius_y}", control=slot.name)
    if radius_x == 0 or radius_y == 0:
        slot.notices.add("zero-area", control=slot.name)
    size = image_size(item, here, slot, needed=rotation != 0)
    return Ellipse(x, y, abs(radius_x), abs(radius_y), rotation, size)


def polygon(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read a ring of points; what is wrong with its shape is for the metric to repair."""
    given = value.get("points")
    raw = given if isinstance(given, list) else [given]
    points = [point for point in map(_point, raw) if point is not None]
    if len(points) < len(raw):
        _tell_unusable(value, slot)
        return None
    if len(set(points)) < 3:
        slot.notices.add("polygon-points", str(len(points)), control=slot.name)
    elif len(points) > 3 and _crosses(points):
        slot.notices.add("polygon-crossed", str(points), control=slot.name)
    closed = value.get("closed") is not False
    if not closed:
        slot.notices.add("polygon-open", control=slot.name)
    return Polygon(tuple(points), closed, image_size(item, here, slot))


def _crosses(points: list[tuple[float, float]]) -> bool:
    """Whether a ring crosses or touches itself."""
    import shapely

    return not shapely.is_simple(shapely.linestrings([*points, points[0]]))


def _point(given: Any) -> tuple[float, float] | None:
    if not isinstance(given, list) or len(given) != 2:
        return None
    x, y = finite(given[0]), finite(given[1])
    return None if x is None or y is None else (x, y)


def vector(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read the lines through the vertices of a vector."""
    lines = vector_lines(value.get("vertices"), closed=value.get("closed") is True)
    if lines is None:
        _tell_unusable(value, slot)
        return None
    return Vector(lines, image_size(item, here, slot))


def keypoint(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read a point; its width is the size of the dot."""
    found = _numbers(value, ("x", "y"), slot)
    if found is None:
        _tell_unusable(value, slot)
        return None
    x, y = found
    return KeyPoint(x, y, finite(value.get("width")) or 0.0, image_size(item, here, slot, needed=True))


def mask(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Keep a painted mask encoded."""
    size = image_size(item, here, slot, needed=True)
    picture = value.get("imageDataURL") or value.get("maskDataURL")
    if isinstance(picture, str) and "rle" not in value:
        return _picture(picture, size, slot)
    numbers = value.get("rle")
    try:
        data = bytes(numbers if isinstance(numbers, list) else [-1])
    except (TypeError, ValueError):
        _tell_unusable(value, slot)
        return None
    if not data:
        slot.notices.add("mask-empty", control=slot.name)
        return None
    if size is not None and int.from_bytes(data[:4], "big") != 4 * size[0] * size[1]:
        slot.notices.add("mask-length", f"{int.from_bytes(data[:4], 'big')} values, image {size}", control=slot.name)
    return Mask("rle", data, size)


def _picture(address: str, size: Size | None, slot: Slot) -> Geometry | None:
    head, _, body = address.partition(",")
    if not head.startswith("data:image/png;base64"):
        slot.notices.add("bad-geometry", head, control=slot.name)
        return None
    try:
        return Mask("png", base64.b64decode(body, validate=True), size)
    except binascii.Error:
        slot.notices.add("bad-geometry", "a broken picture of a mask", control=slot.name)
        return None


def track(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read key frames of a box on video, sorted; the last of equal frames wins."""
    sequence = value.get("sequence")
    if not isinstance(sequence, list) or not all(isinstance(key, Mapping) for key in sequence):
        _tell_unusable(value, slot)
        return None
    if any("vertices" in key for key in sequence):
        return Raw(canonical_json({key: part for key, part in value.items() if not key.endswith("labels")}))
    size = image_size(item, here, slot)
    frames: dict[int, KeyFrame] = {}
    for key in sequence:
        frame = _key_frame(key, size, slot)
        if frame is None:
            continue
        if frame.frame in frames:
            slot.notices.add("track-repeated", f"frame {frame.frame}", control=slot.name)
        frames[frame.frame] = frame
    if not sequence:
        slot.notices.add("track-empty", control=slot.name)
    elif not frames:
        return None
    order = sorted(frames)
    if order != list(frames):
        slot.notices.add("track-unsorted", control=slot.name)
    count = finite(value.get("framesCount"))
    if count is not None:
        here.share("frames-differ", slot.name, int(count))
    return Track(None if count is None else int(count), tuple(frames[number] for number in order))


def _key_frame(key: Item, size: Size | None, slot: Slot) -> KeyFrame | None:
    found = _numbers(key, ("frame", "x", "y", "width", "height"), slot)
    rotation = _rotation(key, slot)
    if found is None or rotation is None:
        slot.notices.add("bad-geometry", str(dict(key)), control=slot.name)
        return None
    number, x, y, width, height = found
    if width < 0 or height < 0:
        slot.notices.add("negative-size", f"{width} x {height}", control=slot.name)
        x, y, width, height = _turned(x, y, width, height, rotation, size)
    return KeyFrame(int(number), Box(x, y, width, height, rotation, size), key.get("enabled") is not False)


def image_size(item: Item, here: Here, slot: Slot, *, needed: bool = False) -> Size | None:
    """Size of the image in pixels; counted where it is needed and not there, or differs between annotators."""
    width, height = item.get("original_width"), item.get("original_height")
    place = f"{item.get('to_name')} {item.get('item_index', '')}".strip()
    if item.get("image_rotation") is not None:
        here.share("image-rotation", place, str(item["image_rotation"]))
    wide, high = (None if isinstance(side, str) else finite(side) for side in (width, height))
    if wide is not None and high is not None and wide >= 1 and high >= 1:
        size = int(wide), int(high)
        here.share("size-differs", place, size)
        return size
    if needed:
        slot.notices.add("size-missing", control=slot.name)
    return None


def _rotation(value: Item, slot: Slot) -> float | None:
    given = value.get("rotation")
    if given is None:
        return 0.0
    found = _numbers(value, ("rotation",), slot)
    return None if found is None else found[0]


def _numbers(value: Item, keys: tuple[str, ...], slot: Slot) -> list[float] | None:
    """Finite numbers under some keys, None if one is not."""
    found = []
    for key in keys:
        given = value.get(key)
        number = finite(given)
        if number is None:
            return None
        if isinstance(given, str):
            slot.notices.add("number-as-text", f"{key} {given!r}", control=slot.name)
        found.append(number)
    return found


def _tell_unusable(value: Item, slot: Slot) -> None:
    slot.notices.add("bad-geometry", str(dict(value)), control=slot.name)
