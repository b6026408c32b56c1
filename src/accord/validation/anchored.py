"""The coefficient that people's judgements of sampled pairs lead to, and how far each measure is from it.

A difference estimator: the sum over all pairs under a calibrated measure, plus what people say of the sampled pairs
beyond it, weighted by what each stands for. Whatever the measure, it is right on average; a good one makes it sharp.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from accord.bench.figures import Figure
from accord.validation.calibration import Map, Method, chosen_method, fitted, out_of_fold, quality
from accord.validation.frame import Frame
from accord.validation.key import Key
from accord.validation.material import resampled
from accord.validation.side_by_side import limits
from accord.values import BoolArray, FloatArray, Index

RESAMPLES = 2000
#: Chance agreement this near to 1 leaves no coefficient.
NO_VARIATION = 1e-12


@dataclass(frozen=True)
class Judged:
    """Sampled pairs that people judged: places in the frame, answers, strata with their weights, all (n,)."""

    key: Key
    frame: Frame
    used: BoolArray
    answer: FloatArray

    @classmethod
    def of(cls, key: Key, answers: FloatArray) -> Judged:
        """Keep the pairs that have an answer; what was not answered counts as not drawn."""
        used = np.isfinite(answers)
        return cls(key, key.frame, used, answers[used])

    @property
    def pair(self) -> Index:
        """Places in the frame."""
        return self.key.sample.pair[self.used]

    @property
    def stratum(self) -> Index:
        """Strata."""
        return self.key.sample.stratum[self.used]

    @property
    def sizes(self) -> FloatArray:
        """Pairs of each stratum, (H,)."""
        return self.key.sample.pairs.astype(np.float64)

    @property
    def taken(self) -> FloatArray:
        """Judged pairs of each stratum, (H,)."""
        return np.bincount(self.stratum, minlength=len(self.sizes)).astype(np.float64)

    @property
    def weight(self) -> FloatArray:
        """Pairs of the frame that each judged one stands for."""
        return (self.sizes / np.maximum(self.taken, 1.0))[self.stratum]

    @property
    def within(self) -> BoolArray:
        """Whether a pair meets within a unit."""
        return np.asarray(self.frame.observed[self.pair] > 0)

    @property
    def balanced(self) -> FloatArray:
        """Weights with which pairs within and across units count half each, and otherwise as much as they stand for."""
        weight = self.weight.copy()
        for group in (self.within, ~self.within):
            if group.any():
                weight[group] /= weight[group].sum()
        return weight

    def total(self, of_all: FloatArray, beyond: FloatArray, factor: FloatArray) -> float:
        """Difference estimate of sum factor * answer over the frame: (K,) guesses, (n,) answers minus guesses."""
        return float(factor @ of_all) + float((self.weight * factor[self.pair]) @ beyond)

    def variance(self, beyond: FloatArray, factor: FloatArray) -> float:
        """Variance of that estimate over samples, from the spread within strata."""
        part = factor[self.pair] * beyond
        found = 0.0
        for h, (size, taken) in enumerate(zip(self.sizes, self.taken, strict=True)):
            if 0 < taken < size:
                mine = part[self.stratum == h]
                spread = float(np.var(mine, ddof=1)) if taken > 1 else float(mine[0] ** 2)
                found += size**2 * (1.0 - taken / size) * spread / taken
        return found


@dataclass(frozen=True, slots=True)
class AgainstPeople:
    """One measure: its coefficient, that minus people's, its distance from codes, and what its scores are worth."""

    measure: str
    value: Figure
    difference: Figure
    from_codes: Figure | None
    budget: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class RankChange:
    """Measures from the nearest to the farthest, by people and by codes, and Kendall's τ of both orders."""

    by_people: tuple[str, ...]
    by_codes: tuple[str, ...]
    tau: Figure


@dataclass(frozen=True)
class Anchored:
    """People's coefficient and all measures against it."""

    value: Figure
    observed: float
    expected: float
    design_error: float
    guide: str
    rows: tuple[AgainstPeople, ...]
    codes: Figure | None
    ranks: RankChange | None


def anchored(judged: Judged, seed: int = 0) -> Anchored:
    """Estimate people's coefficient by the measure that separates best, and compare every measure with it."""
    key, frame = judged.key, judged.frame
    all_scores = {name: frame.of(table) for name, table in key.data.scores.items()}
    guide = max(all_scores, key=lambda name: _separation(judged, all_scores[name]))
    scores, mine = all_scores[guide], all_scores[guide][judged.pair]
    method = chosen_method(judged.answer)
    guess = fitted(mine, judged.answer, judged.balanced, method)(scores)
    beyond = judged.answer - guess[judged.pair]
    observed = frame.same_observed + judged.total(guess, beyond, frame.observed)
    expected = frame.same_expected + judged.total(guess, beyond, frame.expected)
    value = (observed - expected) / (1.0 - expected) if 1.0 - expected > NO_VARIATION else math.nan
    # A map fitted without the pairs themselves shows how far off it is elsewhere.
    beyond = judged.answer - out_of_fold(mine, judged.answer, judged.balanced, method, seed)
    error = math.sqrt(judged.variance(beyond, frame.observed - (1.0 - value) * frame.expected)) / (1.0 - expected)
    weights = resampled(key.data.study.U, RESAMPLES, seed)
    people = _drawn(judged, guess, value, error, weights, seed)
    rows, codes, ranks = _compared(judged, value, people, weights)
    return Anchored(limits(value, people), observed, expected, error, guide, rows, codes, ranks)


def _separation(judged: Judged, scores: FloatArray) -> float:
    found = quality(scores[judged.pair], judged.answer, judged.balanced).auc
    return found if math.isfinite(found) else 0.0


def _drawn(judged: Judged, guess: FloatArray, value: float, error: float, weights: FloatArray, seed: int) -> FloatArray:
    """People's coefficient under other draws of units and of pairs, (B,)."""
    completed = guess.copy()
    completed[judged.pair] = judged.answer
    table = np.eye(judged.key.data.study.V)
    table[judged.frame.left, judged.frame.right] = completed
    table[judged.frame.right, judged.frame.left] = completed
    drawn = judged.key.data.drawn(table, weights)
    centre = judged.key.data.measured(table).value
    return drawn - centre + value + error * np.random.default_rng((seed, 2)).standard_normal(len(drawn))


def _compared(
    judged: Judged, value: float, people: FloatArray, weights: FloatArray
) -> tuple[tuple[AgainstPeople, ...], Figure | None, RankChange | None]:
    data = judged.key.data
    coded = data.coded()
    drawn_codes = None if coded is None else data.drawn_codes(weights)
    rows, far, far_codes = [], {}, {}
    for measure, table in data.scores.items():
        own, drawn = data.measured(table).value, data.drawn(table, weights)
        far[measure] = np.concatenate(([abs(own - value)], np.abs(drawn - people)))
        from_codes = None
        if coded is not None and drawn_codes is not None:
            from_codes = limits(own - coded.value, drawn - drawn_codes)
            far_codes[measure] = np.concatenate(([abs(own - coded.value)], np.abs(drawn - drawn_codes)))
        rows.append(
            AgainstPeople(
                measure,
                limits(own, drawn),
                limits(own - value, drawn - people),
                from_codes,
                _budget(judged, table),
            )
        )
    if coded is None or drawn_codes is None:
        return tuple(rows), None, None
    return tuple(rows), limits(coded.value, drawn_codes), _ranks(far, far_codes)


def _ranks(far: Mapping[str, FloatArray], far_codes: Mapping[str, FloatArray]) -> RankChange | None:
    """Orders by distance, and Kendall's τ between them with its interval over the draws."""
    if len(far) < 2:
        return None
    names = list(far)
    people, codes = (np.stack([some[name] for name in names]) for some in (far, far_codes))
    i, j = np.triu_indices(len(names), 1)
    tau = (np.sign(people[i] - people[j]) * np.sign(codes[i] - codes[j])).mean(axis=0)
    return RankChange(
        tuple(sorted(names, key=lambda name: far[name][0])),
        tuple(sorted(names, key=lambda name: far_codes[name][0])),
        limits(float(tau[0]), tau[1:]),
    )


def _budget(judged: Judged, table: FloatArray) -> tuple[float, float, float, float]:
    """Mean score of pairs that people call equivalent and of others, within units, then across."""
    scores = judged.frame.of(table)[judged.pair]
    found = []
    for group, factor in ((judged.within, judged.frame.observed), (~judged.within, judged.frame.expected)):
        weight = (judged.weight * factor[judged.pair])[group]
        for answer in (judged.answer[group], 1.0 - judged.answer[group]):
            total = float((weight * answer).sum())
            found.append(float((weight * answer) @ scores[group]) / total if total > 0 else math.nan)
    return found[0], found[1], found[2], found[3]


def map_of(judged: Judged, measure: str) -> tuple[Map, Method]:
    """Map of a measure's scores to people's answers, and which one it is."""
    method = chosen_method(judged.answer)
    scores = judged.frame.of(judged.key.data.scores[measure])[judged.pair]
    return fitted(scores, judged.answer, judged.balanced, method), method
