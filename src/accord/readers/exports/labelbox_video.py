"""Boxes on the frames of a video in Labelbox's export, as tracks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.readers.exports.export import Item, Source
from accord.readers.exports.items import Size, box_in_percent, marked, sized
from accord.values import finite

_SIDES = ("left", "top", "width", "height")


def tracks_of(frames: Mapping[str, Any], media: Mapping[str, Any], size: Size | None, source: Source) -> list[Item]:
    """Tracks of boxes; the export holds every frame, so that a frame without the box hides it."""
    name = source.export.ask("tracks", "tracks", "video")
    labels: dict[str, str] = {}
    boxes: dict[str, dict[int, Item]] = {}
    for key, content in frames.items():
        number = finite(key)
        inside = content.get("objects") if isinstance(content, Mapping) else None
        if number is None or number % 1 or not isinstance(inside, Mapping):
            source.notices.add("bad-geometry", f"frame {key}", control=name)
            continue
        if content.get("classifications"):
            source.notices.add("note-left-out", f"classifications of frame {key}")
        for identity, one in inside.items():
            box = one.get("bounding_box") if isinstance(one, Mapping) else None
            if not isinstance(box, Mapping):
                source.notices.add("unknown-shape", f"{identity} in frame {key}", control=name)
                continue
            labels.setdefault(identity, str(one.get("name", "")))
            boxes.setdefault(identity, {})[int(number)] = box_in_percent([box.get(side) for side in _SIDES], size)
    count = finite(media.get("frame_count"))
    items = []
    for key, found in boxes.items():
        value = {"sequence": _sequence(found), "framesCount": count}
        items.append(sized(marked(name, "tracks", "video", value, [labels[key]], key), size))
    return items


def _sequence(found: Mapping[int, Item]) -> list[Item]:
    """Key frames in order; the last before a gap, and the last of all, hide the box."""
    return [{**found[frame], "frame": frame, "enabled": frame + 1 in found} for frame in sorted(found)]
