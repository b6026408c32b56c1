"""Names for metrics: the platform's 45 printed entries, its rules, and the default of each kind of answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from accord.equivalence.as_metric import as_metric
from accord.equivalence.models import MODELS
from accord.errors import UnknownNameError, UsageError
from accord.metrics.spec import METRICS, MetricSpec
from accord.registry import normal
from accord.values import Box, Ellipse, Kind, Mask, Polygon, Region, Value

PLATFORM = "platform"


@dataclass(frozen=True, slots=True)
class Entry:
    """One printed entry of the platform's catalogue, and what it is here.

    ``tags`` are the control tags it is offered for, ``*`` = any.
    """

    label: str
    metric: str
    tags: tuple[str, ...]
    threshold: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Snake case of the printed label."""
        return normal(self.label)


@dataclass(frozen=True, slots=True)
class Choice:
    """A metric with all its options and, for a threshold form, its threshold."""

    spec: MetricSpec
    options: Mapping[str, Any]
    threshold: float | None

    @property
    def settled(self) -> Mapping[str, Any]:
        """Options as they are scored: what is ``auto`` may depend on the threshold."""
        if self.threshold is None:
            return self.options
        by_threshold = {k: v for k, v in self.spec.threshold_options.items() if self.options[k] == "auto"}
        return {**self.options, **by_threshold}


def _both(label: str, metric: str, tags: tuple[str, ...], threshold: float = 0.5) -> tuple[Entry, Entry]:
    return Entry(label, metric, tags), Entry(f"{label} (Threshold)", metric, tags, threshold)


_SETS = ("Choices", "Labels", "Taxonomy")
_BOXES = ("RectangleLabels", "Rectangle", "EllipseLabels", "Ellipse")
_POLYGONS = ("PolygonLabels", "Polygon")
_SPANS = ("Labels", "ParagraphLabels", "TimeSeriesLabels", "TimelineLabels")
_HTML = ("HyperTextLabels",)
_VIDEO = ("VideoRectangle",)
_POINTS = ("KeyPointLabels", "KeyPoint")
_TEXT = ("TextArea",)

_ENTRIES: tuple[Entry, ...] = (
    Entry("Exact Match", "exact_match", ("*",)),
    *_both("Common Subtree Matches", "common_subtree", ("Taxonomy",)),
    *_both("Jaccard Similarity", "jaccard", _SETS),
    Entry("Numeric Difference", "numeric_difference", ("Number", "Rating")),
    Entry(
        "Numeric Difference (Threshold)",
        "numeric_difference",
        ("Number", "Rating"),
        options=MappingProxyType({"max_difference": 1.0}),
    ),
    *_both("Intersection over Union", "box_iou", _BOXES),
    *_both("Bounding Box Labels Similarity", "box_labels", _BOXES),
    *_both("Bounding Box Text Similarity", "box_text", _BOXES),
    *_both("Intersection over Union for Polygons", "polygon_iou", _POLYGONS),
    *_both("Polygon Labels Similarity", "polygon_labels", _POLYGONS),
    *_both("Polygon Text Similarity", "polygon_text", _POLYGONS),
    *_both("Brush Intersection over Union", "brush_iou", ("BrushLabels", "Brush", "BitmaskLabels")),
    *_both("Span Overlap", "span_overlap", _SPANS),
    *_both("Span Labels Similarity", "span_labels", _SPANS),
    *_both("Span Text Similarity", "span_text", _SPANS),
    Entry("Unordered Naive Comparison for Timeline Labels", "timeline_unordered", ("TimelineLabels",)),
    *_both("Overlap over HTML Spans", "html_overlap", _HTML),
    *_both("HTML Span Labels Similarity", "html_labels", _HTML),
    *_both("HTML Span Text Similarity", "html_text", _HTML),
    *_both("Text Similarity", "text_similarity", _TEXT, 0.85),
    Entry("Semantic Similarity", "semantic_similarity", _TEXT),
    *_both("Exact Frames Matching for Video", "video_frames", _VIDEO),
    Entry("Video Tracking", "video_tracking", _VIDEO),
    Entry("Keypoint Distance", "keypoint_distance", _POINTS),
    Entry("WER", "wer", _TEXT),
    Entry("CER", "cer", _TEXT),
    Entry("chrF", "chrf", _TEXT),
    Entry("BLEU", "bleu", _TEXT),
)

ENTRIES: Mapping[str, Entry] = MappingProxyType({entry.key: entry for entry in _ENTRIES})

_COMPAT: Mapping[str, Any] = MappingProxyType(
    {
        "matching": "last",
        "combine": "average",
        "labels": "jaccard",
        "rotation": "ignore",
        "normalize": "none",
        "orders": "all",
        "frames": "all",
    }
)

_DRAWN = frozenset({Kind.BOXES, Kind.ELLIPSES, Kind.POLYGONS, Kind.MASKS})
_TOOLS = frozenset({Box, Ellipse, Polygon, Mask})
_ANY_TOOL = frozenset({"", "labels", "united"})

_DEFAULTS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.LABEL: "jaccard",
        Kind.LABELS: "jaccard",
        Kind.PATHS: "jaccard",
        Kind.NUMBER: "numeric_difference",
        Kind.RATING: "numeric_difference",
        Kind.TEXT: "text_similarity",
        Kind.SPANS: "span_labels",
        Kind.TIMELINE: "span_labels",
        Kind.BOXES: "box_labels",
        Kind.ELLIPSES: "box_labels",
        Kind.POLYGONS: "polygon_labels",
        Kind.MASKS: "brush_iou",
        Kind.KEYPOINTS: "keypoint_distance",
        Kind.VECTORS: "vector_labels",
        Kind.TRACKS: "video_frames",
        Kind.RELATIONS: "relation_match",
    }
)


def default_metric(kind: Kind, tag: str = "", values: Sequence[Value] = ()) -> str:
    """Key of the metric a control gets when nobody chooses one.

    Where a control takes shapes of several tools and the answers hold them, it is the one that compares them with
    each other. Lines that move on video are compared as they are.

    Examples
    --------
    >>> default_metric(Kind.SPANS, "HyperTextLabels")
    'html_labels'
    """
    if kind is Kind.SPANS and tag.lower() in {"hypertextlabels", "htmllabels"}:
        return "html_labels"
    if kind is Kind.TRACKS and tag.lower() in {"videovector", "videovectorlabels"}:
        return "exact_match"
    if kind in _DRAWN and tag.lower() in _ANY_TOOL and _several_tools(values):
        return "shape_labels"
    return _DEFAULTS.get(kind, "exact_match")


def _several_tools(values: Sequence[Value]) -> bool:
    """Whether answers hold more than one of boxes, ellipses, polygons and masks."""
    found: set[type] = set()
    for value in values:
        if isinstance(value, tuple):
            found.update(type(region.geometry) for region in value if isinstance(region, Region))
            if len(found & _TOOLS) > 1:
                return True
    return False


def compat_options(spec: MetricSpec) -> dict[str, Any]:
    """Options under which a metric follows the platform's rules."""
    return {name: value for name, value in _COMPAT.items() if name in spec.options}


def compat_metric(name: str) -> Choice:
    """Metric under the platform's rules, by its printed label, its key or ours.

    Examples
    --------
    >>> compat_metric("Span Labels Similarity").options["combine"]
    'average'
    """
    return resolve(name, compat=PLATFORM)


def resolve(
    metric: str | MetricSpec,
    options: Mapping[str, Any] | None = None,
    threshold: float | None = None,
    *,
    compat: str | None = None,
) -> Choice:
    """Find a metric by key, alias or platform entry, and settle all its options.

    What is given wins over what the entry says, that over the platform's rules, those over the defaults. A metric
    with a threshold of its own (a distance) takes ``threshold`` for that, unless ``options`` give it.

    Raises
    ------
    UsageError
        For an unknown name, option or value.
    MissingExtraError
        If a model needs packages that are not there; nothing is used in its place.
    """
    entry = ENTRIES.get(normal(metric)) if isinstance(metric, str) else None
    spec = metric if isinstance(metric, MetricSpec) else find(entry.metric if entry else metric)
    given = {**(entry.options if entry else {}), **(options or {})}
    cut = threshold if threshold is not None else (entry.threshold if entry else None)
    if "threshold" in spec.options and "threshold" not in given and cut is not None:
        given["threshold"], cut = cut, None
    base = compat_options(spec) if _is_platform(compat) else {}
    return Choice(spec, MappingProxyType(spec.checked({**base, **given})), _checked_threshold(spec, cut))


def find(name: str) -> MetricSpec:
    """Metric by key or alias.

    Raises
    ------
    UnknownNameError
        With the closest names, platform entries included.
    UsageError
        For a model that needs options which are not given here.
    """
    catalog = METRICS.catalog()
    if name in catalog:
        return catalog[name]
    models = MODELS.catalog()
    if name in models:
        return as_metric(models[name].made({}), threshold=models[name].threshold)
    raise UnknownNameError.among("metric", name, {*catalog.specs, *catalog.aliases, *ENTRIES, *models.specs})


def _is_platform(compat: str | None) -> bool:
    if compat not in (None, PLATFORM):
        raise UsageError(f"compat={compat!r} is not known. Allowed: {PLATFORM}.")
    return compat == PLATFORM


def _checked_threshold(spec: MetricSpec, threshold: float | None) -> float | None:
    if threshold is None:
        return None
    low, high = spec.bounds
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or math.isnan(threshold):
        raise UsageError(f"threshold={threshold!r} of {spec.key} must be a number.")
    if not low <= threshold <= high:
        raise UsageError(f"threshold={threshold:g} of {spec.key} is out of range. Allowed: {low:g} to {high:g}.")
    return float(threshold)
