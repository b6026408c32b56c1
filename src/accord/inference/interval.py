"""Which interval, and how it is shown."""

from __future__ import annotations

import math

from accord.errors import UsageError
from accord.inference.analytic import Variance
from accord.inference.case import NO_WIDTH, Case, Found, Method, Request
from accord.inference.generalise import ENOUGH_RATERS, check_raters
from accord.inference.methods import METHODS, Spread, exact_limits, interval_of, limits_of_score


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
    found = METHODS[method](case, request)
    return _with_width(case, request, Found(found.se, found.interval, (*notes, *found.notes)))


def default_method(case: Case, request: Request) -> Method:
    """Score where the form allows it, exact where the coefficient knows it, BCa with rows, jackknife without."""
    raters_too = request.generalise == "units+raters"
    if case.spec.form and case.tally is not None:
        return "score"
    if case.spec.interval is not None and request.groups is None and not raters_too and exact_limits(case, request):
        return "exact"
    return "jackknife" if case.tally is None or raters_too else "bca"


def _with_width(case: Case, request: Request, found: Found) -> Found:
    """Never show an interval of width 0: the score interval stands in, or no interval at all."""
    shown = found.interval
    if shown is None or shown.high - shown.low > NO_WIDTH:
        return found
    limits = (
        None
        if shown.method == "score" or not case.spec.form
        else limits_of_score(case, request, Spread(Variance(0.0, 0)))
    )
    if limits is None:
        note = "No interval: these data show no variation that resampling could use."
        return Found(found.se, None, (*found.notes, note))
    note = f"The {shown.method} interval would have width 0; the score interval is shown instead."
    return Found(found.se, interval_of(case, request, *limits, "score"), (*found.notes, note))
