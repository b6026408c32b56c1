"""Tracked boxes in video: the state at every frame, then agreement frame by frame.

Between two key frames a box moves in a straight line and turns the shorter way; after a key frame that ends a part
it is absent until the next one; after the last it stays until the end of the video.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import cast

import numpy as np

from accord.metrics.outlines import box_rings, share, turned_overlaps
from accord.metrics.ragged import Answer, Geometry, Pool
from accord.metrics.regions import region_metrics, regions_of
from accord.registry import Option
from accord.values import MOST_FRAMES, Box, FloatArray, Index, KeyFrame, Kind, Track, Value

KEPT_FRAMES = 500_000


@dataclass(frozen=True, slots=True)
class States:
    """Boxes of one track at every frame from 1: x, y, width, height, rotation, (F, 5); NaN where absent.

    ``goes_on`` says that the track lasts beyond them if the video does.
    """

    boxes: FloatArray
    size: tuple[int, int] | None
    declared: int | None
    goes_on: bool


def states(track: Track) -> States:
    """Work out the box at every frame."""
    sequence = track.sequence
    count = max([track.frames_count or 0, *(key.frame for key in sequence)])
    boxes = np.full((count, 5), np.nan)
    for key, following in zip_longest(sequence, sequence[1:]):
        _fill(boxes, key, following)
    size = next((key.box.size for key in sequence if key.box.size), None)
    return States(boxes, size, track.frames_count, bool(sequence) and sequence[-1].enabled)


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


def track_answer(value: Value) -> Answer | None:
    """Answer with tracks; None if a track's frame numbers cannot be true."""
    regions = regions_of(Track)(value)
    if regions is None:
        return None
    tracks = tuple(cast("Track", region.geometry) for region in regions)
    return Answer(regions, tracks) if all(map(_is_possible, tracks)) else None


def _is_possible(track: Track) -> bool:
    numbers = [key.frame for key in track.sequence]
    return min(numbers, default=1) >= 1 and max([track.frames_count or 0, *numbers]) <= MOST_FRAMES


def same_video(a: States, b: States) -> bool:
    """Whether two tracks may lie on one video: its length is unknown to one, or the same."""
    return not (a.declared and b.declared and a.declared != b.declared)


def _aligned(a: States, b: States) -> tuple[FloatArray, FloatArray]:
    """Both tracks over the same frames."""
    count = max(len(a.boxes), len(b.boxes))
    return padded(a, count), padded(b, count)


def padded(track: States, count: int) -> FloatArray:
    """Lengthen a track whose video length is unknown: it stays where it was, unless it had ended."""
    missing = count - len(track.boxes)
    if missing == 0:
        return track.boxes
    last = track.boxes[-1:] if track.goes_on else np.full((1, 5), np.nan)
    return np.concatenate([track.boxes, np.repeat(last, missing, axis=0)])


def _each(pool: Pool, left: Index, right: Index, score: Callable[[States, States], float]) -> FloatArray:
    """Score tracks pair by pair; frames are worked out as they are needed, and as many kept as fit."""
    kept: dict[int, States] = {}

    def expanded(number: int) -> States:
        if number not in kept:
            if sum(len(each.boxes) for each in kept.values()) > KEPT_FRAMES:
                kept.clear()
            kept[number] = states(pool.shapes[number])
        return kept[number]

    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return np.fromiter((score(expanded(a), expanded(b)) for a, b in pairs), np.float64, len(left))


def frame_agreement(pool: Pool, left: Index, right: Index, /, *, tolerance: float, frames: str) -> FloatArray:
    """Share of frames on which two tracks agree, (N,)."""

    def score(a: States, b: States) -> float:
        if not same_video(a, b):
            return np.nan
        x, y = _aligned(a, b)
        here, there = ~np.isnan(x[:, 0]), ~np.isnan(y[:, 0])
        both = here & there
        turn = np.abs((x[both, 4] - y[both, 4] + 180.0) % 360.0 - 180.0)
        near = np.abs(x[both, :4] - y[both, :4]).max(axis=1, initial=0.0) <= tolerance + 1e-9
        agreed = int((near & (turn <= tolerance + 1e-9)).sum())
        marked = int((here | there).sum())
        if frames == "all":
            return (agreed + len(x) - marked) / len(x) if len(x) else 1.0
        return agreed / marked if marked else 1.0

    return _each(pool, left, right, score)


def track_overlap(pool: Pool, left: Index, right: Index, /, *, rotation: str) -> FloatArray:
    """Mean overlap of two tracks over the frames on which either is present, (N,)."""

    def score(a: States, b: States) -> float:
        if not same_video(a, b):
            return np.nan
        x, y = _aligned(a, b)
        here, there = ~np.isnan(x[:, 0]), ~np.isnan(y[:, 0])
        marked = int((here | there).sum())
        both = here & there
        overlaps = frame_overlaps(x[both], y[both], a.size or b.size, rotation)
        overlaps = np.where(np.isnan(overlaps), (x[both] == y[both]).all(axis=1), overlaps)
        return float(overlaps.sum()) / marked if marked else 1.0

    return _each(pool, left, right, score)


def track_columns(shapes: Sequence[tuple[Track, ...]]) -> tuple[Track, ...]:
    """Tracks of several answers, (N,)."""
    return tuple(chain.from_iterable(shapes))


def frame_overlaps(x: FloatArray, y: FloatArray, size: tuple[int, int] | None, rotation: str) -> FloatArray:
    """Overlap of the boxes of each frame, (F,); NaN where neither has an area."""
    if rotation == "honour" and bool(((x[:, 4] % 360.0 != 0.0) | (y[:, 4] % 360.0 != 0.0)).any()):
        sizes = np.full((len(x), 2), size or np.nan, dtype=np.float64)
        return turned_overlaps(box_rings, x, y, (sizes, sizes))
    low, high = np.maximum(x[:, :2], y[:, :2]), np.minimum(x[:, :2] + x[:, 2:4], y[:, :2] + y[:, 2:4])
    common = np.maximum(high - low, 0.0).prod(axis=1)
    total = x[:, 2] * x[:, 3] + y[:, 2] * y[:, 3] - common
    return share(common, total)


region_metrics(
    "video_frames",
    geometry=Geometry(track_columns, frame_agreement, effort=1000.0),
    prepare=track_answer,
    kinds=(Kind.TRACKS,),
    reference="Share of frames with the same box, key frames interpolated",
    about="Share of frames on which two tracks agree in presence and box, of those where either is present",
    options={
        "tolerance": Option(
            1.0, help="largest difference of a side or place, in percent of the image, or in degrees", stated=True
        ),
        "frames": Option("marked", ("marked", "all"), "all counts frames on which neither marks as agreement"),
    },
)
region_metrics(
    "video_tracking",
    geometry=Geometry(track_columns, track_overlap, effort=1000.0),
    prepare=track_answer,
    kinds=(Kind.TRACKS,),
    reference="Mean box overlap over the frames of matched tracks",
    about="Mean overlap of the boxes of two tracks over the frames on which either is present",
    options={"rotation": Option("honour", ("honour", "ignore"), "ignore compares the unturned boxes")},
)
