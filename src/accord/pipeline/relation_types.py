"""What relations lose: regions that only one rater marked, or the relation itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from accord.dataset import Column
from accord.metrics.relations import RelationLoss, relation_loss
from accord.pipeline.question import Question
from accord.values import EMPTY, Index, IntArray, Kind, Region, Value

MOST_PAIRS = 2000
REGION, RELATION = "a region only one rater marked", "the relation itself"
SPLIT_BY = ("direction", "edge_labels", "min_overlap")


def relation_types(question: Question) -> Mapping[str, float]:
    """Edges of one rater only, by what they lack. Many pairs: a seeded sample."""
    if question.choice.spec.key != "relation_match":
        return {}
    left, right = question.study.pairs
    if len(left) > MOST_PAIRS:
        chosen = np.random.default_rng(question.plan.seed).choice(len(left), MOST_PAIRS, replace=False)
        left, right = left[chosen], right[chosen]
    found = list(_losses(question, left, right))
    amounts = {REGION: float(sum(f.region for f in found)), RELATION: float(sum(f.relation for f in found))}
    return {kind: amount for kind, amount in sorted(amounts.items(), key=lambda item: -item[1]) if amount}


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
