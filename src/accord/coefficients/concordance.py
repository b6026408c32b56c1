"""Lin's concordance correlation, for two raters and, as the overall coefficient, for more.

CCC = 1 - E(x - y)^2 / E_independent(x - y)^2. For more raters both expectations are summed over rater pairs, each
weighted by the units it shares (equal weights on complete data).

References
----------
Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45, 255-268;
correction (2000), 56, 324-325.
Barnhart, H. X., Haber, M. & Song, J. (2002). Overall concordance correlation coefficient. Biometrics 58, 1020-1027.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.coefficients.numeric import centred, why_not
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

#: Sums of one rater pair: units, x, y, x^2, y^2, xy.
_SUMS = 6


@dataclass(frozen=True, slots=True)
class _Context:
    pairs: int
    span: float
    variance: float


def _tally(study: Study, _similarity: Similarity, _options: Options) -> Tally:
    """Sums of each rater pair that shares the unit, (U, 6 P); sparse for more than two raters."""
    from scipy.sparse import csr_array

    x = centred(study)
    first, second = study.pairs
    key = study.rater[first].astype(np.int64) * study.R + study.rater[second]
    found, column = np.unique(key, return_inverse=True)
    a, b = x[first], x[second]
    values = np.concatenate((np.ones_like(a), a, b, a * a, b * b, a * b))
    columns = np.concatenate([column + block * len(found) for block in range(_SUMS)])
    rows = csr_array((values, (np.tile(study.unit[first], _SUMS), columns)), shape=(study.U, _SUMS * len(found)))
    known = study.numbers if study.domain else study.numbers[study.counts > 0]
    context = _Context(len(found), float(np.ptp(known)) if len(known) else 0.0, float(x.var()) if len(x) else 0.0)
    return Tally(rows=rows.toarray() if len(found) <= 1 else rows, context=context)


def _moments(totals: FloatArray, context: _Context) -> tuple[FloatArray, ...]:
    """Units, mean difference, variances and covariance (divisor n) of each rater pair, (B, P)."""
    n, x, y, xx, yy, xy = (totals[:, i * context.pairs : (i + 1) * context.pairs] for i in range(_SUMS))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_x, mean_y = x / n, y / n
        found = (mean_x - mean_y, xx / n - mean_x**2, yy / n - mean_y**2, xy / n - mean_x * mean_y)
    return (n, *(np.where(n > 0, moment, 0.0) for moment in found))


def _finish(totals: FloatArray, context: _Context) -> Parts:
    n, shift, var_x, var_y, cov = _moments(totals, context)
    weight = n.sum(axis=1)
    least = 1e-12 * context.variance
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = (n * (var_x + var_y + shift**2)).sum(axis=1) / weight
        together = np.maximum(0.0, apart - 2 * (n * cov).sum(axis=1) / weight)
        value = np.where(apart > least, 1.0 - together / apart, np.nan)
        observed, expected = 1.0 - together / context.span**2, 1.0 - apart / context.span**2
    return Parts(value, observed, expected, together, apart)


def _refuses(study: Study, _similarity: Similarity, _options: Options) -> str | None:
    if study.slots:
        return "the raters are interchangeable slots, and it compares each rater's own mean and spread"
    return why_not(study)


def _interval(study: Study, parts: Parts, _options: Options, level: float) -> tuple[float, float] | None:
    """Lin's interval: inverse hyperbolic tangent, two raters, independent units."""
    from scipy.special import ndtri

    found = _two_raters(study)
    ccc = float(np.ravel(parts.value)[0])
    if found is None or study.cluster is not None or not abs(ccc) < 1:
        return None
    n, rho, shift = found["units"], found["pearson"], found["location_shift"] ** 2
    if n < 4 or rho * ccc <= 0 or abs(rho) >= 1:
        return None
    rest = 1 - ccc * ccc
    variance = (
        (1 - rho**2) * ccc**2 / (rest * rho**2)
        + 2 * ccc**3 * (1 - ccc) * shift / (rho * rest**2)
        - ccc**4 * shift**2 / (2 * rho**2 * rest**2)
    ) / (n - 2)
    if not variance > 0:
        return None
    half = float(ndtri(0.5 + level / 2)) * math.sqrt(variance)
    return math.tanh(math.atanh(ccc) - half), math.tanh(math.atanh(ccc) + half)


def _two_raters(study: Study) -> dict[str, float] | None:
    """Precision and accuracy of two raters' numbers; None for more raters or no spread."""
    tally = _tally(study, None, {})  # type: ignore[arg-type]
    if tally.context.pairs != 1:
        return None
    n, shift, var_x, var_y, cov = (float(moment[0, 0]) for moment in _moments(tally.totals(), tally.context))
    if not min(var_x, var_y) > 1e-12 * tally.context.variance:
        return None
    spread = math.sqrt(var_x * var_y)
    return {
        "units": n,
        "pearson": cov / spread,
        "bias_correction": 2 * spread / (var_x + var_y + shift**2),
        "location_shift": shift / math.sqrt(spread),
        "scale_shift": math.sqrt(var_x / var_y),
    }


def _details(
    study: Study, _similarity: Similarity, _options: Options, _parts: Parts, _level: float
) -> Mapping[str, Any]:
    found = _two_raters(study) or {}
    return {key: value for key, value in found.items() if key != "units"}


def _notes(study: Study, _options: Options) -> tuple[str, ...]:
    if np.count_nonzero(np.bincount(study.rater, minlength=study.R)) <= 2:
        return ()
    return ("Overall coefficient for more than two raters, rater pairs weighted by the units they share.",)


COEFFICIENTS.add(
    CoefficientSpec(
        key="lin_ccc",
        symbol="CCC",
        title="Lin's concordance correlation",
        reference="Lin 1989; Barnhart, Haber & Song 2002",
        summary="How closely two raters' numbers follow the line of equality, correlation and shifts together.",
        family="moments",
        tally=_tally,
        finish=_finish,
        refuses=_refuses,
        interval=_interval,
        details=_details,
        notes=_notes,
        aliases=("concordance_correlation", "ccc"),
        needs="numbers",
        form=False,
    )
)
