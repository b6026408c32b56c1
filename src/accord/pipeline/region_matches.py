"""Regions of all raters matched pair by pair: what detection scores, losses, clusters and drawings rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from accord.metrics.comparison import Comparison
from accord.metrics.contents import numbered
from accord.metrics.ragged import Answer, Pool, blocks
from accord.metrics.region_scores import matched_edges
from accord.metrics.regions import RegionMetric
from accord.pipeline.question import Question
from accord.pipeline.scores import Pairs
from accord.similarity.sampled import Sampled
from accord.similarity.scored import MetricSimilarity
from accord.values import EMPTY, BoolArray, FloatArray, Index, IntArray, Region

#: Pairs of answers matched at a time, whole units always together.
AT_ONCE = 1 << 15
#: Matched regions that are kept, so that they need not be matched again.
MOST_KEPT = 1 << 22


@dataclass(frozen=True, slots=True)
class Matched:
    """Matched regions of P pairs of answers, E in all.

    ``cells`` are the answers of each pair, two arrays (P,); ``sizes`` how many regions they hold; ``score`` (P,) is
    NaN where they cannot be compared, ``weight`` (P,) the mean weight of their labels. For every matched pair of
    regions (E,): number of its pair of answers, position of both regions in their answers, geometry, similarity.
    """

    cells: tuple[Index, Index]
    sizes: tuple[Index, Index]
    score: FloatArray
    weight: FloatArray
    pair: Index
    left: Index
    right: Index
    geometry: FloatArray
    similarity: FloatArray


class RegionMatches:
    """The regions of one control, matched as its pairwise metric matches them.

    Positions count the regions of an answer from 0, in the order of the source; strokes that the metric unites first
    count as one.
    """

    def __init__(self, question: Question, form: RegionMetric) -> None:
        self.question = question
        self.study = question.study
        self._form = form
        self._options = question.choice.settled
        self._kept: dict[tuple[int, int], Matched] = {}

    @classmethod
    def of(cls, question: Question) -> RegionMatches | None:
        """Matches of a control, made once for a question; None where regions are not matched one to one.

        That is so for metrics that compare answers whole, and where only the last region counts.
        """
        form = question.choice.spec.function.__dict__.get("form")
        last = question.plan.compat is not None or question.choice.options.get("matching") == "last"
        if last or not isinstance(form, RegionMetric):
            return None
        found: RegionMatches = question.kept.setdefault("region matches", cls(question, form))
        return found

    @cached_property
    def answers(self) -> list[Answer | None]:
        """Prepared values (V,), None where the metric does not take them."""
        spec, values = self.question.choice.spec, self.study.values
        known = _forms_at_hand(self.question)
        if known is None:
            return spec.prepared([() if value is EMPTY else value for value in values], self._options)
        nothing = spec.prepared([()], self._options)[0]
        return [nothing if value is EMPTY else form for value, form in zip(values, known, strict=True)]

    @cached_property
    def count(self) -> Index:
        """Regions of every value, (V,)."""
        return np.array([0 if answer is None else len(answer.regions) for answer in self.answers], dtype=np.int64)

    @cached_property
    def start(self) -> Index:
        """Number of the first region of every value, (V,), all regions of all values numbered through."""
        return np.cumsum(self.count) - self.count

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """All regions of all values, (N,)."""
        return tuple(chain.from_iterable(() if answer is None else answer.regions for answer in self.answers))

    @cached_property
    def label_sets(self) -> tuple[Index, tuple[frozenset[str], ...]]:
        """Number of the label set of every region, (N,), and the distinct sets."""
        return numbered([region.labels for region in self.regions])

    def named(self, value: Index | IntArray, position: Index) -> Index:
        """Label sets of regions, given as values and positions, (n,)."""
        return self.label_sets[0][self.start[value] + position]

    def parts(self) -> Iterator[Matched]:
        """All matched regions, some units at a time."""
        for units in blocks(self.study.m * (self.study.m - 1) // 2 + 1, AT_ONCE):
            yield self.within(units.start, units.stop)

    def within(self, first: int, stop: int) -> Matched:
        """Matched regions of the units ``first`` to ``stop``."""
        if (first, stop) in self._kept:
            return self._kept[first, stop]
        matched = self._within(first, stop)
        if sum(len(part.pair) for part in self._kept.values()) + len(matched.pair) <= MOST_KEPT:
            self._kept[first, stop] = matched
        return matched

    def _within(self, first: int, stop: int) -> Matched:
        found = list(self.question.scores.between(first, stop))
        columns = [(p.left, p.right, p.score, p.weight) for p in found]
        pairs = Pairs(*map(np.concatenate, zip(*columns, strict=True))) if found else _NO_PAIRS
        return self._matched(pairs)

    def _matched(self, pairs: Pairs) -> Matched:
        code = self.study.code.astype(np.int64)
        i, j = code[pairs.left], code[pairs.right]
        use = np.flatnonzero(np.isfinite(pairs.score) & (self.count[i] > 0) & (self.count[j] > 0))
        found = [self._edges(i[use[block]], j[use[block]], use[block]) for block in self._blocks(i[use], j[use])]
        columns = [np.concatenate(column) for column in zip(*found, strict=True)] if found else _no_edges()
        sizes = (self.count[i], self.count[j])
        return Matched((pairs.left, pairs.right), sizes, pairs.score, pairs.weight, *columns)

    def _blocks(self, i: Index, j: Index) -> Iterator[slice]:
        return blocks(self.count[i] * self.count[j])

    def _edges(self, i: Index, j: Index, number: Index) -> tuple[Any, ...]:
        """Match some pairs of values; ``number`` (n,) is what each pair is called."""
        used, place = np.unique(np.concatenate((i, j)), return_inverse=True)
        left, right = np.split(place, 2)
        pool = Pool([answer for k in used.tolist() if (answer := self.answers[k]) is not None], self._form.geometry)
        edges = matched_edges(pool, left, right, self._form.terms(pool, self._options))
        at = edges.pairs.answers
        positions = edges.pairs.left - pool.start[left[at]], edges.pairs.right - pool.start[right[at]]
        return number[at], *positions, edges.geometry, edges.similarity

    def regions_of(self, cell: int) -> tuple[Region, ...]:
        """Regions of an answer."""
        answer = self.answers[self.study.code[cell]]
        return () if answer is None else answer.regions

    def comparisons(self, unit: int, most: int | None = None) -> dict[tuple[int, int], Comparison]:
        """How the answers to one unit fit together, by their cells: all of them or the first ``most``."""
        first, stop = int(self.study.start[unit]), int(self.study.start[unit + 1])
        stop = stop if most is None else min(stop, first + most)
        found = {}
        for a in range(first, stop):
            for b in range(a + 1, stop):
                left, right = (self.answers[self.study.code[cell]] for cell in (a, b))
                if left is not None and right is not None:
                    found[a, b] = self._form.compare(left, right, self._options)
        return found


def _forms_at_hand(question: Question) -> Sequence[Any] | None:
    """Values prepared for the metric, (V,); None if nothing has scored pairs yet."""
    made = vars(question).get("pair_similarity")
    exact = made.exact if isinstance(made, Sampled) else made
    return exact.forms if isinstance(exact, MetricSimilarity) else None


def _no_edges() -> Sequence[Any]:
    none = np.empty(0, dtype=np.int64)
    return none, none, none, np.empty(0), np.empty(0)


_NO_PAIRS = Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))


def unequal(matches: RegionMatches, matched: Matched) -> BoolArray:
    """Matched regions whose labels differ, (E,)."""
    code = matches.study.code
    a = matches.named(code[matched.cells[0][matched.pair]], matched.left)
    b = matches.named(code[matched.cells[1][matched.pair]], matched.right)
    return np.asarray(a != b)
