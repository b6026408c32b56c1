"""Scoring whole sets of regions: match one to one, combine geometry with labels or text, count what is left over.

A rater pair's score is the sum over matched regions / (matched + unmatched); two empty answers score 1, an empty
one against a marked one 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.matching import match
from accord.metrics.spec import accepted, metric
from accord.metrics.strings import edit_block
from accord.metrics.texts import NORMALIZE, Normal, normal_text
from accord.registry import Option
from accord.values import FloatArray, Kind, Region, Value

Geometry: TypeAlias = Callable[..., FloatArray]
"""(left regions, right regions, **options) -> (n, m) in 0..1; NaN = not comparable."""

MATCHING_OPTIONS = {
    "matching": Option("optimal", ("optimal", "greedy", "last"), "last compares only the last region of each side"),
    "min_overlap": Option(0.0, help="geometry must exceed this for two regions to match"),
}
COMBINE = Option("gate", ("gate", "average"), "gate: geometry times content; average: their mean")
LABELS = Option("auto", ("auto", "jaccard", "equal"), "label sets; auto: Jaccard, but equality in the threshold form")

Content: TypeAlias = tuple[frozenset[str], frozenset[str]]
Form = Literal["none", "labels", "text"]
Difference = Literal["same", "boundary", "label", "attribute"]


@dataclass(frozen=True, slots=True)
class Matched:
    """One matched pair of regions, by position in either answer."""

    left: int
    right: int
    geometry: float
    similarity: float
    difference: Difference


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two answers fit together; ``missing`` are left regions without partner, ``extra`` right ones."""

    score: float | None
    matched: tuple[Matched, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]


def regions_of(*types: type) -> Callable[[Value], tuple[Region, ...] | None]:
    """Prepare function that takes answers whose regions all have one of the geometry types."""

    def prepare(value: Value) -> tuple[Region, ...] | None:
        if isinstance(value, tuple) and all(isinstance(r, Region) and isinstance(r.geometry, types) for r in value):
            return value
        return None

    return prepare


def content_labels(region: Region) -> Content:
    """Labels of a region, and what was chosen in its nested Choices."""
    return region.labels, region.choices or frozenset()


def label_table(left: Sequence[Region], right: Sequence[Region], *, labels: str = "auto") -> FloatArray:
    """Similarity of label sets, (n, m); NaN where neither region carries any."""
    distinct: dict[Content, int] = {}
    a, b = ([distinct.setdefault(content_labels(r), len(distinct)) for r in side] for side in (left, right))
    rule = _equal if labels == "equal" else _jaccard
    return np.array([[rule(x, y) for y in distinct] for x in distinct])[np.ix_(a, b)]


def text_table(left: Sequence[Region], right: Sequence[Region], *, normalize: Normal = "nfc") -> FloatArray:
    """Similarity of nested texts, (n, m); NaN where neither region carries any."""
    a = [normal_text(region.text or "", normalize=normalize) or "" for region in left]
    b = [normal_text(region.text or "", normalize=normalize) or "" for region in right]
    return edit_block(a, b)


def _jaccard(a: Content, b: Content) -> float:
    if a == b:
        return 1.0 if any(a) else np.nan
    common = len(a[0] & b[0]) + len(a[1] & b[1])
    return common / (len(a[0]) + len(a[1]) + len(b[0]) + len(b[1]) - common)


def _equal(a: Content, b: Content) -> float:
    return float(a == b) if any(a) or any(b) else np.nan


def combined(geometry: FloatArray, content: FloatArray | None, combine: str) -> FloatArray:
    """Similarity of every pair of regions: geometry alone where neither carries content."""
    if content is None:
        return geometry
    if combine == "average":
        return (geometry + content) / 2.0
    return geometry * np.where(np.isnan(content), 1.0, content)


def compare(
    left: Sequence[Region],
    right: Sequence[Region],
    geometry: FloatArray,
    similarity: FloatArray,
    *,
    matching: Any = "optimal",
    min_overlap: float = 0.0,
) -> Comparison:
    """Match two answers and score them.

    Parameters
    ----------
    geometry, similarity
        Tables (n, m); NaN = not comparable.
    """
    n, m = len(left), len(right)
    if n == 0 or m == 0:
        return Comparison(1.0 if n == m else 0.0, (), tuple(range(n)), tuple(range(m)))
    known = ~(np.isnan(geometry) | np.isnan(similarity))
    if matching == "last":
        known[:-1], known[:, :-1] = False, False
    if not known.any():
        return Comparison(None, (), tuple(range(n)), tuple(range(m)))
    allowed = known if matching == "last" else known & (geometry > min_overlap)
    rows, columns = match(similarity, geometry, allowed, matching)
    pairs = tuple(
        Matched(i, j, float(geometry[i, j]), float(similarity[i, j]), difference(left[i], right[j], geometry[i, j]))
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
    )
    total = 1 if matching == "last" else n + m - len(pairs)
    missing = tuple(i for i in range(n) if i not in set(rows.tolist()))
    extra = tuple(j for j in range(m) if j not in set(columns.tolist()))
    return Comparison(sum(pair.similarity for pair in pairs) / total, pairs, missing, extra)


def difference(a: Region, b: Region, geometry: float) -> Difference:
    """First thing in which two matched regions differ: label, attribute, boundary."""
    if a.labels != b.labels:
        return "label"
    if (a.choices, a.text, a.attributes) != (b.choices, b.text, b.attributes):
        return "attribute"
    return "same" if geometry >= 1.0 - 1e-9 else "boundary"


@dataclass(frozen=True, slots=True)
class RegionMetric:
    """A geometry with its plain, labels and text forms, callable as a metric function."""

    geometry: Geometry
    content: Form
    accepts: frozenset[str]

    def compare(self, left: Sequence[Region], right: Sequence[Region], options: Mapping[str, Any]) -> Comparison:
        """Match two answers under checked options."""
        if not left or not right:
            table = np.empty((len(left), len(right)))
            return compare(left, right, table, table)
        geometry = self.geometry(left, right, **{k: v for k, v in options.items() if k in self.accepts})
        content = self._content(left, right, options)
        if content is not None and self.content == "labels" and options["combine"] == "average":
            content = np.where(np.isnan(content), 1.0, content)
        table = combined(geometry, content, options.get("combine", "gate"))
        return compare(left, right, geometry, table, matching=options["matching"], min_overlap=options["min_overlap"])

    def _content(
        self, left: Sequence[Region], right: Sequence[Region], options: Mapping[str, Any]
    ) -> FloatArray | None:
        if self.content == "labels":
            return label_table(left, right, labels=options["labels"])
        if self.content == "text":
            return text_table(left, right, normalize=options["normalize"])
        return None


def region_metrics(
    key: str,
    stem: str | None = None,
    *,
    geometry: Geometry,
    prepare: Callable[..., Any],
    kinds: Sequence[Kind],
    reference: str,
    about: str,
    options: Mapping[str, Option] | None = None,
) -> None:
    """Register a geometry as metric ``key`` and, given a stem, its forms ``stem_labels`` and ``stem_text``."""
    forms: list[tuple[str, Form, str, Mapping[str, Option]]] = [(key, "none", about, {})]
    if stem is not None:
        forms += [
            (f"{stem}_labels", "labels", f"{about}, times the Jaccard similarity of labels", _LABEL_OPTIONS),
            (f"{stem}_text", "text", f"{about}, times the edit similarity of the nested texts", _TEXT_OPTIONS),
        ]
    own = dict(options or {})
    for name, content, words, more in forms:
        metric(
            name,
            kinds=kinds,
            reference=reference,
            prepare=prepare,
            family=key,
            options={**own, **MATCHING_OPTIONS, **more},
            threshold_options={"labels": "equal"} if content == "labels" else {},
            aliases=() if content == "none" else (f"{key}_{content}",),
            description=f"{words}.",
        )(_scorer(RegionMetric(geometry, content, frozenset(accepted(geometry, own)))))


_LABEL_OPTIONS = {"combine": COMBINE, "labels": LABELS}
_TEXT_OPTIONS = {"combine": COMBINE, "normalize": NORMALIZE}


def _scorer(form: RegionMetric) -> Callable[..., float | None]:
    def score(a: Sequence[Region], b: Sequence[Region], /, **options: Any) -> float | None:
        return form.compare(a, b, options).score

    score.__dict__["form"] = form
    return score
