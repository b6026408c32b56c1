"""Tracks of two raters, frame by frame: how well things are found, and how well they are followed (HOTA)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from accord.matching import choose_edges
from accord.metrics.spec import metric
from accord.metrics.tracks import States, frame_overlaps, padded, states, track_answer
from accord.registry import Option
from accord.values import BoolArray, FloatArray, Index, Kind, Track, Value

THRESHOLDS = tuple(k / 20 for k in range(1, 20))
MOST_STATES = 20_000_000
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class TrackAgreement:
    """Parts of HOTA at each threshold of overlap, (T,): each is 1 for equal answers.

    Attributes
    ----------
    detection
        Boxes found by both over all boxes, frame by frame.
    association
        Of two tracks that share a found box: frames they share over all frames of both; mean over found boxes.
    """

    detection: FloatArray
    association: FloatArray

    @property
    def hota(self) -> FloatArray:
        """Geometric mean of detection and association, (T,)."""
        return np.sqrt(self.detection * self.association)


@dataclass(frozen=True, slots=True)
class TrackSet:
    """Tracks of one answer: states by frame, and labels."""

    tracks: tuple[States, ...]
    labels: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class _Meetings:
    """Boxes of two answers that share an area: frame, track on either side, overlap, (E,)."""

    frame: Index
    left: Index
    right: Index
    overlap: FloatArray

    def sums(self, ends: Index, values: FloatArray) -> FloatArray:
        """Sum of values over the meetings of the same box, for each meeting."""
        _, box = np.unique(self.frame * (int(ends.max(initial=0)) + 1) + ends, return_inverse=True)
        return np.asarray(np.bincount(box, values, minlength=1)[box], dtype=np.float64)


def track_set(value: Value) -> TrackSet | None:
    """Tracks of one answer in an order of their own, so that the order of regions plays no part."""
    answer = track_answer(value)
    if answer is None or sum(_length(track) for track in answer.shapes) > MOST_STATES:
        return None
    rows = [(states(cast("Track", region.geometry)), region.labels) for region in answer.regions]
    rows.sort(key=lambda row: (row[0].boxes.tobytes(), sorted(row[1])))
    return TrackSet(tuple(one for one, _ in rows), tuple(labels for _, labels in rows))


def _length(track: Track) -> int:
    return max([track.frames_count or 0, *(key.frame for key in track.sequence)])


def track_agreement(
    left: TrackSet, right: TrackSet, thresholds: Sequence[float] = THRESHOLDS, *, rotation: str, match_labels: str
) -> TrackAgreement | None:
    """Detection and association of two answers; None if their videos have different lengths.

    Boxes of a frame are matched one to one; whole tracks that fit together come first. From the threshold on a matched
    pair counts as found.

    References
    ----------
    Luiten et al. 2021, HOTA: a higher order metric for evaluating multi-object tracking, IJCV 129.
    """
    frames = np.array(sorted({t.declared for t in (*left.tracks, *right.tracks) if t.declared}), dtype=np.int64)
    if len(frames) > 1:
        return None
    count = max((len(track.boxes) for track in (*left.tracks, *right.tracks)), default=0)
    boxes = ([padded(track, count) for track in left.tracks], [padded(track, count) for track in right.tracks])
    lengths = [np.array([(~np.isnan(b[:, 0])).sum() for b in side], dtype=np.float64) for side in boxes]
    if not lengths[0].sum() or not lengths[1].sum():
        nothing = bool(left.tracks) == bool(right.tracks) and lengths[0].sum() == lengths[1].sum()
        same = np.full(len(thresholds), float(nothing))
        return TrackAgreement(same, same)
    met = _meetings(left, right, boxes, rotation, match_labels)
    matched = _matched(met, lengths)
    parts = [_at(met, matched & (met.overlap >= cut - _SLACK), lengths) for cut in thresholds]
    detection, association = (np.array(part) for part in zip(*parts, strict=True))
    return TrackAgreement(detection, association)


def _meetings(
    left: TrackSet, right: TrackSet, boxes: tuple[list[FloatArray], list[FloatArray]], rotation: str, match_labels: str
) -> _Meetings:
    """All boxes that share an area with one of the other side in their frame, or are equal without area."""
    found: list[tuple[Index, Index, Index, FloatArray]] = []
    for i, x in enumerate(boxes[0]):
        for j, y in enumerate(boxes[1]):
            if match_labels == "equal" and left.labels[i] != right.labels[j]:
                continue
            both = np.flatnonzero(~np.isnan(x[:, 0]) & ~np.isnan(y[:, 0]))
            overlap = frame_overlaps(x[both], y[both], left.tracks[i].size or right.tracks[j].size, rotation)
            overlap = np.where(np.isnan(overlap), (x[both] == y[both]).all(axis=1), overlap)
            use = overlap > 0
            count = int(use.sum())
            found.append((both[use], np.full(count, i), np.full(count, j), overlap[use]))
    if not found:
        nothing = np.empty(0, dtype=np.int64)
        return _Meetings(nothing, nothing, nothing, np.empty(0))
    frame, first, second, overlap = (np.concatenate(column) for column in zip(*found, strict=True))
    return _Meetings(frame, first, second, overlap)


def _matched(met: _Meetings, lengths: Sequence[FloatArray]) -> BoolArray:
    """One-to-one matching within every frame that maximises overlap times the fit of the whole tracks, (E,)."""
    rivals = met.sums(met.left, met.overlap) + met.sums(met.right, met.overlap) - met.overlap
    pair = met.left * len(lengths[1]) + met.right
    shared = np.bincount(pair, met.overlap / rivals, minlength=len(lengths[0]) * len(lengths[1]))[pair]
    fit = shared / (lengths[0][met.left] + lengths[1][met.right] - shared)
    boxes = [np.unique(met.frame * len(n) + ends, return_inverse=True)[1]
             for ends, n in zip((met.left, met.right), lengths, strict=True)]  # fmt: skip
    return choose_edges(boxes[0], boxes[1], fit * met.overlap) if len(pair) else np.zeros(0, dtype=np.bool_)


def _at(met: _Meetings, found: BoolArray, lengths: Sequence[FloatArray]) -> tuple[float, float]:
    """Detection and association, given the boxes found by both."""
    count = int(found.sum())
    if not count:
        return 0.0, 0.0
    pair = met.left[found] * len(lengths[1]) + met.right[found]
    shared = np.bincount(pair, minlength=len(lengths[0]) * len(lengths[1]))[pair]
    whole = lengths[0][met.left[found]] + lengths[1][met.right[found]] - shared
    return count / (lengths[0].sum() + lengths[1].sum() - count), float((shared / whole).mean())


@metric(
    "video_hota",
    kinds=(Kind.TRACKS,),
    reference="Luiten et al. 2021, HOTA: a higher order metric for evaluating multi-object tracking",
    prepare=track_set,
    options={
        "part": Option(
            "hota",
            ("hota", "detection", "association"),
            "detection: boxes found by both; association: tracks that keep to one thing; hota: their geometric mean",
            stated=True,
        ),
        "at": Option(None, help="overlap from which a box is found; by default the mean over .05, .10 ... .95"),
        "match_labels": Option("ignore", ("ignore", "equal"), "equal: only tracks of the same labels can match"),
        "rotation": Option("honour", ("honour", "ignore"), "ignore compares the unturned boxes"),
    },
)
def video_hota(
    a: TrackSet, b: TrackSet, /, *, part: str, at: float | None, match_labels: str, rotation: str
) -> float | None:
    """How well two raters find and follow the same things in a video."""
    cuts = THRESHOLDS if at is None else (at,)
    first, second = sorted((a, b), key=_order)
    found = track_agreement(first, second, cuts, rotation=rotation, match_labels=match_labels)
    return None if found is None else float(np.mean(getattr(found, part)))


def _order(tracks: TrackSet) -> list[bytes]:
    return [track.boxes.tobytes() for track in tracks.tracks]
