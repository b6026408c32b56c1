"""Which interval, and how it is found: score, exact, analytic, jackknife, percentile bootstrap, BCa."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.coefficients.estimate import Interval
from accord.coefficients.spec import CoefficientSpec, Options, Parts, Tally
from accord.errors import UsageError
from accord.inference.analytic import Variance, jackknife_variance, t_quantile, variance
from accord.inference.generalise import ENOUGH_RATERS, check_raters, rater_variance, together
from accord.inference.jackknife import refit_variance
from accord.inference.resample import bca_limits, bootstrap, leave_one_out, percentile_limits
from accord.inference.rows import Sample, by_cluster, distinct, number
from accord.inference.score import score_limits, typical_disagreement
from accord.inference.undefined import Counts
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import IntArray

Method: TypeAlias = Literal["score", "exact", "analytic", "bootstrap", "bca", "jackknife", "none"]
METHODS: tuple[str, ...] = get_args(Method)

#: Narrower than this is no interval at all.
NO_WIDTH = 1e-12


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    level: float | None
    method: Method | None
    resamples: int
    groups: IntArray | None
    generalise: Literal["units", "units+raters"]
    seed: int


@dataclass(frozen=True, slots=True)
class Case:
    """A computed coefficient whose interval is wanted."""

    spec: CoefficientSpec
    study: Study
    similarity: Similarity
    options: Options
    counts: Counts
    parts: Parts
    tally: Tally | None

    @property
    def value(self) -> float:
        """The estimate."""
        return number(self.parts.value)

    @property
    def chance(self) -> float:
        """Expected agreement that makes value = (observed - expected) / (1 - expected); NaN if there is none.

        Means of several kappas are not quite of this form; the chance term that gives their value stands in.
        """
        observed, expected = number(self.parts.observed), number(self.parts.expected)
        value = self.value
        if math.isnan(observed) or math.isnan(expected) or 1.0 - value < NO_WIDTH:
            return expected
        return (observed - value) / (1.0 - value)


@dataclass(frozen=True, slots=True)
class Found:
    """Standard error, interval and what must be said about them."""

    se: float
    interval: Interval | None
    notes: tuple[str, ...] = ()


def find(case: Case, request: Request) -> Found:
    """Compute the interval asked for, or the default of the coefficient."""
    method = request.method or default_method(case, request)
    if request.level is None or method == "none":
        return Found(math.nan, None)
    notes: tuple[str, ...] = ()
    if request.generalise == "units+raters":
        check_raters(case.study, case.counts.raters)
        if method in ("bootstrap", "bca", "exact"):
            raise UsageError(f"generalise='units+raters' has no {method} interval. Use score, analytic or jackknife.")
        if case.counts.raters < ENOUGH_RATERS:
            notes = (f"Generalising from {case.counts.raters} raters is shaky; {ENOUGH_RATERS} or more are better.",)
    if case.tally is None and method in ("bootstrap", "bca", "score", "analytic"):
        raise UsageError(f"{case.spec.key} has no {method} interval. Use jackknife.")
    if method == "score" and not case.spec.form:
        raise UsageError(f"{case.spec.key} has no score interval. Use bca, bootstrap, analytic or jackknife.")
    found = _METHODS[method](case, request)
    return _with_width(case, request, Found(found.se, found.interval, (*notes, *found.notes)))


def default_method(case: Case, request: Request) -> Method:
    """Score where the form allows it, exact where the coefficient knows it, BCa with rows, jackknife without."""
    raters_too = request.generalise == "units+raters"
    if case.spec.form and case.tally is not None:
        return "score"
    if case.spec.interval is not None and request.groups is None and not raters_too and _exact(case, request):
        return "exact"
    return "jackknife" if case.tally is None or raters_too else "bca"


@dataclass(frozen=True, slots=True)
class Spread:
    """Variance over units, and over raters where the interval is to hold for others too."""

    units: Variance
    raters: Variance | None = None

    @property
    def total(self) -> Variance:
        """Both together."""
        return self.units if self.raters is None else together(self.units, self.raters)


def _spread(case: Case, request: Request, *, jackknife: bool = False) -> Spread:
    if case.tally is None:
        found = refit_variance(case.spec, case.study, case.similarity, case.options, request.groups, request.seed)
    elif jackknife:
        sample = _sample(case, request)
        found = jackknife_variance(leave_one_out(case.spec, sample, case.tally.context), sample.count)
    else:
        found = variance(case.spec, case.tally, case.parts, request.groups)
    if request.generalise == "units":
        return Spread(found)
    return Spread(found, rater_variance(case.spec, case.study, case.similarity, case.options))


def _sample(case: Case, request: Request) -> Sample:
    if case.tally is None:
        raise TypeError(f"{case.spec.key} has no rows")
    return distinct(by_cluster(case.tally.rows, request.groups))


def _score(case: Case, request: Request) -> Found:
    found = _spread(case, request)
    limits = _score_limits(case, request, found)
    return Found(found.total.se, None if limits is None else _interval(case, request, *limits, "score"))


def _score_limits(case: Case, request: Request, found: Spread) -> tuple[float, float] | None:
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
        extra=found.raters.value if found.raters is not None else 0.0,
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
    return Found(found.se, _interval(case, request, case.value - half, case.value + half, method))


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
    return Found(float(drawn.values.std(ddof=1)), _interval(case, request, *limits, method), notes)


def _bca(case: Case, request: Request) -> Found:
    return _resampled(case, request, "bca")


def _percentile(case: Case, request: Request) -> Found:
    return _resampled(case, request, "bootstrap")


def _exact(case: Case, request: Request) -> tuple[float, float] | None:
    if case.spec.interval is None or request.level is None:
        return None
    return case.spec.interval(case.study, case.parts, case.options, request.level)


def _exact_interval(case: Case, request: Request) -> Found:
    limits = _exact(case, request)
    if limits is None:
        raise UsageError(f"{case.spec.key} has no exact interval for this data. Leave interval out.")
    return Found(math.nan, _interval(case, request, *limits, "exact"))


def _interval(case: Case, request: Request, low: float, high: float, method: str) -> Interval:
    level = request.level if request.level is not None else math.nan
    return Interval(low, min(high, case.spec.upper), level, method)


def _with_width(case: Case, request: Request, found: Found) -> Found:
    """Never show an interval of width 0: the score interval stands in, or no interval at all."""
    shown = found.interval
    if shown is None or shown.high - shown.low > NO_WIDTH:
        return found
    limits = (
        None
        if shown.method == "score" or not case.spec.form
        else _score_limits(case, request, Spread(Variance(0.0, 0)))
    )
    if limits is None:
        note = "No interval: these data show no variation that resampling could use."
        return Found(found.se, None, (*found.notes, note))
    note = f"The {shown.method} interval would have width 0; the score interval is shown instead."
    return Found(found.se, _interval(case, request, *limits, "score"), (*found.notes, note))


_METHODS = {
    "score": _score,
    "exact": _exact_interval,
    "analytic": _analytic,
    "jackknife": _jackknife,
    "bootstrap": _percentile,
    "bca": _bca,
}
