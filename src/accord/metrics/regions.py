"""Scoring whole sets of regions: match one to one, combine geometry with labels or text, count what is left over.

A rater pair's score is the sum over matched regions / (matched + unmatched); two empty answers score 1, an empty
one against a marked one 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.metrics.comparison import Comparison, Matched, compare, difference
from accord.metrics.ragged import Answer, Geometry, Pool, blocks
from accord.metrics.region_scores import Terms, matched_edges, scores
from accord.metrics.spec import Codes, accepted, metric
from accord.metrics.texts import NORMALIZE
from accord.registry import Option
from accord.values import FloatArray, Index, Kind, Region, Value

__all__ = ["Comparison", "Matched", "RegionMetric", "answers_of", "compare", "difference"]

MATCHING_OPTIONS = {
    "matching": Option("optimal", ("optimal", "greedy", "last"), "last compares only the last region of each side"),
    "min_overlap": Option(0.0, help="geometry must exceed this for two regions to match"),
}
COMBINE = Option("gate", ("gate", "average"), "gate: geometry times content; average: their mean")
LABELS = Option("auto", ("auto", "jaccard", "equal"), "label sets; auto: Jaccard, but equality in the threshold form")

Form = Literal["none", "labels", "text"]
Shapes: TypeAlias = Callable[[tuple[Region, ...]], Any]
"""Regions of one answer -> their geometry in the form in which it is compared."""


def regions_of(*types: type) -> Callable[[Value], tuple[Region, ...] | None]:
    """Function that takes answers whose regions all have one of the geometry types, and refuses others by None."""

    def regions(value: Value) -> tuple[Region, ...] | None:
        if isinstance(value, tuple) and all(isinstance(r, Region) and isinstance(r.geometry, types) for r in value):
            return value
        return None

    return regions


def answers_of(*types: type, shapes: Shapes) -> Callable[[Value], Answer | None]:
    """Prepare function for answers whose regions all have one of the geometry types."""
    fitting = regions_of(*types)

    def prepare(value: Value) -> Answer | None:
        regions = fitting(value)
        return None if regions is None else Answer(regions, shapes(regions))

    return prepare


@dataclass(frozen=True, slots=True)
class RegionMetric:
    """A geometry with its plain, labels and text forms."""

    geometry: Geometry
    content: Form
    accepts: frozenset[str]

    def scores(self, answers: Sequence[Answer], i: Codes, j: Codes, options: Mapping[str, Any]) -> FloatArray:
        """Scores of pairs of answers, (n,); NaN = not comparable."""
        pool = Pool(answers, self.geometry)
        return scores(pool, i, j, self.terms(pool, options))

    def matched(
        self, answers: Sequence[Answer], i: Codes, j: Codes, options: Mapping[str, Any]
    ) -> Iterator[tuple[Index, Index, Index, FloatArray]]:
        """Matched regions of pairs of answers, a block of pairs at a time.

        Yields the number of the pair, the numbers of both regions (counted through all answers) and their
        similarity, four arrays (E,).
        """
        pool = Pool(answers, self.geometry)
        terms = self.terms(pool, options)
        for block in blocks(pool.count[i] * pool.count[j]):
            edges = matched_edges(pool, i[block], j[block], terms)
            pairs = edges.pairs
            yield pairs.answers + block.start, pairs.left, pairs.right, edges.similarity

    def compare(self, left: Answer, right: Answer, options: Mapping[str, Any]) -> Comparison:
        """Match two answers under checked options."""
        pool = Pool((left, right), self.geometry)
        terms = self.terms(pool, options)
        edges = matched_edges(pool, np.array([0]), np.array([1]), terms)
        rows, columns = edges.pairs.left, edges.pairs.right - len(left.regions)
        known = bool(edges.known[0]) or not (left.regions and right.regions)
        return Comparison.of(
            left.regions, right.regions, (rows, columns), edges.geometry, edges.similarity, terms.matching, known
        )

    def terms(self, pool: Pool, options: Mapping[str, Any]) -> Terms:
        """How the regions of a pool are compared and matched under checked options."""
        own = {name: value for name, value in options.items() if name in self.accepts}
        score, bounds = self.geometry.score, self.geometry.bounds
        return Terms(
            geometry=lambda left, right: score(pool, left, right, **own),
            similarity=self._similarity(pool, options),
            matching=options["matching"],
            min_overlap=options["min_overlap"],
            bounds=None if bounds is None else lambda: bounds(pool.shapes),
            always_known=not (self.content == "text" and options["combine"] == "average"),
        )

    def _similarity(self, pool: Pool, options: Mapping[str, Any]) -> Callable[[Index, Index, FloatArray], FloatArray]:
        """Geometry times content, or their mean; geometry alone where neither region carries content."""
        if self.content == "none":
            return lambda _left, _right, geometry: geometry

        def similarity(left: Index, right: Index, geometry: FloatArray) -> FloatArray:
            if self.content == "labels":
                content = pool.contents.label_similarity(left, right, options["labels"])
            else:
                content = pool.contents.text_similarity(left, right, options["normalize"])
            if options["combine"] == "average":
                bare = 1.0 if self.content == "labels" else np.nan
                return (geometry + np.where(np.isnan(content), bare, content)) / 2.0
            return geometry * np.where(np.isnan(content), 1.0, content)

        return similarity


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
            shape="batch",
            cost=geometry.cost,
            family=key,
            options={**own, **MATCHING_OPTIONS, **more},
            threshold_options={"labels": "equal"} if content == "labels" else {},
            aliases=() if name in (key, f"{key}_{content}") else (f"{key}_{content}",),
            description=f"{words}.",
        )(_scorer(RegionMetric(geometry, content, frozenset(accepted(geometry.score, own)))))


_LABEL_OPTIONS = {"combine": COMBINE, "labels": LABELS}
_TEXT_OPTIONS = {"combine": COMBINE, "normalize": NORMALIZE}


def _scorer(form: RegionMetric) -> Callable[..., FloatArray]:
    def score(pool: Sequence[Answer], i: Codes, j: Codes, /, **options: Any) -> FloatArray:
        return form.scores(pool, i, j, options)

    score.__dict__["form"] = form
    return score
