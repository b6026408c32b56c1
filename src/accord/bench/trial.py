"""One measure on one replicate: soft against true coefficient at every level and rate, and where the error is from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from accord.bench.drawing import Answers, Draw
from accord.bench.set_scores import distinct_sets, set_table
from accord.bench.settings import Settings
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.similarity.core import Dense
from accord.study import Study
from accord.values import FloatArray, Index


@dataclass(frozen=True, slots=True)
class Run:
    """One study under one measure.

    Attributes
    ----------
    level, rate
        Wanted level of agreement and rate of synonyms.
    truth, value
        The coefficient of the concepts, and of the texts; NaN where undefined.
    observed, expected, true_observed, true_expected
        Their parts.
    hit_within, false_within, hit_across, false_across
        Mean score of equivalent and of other pairs of elements: of the same item, and of all items; NaN where there are
        none.
    spread
        Standard deviation of chance agreement estimated by one random permutation.
    unique, effective
        Distinct texts a text, and the effective number of different texts.
    """

    level: float
    rate: float
    truth: float
    value: float
    observed: float
    expected: float
    true_observed: float
    true_expected: float
    hit_within: float
    false_within: float
    hit_across: float
    false_across: float
    spread: float
    unique: float
    effective: float

    @property
    def error(self) -> float:
        """Estimate minus truth."""
        return self.value - self.truth


class Trial:
    """A draw with the truth of every level and rate, which is the same for all measures."""

    def __init__(self, draw: Draw, settings: Settings) -> None:
        self.draw, self.settings = draw, settings
        self._concepts = np.eye(int(max(draw.concept.max(), draw.other.max())) + 1)
        self._studies = [
            (level, number, *self._study(level, number))
            for level in settings.levels
            for number in range(len(settings.rates))
        ]

    def _study(self, level: float, number: int) -> tuple[tuple[Answers, Answers], _Measured]:
        # The second annotator also agrees by chance.
        chance = 1.0 / len(self.draw.concept)
        answers = self.draw.answers(level + (1.0 - level) * chance, number)
        members = answers[0].concept, answers[1].concept
        return answers, _measured(self.draw, members, answers, self._concepts, self.settings)

    def runs(self, scores: FloatArray) -> list[Run]:
        """Measure every study by the scores of the texts, (T, T)."""
        return [_run(self, scores, *study) for study in self._studies]


def _run(
    trial: Trial, scores: FloatArray, level: float, number: int, answers: tuple[Answers, Answers], true: _Measured
) -> Run:
    draw, settings = trial.draw, trial.settings
    first, second = answers
    soft = _measured(draw, (first.text, second.text), answers, scores, settings)
    said = np.concatenate((first.text, second.text))
    share = np.bincount(said, minlength=len(scores)) / len(said)
    return Run(
        level,
        settings.rates[number],
        true.value,
        soft.value,
        soft.observed,
        soft.expected,
        true.observed,
        true.expected,
        *_budget(first, second, scores, unbiased=settings.chance == "unbiased"),
        soft.spread,
        len(np.unique(said)) / len(said),
        float(1.0 / (share @ _known(scores) @ share)),
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    value: float
    observed: float
    expected: float
    spread: float


def _measured(
    draw: Draw, members: tuple[Index, Index], answers: tuple[Answers, Answers], scores: FloatArray, settings: Settings
) -> _Measured:
    """The coefficient of two annotators whose answers have these members."""
    codes, table = _coded(draw, members, answers, scores, settings.set_measure)
    raters = np.tile(np.array([0, 1], dtype=np.int32), draw.items)
    study = Study(
        unit=np.repeat(np.arange(draw.items, dtype=np.int32), 2),
        rater=raters,
        code=codes.T.ravel().astype(np.int32),
        values=tuple(range(len(table))),
        unit_names=range(draw.items),  # type: ignore[arg-type]
        rater_names=("first", "second"),
    )
    spec = COEFFICIENTS.catalog()[settings.coefficient]
    options = {"chance": settings.chance} if settings.chance != "classical" else None
    found = estimate(spec, study, Dense(table, "texts"), options=options, ci=None)
    return _Measured(found.value, found.observed, found.expected, permutation_spread(_known(table[np.ix_(*codes)])))


def _coded(
    draw: Draw, members: tuple[Index, Index], answers: tuple[Answers, Answers], scores: FloatArray, measure: str
) -> tuple[Index, FloatArray]:
    """Codes of both annotators' answers, (2, items), and the similarities of what they stand for."""
    if len(draw.item) == draw.items:
        used, codes = np.unique(np.concatenate(members), return_inverse=True)
        return codes.reshape(2, -1), scores[np.ix_(used, used)]
    width = int(np.bincount(draw.item).max())
    rows = np.full((2, draw.items, width), -1, dtype=np.int64)
    for side in (0, 1):
        found = distinct_sets(answers[side].item, members[side], draw.items)
        rows[side, :, : found.shape[1]] = found
    used, codes = np.unique(rows.reshape(-1, width), axis=0, return_inverse=True)
    return codes.reshape(2, -1), set_table(used, scores, measure)


def _budget(
    first: Answers, second: Answers, scores: FloatArray, *, unbiased: bool
) -> tuple[float, float, float, float]:
    """Mean scores of equivalent and other pairs of elements, of the same item and of all (or all other) items."""
    table = scores[np.ix_(first.text, second.text)]
    same = first.concept[:, None] == second.concept[None, :]
    within = first.item[:, None] == second.item[None, :]
    across = ~within if unbiased else np.ones_like(within)
    return (
        _mean(table[within & same]),
        _mean(table[within & ~same]),
        _mean(table[across & same]),
        _mean(table[across & ~same]),
    )


def _mean(values: FloatArray) -> float:
    return float(np.nanmean(values)) if np.isfinite(values).any() else math.nan


def _known(table: FloatArray) -> FloatArray:
    """Scores with the mean in place of those that are missing, where only a spread is wanted."""
    return np.nan_to_num(table, nan=float(np.nanmean(table)))


def permutation_spread(table: FloatArray) -> float:
    """Standard deviation of the mean of s(i, permuted i) over all random permutations of n answers, from (n, n) scores.

    References
    ----------
    Hoeffding 1951, A combinatorial central limit theorem.

    Examples
    --------
    >>> round(permutation_spread(np.eye(2)), 12)
    0.5
    """
    n = len(table)
    centred = table - table.mean(axis=0) - table.mean(axis=1)[:, None] + table.mean()
    return math.sqrt(float((centred**2).sum()) / (n * n * (n - 1)))
