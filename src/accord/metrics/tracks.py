"""Tracked boxes in video: the state at every frame, then agreement frame by frame.

Between two key frames a box moves in a straight line and turns the shorter way; after a key frame that ends a part
it is absent until the next one; after the last it stays until the end of the video.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import cast

import numpy as np

from accord.metrics.outlines import share, turned_overlaps
from accord.metrics.regions import region_metrics, regions_of
from accord.registry import Option
from accord.values import Box, FloatArray, KeyFrame, Kind, Region, Track, Value

MAX_FRAMES = 5_000_000


@dataclass(frozen=True, slots=True)
class States:
    """Boxes of one track at every frame from 1: x, y, width, height, rotation, (F, 5); NaN where absent."""

    boxes: FloatArray
    size: tuple[int, int] | None
    declared: int | None


def states(track: Track) -> States:
    """Work out the box at every frame."""
    sequence = track.sequence
    count = max([track.frames_count or 0, *(key.frame for key in sequence)])
    boxes = np.full((count, 5), np.nan)
    for key, following in zip_longest(sequence, sequence[1:]):
        _fill(boxes, key, following)
    size = next((key.box.size for key in sequence if key.box.size), None)
    return States(boxes, size, track.frames_count)


def _fill(boxes: FloatArray, key: KeyFrame, following: KeyFrame | None) -> None:
    """Write the frames from one key frame up to the next."""
    here = _numbers(key.box)
    start = key.frame - 1
    boxes[start] = here
    if not key.enabled:
        return
    if following is None:
        boxes[start:] = here
        return
    steps = following.frame - key.frame
    change = _numbers(following.box) - here
    change[4] = (change[4] + 180.0) % 360.0 - 180.0
    boxes[start : start + steps] = here + np.arange(steps)[:, None] / max(steps, 1) * change


def _numbers(box: Box) -> FloatArray:
    return np.array([box.x, box.y, box.width, box.height, box.rotation], dtype=np.float64)


def track_regions(value: Value) -> tuple[Region, ...] | None:
    """Regions with tracks; None if a track's frame numbers cannot be true."""
    regions = regions_of(Track)(value)
    if regions is None or not all(_is_possible(cast("Track", region.geometry)) for region in regions):
        return None
    return regions


def _is_possible(track: Track) -> bool:
    numbers = [key.frame for key in track.sequence]
    return min(numbers, default=1) >= 1 and max([track.frames_count or 0, *numbers]) <= MAX_FRAMES


def _aligned(a: States, b: States) -> tuple[FloatArray, FloatArray] | None:
    """Both tracks over the same frames; None if the videos have different lengths."""
    if a.declared and b.declared and a.declared != b.declared:
        return None
    count = max(len(a.boxes), len(b.boxes))
    return _padded(a, count), _padded(b, count)


def _padded(track: States, count: int) -> FloatArray:
    """Lengthen a track whose video length is unknown: it goes on as it ended."""
    missing = count - len(track.boxes)
    if missing == 0 or len(track.boxes) == 0:
        return track.boxes if missing == 0 else np.full((count, 5), np.nan)
    return np.concatenate([track.boxes, np.repeat(track.boxes[-1:], missing, axis=0)])


def _table(left: Sequence[Region], right: Sequence[Region], score: Callable[[States, States], float]) -> FloatArray:
    a, b = ([states(cast("Track", region.geometry)) for region in side] for side in (left, right))
    return np.array([[score(x, y) for y in b] for x in a])


def frame_table(left: Sequence[Region], right: Sequence[Region], *, tolerance: float, frames: str) -> FloatArray:
    """Share of frames on which two tracks agree, (n, m)."""

    def score(a: States, b: States) -> float:
        aligned = _aligned(a, b)
        if aligned is None:
            return np.nan
        x, y = aligned
        here, there = ~np.isnan(x[:, 0]), ~np.isnan(y[:, 0])
        both = here & there
        turn = np.abs((x[both, 4] - y[both, 4] + 180.0) % 360.0 - 180.0)
        near = np.abs(x[both, :4] - y[both, :4]).max(axis=1, initial=0.0) <= tolerance + 1e-9
        agreed = int((near & (turn <= tolerance + 1e-9)).sum())
        marked = int((here | there).sum())
        if frames == "all":
            return (agreed + len(x) - marked) / len(x) if len(x) else 1.0
        return agreed / marked if marked else 1.0

    return _table(left, right, score)


def tracking_table(left: Sequence[Region], right: Sequence[Region], *, rotation: str) -> FloatArray:
    """Mean overlap of two tracks over the frames on which either is present, (n, m)."""

    def score(a: States, b: States) -> float:
        aligned = _aligned(a, b)
        if aligned is None:
            return np.nan
        x, y = aligned
        here, there = ~np.isnan(x[:, 0]), ~np.isnan(y[:, 0])
        marked = int((here | there).sum())
        both = here & there
        overlaps = _frame_overlaps(x[both], y[both], a.size or b.size, rotation)
        overlaps = np.where(np.isnan(overlaps), (x[both] == y[both]).all(axis=1), overlaps)
        return float(overlaps.sum()) / marked if marked else 1.0

    return _table(left, right, score)


def _frame_overlaps(x: FloatArray, y: FloatArray, size: tuple[int, int] | None, rotation: str) -> FloatArray:
    """Overlap of the boxes of each frame, (F,); NaN where neither has an area."""
    if rotation == "honour" and bool(((x[:, 4] % 360.0 != 0.0) | (y[:, 4] % 360.0 != 0.0)).any()):
        return turned_overlaps(x, y, size)
    low, high = np.maximum(x[:, :2], y[:, :2]), np.minimum(x[:, :2] + x[:, 2:4], y[:, :2] + y[:, 2:4])
    common = np.maximum(high - low, 0.0).prod(axis=1)
    total = x[:, 2] * x[:, 3] + y[:, 2] * y[:, 3] - common
    return share(common, total)


region_metrics(
    "video_frames",
    geometry=frame_table,
    prepare=track_regions,
    kinds=(Kind.TRACKS,),
    reference="Share of frames with the same box, key frames interpolated",
    about="Share of frames on which two tracks agree in presence and box, of those where either is present",
    options={
        "tolerance": Option(1.0, help="largest difference of a side or place, in percent of the image, or in degrees"),
        "frames": Option("marked", ("marked", "all"), "all counts frames on which neither marks as agreement"),
    },
)
region_metrics(
    "video_tracking",
    geometry=tracking_table,
    prepare=track_regions,
    kinds=(Kind.TRACKS,),
    reference="Mean box overlap over the frames of matched tracks",
    about="Mean overlap of the boxes of two tracks over the frames on which either is present",
    options={"rotation": Option("honour", ("honour", "ignore"), "ignore compares the unturned boxes")},
)
