"""The score interval: Wilson limits for observed agreement, with an effective sample size from the linearised variance.

The usual interval, value plus or minus t standard errors, collapses where agreement is high, units are few or one
label dominates, because the estimated variance then rests on a handful of disagreements. Here the variance only says
how many independent yes-or-no comparisons the data are worth; the limits come from inverting the binomial test.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: Bounds of the variance relative to one yes-or-no comparison a unit: 2 / answers per unit, and this.
LARGEST_RATIO = 4.0


def score_limits(
    observed: npt.ArrayLike,
    expected: npt.ArrayLike,
    variance: npt.ArrayLike,
    *,
    units: npt.ArrayLike,
    answers: npt.ArrayLike,
    quantile: npt.ArrayLike,
    clusters: npt.ArrayLike | None = None,
    largest: float = LARGEST_RATIO,
) -> tuple[np.ndarray, np.ndarray]:
    """Return (low, high) for (observed - expected) / (1 - expected); arguments broadcast.

    Parameters
    ----------
    observed, expected
        Agreements in [0, 1], expected < 1.
    variance
        Linearised variance of the coefficient (cluster sums where units are clustered).
    units
        Units with at least two answers.
    answers
        Mean number of answers of these units.
    quantile
        t quantile of the wanted level.
    clusters
        Number of clusters; the variance may then be up to units / clusters times larger.
    """
    po, pe = np.clip(observed, 0.0, 1.0), np.asarray(expected, dtype=np.float64)
    n = np.asarray(units, dtype=np.float64)
    spread = po * (1.0 - po)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.asarray(variance) * n * (1.0 - pe) ** 2 / spread
    smallest = np.minimum(1.0, 2.0 / np.asarray(answers))
    ratio = np.where(spread > 0.0, ratio, smallest)
    most = largest if clusters is None else largest * n / np.asarray(clusters)
    effective = n / np.clip(ratio, smallest, most)
    t2 = np.asarray(quantile) ** 2
    shrink = 1.0 + t2 / effective
    centre = (po + t2 / (2.0 * effective)) / shrink
    half = np.sqrt(t2) * np.sqrt(spread / effective + t2 / (4.0 * effective**2)) / shrink
    # The limits contain the estimate; rounding must not push them past it.
    low = np.minimum(np.maximum(centre - half, 0.0), po)
    high = np.maximum(np.minimum(centre + half, 1.0), po)
    return (low - pe) / (1.0 - pe), (high - pe) / (1.0 - pe)
