"""Intraclass correlation and standard error of measurement, from variance components of any design.

References
----------
Shrout, P. E. & Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater reliability. Psychological
Bulletin 86, 420-428.
McGraw, K. O. & Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients. Psychological
Methods 1, 30-46.
de Vet, H. C. W. et al. (2006). When to use agreement versus reliability measures. J. Clinical Epidemiology 59,
1033-1039.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.coefficients import components
from accord.coefficients.components import Components, Layout
from accord.coefficients.icc_limits import form_limits, sem_limits
from accord.coefficients.numeric import why_not
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Option, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

#: Two-way forms solve a raters x raters system for every resample.
MOST_RATERS = 300
#: Names of the six forms, and Shrout and Fleiss's names for them.
FORMS: Mapping[str, str] = {
    "ICC1": "ICC(1,1)",
    "ICC2": "ICC(A,1)",
    "ICC3": "ICC(C,1)",
    "ICC1k": "ICC(1,k)",
    "ICC2k": "ICC(A,k)",
    "ICC3k": "ICC(C,k)",
}
_ALLOWED = ("auto", *FORMS.values(), *FORMS)
_OPTIONS = {
    "form": Option("auto", _ALLOWED, "which ICC; auto is ICC(A,1) where raters cross units, else ICC(1,1)"),
    "incomplete": Option("use", ("use", "drop"), "drop leaves out units that some rater did not answer (listwise)"),
}


def form_of(study: Study, options: Options) -> str:
    """Return the full name of the form asked for; ``auto`` needs raters who cross units for the two-way form."""
    form = options.get("form", "auto")
    if form == "auto":
        return "ICC(A,1)" if _why_one_way(study, options) is None else "ICC(1,1)"
    return FORMS.get(form, form)


def ratio(form: str, parts: Components) -> FloatArray:
    """Return the ICC of one form, (B,)."""
    noise = parts.raters + parts.error if form.startswith("ICC(A") else parts.error
    return parts.ratio(noise / parts.k if form.endswith("k)") else noise)


def _tally(study: Study, _similarity: Similarity, options: Options) -> Tally:
    form = form_of(study, options)
    found = components.tally(study, two_way=not form.startswith("ICC(1"), listwise=_listwise(options))
    return Tally(rows=found.rows, context=(form, found.context))


def _components(totals: FloatArray, context: tuple[str, Layout]) -> Components:
    form, layout = context
    solve = components.one_way if form.startswith("ICC(1") else components.two_way
    return solve(totals, layout)


def _finish(totals: FloatArray, context: tuple[str, Layout]) -> Parts:
    return _only(ratio(context[0], _components(totals, context)))


def _finish_sem(totals: FloatArray, context: tuple[str, Layout]) -> Parts:
    found = _components(totals, context)
    noise = found.raters + found.error if context[0].startswith("ICC(A") else found.error
    return _only(np.sqrt(np.where(noise >= 0, noise, np.nan)))


def _only(value: FloatArray) -> Parts:
    nothing = np.full_like(value, np.nan)
    return Parts(value, nothing, nothing, nothing, nothing)


def _listwise(options: Options) -> bool:
    return options.get("incomplete", "use") == "drop"


def _why_one_way(study: Study, options: Options) -> str | None:
    """Say why raters and error cannot be told apart, or None."""
    if study.slots:
        return "the raters are interchangeable slots, so only ICC(1,1) and ICC(1,k) mean anything"
    data = components.kept(study, _listwise(options))
    if study.R > MOST_RATERS:
        return f"it solves for every rater at once, at most {MOST_RATERS}; ICC(1,1) takes any number"
    if components.crosses(data):
        return None
    return "raters share too few units to tell raters from error; ICC(1,1) needs less"


def _refuses(study: Study, _similarity: Similarity, options: Options) -> str | None:
    reason = why_not(study)
    if reason is None and not form_of(study, options).startswith("ICC(1"):
        return _why_one_way(study, options)
    return reason


def _interval(study: Study, _parts: Parts, options: Options, level: float) -> tuple[float, float] | None:
    table = _balanced(study, options)
    return None if table is None else form_limits(form_of(study, options), table, level)


def _sem_interval(study: Study, _parts: Parts, options: Options, level: float) -> tuple[float, float] | None:
    form = form_of(study, options)
    table = _balanced(study, options)
    return None if table is None or form.startswith("ICC(A") else sem_limits(table, level)


def _balanced(study: Study, options: Options) -> Components | None:
    """Components where the F distributions hold: independent units, all with the same number of answers."""
    data = components.kept(study, _listwise(options))
    if study.cluster is not None or data.U < 2 or np.ptp(data.m) > 0 or data.m[0] < 2:
        return None
    form = form_of(study, options)
    if not form.startswith("ICC(1") and not data.is_complete:
        return None
    found = components.tally(data, two_way=not form.startswith("ICC(1"), listwise=False)
    return _components(found.totals(), (form, found.context))


def _details(
    study: Study, _similarity: Similarity, options: Options, _parts: Parts, _level: float
) -> Mapping[str, Any]:
    """Form, all forms that exist, components, mean squares, standard errors of measurement."""
    listwise = _listwise(options)
    crossed = _why_one_way(study, options) is None
    found = components.tally(study, two_way=False, listwise=listwise)
    single = components.one_way(found.totals(), found.context)
    forms = {name: float(ratio(name, single)[0]) for name in ("ICC(1,1)", "ICC(1,k)")}
    details: dict[str, Any] = {
        "form": form_of(study, options),
        "k": float(single.k[0]),
        "one_way": {"units": float(single.units[0]), "error": float(single.error[0])},
        "units_left_out": int((study.m < study.R).sum()) if listwise else 0,
    }
    measurement = {"one_way": _root(single.error)}
    if crossed:
        found = components.tally(study, two_way=True, listwise=listwise)
        double = components.two_way(found.totals(), found.context)
        forms |= {name: float(ratio(name, double)[0]) for name in FORMS.values() if not name.startswith("ICC(1")}
        details["two_way"] = {key: float(getattr(double, key)[0]) for key in ("units", "raters", "error")}
        squares = zip(("units", "raters", "error"), double.mean_squares, double.df, strict=True)
        details["mean_squares"] = {name: {"value": float(ms[0]), "df": float(df[0])} for name, ms, df in squares}
        measurement |= {"agreement": _root(double.raters + double.error), "consistency": _root(double.error)}
    details["forms"] = {name: forms[name] for name in FORMS.values() if name in forms}
    details["sem"] = measurement
    return details


def _root(variance: FloatArray) -> float:
    return math.sqrt(variance[0]) if variance[0] >= 0 else math.nan


def _sem_details(
    study: Study, similarity: Similarity, options: Options, parts: Parts, level: float
) -> Mapping[str, Any]:
    """Smallest difference between two answers that is beyond measurement error, at the confidence level."""
    from scipy.special import ndtri

    change = float(ndtri(0.5 + level / 2)) * math.sqrt(2.0) * float(np.ravel(parts.value)[0])
    return {
        "form": form_of(study, options),
        "smallest_detectable_change": change,
        "level": level,
        "sem": _details(study, similarity, options, parts, level)["sem"],
    }


_WORDS = {
    "ICC(1": "raters differ from unit to unit, so their differences count as error",
    "ICC(A": "raters are taken as a sample, and their different levels count as disagreement",
    "ICC(C": "only consistency counts; different levels of the raters are ignored",
}


def _notes(study: Study, options: Options) -> tuple[str, ...]:
    form = form_of(study, options)
    notes = [f"{form}: {_WORDS[form[:5]]}."]
    left_out = int((study.m < study.R).sum())
    if left_out and _listwise(options):
        notes.append(f"{left_out} units that some rater did not answer are left out.")
    elif left_out and not form.startswith("ICC(1"):
        notes.append("Not every rater answered every unit: components are estimated by fitting constants.")
    return tuple(notes)


COEFFICIENTS.add(
    CoefficientSpec(
        key="icc",
        symbol="ICC",
        title="Intraclass correlation",
        reference="Shrout & Fleiss 1979; McGraw & Wong 1996",
        summary="Share of the variance of numeric answers that lies between units, by variance components.",
        family="icc",
        tally=_tally,
        finish=_finish,
        refuses=_refuses,
        interval=_interval,
        details=_details,
        notes=_notes,
        aliases=("intraclass_correlation",),
        needs="numbers",
        form=False,
        options=_OPTIONS,
    )
)
COEFFICIENTS.add(
    CoefficientSpec(
        key="sem",
        symbol="SEM",
        title="Standard error of measurement",
        reference="de Vet et al. 2006",
        summary="Typical error of one numeric answer, with the smallest detectable change, in units of the answers.",
        family="moments",
        tally=_tally,
        finish=_finish_sem,
        refuses=_refuses,
        interval=_sem_interval,
        details=_sem_details,
        notes=_notes,
        upper=math.inf,
        aliases=("standard_error_of_measurement",),
        needs="numbers",
        form=False,
        options=_OPTIONS,
    )
)
