"""Tracks on video: key frames of a box, sorted, with numbers that can be true."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from accord.readers.coordinates import Item, Size, image_size, note_outside, numbers, rotation_of, tell_unusable
from accord.readers.geometry import corners, placed_box
from accord.readers.here import Here
from accord.readers.payloads import canonical_json
from accord.readers.slots import Slot
from accord.values import MOST_FRAMES, Geometry, KeyFrame, Raw, Track, finite


def track(value: Item, item: Item, here: Here, slot: Slot) -> Geometry | None:
    """Read key frames of a box on video, sorted; the last of equal frames wins."""
    sequence = value.get("sequence")
    if not isinstance(sequence, list) or not all(isinstance(key, Mapping) for key in sequence):
        tell_unusable(value, slot)
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
    note_outside(chain.from_iterable(corners(frame.box) for frame in frames.values()), slot)
    count = _frames_count(value, max(order, default=1), slot)
    if count is not None:
        here.share("frames-differ", slot.name, count)
    return Track(count, tuple(frames[number] for number in order))


def _frames_count(value: Item, last: int, slot: Slot) -> int | None:
    """Length of the video in frames, None where it is not given or cannot be true."""
    count = finite(value.get("framesCount"))
    if count is not None and last <= count <= MOST_FRAMES:
        return int(count)
    slot.notices.add("frames-count", f"{value.get('framesCount')}, last key frame {last}", control=slot.name)
    return None


def _key_frame(key: Item, size: Size | None, slot: Slot) -> KeyFrame | None:
    found = numbers(key, ("x", "y", "width", "height"), slot)
    number, rotation = finite(key.get("frame")), rotation_of(key, slot)
    if found is None or rotation is None or number is None or not 1 <= number <= MOST_FRAMES or number % 1:
        slot.notices.add("bad-geometry", str(dict(key)), control=slot.name)
        return None
    return KeyFrame(int(number), placed_box(found, rotation, size, slot), key.get("enabled") is not False)
