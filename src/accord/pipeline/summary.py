"""Means of scores over units as part of the report."""

from __future__ import annotations

import numpy as np

from accord.inference.scores import mean_score
from accord.pipeline.report import Score
from accord.values import FloatArray, IntArray


def mean_of(
    per_unit: FloatArray, ci: float | None, clusters: IntArray | None = None, weights: FloatArray | None = None
) -> Score:
    """Weighted mean of per-unit scores as a Score; ``ci`` None gives no interval."""
    value, interval = mean_score(per_unit, level=ci or 0.95, clusters=clusters, weights=weights)
    units = int(np.isfinite(per_unit).sum())
    return Score(value, interval if ci else None, units, None if units else "nothing_comparable")
