"""Means over units of numbers in [0, 1]: pairwise score, consensus, one rater, one pair; and plain shares."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from accord.coefficients.estimate import Interval
from accord.errors import UsageError
from accord.inference.analytic import linearized_variance, t_quantile
from accord.inference.score import score_limits
from accord.values import FloatArray, IntArray


def mean_score(
    scores: npt.ArrayLike,
    *,
    level: float = 0.95,
    clusters: IntArray | None = None,
    weights: FloatArray | None = None,
) -> tuple[float, Interval | None]:
    """Return the mean of per-unit scores (U,) in [0, 1] and its score interval; NaN scores do not count.

    Units count in proportion to ``weights`` (U,), by default alike; units of weight 0 do not count.

    The width is never 0: with n units that all agree, the interval is that of n successes in n trials. One unit
    (or one cluster) has no interval.

    Examples
    --------
    >>> value, interval = mean_score([1.0, 1.0, 0.5, 1.0, 1.0, 1.0])
    >>> round(value, 3), round(interval.low, 3), round(interval.high, 3)
    (0.917, 0.456, 0.999)
    """
    all_scores = np.asarray(scores, dtype=np.float64)
    known = np.isfinite(all_scores) & (True if weights is None else weights > 0.0)
    values = all_scores[known]
    if not len(values):
        return math.nan, None
    if values.min() < -1e-9 or values.max() > 1.0 + 1e-9:
        raise UsageError(f"Scores must lie between 0 and 1; found {values.min():g} to {values.max():g}.")
    weight = np.ones(len(values)) if weights is None else weights[known] / weights[known].mean()
    mean = float((weight * values).mean())
    shares = mean + weight * (values - mean)
    groups = None if clusters is None else np.unique(clusters[known], return_inverse=True)[1].astype(np.int32)
    count = len(values) if groups is None else int(groups.max()) + 1
    if count < 2:
        return mean, None
    found = linearized_variance(shares, mean, groups)
    low, high = score_limits(
        mean,
        0.0,
        found.value,
        units=len(values),
        support=found.support,
        quantile=t_quantile(level, count - 1.0),
        level=level,
        size=_size(values),
        clusters=None if groups is None else count,
    )
    return mean, Interval(float(low), float(high), level, "score")


def _size(values: FloatArray) -> float:
    """Typical size of a disagreement among scores; one full disagreement that was not seen is counted too."""
    distance = 1.0 - values
    return (float(distance @ distance) + 1.0) / (float(distance.sum()) + 1.0)


def wilson(successes: float, trials: float, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson limits of a share.

    Undefined (0 to 1): no trials.

    References
    ----------
    Wilson 1927, Probable inference, the law of succession, and statistical inference.

    Examples
    --------
    >>> tuple(round(limit, 3) for limit in wilson(9, 10))
    (0.596, 0.982)
    """
    from scipy.special import ndtri

    if not 0 <= successes <= trials:
        raise UsageError(f"{successes} successes in {trials} trials is impossible.")
    if trials == 0:
        return 0.0, 1.0
    z2 = float(ndtri(0.5 + level / 2.0)) ** 2
    share, shrink = successes / trials, 1.0 + z2 / trials
    centre = (share + z2 / (2.0 * trials)) / shrink
    half = math.sqrt(z2 * (share * (1.0 - share) / trials + z2 / (4.0 * trials**2))) / shrink
    return max(0.0, centre - half), min(1.0, centre + half)


def difference_of_means(first: FloatArray, second: FloatArray, *, level: float = 0.95) -> tuple[float, Interval | None]:
    """Mean of paired differences of per-unit scores with its t interval; pairs with a NaN do not count."""
    difference = first - second
    difference = difference[np.isfinite(difference)]
    if len(difference) < 2:
        return (float(difference.mean()) if len(difference) else math.nan), None
    mean, se = float(difference.mean()), float(difference.std(ddof=1)) / math.sqrt(len(difference))
    half = t_quantile(level, len(difference) - 1.0) * se
    return mean, (Interval(mean - half, mean + half, level, "paired t") if half > 0.0 else None)
