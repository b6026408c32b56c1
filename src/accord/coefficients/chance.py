"""From observed and expected distance to the finished numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.coefficients.spec import Parts
from accord.similarity.core import Similarity, comparable, skips, spread
from accord.values import FloatArray

#: Expected distances below this count as no variation at all.
NO_VARIATION = 1e-12


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide arrays of one shape; NaN where the denominator is not positive."""
    positive = denominator > 0.0
    if positive.all():
        return numerator / denominator
    return np.divide(numerator, denominator, out=np.full(denominator.shape, np.nan), where=positive)


def corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """1 - D_o / D_e; NaN where nothing varies."""
    return 1.0 - ratio(observed, np.where(expected < NO_VARIATION, 0.0, expected))


def finished(
    observed: FloatArray,
    expected: FloatArray,
    scale: FloatArray | float,
    details: Mapping[str, Any] | None = None,
    skipped: int = 0,
) -> Parts:
    """Build the parts from distances on the scale 0 to 1; ``scale`` leads back to the coefficient's own units."""
    return Parts(
        value=corrected(observed, expected),
        observed=1.0 - observed,
        expected=1.0 - expected,
        observed_distance=observed * scale,
        expected_distance=expected * scale,
        details=details or {},
        skipped=skipped,
    )


def mean_distance(similarity: Similarity, p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return sums over comparable pairs of p(u) q(v) (1 - s(u, v)) and of p(u) q(v), each (...)."""
    if skips(similarity):
        return spread(similarity, p, q), (comparable(similarity, p) * q).sum(axis=-1)
    return spread(similarity, p, q), p.sum(axis=-1) * q.sum(axis=-1)


def distances_to(similarity: Similarity, p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return for each value u the sums over comparable v of p(v) (1 - s(u, v)) and of p(v), each (..., V)."""
    mass = np.broadcast_to(comparable(similarity, p), p.shape)
    return mass - similarity.times(p), mass
