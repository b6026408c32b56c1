"""The interval methods: score, exact, analytic, jackknife, percentile bootstrap, BCa."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from accord.coefficients.estimate import Interval
from accord.inference.analytic import Variance, jackknife_variance, t_quantile, variance
from accord.inference.case import Case, Found, Request
from accord.inference.generalise import rater_variance, together
from accord.inference.jackknife import refit_variance
from accord.inference.resample import bca_limits, bootstrap, leave_one_out, percentile_limits
from accord.inference.rows import Sample, by_cluster, distinct, number
from accord.inference.score import score_limits, typical_disagreement


@dataclass(frozen=True, slots=True)
class Spread:
    """Variance over units, over raters where the interval is to hold for others too, and of a sampled chance term."""

    units: Variance
    raters: Variance | None = None
    chance: float = 0.0

    @property
    def total(self) -> Variance:
        """All together."""
        both = self.units if self.raters is None else together(self.units, self.raters)
        return replace(both, value=both.value + self.chance)


def _spread(case: Case, request: Request, *, jackknife: bool = False) -> Spread:
    if case.tally is None:
        found = refit_variance(case.spec, case.study, case.similarity, case.options, request.groups, request.seed)
    elif jackknife:
        sample = _sample(case, request)
        found = jackknife_variance(leave_one_out(case.spec, sample, case.tally.context), sample.count)
    else:
        found = variance(case.spec, case.tally, case.parts, request.groups)
    if request.generalise == "units":
        return Spread(found, chance=case.chance_variance)
    raters = rater_variance(case.spec, case.study, case.similarity, case.options)
    return Spread(found, raters, case.chance_variance)


def _sample(case: Case, request: Request) -> Sample:
    if case.tally is None:
        raise TypeError(f"{case.spec.key} has no rows")
    return distinct(by_cluster(case.tally.rows, request.groups))


def _score(case: Case, request: Request) -> Found:
    found = _spread(case, request)
    limits = limits_of_score(case, request, found)
    return Found(found.total.se, None if limits is None else interval_of(case, request, *limits, "score"))


def limits_of_score(case: Case, request: Request, found: Spread) -> tuple[float, float] | None:
    """Limits of the score interval; None with fewer than two units (clusters) or without a chance term."""
    units, clusters = case.counts.units, None
    if request.groups is not None:
        clusters = len(np.unique(request.groups[case.study.m > 1]))
    df = (units if clusters is None else clusters) - 1.0
    if request.level is None or df < 1 or math.isnan(case.chance):
        return None
    known = math.isfinite(found.units.value)
    low, high = score_limits(
        number(case.parts.observed),
        case.chance,
        found.units.value if known else 0.0,
        units=units,
        support=found.units.support if known else 0.0,
        quantile=t_quantile(request.level, df if found.raters is None else found.total.df),
        level=request.level,
        size=typical_disagreement(case.study, case.similarity) if case.spec.needs == "similarity" else 1.0,
        clusters=clusters,
        extra=found.chance + (found.raters.value if found.raters is not None else 0.0),
    )
    return float(low), float(high)


def _analytic(case: Case, request: Request) -> Found:
    return _t_interval(case, request, _spread(case, request).total, "analytic")


def _jackknife(case: Case, request: Request) -> Found:
    return _t_interval(case, request, _spread(case, request, jackknife=True).total, "jackknife")


def _t_interval(case: Case, request: Request, found: Variance, method: str) -> Found:
    if request.level is None or found.df < 1 or not math.isfinite(found.value):
        return Found(math.nan, None)
    half = t_quantile(request.level, found.df) * found.se
    return Found(found.se, interval_of(case, request, case.value - half, case.value + half, method))


def _resampled(case: Case, request: Request, method: str) -> Found:
    sample = _sample(case, request)
    if case.tally is None or request.level is None or sample.units < 2:
        return Found(math.nan, None)
    context = case.tally.context
    drawn = bootstrap(case.spec, sample, context, request.resamples, request.seed)
    notes: tuple[str, ...] = ()
    if drawn.undefined:
        notes = (f"{drawn.undefined} of {request.resamples} resamples were undefined and left out.",)
    if len(drawn.values) < 2:
        return Found(math.nan, None, notes)
    if method == "bca":
        limits = bca_limits(case.spec, sample, context, case.value, drawn, request.level)
    else:
        limits = percentile_limits(drawn, request.level)
    return Found(float(drawn.values.std(ddof=1)), interval_of(case, request, *limits, method), notes)


def _bca(case: Case, request: Request) -> Found:
    return _resampled(case, request, "bca")


def _percentile(case: Case, request: Request) -> Found:
    return _resampled(case, request, "bootstrap")


def exact_limits(case: Case, request: Request) -> tuple[float, float] | None:
    """Limits by the coefficient's own distribution theory, None where it does not hold."""
    if case.spec.interval is None or request.level is None:
        return None
    return case.spec.interval(case.study, case.parts, case.options, request.level)


def _exact(case: Case, request: Request) -> Found:
    limits = exact_limits(case, request)
    return Found(
        _spread(case, request).total.se, None if limits is None else interval_of(case, request, *limits, "exact")
    )


def interval_of(case: Case, request: Request, low: float, high: float, method: str) -> Interval:
    """Interval cut at the largest possible value."""
    level = request.level if request.level is not None else math.nan
    return Interval(low, min(high, case.spec.upper), level, method)


METHODS = {
    "score": _score,
    "exact": _exact,
    "analytic": _analytic,
    "jackknife": _jackknife,
    "bootstrap": _percentile,
    "bca": _bca,
}
