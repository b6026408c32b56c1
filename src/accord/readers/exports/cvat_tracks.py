"""Tracks of CVAT: boxes on the frames of a video, as key frames counted from 1."""

from __future__ import annotations

from typing import Any

from accord.readers.exports.cvat_shapes import box_of
from accord.readers.exports.export import Item, Source
from accord.readers.exports.items import Size, marked, size_of, sized
from accord.values import finite


def track_of(track: Any, root: Any, number: str, source: Source) -> Item | None:
    """Item of a track of boxes; None, counted, for tracks of other shapes."""
    others = {shape.tag for shape in track if shape.tag != "box"}
    if others:
        source.notices.add("unknown-shape", f"track of {', '.join(sorted(others))}")
        return None
    size = _size(root, source)
    step = _step(root)
    value = {"sequence": _sequence(track, size, step), "framesCount": _frames(root, step)}
    return sized(marked("tracks", "tracks", "video", value, [track.get("label", "")], number), size)


def _sequence(track: Any, size: Size | None, step: int) -> list[Item]:
    """Key frames; a box that is outside hides the one before it from its own frame on."""
    found: list[Item] = []
    for box in sorted(track, key=lambda box: finite(box.get("frame")) or 0.0):
        frame = finite(box.get("frame"))
        number = None if frame is None else frame // step + 1
        if box.get("outside") != "1":
            found.append({**box_of(box, size), "frame": number, "enabled": True})
        elif found and found[-1]["enabled"] and number is not None:
            last = found[-1]
            if last["frame"] is not None and number - 1 > last["frame"]:
                found.append({**last, "frame": number - 1})
            found[-1] = {**found[-1], "enabled": False}
    return found


def _size(root: Any, source: Source) -> Size | None:
    size = root.find("meta//original_size")
    width, height = (None if size is None else size.findtext(side) for side in ("width", "height"))
    return size_of(width, height, source.notices)


def _step(root: Any) -> int:
    """Frames of the video for each frame that was annotated."""
    words = (root.findtext("meta//frame_filter") or "").split("=")
    number = finite(words[-1])
    return int(number) if number is not None and number >= 1 else 1


def _frames(root: Any, step: int) -> float | None:
    """Length of the video in frames, as far as it was annotated."""
    last = finite(root.findtext("meta//stop_frame"))
    return finite(root.findtext("meta//task/size")) if last is None else last // step + 1
