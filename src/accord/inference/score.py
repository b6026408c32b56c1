"""The score interval: Wilson limits for observed agreement, with an effective sample size from the linearised variance.

The usual interval, value plus or minus t standard errors, collapses where agreement is high, units are few or one
label dominates, because the estimated variance then rests on a handful of disagreements. Here the variance only says
how many yes-or-no comparisons the data are worth, and only as far as it can be trusted; the limits come from inverting
the binomial test, with the Poisson limit where disagreements are few. ``evidence/coverage.md`` shows what this covers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

#: How many deviating units the prior assumption, one comparison a unit, weighs against the estimated variance.
PRIOR_UNITS = 6.0
#: Units of one cluster are worth (cluster size) ** -0.75 comparisons each, until the data say otherwise.
PRIOR_CLUSTERING = 0.75
#: Pairs of answers that tell the typical size of a disagreement.
DRAWS = 4096
#: Observed disagreement below this is none: the variance then says nothing.
NONE = 1e-12


def score_limits(
    observed: npt.ArrayLike,
    expected: npt.ArrayLike,
    variance: npt.ArrayLike,
    *,
    units: npt.ArrayLike,
    support: npt.ArrayLike,
    quantile: npt.ArrayLike,
    level: float,
    size: npt.ArrayLike = 1.0,
    clusters: npt.ArrayLike | None = None,
    extra: npt.ArrayLike = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return (low, high) for (observed - expected) / (1 - expected); arguments broadcast.

    Parameters
    ----------
    observed, expected
        Agreements in [0, 1], expected < 1.
    variance
        Linearised variance of the coefficient (cluster sums where units are clustered).
    units
        Units with at least two answers.
    support
        Effective number of units (clusters) that the variance rests on, see ``analytic.support``.
    quantile, level
        t quantile of the wanted level, and the level.
    size
        Typical size of a disagreement, see ``typical_disagreement``: 1 for labels, less for graded similarities.
    clusters
        Number of clusters.
    extra
        Further variance of the coefficient, from raters.

    References
    ----------
    Wilson 1927. Brown, Cai and DasGupta 2001, Interval estimation for a binomial proportion (small counts).
    """
    from scipy.special import gammaincinv

    po, pe = np.clip(observed, 0.0, 1.0), np.asarray(expected, dtype=np.float64)
    effective = effective_comparisons(
        po, pe, variance, units=units, support=support, size=size, clusters=clusters, extra=extra
    )
    t2 = np.square(quantile)
    shrink = 1.0 + t2 / effective
    centre = (po + t2 / (2.0 * effective)) / shrink
    half = np.sqrt(t2 * (po * (1.0 - po) / effective + t2 / (4.0 * effective**2))) / shrink
    disagreements = (1.0 - po) * effective
    fewest = gammaincinv(np.maximum(disagreements, NONE), 1.0 - level) * (disagreements > NONE)
    # Rounding must not push a limit past the estimate.
    low = np.clip(centre - half, 0.0, po)
    high = np.clip(np.maximum(centre + half, 1.0 - fewest / effective), po, 1.0)
    return (low - pe) / (1.0 - pe), (high - pe) / (1.0 - pe)


def effective_comparisons(
    po: FloatArray,
    pe: FloatArray,
    variance: npt.ArrayLike,
    *,
    units: npt.ArrayLike,
    support: npt.ArrayLike,
    size: npt.ArrayLike = 1.0,
    clusters: npt.ArrayLike | None = None,
    extra: npt.ArrayLike = 0.0,
) -> FloatArray:
    """Return how many independent yes-or-no comparisons the data are worth.

    The ratio of the variance to that of one comparison a unit is averaged with its prior value, weighted by the
    units the variance rests on.
    """
    n = np.asarray(units, dtype=np.float64)
    spread = po * (1.0 - po)
    comparison = np.maximum(spread, NONE) / (n * (1.0 - pe) ** 2)
    trusted = np.where(spread > NONE, support, 0.0)
    prior = np.asarray(size) * (1.0 if clusters is None else (n / np.asarray(clusters)) ** PRIOR_CLUSTERING)
    ratio = (trusted * np.asarray(variance) / comparison + PRIOR_UNITS * prior) / (trusted + PRIOR_UNITS)
    return n / (ratio + np.where(spread > NONE, np.asarray(extra) / comparison, 0.0))


def typical_disagreement(study: Study, similarity: Similarity) -> float:
    """Mean squared over mean distance of answers taken at random: what one disagreement costs.

    1 for labels, where answers agree or do not. All pairs of answers of small studies, else a fixed sample; the pairs
    that were scored for chance agreement, where scores cost something.
    """
    drawn = getattr(similarity, "drawn", None)
    scored = None if drawn is None else drawn()
    if scored is not None:
        counts = study.counts.astype(np.float64)
        weight = scored.weight * counts[scored.left] * counts[scored.right]
        distance = np.nan_to_num(1.0 - similarity.at(scored.left, scored.right))
        total = float(weight @ distance)
        return float(weight @ distance**2) / total if total > NONE else 1.0
    if study.C**2 <= DRAWS:
        first, second = np.indices((study.C, study.C)).reshape(2, -1)
    else:
        first, second = np.random.default_rng(0).integers(0, study.C, size=(2, DRAWS))
    distance = 1.0 - similarity.at(study.code[first], study.code[second])
    distance = distance[np.isfinite(distance)]
    total = float(distance.sum())
    return float(distance @ distance) / total if total > NONE else 1.0
