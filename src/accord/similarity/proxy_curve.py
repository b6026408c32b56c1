"""What other strata say of one in which little was found yet: a logistic curve through them, against the proxy."""

from __future__ import annotations

from typing import Final

import numpy as np

from accord.values import FloatArray

#: Steps of Newton's method, the longest one, and the one that ends it.
STEPS, LONGEST, SHORTEST = 60, 2.0, 1e-4
#: Fewest strata of which one is left out and a curve drawn through the others.
FEWEST: Final = 3


def expected_elsewhere(proxy: FloatArray, drawn: FloatArray, found: FloatArray) -> FloatArray:
    """Share of a stratum that scores 1 as a curve through all other strata tells it, (H,).

    Parameters
    ----------
    proxy
        Mean proxy of each stratum, (H,).
    drawn, found
        Draws of each stratum and the sum of their squared scores, (H,): squares, because it is scores near 1 that make
        up the variance.

    Notes
    -----
    Logistic regression with Firth's penalty: finite where strata fall apart into all and nothing, and never 0. The
    stratum itself is left out, so that its draws are not counted twice. With fewer than three strata nothing is known
    elsewhere: 1.

    References
    ----------
    Firth 1993, Bias reduction of maximum likelihood estimates.

    Examples
    --------
    >>> proxy = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    >>> expected_elsewhere(proxy, np.full(5, 20.0), np.array([0.0, 0.0, 1.0, 18.0, 20.0])).round(2).tolist()
    [0.0, 0.0, 0.29, 0.64, 1.0]
    """
    count = len(proxy)
    if count < FEWEST:
        return np.ones(count)
    place = (proxy - proxy.mean()) / max(2.0 * float(proxy.std()), 1e-12)
    terms = np.stack((np.ones(count), place), axis=1)
    others = 1.0 - np.eye(count)
    return _share((terms * _fitted(terms, others * drawn, others * found)).sum(axis=1))


def _fitted(terms: FloatArray, drawn: FloatArray, found: FloatArray) -> FloatArray:
    """Coefficients of each curve, (C, 2), through strata with ``terms`` (H, 2) by their draws, (C, H) each."""
    curve = np.zeros((len(drawn), terms.shape[1]))
    for _ in range(STEPS):
        share = _share(curve @ terms.T)
        weight = drawn * share * (1.0 - share)
        inverse = np.linalg.pinv((terms.T * weight[:, None, :]) @ terms)
        leverage = weight * ((terms @ inverse) * terms).sum(axis=2)
        slope = (found - drawn * share + leverage * (0.5 - share)) @ terms
        step = (inverse @ slope[:, :, None])[:, :, 0]
        length = np.abs(step).max(axis=1, keepdims=True)
        curve += step * np.minimum(1.0, LONGEST / np.maximum(length, SHORTEST))
        if (length < SHORTEST).all():
            break
    return curve


def _share(logit: FloatArray) -> FloatArray:
    return np.asarray(0.5 + 0.5 * np.tanh(logit / 2.0), dtype=np.float64)
