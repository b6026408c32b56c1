"""The best supported answer of each unit, and how many raters stand behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.within import pair_blocks
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import BoolArray, FloatArray, Index


@dataclass(frozen=True, slots=True)
class Consensus:
    """For each unit: share of raters matching the best answer, its code, and whether another answer ties.

    ``share`` (U,) is NaN for units with fewer than two answers; ``code`` (U,) is the first of tied answers in
    domain order, -1 for units without any.
    """

    share: FloatArray
    code: Index
    tie: BoolArray


def consensus(study: Study, similarity: Similarity, *, threshold: float = 0.5) -> Consensus:
    """Find the answer of each unit that most raters match.

    Parameters
    ----------
    threshold
        Two answers match from this similarity on; answers that cannot be compared do not match.

    Undefined
        Units with one answer have no share.

    Examples
    --------
    >>> from accord.readers.arrays import from_matrix
    >>> from accord.similarity.core import Identity
    >>> study = from_matrix([["cat", "dog", "dog"], ["cat", "cat", None]])
    >>> consensus(study, Identity(study.V)).share.round(2).tolist()
    [0.67, 1.0]
    """
    support = np.ones(study.C)
    for _, i, j in pair_blocks(study):
        match = similarity.at(study.code[i], study.code[j]) >= threshold
        support += np.bincount(i[match], minlength=study.C) + np.bincount(j[match], minlength=study.C)
    best = np.zeros(study.U)
    np.maximum.at(best, study.unit, support)
    leading = support == best[study.unit]
    first = np.full(study.U, study.V, dtype=np.int64)
    np.minimum.at(first, study.unit[leading], study.code[leading])
    other = leading & (study.code != first[study.unit])
    tie = np.bincount(study.unit[other], minlength=study.U) > 0
    share = np.where(study.m > 1, best / np.maximum(study.m, 1), np.nan)
    return Consensus(share, np.where(study.m > 0, first, -1), tie)
