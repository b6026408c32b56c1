"""Naming somebody only with support: false-discovery rate and estimates shrunken towards the common mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accord.inference.analytic import t_quantile
from accord.values import BoolArray, FloatArray


def benjamini_hochberg(p_values: npt.ArrayLike, rate: float = 0.1) -> BoolArray:
    """Which of several hypotheses to reject at a false-discovery rate, (n,); NaN is never rejected.

    References
    ----------
    Benjamini and Hochberg 1995, Controlling the false discovery rate.

    Examples
    --------
    >>> benjamini_hochberg([0.001, 0.03, 0.5, 0.9]).tolist()
    [True, True, False, False]
    """
    p = np.asarray(p_values, dtype=np.float64)
    known = np.isfinite(p)
    ranked = np.sort(p[known])
    passing = np.flatnonzero(ranked <= rate * np.arange(1, len(ranked) + 1) / max(1, len(ranked)))
    if not len(passing):
        return np.zeros(len(p), dtype=np.bool_)
    return known & (np.where(known, p, 1.0) <= ranked[passing[-1]])


@dataclass(frozen=True, slots=True)
class Shrunken:
    """Estimates pulled towards their mean as far as noise explains their spread, with intervals, (n,) each.

    ``between`` is the variance that noise does not explain; 0 means that the members cannot be told apart.
    """

    mean: float
    between: float
    estimate: FloatArray
    low: FloatArray
    high: FloatArray


def shrink(estimates: npt.ArrayLike, errors: npt.ArrayLike, *, level: float = 0.95) -> Shrunken:
    """Empirical Bayes estimates of several raters' or labels' values from estimates and standard errors.

    Parameters
    ----------
    estimates, errors
        Arrays (n,); members with NaN or without a positive error stay NaN.

    References
    ----------
    Morris 1983, Parametric empirical Bayes inference. Paule and Mandel 1982 for the variance between.

    Examples
    --------
    >>> found = shrink([0.8, 0.7, 0.75, 0.3], [0.05, 0.05, 0.05, 0.05])
    >>> found.estimate.round(2).tolist()
    [0.79, 0.7, 0.74, 0.32]
    """
    value, se = np.asarray(estimates, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    known = np.isfinite(value) & np.isfinite(se) & (se > 0.0)
    result = np.full((3, len(value)), np.nan)
    if not known.any():
        return Shrunken(float("nan"), 0.0, *result)
    x, v = value[known], se[known] ** 2
    between = _between(x, v)
    weight = 1.0 / (v + between)
    mean = float(weight @ x / weight.sum())
    trust = between / (between + v)
    estimate = mean + trust * (x - mean)
    # The mean is estimated too: its error reaches each member by the part that was pulled.
    spread = np.sqrt(trust * v + (1.0 - trust) ** 2 / weight.sum())
    half = t_quantile(level, float(max(1, len(x) - 1))) * spread
    result[:, known] = estimate, estimate - half, estimate + half
    return Shrunken(mean, between, *result)


def _between(x: FloatArray, v: FloatArray) -> float:
    """Variance between members that makes the weighted sum of squares equal to its expectation."""
    if len(x) < 2:
        return 0.0

    def excess(between: float) -> float:
        weight = 1.0 / (v + between)
        return float(weight @ (x - weight @ x / weight.sum()) ** 2) - (len(x) - 1)

    low, high = 0.0, float(np.var(x, ddof=1)) + 1e-12
    if excess(low) <= 0.0:
        return 0.0
    while excess(high) > 0.0:
        high *= 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
    return (low + high) / 2.0
