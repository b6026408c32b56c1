"""Standard errors without resampling: published linearisations, or the jackknife from total minus row."""

from __future__ import annotations

from dataclasses import dataclass
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
    return linearized_variance(spec.linearize(tally, parts), number(parts.value), clusters, spec.df == "answered")


def linearized_variance(z: FloatArray, value: float, clusters: IntArray | None, all_units: bool = False) -> Variance:
    """SE^2 = sum (z - value)^2 / (n (n - 1)) over the units with a z; NaN marks the others.

    ``all_units``: degrees of freedom count every unit with an answer.
    """
    counts = np.isfinite(z)
    deviation = np.where(counts, z - value, 0.0)
    n = int(np.count_nonzero(counts))
    groups, df = n, (len(z) if all_units else n) - 1
    if clusters is not None:
        deviation = np.bincount(clusters, weights=deviation)
        groups = int(np.count_nonzero(np.bincount(clusters, weights=counts)))
        df = groups - 1
    if groups < 2:
        return NOTHING
    squares = float(deviation @ deviation)
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
    squares = np.where(np.abs(deviation) > ROUNDING, deviation, 0.0) ** 2
    weight = np.ones(len(squares)) if count is None else count
    fourth = float(weight @ squares**2)
    return float(weight @ squares) ** 2 / fourth if fourth > 0.0 else 0.0
