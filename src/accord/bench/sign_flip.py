"""Is a measure worse than the best one? Paired sign-flip tests, corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from accord.values import FloatArray

#: Up to so many differences all 2 ** n patterns of signs are tried, beyond them so many random ones.
EXACT, RANDOM = 16, 99_999
#: Two means that differ by less are the same.
SLACK = 1e-12


def sign_flip(differences: npt.ArrayLike, seed: int = 0) -> float:
    """Two-sided p-value of a mean of paired differences being 0, if their signs could as well be the other ones.

    Parameters
    ----------
    differences
        One for each independent replicate, (n,); NaN is left out.

    Returns
    -------
    float
        1 without any difference. Random patterns count the observed one too, so that p is never 0.

    References
    ----------
    Fisher 1935, The design of experiments. Phipson and Smyth 2010, Permutation p-values should never be zero.

    Examples
    --------
    >>> sign_flip([1.0, 1.0, 1.0, 1.0])
    0.125
    """
    d = np.asarray(differences, dtype=np.float64)
    d = d[np.isfinite(d)]
    if not len(d):
        return 1.0
    seen = abs(d.sum()) - SLACK
    if len(d) <= EXACT:
        patterns = 1.0 - 2.0 * ((np.arange(2 ** len(d))[:, None] >> np.arange(len(d))) & 1)
        return float((np.abs(patterns @ d) >= seen).mean())
    rng = np.random.default_rng(seed)
    signs = rng.integers(0, 2, size=(RANDOM, len(d)), dtype=np.int8)
    sums = d.sum() - 2.0 * (signs @ d)
    return float((1 + (np.abs(sums) >= seen).sum()) / (1 + RANDOM))


def holm(p_values: Sequence[float]) -> FloatArray:
    """Adjusted p-values of several tests, (n,): below .05 means significant with all of them together.

    References
    ----------
    Holm 1979, A simple sequentially rejective multiple test procedure.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
