"""Spans on one axis: text, HTML, paragraphs, audio, time series, and frames of a timeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from accord.metrics.regions import region_metrics, regions_of
from accord.metrics.runs import Runs, iou, runs_of
from accord.metrics.spec import metric
from accord.values import FloatArray, Frames, Kind, Region, Span, Value


def _span_columns(spans: Sequence[Span], axes: dict[str, int]) -> tuple[FloatArray, FloatArray, FloatArray]:
    start = np.array([span.start for span in spans], dtype=np.float64)
    stop = np.array([span.end for span in spans], dtype=np.float64)
    axis = np.array([axes.setdefault(span.axis, len(axes)) for span in spans], dtype=np.float64)
    return start, stop, axis


def span_iou(left: Sequence[Span], right: Sequence[Span]) -> FloatArray:
    """Intersection over union of lengths, (n, m); 0 across axes, 1 for two equal instants."""
    axes: dict[str, int] = {}
    start_a, stop_a, axis_a = (column[:, None] for column in _span_columns(left, axes))
    start_b, stop_b, axis_b = (column[None, :] for column in _span_columns(right, axes))
    common = np.maximum(np.minimum(stop_a, stop_b) - np.maximum(start_a, start_b), 0.0)
    total = (stop_a - start_a) + (stop_b - start_b) - common
    same = (start_a == start_b) & (stop_a == stop_b)
    score = np.where(total > 0, common / np.where(total > 0, total, 1.0), same)
    return np.where(axis_a == axis_b, score, 0.0)


def frames(geometry: Frames) -> Runs:
    """Frames of a region: ranges are inclusive, several ranges are one set."""
    return runs_of((start, end + 1) for start, end in geometry.ranges)


def interval_table(left: Sequence[Region], right: Sequence[Region]) -> FloatArray:
    """Overlap of spans or of sets of frames, (n, m); NaN where a span meets frames."""
    kinds = {type(region.geometry) for region in (*left, *right)}
    if kinds == {Span}:
        return span_iou([cast("Span", r.geometry) for r in left], [cast("Span", r.geometry) for r in right])
    if kinds == {Frames}:
        a = [frames(cast("Frames", region.geometry)) for region in left]
        b = [frames(cast("Frames", region.geometry)) for region in right]
        return np.array([[iou(x, y) for y in b] for x in a])
    return np.full((len(left), len(right)), np.nan)


region_metrics(
    "span_overlap",
    "span",
    geometry=interval_table,
    kinds=(Kind.SPANS, Kind.TIMELINE),
    prepare=regions_of(Span, Frames),
    reference="Jaccard index of two intervals; frame ranges are inclusive",
    about="Length two spans share over the length they cover",
)
region_metrics(
    "html_overlap",
    "html",
    geometry=interval_table,
    kinds=(Kind.SPANS,),
    prepare=regions_of(Span),
    reference="Jaccard index of two intervals on global offsets, else within one node",
    about="Length two HTML spans share over the length they cover",
)


def frame_sets(value: Value) -> Any:
    """Labels and frames of every region, without order; None if a region is no timeline region."""
    regions = regions_of(Frames)(value)
    if regions is None:
        return None
    return Counter(
        (region.labels, *(tuple(column.tolist()) for column in _columns(cast("Frames", region.geometry))))
        for region in regions
    )


def _columns(geometry: Frames) -> tuple[Any, Any]:
    runs = frames(geometry)
    return runs.start, runs.stop


@metric(
    "timeline_unordered",
    kinds=(Kind.TIMELINE,),
    reference="Equality of label and frame sets",
    prepare=frame_sets,
    threshold=1.0,
)
def timeline_unordered(a: Counter[Any], b: Counter[Any], /) -> float:
    """1 if both answers hold the same labels on the same frames, in whatever order, else 0."""
    return float(a == b)
