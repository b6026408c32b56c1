"""Which interval, and how it is shown."""

from __future__ import annotations

import math
from dataclasses import replace

from accord.inference.analytic import Variance
from accord.inference.case import NO_WIDTH, Case, Found, Method, Request
from accord.inference.floor import above_floor
from accord.inference.generalise import ENOUGH_RATERS, why_not
from accord.inference.methods import METHODS, Spread, exact_limits, interval_of, limits_of_score


def find(case: Case, request: Request) -> Found:
    """Compute the interval asked for, or the default of the coefficient; notes say where both differ."""
    if request.level is None or request.method == "none":
        return Found(math.nan, None)
    notes = []
    if request.generalise == "units+raters":
        obstacle = why_not(case.study, case.counts.raters)
        if obstacle is not None:
            request = replace(request, generalise="units")
            notes.append(obstacle)
        elif case.counts.raters < ENOUGH_RATERS:
            notes.append(f"Generalising from {case.counts.raters} raters is shaky; {ENOUGH_RATERS} or more are better.")
    method = request.method
    if method is None or not offers(case, request, method):
        shown = default_method(case, request)
        if method is not None:
            notes.append(f"{case.spec.title} has no {method} interval here; the {shown} interval is shown.")
        method = shown
    found = METHODS[method](case, request)
    found = replace(found, notes=(*notes, *found.notes), generalise=request.generalise)
    return above_floor(case, _with_width(case, request, found))


def offers(case: Case, request: Request, method: Method) -> bool:
    """Whether the coefficient has this interval on this data."""
    if request.generalise == "units+raters" and method in ("bootstrap", "bca", "exact"):
        return False
    if method == "exact":
        return request.groups is None and exact_limits(case, request) is not None
    if method == "score":
        return case.spec.form and case.tally is not None
    return method == "jackknife" or case.tally is not None


def default_method(case: Case, request: Request) -> Method:
    """Score where the form allows it, exact where the coefficient knows it, BCa with rows, else the jackknife."""
    choice: tuple[Method, ...] = ("score", "exact", "bca")
    return next((method for method in choice if offers(case, request, method)), "jackknife")


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
        return replace(found, interval=None, notes=(*found.notes, note))
    note = f"The {shown.method} interval would have width 0; the score interval is shown instead."
    return replace(found, interval=interval_of(case, request, *limits, "score"), notes=(*found.notes, note))
