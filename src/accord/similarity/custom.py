"""Custom code as a similarity: annotations as values, scored in the sandbox."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from accord.metrics.spec import MetricSpec
from accord.registry import Option
from accord.sandbox import CustomCode, Failure, FailureKind, Outcome, score_pairs
from accord.similarity.scored import MetricSimilarity, cut
from accord.values import FloatArray, Index, IntArray, Raw, Value

#: Score from which two annotations count as equal where a yes or no is needed.
THRESHOLD: Final = 0.5
OPTIONS: Final = MappingProxyType({"per_label": Option(False, (False, True), "Ask the code for scores by label.")})


@dataclass
class Tally:
    """What came of the pairs within units: how many, failed by kind with the first of each, scores by label."""

    pairs: int = 0
    none: int = 0
    clamped: int = 0
    failed: Counter[FailureKind] = field(default_factory=Counter)
    first: dict[FailureKind, Failure] = field(default_factory=dict)
    labels: dict[str, tuple[float, int]] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Count one pair, scored in one direction or as the mean of both."""
        self.pairs += 1
        self.clamped += outcome.clamped
        if outcome.failure is not None:
            kind = outcome.failure.kind
            self.failed[kind] += 1
            if kind not in self.first or self.first[kind].line is None:
                self.first[kind] = outcome.failure
        elif outcome.score is None:
            self.none += 1
        for label, value in outcome.labels.items():
            total, count = self.labels.get(label, (0.0, 0))
            self.labels[label] = (total + value, count + 1)


@dataclass(frozen=True)
class CustomScores:
    """Custom code with its options; ``one_way`` scores the earlier annotation against the later only."""

    code: CustomCode
    one_way: bool = False
    tally: Tally = field(default_factory=Tally)

    @cached_property
    def spec(self) -> MetricSpec:
        """Declare the code as a metric of single pairs."""
        return MetricSpec(
            key=f"custom:{self.code.name}@{self.code.version}",
            function=self._single,
            kinds=frozenset(),
            reference="custom code",
            prepare=_text,
            options=OPTIONS,
            threshold=THRESHOLD,
            family="custom",
            title=f"Custom code {self.code.name}",
            summary="Score that custom code gives to two annotations.",
        )

    def _single(self, a: str, b: str, /, **options: Any) -> float | None:
        return self.outcomes([a, b], [(0, 1)], options)[0].score

    def outcomes(
        self, texts: Sequence[str], pairs: Sequence[tuple[int, int]], options: Mapping[str, Any]
    ) -> list[Outcome]:
        """Score pairs, in both directions unless the code says that it is symmetric."""
        given = {name: value for name, value in options.items() if value}
        if self.one_way or self.code.symmetric:
            return score_pairs(self.code, texts, pairs, options=given)
        found = score_pairs(self.code, texts, [*pairs, *((j, i) for i, j in pairs)], options=given)
        return [_mean(one, other) for one, other in zip(found[: len(pairs)], found[len(pairs) :], strict=True)]


def _text(value: Value) -> str | None:
    return value.json if isinstance(value, Raw) else None


def _mean(one: Outcome, other: Outcome) -> Outcome:
    """Mean of both directions; none where either has no score."""
    failure = one.failure or other.failure
    if failure is not None or one.score is None or other.score is None:
        return Outcome(None, failure=failure)
    labels = {name: (one.labels[name] + other.labels[name]) / 2 for name in one.labels if name in other.labels}
    return Outcome((one.score + other.score) / 2, labels, clamped=one.clamped or other.clamped)


class CustomSimilarity(MetricSimilarity):
    """Custom code over V annotations: an annotation equals itself.

    ``unit`` (V,) says which task an annotation belongs to. Unless the code declares that scores between tasks mean
    something, annotations of different tasks cannot be compared.
    """

    def __init__(
        self,
        values: Sequence[Value],
        unit: IntArray,
        scores: CustomScores,
        options: Mapping[str, Any],
        threshold: float | None = None,
    ) -> None:
        super().__init__(values, scores.spec, options, threshold)
        self._unit, self._custom, self._cut = unit, scores, threshold

    def _score(self, i: Index, j: Index) -> FloatArray:
        scores = np.where(i == j, 1.0, np.nan)
        within = self._unit[i] == self._unit[j]
        wanted = np.flatnonzero((i != j) & (within | self._custom.code.comparable_across_units))
        texts = [text or "" for text in self._pool]
        found = self._custom.outcomes(
            texts, list(zip(i[wanted].tolist(), j[wanted].tolist(), strict=True)), self._options
        )
        for place, outcome in zip(wanted.tolist(), found, strict=True):
            scores[place] = np.nan if outcome.score is None else outcome.score
            if within[place]:
                self._custom.tally.add(outcome)
        return scores if self._cut is None else cut(scores, self._cut)
