"""Painted masks, kept encoded: what their first bytes say is checked against the size of the image."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Final

from accord.readers.coordinates import Item, Size, image_size, tell_unusable
from accord.readers.here import Here
from accord.readers.slots import Slot
from accord.values import Geometry, Mask, finite

_PNG: Final = b"\x89PNG\r\n\x1a\n"
#: Bytes of a PNG that hold its width and height.
_SIDES: Final = slice(16, 24)


def mask(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Keep a painted mask encoded."""
    size = image_size(item, here, slot, needed=True)
    picture = value.get("imageDataURL") or value.get("maskDataURL")
    if isinstance(picture, str) and "rle" not in value:
        return _picture(picture, size, slot)
    given = value.get("rle")
    try:
        data = bytes(given if isinstance(given, list) else [-1])
    except (TypeError, ValueError):
        tell_unusable(value, slot)
        return None
    if not data:
        slot.notices.add("mask-empty", control=slot.name)
        return None
    if size is not None and int.from_bytes(data[:4], "big") != 4 * size[0] * size[1]:
        slot.notices.add("mask-length", f"{int.from_bytes(data[:4], 'big')} values, image {size}", control=slot.name)
    return Mask("rle", data, size)


def column_mask(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Keep run lengths down the columns of an image, as a list or in COCO's string."""
    counts, sides = value["counts"], value["size"]
    found = [finite(side) for side in sides] if isinstance(sides, list) and len(sides) == 2 else [None]
    high, *wide = found
    if high is None or None in wide or min(high, *wide) < 1:
        tell_unusable(value, slot)
        return None
    size = int(wide[0] or 0), int(high)
    here.share("size-differs", str(item.get("to_name")), size)
    if isinstance(counts, str) and counts.isascii() and counts:
        return Mask("coco", counts.encode(), size)
    if not isinstance(counts, list) or not counts or not all(type(n) is int and n >= 0 for n in counts):
        slot.notices.add("bad-geometry", "run lengths that are no whole numbers", control=slot.name)
        return None
    if sum(counts) != size[0] * size[1]:
        slot.notices.add("mask-length", f"{sum(counts)} pixels, image {size}", control=slot.name)
    return Mask("coco_counts", json.dumps(counts).encode(), size)


def _picture(address: str, size: Size | None, slot: Slot) -> Geometry | None:
    head, _, body = address.partition(",")
    if not head.startswith("data:image/png;base64"):
        slot.notices.add("bad-geometry", head, control=slot.name)
        return None
    try:
        data = base64.b64decode(body, validate=True)
    except binascii.Error:
        data = b""
    if not data.startswith(_PNG) or len(data) < _SIDES.stop:
        slot.notices.add("bad-geometry", "a broken picture of a mask", control=slot.name)
        return None
    sides = data[_SIDES]
    own = int.from_bytes(sides[:4], "big"), int.from_bytes(sides[4:], "big")
    if size is not None and own != size:
        slot.notices.add("mask-length", f"a picture of {own}, image {size}", control=slot.name)
    return Mask("png", data, size)
