"""What relations lose: regions that only one rater marked, or the relation itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from accord.coefficients.estimate import finite
from accord.dataset import Column
from accord.metrics.relations import RelationLoss, relation_loss
from accord.pipeline.question import Question
from accord.values import EMPTY, FloatArray, Index, IntArray, Kind, Region, Value

MOST_PAIRS = 2000
REGION, RELATION = "a region only one rater marked", "the relation itself"
SPLIT_BY = ("direction", "edge_labels", "min_overlap")


@dataclass(frozen=True, slots=True)
class RelationsLost:
    """Edges of relations over ``pairs`` pairs of answers, out of ``of``: shared ones, and those of one rater only.

    ``region``: an end that the other rater did not mark; ``relation``: both ends are marked, the edge is not there, or
    has another label or direction. ``losses`` add up to what the mean pairwise score lacks to 1.
    """

    pairs: int
    of: int
    shared: int
    region: int
    relation: int
    losses: Mapping[str, float]

    @property
    def types(self) -> Mapping[str, float]:
        """Loss by kind in words, the largest first."""
        named = {REGION: self.losses["region"], RELATION: self.losses["relation"]}
        return {kind: lost for kind, lost in sorted(named.items(), key=lambda item: -item[1]) if lost > 0.0}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        found: dict[str, Any] = finite(asdict(self))
        return found


def relations_lost(question: Question) -> RelationsLost | None:
    """Edges that raters share and do not share, by what they lack; many pairs of answers: a seeded sample.

    None for other kinds, for metrics that do not match the regions of relations, and where nothing can be compared.
    """
    study = question.study
    if study.kind is not Kind.RELATIONS or not study.P or question.choice.spec.key != "relation_match":
        return None
    left, right = study.pairs
    if len(left) > MOST_PAIRS:
        chosen = np.random.default_rng(question.plan.seed).choice(len(left), MOST_PAIRS, replace=False)
        left, right = left[chosen], right[chosen]
    found = list(_losses(question, left, right))
    edges = np.array([(loss.shared, loss.region, loss.relation) for loss in found], dtype=np.int64)
    scores = np.array([loss.score for loss in found])
    shared, region, relation = edges.sum(axis=0).tolist()
    return RelationsLost(len(left), study.P, shared, region, relation, _split(question, left, edges, scores))


def _split(question: Question, left: Index, edges: Index, scores: FloatArray) -> Mapping[str, float]:
    """What the mean pairwise score lacks to 1, in two parts: pairs count as there, every task alike."""
    study, per_unit = question.study, question.scores.per_unit
    known = np.isfinite(per_unit)
    if not known.any():
        return {"region": math.nan, "relation": math.nan}
    weight = (1.0 - scores) / study.m[study.unit[left]] / (study.m[study.unit[left]] - 1)
    share = weight[:, None] * edges[:, 1:] / np.maximum(edges[:, 1:].sum(axis=1), 1)[:, None]
    weights = question.scores.unit_weight[known] if question.wish.label_weights else None
    lost = 1.0 - float(np.average(per_unit[known], weights=weights))
    region, relation = (share.sum(axis=0) / (share.sum() or 1.0) * lost).tolist()
    return {"region": region, "relation": relation}


def _losses(question: Question, left: Index, right: Index) -> Iterator[RelationLoss]:
    study = question.study
    options = {name: question.choice.options[name] for name in SPLIT_BY}
    marked = _Marked(question)
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        values = (_relations(study.values[study.code[cell]]) for cell in (a, b))
        yield relation_loss(*values, more=(marked.by(a), marked.by(b)), **options)


def _relations(value: Value) -> Value:
    return () if value is EMPTY else value


class _Marked:
    """Regions of every annotator on every unit."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._raters = {rater.name: number for number, rater in enumerate(question.dataset.raters)}
        columns = question.dataset.columns.values()
        self._columns = [c for c in columns if c.control.kind.is_region and c.control.kind is not Kind.RELATIONS]
        self._keys = [self._key(column.unit, column.rater) for column in self._columns]

    def _key(self, unit: IntArray, rater: IntArray) -> Index:
        return unit.astype(np.int64) * len(self._raters) + rater

    def by(self, cell: int) -> list[tuple[str, Region]]:
        """Regions that the annotator of an answer marked on its unit, with their controls."""
        study = self._question.study
        rater = self._raters.get(str(study.rater_names[study.rater[cell]]))
        if rater is None:
            return []
        unit = int(self._question.places[study.unit[cell]])
        wanted = unit * len(self._raters) + rater
        found: list[tuple[str, Region]] = []
        for column, keys in zip(self._columns, self._keys, strict=True):
            for place in range(*np.searchsorted(keys, (wanted, wanted + 1)).tolist()):
                found += [(column.control.name, region) for region in _regions(column, place)]
        return found


def _regions(column: Column, place: int) -> list[Region]:
    value = column.values[column.code[place]]
    return [part for part in value if isinstance(part, Region)] if isinstance(value, tuple) else []
