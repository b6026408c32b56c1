"""Standard errors without resampling: published linearisations, or the jackknife from total minus row."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from accord.coefficients.spec import CoefficientSpec, Parts, Tally
from accord.inference.rows import by_cluster, number, without_each
from accord.values import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Variance:
    """Variance of a coefficient over units (or clusters), its degrees of freedom, and the units it rests on."""

    value: float
    df: float
    support: float = 0.0

    @property
    def se(self) -> float:
        """Standard error."""
        return float(np.sqrt(self.value))


#: Variance of fewer than two units.
NOTHING = Variance(float("nan"), 0)
#: Deviations below this are rounding errors.
ROUNDING = 1e-9


@lru_cache(maxsize=256)
def t_quantile(level: float, df: float) -> float:
    """Two-sided t quantile: 1.96 for level .95 and many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.5 + level / 2.0))


def variance(spec: CoefficientSpec, tally: Tally, parts: Parts, clusters: IntArray | None) -> Variance:
    """Variance of the value by the coefficient's linearisation, else by the jackknife.

    With clusters the deviations of a cluster's units are added first; degrees of freedom are clusters - 1.
    """
    if spec.linearize is None:
        return jackknife_variance(without_each(spec, by_cluster(tally.rows, clusters), tally.context))
    return linearized_variance(
        spec.linearize(_smooth(tally), parts), number(parts.value), clusters, spec.df == "answered"
    )


def _smooth(tally: Tally) -> Tally:
    """Rows whose similarity has the same sums without the noise of single draws; that is added by itself."""
    similarity = getattr(tally.context, "similarity", None)
    smooth = getattr(similarity, "smooth", similarity)
    if smooth is similarity:
        return tally
    found = copy.copy(tally)
    found.context = replace(tally.context, similarity=smooth)
    return found


def linearized_variance(z: FloatArray, value: float, clusters: IntArray | None, all_units: bool = False) -> Variance:
    """SE^2 = sum (z - value)^2 / (n (n - 1)) over the units with a z; NaN marks the others.

    ``all_units``: degrees of freedom count every unit with an answer.
    """
    deviation = z - value
    unknown = np.isnan(deviation)
    n = len(z) - int(np.count_nonzero(unknown))
    if n < len(z):
        deviation[unknown] = 0.0
    groups, df = n, (len(z) if all_units else n) - 1
    if clusters is not None:
        deviation = np.bincount(clusters, weights=deviation).astype(np.float64, copy=False)
        groups = int(np.count_nonzero(np.bincount(clusters, weights=~unknown)))
        df = groups - 1
    if groups < 2:
        return NOTHING
    squares = float((deviation * deviation).sum())
    return Variance(squares / (n * n) * groups / (groups - 1), df, support(deviation))


def jackknife_variance(values: FloatArray, count: FloatArray | None = None) -> Variance:
    """(n - 1)/n times the sum of squares of leave-one-out values; undefined ones are left out."""
    weight = np.ones(len(values)) if count is None else count
    known = np.isfinite(values)
    values, weight = values[known], weight[known]
    n = float(weight.sum())
    if n < 2:
        return NOTHING
    deviation = (n - 1.0) * (values - float(weight @ values) / n)
    return Variance(float(weight @ deviation**2) / (n * (n - 1.0)), n - 1.0, support(deviation, weight))


def support(deviation: FloatArray, count: FloatArray | None = None) -> float:
    """Effective number of units that a variance rests on: (sum of squares)^2 / sum of fourth powers.

    With d units that disagree and many that agree it is about d; the fewer, the less the variance can be trusted.
    """
    # Plain sums: threads of a matrix library cost more than these passes.
    squares = deviation * deviation
    fourths = squares * squares
    if count is not None:
        squares, fourths = count * squares, count * fourths
    total = float(squares.sum())
    return total * total / float(fourths.sum()) if total > len(squares) * ROUNDING**2 else 0.0
