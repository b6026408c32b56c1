"""Numbers of regions on images: finite ones only, and the size of the image they are percentages of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from accord.readers.here import Here
from accord.readers.slots import Slot
from accord.values import finite

Item = Mapping[str, Any]
Size = tuple[int, int]
Point = tuple[float, float]

_ROUNDING: Final = 1e-6


def numbers(value: Item, keys: tuple[str, ...], slot: Slot) -> list[float] | None:
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


def rotation_of(value: Item, slot: Slot) -> float | None:
    """Rotation in degrees, 0 where none is given; None if it is no number."""
    if value.get("rotation") is None:
        return 0.0
    found = numbers(value, ("rotation",), slot)
    return None if found is None else found[0]


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


def turned(along: float, down: float, rotation: float, size: Size | None) -> Point:
    """Step along the sides of a turned box, in percent; the turn happens in pixels."""
    wide, high = size or (1, 1)
    c, s = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    return along * c - down * high * s / wide, along * wide * s / high + down * c


def note_outside(points: Iterable[Point], slot: Slot) -> None:
    """Count a region of which some point lies outside the image."""
    for x, y in points:
        if not (-_ROUNDING <= x <= 100.0 + _ROUNDING and -_ROUNDING <= y <= 100.0 + _ROUNDING):
            slot.notices.add("outside-image", f"{x:g}, {y:g}", control=slot.name)
            return


def tell_unusable(value: Item, slot: Slot) -> None:
    """Count a region that cannot be placed."""
    slot.notices.add("bad-geometry", str(dict(value)), control=slot.name)
