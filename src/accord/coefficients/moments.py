"""Agreement of two raters' numbers in their own units: Bland-Altman limits, and the mean absolute difference.

References
----------
Bland, J. M. & Altman, D. G. (1999). Measuring agreement in method comparison studies. Statistical Methods in Medical
Research 8, 135-160.
Carkeet, A. (2015). Exact parametric confidence intervals for Bland-Altman limits of agreement. Optometry and Vision
Science 92, e71-e80.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.coefficients.numeric import answers, centred, not_numbers, why_not
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Option, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, IntArray


def paired(study: Study) -> tuple[IntArray, FloatArray, FloatArray]:
    """Units that both of two raters answered, and their answers, three arrays (n,)."""
    first, second = study.pairs
    x = answers(study)
    return study.unit[first], x[first], x[second]


def _refuses_pair(study: Study, _similarity: Similarity, _options: Options) -> str | None:
    if study.slots:
        return "the raters are interchangeable slots, so a difference between them has no sign"
    present = np.count_nonzero(np.bincount(study.rater, minlength=study.R))
    if present > 2:
        return f"it compares two raters and there are {present}; choose two"
    return why_not(study)


def _tally_bias(study: Study, _similarity: Similarity, _options: Options) -> Tally:
    unit, a, b = paired(study)
    rows = np.zeros((study.U, 2))
    rows[unit, 0], rows[unit, 1] = 1.0, a - b
    return Tally(rows=rows, context=None)


def _mean(totals: FloatArray, _context: None) -> Parts:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = totals[:, 1] / totals[:, 0]
    nothing = np.full_like(value, np.nan)
    return Parts(value, nothing, nothing, nothing, nothing)


def _bias_interval(study: Study, _parts: Parts, _options: Options, level: float) -> tuple[float, float] | None:
    from scipy.special import stdtrit

    _, a, b = paired(study)
    n = len(a)
    spread = float(np.std(a - b, ddof=1)) if n > 1 else 0.0
    if study.cluster is not None or not spread > 0:
        return None
    half = float(stdtrit(n - 1, 0.5 + level / 2)) * spread / math.sqrt(n)
    bias = float((a - b).mean())
    return bias - half, bias + half


def _limits(study: Study, _similarity: Similarity, options: Options, _parts: Parts, level: float) -> Mapping[str, Any]:
    """Limits of agreement and their intervals, (low, high) each, at the confidence level."""
    from scipy.special import ndtri

    _, a, b = paired(study)
    difference, coverage = a - b, float(options.get("coverage", 0.95))
    n, z = len(difference), float(ndtri(0.5 + coverage / 2))
    if n < 2:
        return {"sd": math.nan, "lower": math.nan, "upper": math.nan, "coverage": coverage}
    bias, sd = float(difference.mean()), float(difference.std(ddof=1))
    near, far = (sd * edge for edge in _tolerance(n, z, level))
    exact = study.cluster is None and sd > 0
    return {
        "sd": sd,
        "lower": bias - z * sd,
        "upper": bias + z * sd,
        "lower_interval": [bias - far, bias - near] if exact else None,
        "upper_interval": [bias + near, bias + far] if exact else None,
        "coverage": coverage,
        "level": level,
        "outside": int((np.abs(difference - bias) > z * sd).sum()),
    }


def _tolerance(n: int, z: float, level: float) -> tuple[float, float]:
    """Limits of (mean + z sd), in sample sd above the sample mean: quantiles of the noncentral t."""
    from scipy.special import nctdtrit

    tails = (1 - level) / 2, (1 + level) / 2
    low, high = (float(nctdtrit(n - 1, z * math.sqrt(n), tail)) / math.sqrt(n) for tail in tails)
    return low, high


def _tally_absolute(study: Study, _similarity: Similarity, _options: Options) -> Tally:
    """Mean |x - y| over the pairs of each unit; by ranks, so no pair is formed."""
    x, m = centred(study), study.m
    order = np.lexsort((x, study.unit))
    place = np.arange(study.C) - study.start[study.unit]
    total = np.bincount(study.unit, (2 * place - m[study.unit] + 1) * x[order], study.U)
    pairs = m * (m - 1) / 2
    rows = np.zeros((study.U, 2))
    rows[:, 0] = m > 1
    np.divide(total, pairs, out=rows[:, 1], where=pairs > 0)
    return Tally(rows=rows, context=None)


COEFFICIENTS.add(
    CoefficientSpec(
        key="bland_altman",
        symbol="bias",
        title="Bland-Altman bias and limits of agreement",
        reference="Bland & Altman 1999; Carkeet 2015",
        summary="Mean difference of two raters' numbers, with the limits that hold most differences.",
        family="moments",
        tally=_tally_bias,
        finish=_mean,
        refuses=_refuses_pair,
        interval=_bias_interval,
        details=_limits,
        upper=math.inf,
        aliases=("limits_of_agreement",),
        needs="numbers",
        form=False,
        raters="two",
        options={"coverage": Option(0.95, (), "share of differences the limits of agreement hold")},
    )
)
COEFFICIENTS.add(
    CoefficientSpec(
        key="mean_absolute_difference",
        symbol="MAD",
        title="Mean absolute difference",
        reference="mean over units of the mean |x - y| over rater pairs",
        summary="How far two raters' numbers are apart on average, in units of the answers.",
        family="moments",
        tally=_tally_absolute,
        finish=_mean,
        refuses=not_numbers,
        upper=math.inf,
        needs="numbers",
        form=False,
    )
)
