"""Numbers over replicates, with percentile intervals by resampling replicates.

All levels and rates of one replicate share its items, so a replicate is what is drawn again, as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from accord.bench.trial import Run
from accord.values import FloatArray

RESAMPLES = 2000
TAIL = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and its 95 % interval; NaN where it does not exist."""

    value: float
    low: float
    high: float


class Replicates:
    """Runs of one measure by replicate; sums of them are all that is needed."""

    def __init__(self, groups: Sequence[Sequence[Run]], seed: int = 0) -> None:
        self.runs = [run for group in groups for run in group]
        of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        error = np.array([run.error for run in self.runs])
        truth = np.array([run.truth for run in self.runs])
        known = np.isfinite(error)
        self.undefined = int((~known).sum())
        x, y = np.where(known, truth, 0.0), np.where(known, truth + error, 0.0)
        e = np.where(known, error, 0.0)
        parts = (known.astype(np.float64), np.abs(e), e, e * e, x, y, x * y, x * x)
        self._sums: FloatArray = np.stack([np.bincount(of, part, len(groups)) for part in parts], axis=1)
        weights = np.random.default_rng(seed).multinomial(
            len(groups), np.full(len(groups), 1.0 / len(groups)), size=RESAMPLES
        )
        self._drawn: FloatArray = weights @ self._sums
        self._total: FloatArray = self._sums.sum(axis=0)
        self.largest = float(np.abs(e).max(initial=0.0)) if known.any() else math.nan

    @property
    def each(self) -> FloatArray:
        """Mean absolute error of each replicate, (R,)."""
        return _ratio(self._sums[:, 1], self._sums[:, 0])

    def figure(self, what: Callable[[FloatArray], FloatArray]) -> Figure:
        """A function of the sums, with its interval."""
        value = float(what(self._total[None, :])[0])
        drawn = what(self._drawn)
        drawn = drawn[np.isfinite(drawn)]
        if not len(drawn) or not math.isfinite(value):
            return Figure(value, math.nan, math.nan)
        low, high = np.percentile(drawn, TAIL)
        return Figure(value, float(low), float(high))


def mae(sums: FloatArray) -> FloatArray:
    """Mean absolute error, (n,)."""
    return _ratio(sums[:, 1], sums[:, 0])


def bias(sums: FloatArray) -> FloatArray:
    """Mean error, (n,)."""
    return _ratio(sums[:, 2], sums[:, 0])


def rmse(sums: FloatArray) -> FloatArray:
    """Root of the mean squared error, (n,)."""
    return np.sqrt(_ratio(sums[:, 3], sums[:, 0]))


def slope(sums: FloatArray) -> FloatArray:
    """Slope of the estimate on the truth by least squares, (n,)."""
    n, x, y, xy, xx = (sums[:, k] for k in (0, 4, 5, 6, 7))
    return _ratio(n * xy - x * y, n * xx - x * x)


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)


def rank_correlation(runs: Sequence[Run]) -> float:
    """Spearman's correlation of estimates with truths; NaN without variation."""
    from scipy.stats import rankdata

    pairs = [(run.truth, run.value) for run in runs if math.isfinite(run.error)]
    if len(pairs) < 2:
        return math.nan
    x, y = (rankdata(side) - (len(pairs) + 1) / 2 for side in zip(*pairs, strict=True))
    whole = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / whole if whole > 0 else math.nan
