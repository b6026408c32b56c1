"""Bootstrap over units or clusters: weights times rows, never the raw data. Percentile and BCa intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.coefficients.spec import CoefficientSpec
from accord.inference.rows import BLOCK, Sample, without_each_of
from accord.values import FloatArray


@dataclass(frozen=True, slots=True)
class Replicates:
    """Values of the coefficient in B resamples that were defined, sorted, and how many were not."""

    values: FloatArray
    undefined: int


def bootstrap(spec: CoefficientSpec, sample: Sample, context: object, resamples: int, seed: int) -> Replicates:
    """Recompute the coefficient on ``resamples`` draws of all units with replacement."""
    if spec.finish is None:
        raise TypeError(f"{spec.key} has no rows")
    values = [
        np.atleast_1d(spec.finish(np.asarray(weights @ sample.rows), context).value)
        for weights in unit_weights(sample, resamples, np.random.default_rng(seed))
    ]
    drawn = np.concatenate(values)
    known = drawn[np.isfinite(drawn)]
    return Replicates(np.sort(known), len(drawn) - len(known))


def unit_weights(sample: Sample, resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Blocks (b, G) of how often each distinct row is drawn; they sum to the number of units."""
    groups, units = len(sample.count), sample.units
    width = max(groups, sample.rows.shape[1], 1)
    step = max(1, BLOCK // (32 * width))
    probabilities = sample.count / units
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        if groups < units:
            yield rng.multinomial(units, probabilities, size=size).astype(np.float64)
        else:
            drawn = rng.integers(0, units, size=(size, units))
            drawn += (np.arange(size) * units)[:, None]
            yield np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)


def percentile_limits(replicates: Replicates, level: float) -> tuple[float, float]:
    """Quantiles of the replicates."""
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(replicates.values, (tail, 1.0 - tail))
    return float(low), float(high)


def bca_limits(
    spec: CoefficientSpec, sample: Sample, context: object, value: float, replicates: Replicates, level: float
) -> tuple[float, float]:
    """Bias-corrected and accelerated quantiles; the acceleration comes from the jackknife.

    References
    ----------
    Efron 1987, Better bootstrap confidence intervals.
    """
    from scipy.special import ndtr, ndtri

    drawn = replicates.values
    below = (np.searchsorted(drawn, value, "left") + np.searchsorted(drawn, value, "right")) / (2.0 * len(drawn))
    edge = 0.5 / len(drawn)
    bias = ndtri(np.clip(below, edge, 1.0 - edge))
    acceleration = _acceleration(leave_one_out(spec, sample, context), sample.count)
    z = ndtri(np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0])) + bias
    low, high = np.quantile(drawn, ndtr(bias + z / (1.0 - acceleration * z)))
    return float(low), float(high)


def leave_one_out(spec: CoefficientSpec, sample: Sample, context: object) -> FloatArray:
    """Return the value without one unit of each distinct row, (G,)."""
    totals = np.asarray(sample.count @ sample.rows, dtype=np.float64).reshape(1, -1)
    return without_each_of(spec, sample.rows, totals, context)


def _acceleration(values: FloatArray, count: FloatArray) -> float:
    known = np.isfinite(values)
    values, count = values[known], count[known]
    if not len(values):
        return 0.0
    deviation = float(count @ values) / float(count.sum()) - values
    squares = float(count @ deviation**2)
    return float(count @ deviation**3) / (6.0 * squares**1.5) if squares > 0.0 else 0.0
