"""Spans on one axis: text, HTML, paragraphs, audio, time series, and frames of a timeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from accord.metrics.contents import numbered
from accord.metrics.ragged import Geometry, Pool
from accord.metrics.regions import answers_of, region_metrics, regions_of
from accord.metrics.runs import Runs, RunSets, runs_of
from accord.metrics.spec import metric
from accord.values import BoolArray, FloatArray, Frames, Index, Kind, Region, Span, Value

_NOWHERE = Runs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Intervals:
    """Spans or frames of the regions of one answer: start and end of spans, (n, 2), NaN for frames."""

    ends: FloatArray
    axes: tuple[str, ...]
    frames: tuple[Runs | None, ...] | None


@dataclass(frozen=True, slots=True)
class IntervalColumns:
    """Spans or frames of N regions."""

    start: FloatArray
    stop: FloatArray
    axis: Index
    frames: RunSets | None
    is_frames: BoolArray

    @property
    def one_axis(self) -> bool:
        """Whether all spans lie on one axis."""
        return not self.axis.any()


def frames(geometry: Frames) -> Runs:
    """Frames of a region: ranges are inclusive, several ranges are one set."""
    return runs_of((start, end + 1) for start, end in geometry.ranges)


def intervals(regions: tuple[Region, ...]) -> Intervals:
    """Spans and frames of one answer."""
    marks = [cast("Span | Frames", region.geometry) for region in regions]
    ends = [(mark.start, mark.end) if isinstance(mark, Span) else (np.nan, np.nan) for mark in marks]
    axes = tuple(mark.axis if isinstance(mark, Span) else "" for mark in marks)
    runs: tuple[Runs | None, ...] | None = None
    if any(isinstance(mark, Frames) for mark in marks):
        runs = tuple(frames(mark) if isinstance(mark, Frames) else None for mark in marks)
    return Intervals(np.array(ends, dtype=np.float64).reshape(-1, 2), axes, runs)


def interval_columns(shapes: Sequence[Intervals]) -> IntervalColumns:
    """Lay the intervals of several answers out flat."""
    ends = np.concatenate([np.empty((0, 2)), *(one.ends for one in shapes)])
    axis, _ = numbered([axis for one in shapes for axis in one.axes])
    sets, is_frames = None, np.zeros(len(ends), dtype=np.bool_)
    if any(one.frames for one in shapes):
        runs = [runs for one in shapes for runs in one.frames or (None,) * len(one.axes)]
        is_frames = np.array([one is not None for one in runs], dtype=np.bool_)
        sets = RunSets([one or _NOWHERE for one in runs])
    start, stop = np.ascontiguousarray(ends.T)
    return IntervalColumns(start, stop, axis, sets, is_frames)


def interval_overlap(pool: Pool, left: Index, right: Index, /) -> FloatArray:
    """Overlap of spans or of sets of frames in pairs, (N,); NaN where a span meets frames."""
    columns: IntervalColumns = pool.shapes
    if columns.frames is None:
        return span_overlap(columns, left, right)
    score = np.full(len(left), np.nan)
    a, b = columns.is_frames[left], columns.is_frames[right]
    spans, sets = np.flatnonzero(~a & ~b), np.flatnonzero(a & b)
    score[spans] = span_overlap(columns, left[spans], right[spans])
    score[sets] = columns.frames.iou(left[sets], right[sets])
    return score


def span_overlap(columns: IntervalColumns, left: Index, right: Index) -> FloatArray:
    """Intersection over union of lengths, (N,); 0 across axes, 1 for two equal instants."""
    start_a, start_b = columns.start[left], columns.start[right]
    stop_a, stop_b = columns.stop[left], columns.stop[right]
    common = np.maximum(np.minimum(stop_a, stop_b) - np.maximum(start_a, start_b), 0.0)
    total = (stop_a - start_a) + (stop_b - start_b) - common
    same = (start_a == start_b) & (stop_a == stop_b)
    score = np.where(total > 0, common / np.where(total > 0, total, 1.0), same)
    return score if columns.one_axis else np.where(columns.axis[left] == columns.axis[right], score, 0.0)


def interval_bounds(columns: IntervalColumns) -> FloatArray:
    """Spans as flat rectangles, one height for each axis; frames by their first and last, (4, N)."""
    start, stop, height = columns.start.copy(), columns.stop.copy(), columns.axis.astype(np.float64)
    sets = columns.frames
    if sets is not None:
        full = np.flatnonzero(columns.is_frames & (sets.count > 0))
        start[full], stop[full] = sets.start[sets.first[full]], sets.stop[sets.first[full] + sets.count[full] - 1]
        empty = np.flatnonzero(columns.is_frames & (sets.count == 0))
        start[empty] = stop[empty] = -1.0
    return np.stack((start, height, stop, height))


INTERVALS = Geometry(interval_columns, interval_overlap, interval_bounds)

region_metrics(
    "span_overlap",
    "span",
    geometry=INTERVALS,
    kinds=(Kind.SPANS, Kind.TIMELINE),
    prepare=answers_of(Span, Frames, shapes=intervals),
    reference="Jaccard index of two intervals; frame ranges are inclusive",
    about="Length two spans share over the length they cover",
)
region_metrics(
    "html_overlap",
    "html",
    geometry=INTERVALS,
    kinds=(Kind.SPANS,),
    prepare=answers_of(Span, shapes=intervals),
    reference="Jaccard index of two intervals on global offsets, else within one node",
    about="Length two HTML spans share over the length they cover",
)


def marked_sets(value: Value) -> Counter[Any] | None:
    """Labels and place of every region, without order; None if a region is neither frames nor a span."""
    regions = regions_of(Frames, Span)(value)
    if regions is None:
        return None
    return Counter((region.labels, _place(cast("Frames | Span", region.geometry))) for region in regions)


def _place(geometry: Frames | Span) -> Any:
    if isinstance(geometry, Span):
        return geometry
    runs = frames(geometry)
    return tuple(runs.start.tolist()), tuple(runs.stop.tolist())


@metric(
    "timeline_unordered",
    kinds=(Kind.TIMELINE, Kind.SPANS),
    reference="Equality of label and range sets",
    prepare=marked_sets,
    threshold=1.0,
)
def timeline_unordered(a: Counter[Any], b: Counter[Any], /) -> float:
    """1 if both answers hold the same labels on the same frames or stretches, in whatever order, else 0."""
    return float(a == b)
