"""Cohen's kappa of every pair of raters at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.chance import corrected
from accord.coefficients.raters import finish_pairs, pair_once
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index


@dataclass(frozen=True, slots=True)
class PairwiseKappa:
    """Shared units, observed and expected agreement and kappa of all rater pairs, symmetric (R, R).

    NaN where a pair shares no unit (all but ``units``), on the diagonal, and where kappa is 0/0.
    """

    units: Index
    observed: FloatArray
    expected: FloatArray
    value: FloatArray


def pairwise_kappa(study: Study, similarity: Similarity) -> PairwiseKappa:
    """Compare every two raters on the units both answered, margins over the same units.

    Examples
    --------
    >>> from accord.readers.arrays import from_matrix
    >>> from accord.similarity.core import Identity
    >>> study = from_matrix([["a", "a", "a"], ["a", "b", "b"], ["b", "b", "b"], ["b", "b", "a"]])
    >>> pairwise_kappa(study, Identity(study.V)).value.round(3).tolist()
    [[nan, 0.5, 0.0], [0.5, nan, 0.5], [0.0, 0.5, nan]]
    """
    totals, context = pair_once(study, similarity, {}, "weighted")
    pairs = finish_pairs(totals, context)
    kappa = corrected(pairs.observed, pairs.classical)[0]
    units = np.zeros((study.R, study.R), dtype=np.int64)
    matrices = [np.full((study.R, study.R), np.nan) for _ in range(3)]
    left, right = context.raters
    for matrix, values in zip(matrices, (1.0 - pairs.observed[0], 1.0 - pairs.classical[0], kappa), strict=True):
        matrix[left, right] = matrix[right, left] = values
    units[left, right] = units[right, left] = pairs.units[0].astype(np.int64)
    return PairwiseKappa(units, *matrices)
