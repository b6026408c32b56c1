"""Standard errors without resampling: published linearisations, or the jackknife from total minus row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from accord.coefficients.spec import CoefficientSpec, Parts, Tally
from accord.inference.rows import by_cluster, without_each
from accord.values import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Variance:
    """Variance of a coefficient over units (or clusters), with its degrees of freedom."""

    value: float
    df: float

    @property
    def se(self) -> float:
        """Standard error."""
        return float(np.sqrt(self.value))


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
        spec.linearize(tally, parts), float(np.ravel(parts.value)[0]), clusters, spec.df == "answered"
    )


def linearized_variance(z: FloatArray, value: float, clusters: IntArray | None, all_units: bool = False) -> Variance:
    """SE^2 = sum (z - value)^2 / (n (n - 1)) over the units with a z; NaN marks the others.

    ``all_units``: degrees of freedom count every unit with an answer.
    """
    counts = np.isfinite(z)
    deviation = np.where(counts, z - value, 0.0)
    n = int(np.count_nonzero(counts))
    if clusters is None:
        groups, squares = n, float(deviation @ deviation)
        df = (len(z) if all_units else n) - 1
    else:
        sums = np.bincount(clusters, weights=deviation)
        groups = int(np.count_nonzero(np.bincount(clusters, weights=counts)))
        squares = float(sums @ sums)
        df = groups - 1
    if groups < 2:
        return Variance(float("nan"), 0)
    return Variance(squares / (n * n) * groups / (groups - 1), df)


def jackknife_variance(values: FloatArray, count: FloatArray | None = None) -> Variance:
    """(n - 1)/n times the sum of squares of leave-one-out values; undefined ones are left out."""
    weight = np.ones(len(values)) if count is None else count
    known = np.isfinite(values)
    values, weight = values[known], weight[known]
    n = float(weight.sum())
    if n < 2:
        return Variance(float("nan"), 0)
    mean = float(weight @ values) / n
    return Variance((n - 1.0) / n * float(weight @ (values - mean) ** 2), n - 1.0)
