"""Krippendorff's ordinal metric: distance counts the answers that lie between two values."""

from __future__ import annotations

import numpy as np

from accord.similarity.core import Quadratic
from accord.study import Study
from accord.values import FloatArray, Index

#: With more distinct values than this the metric is fixed at the full sample.
REFIT_LIMIT = 256


class Ordinal(Quadratic):
    """Squared difference of mid-ranks, the ranks counted over answers in units with two or more of them.

    Parameters
    ----------
    study
        Whose margins make the ranks.
    order
        Codes in the order of the scale, (V,).
    """

    def __init__(self, study: Study, order: Index) -> None:
        counts = paired_counts(study)
        self.order = order
        self.frozen = int(np.count_nonzero(counts)) > REFIT_LIMIT
        positions = np.empty(study.V)
        positions[order] = mid_ranks(counts[order])
        super().__init__(positions, "ordinal(metric=frozen)" if self.frozen else "ordinal")

    def on(self, study: Study) -> Ordinal:
        """Return the metric that the margins of another study make."""
        return Ordinal(study, self.order)


def mid_ranks(counts: FloatArray) -> FloatArray:
    """Mean rank of each value from counts (..., V) in the order of the scale."""
    return np.cumsum(counts, axis=-1) - counts / 2.0


def paired_counts(study: Study) -> FloatArray:
    """How often each value was given in units with two answers or more, (V,)."""
    paired = study.m > 1
    if paired.all():
        return study.counts.astype(np.float64)
    return np.bincount(study.code[paired[study.unit]], minlength=study.V).astype(np.float64)
