"""The best supported answer of each unit, and how many raters stand behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.blocks import Codes, blocks
from accord.similarity.core import Similarity, costly
from accord.study import Study
from accord.values import BoolArray, FloatArray, Index

#: From this many answers on a unit is looked at value by value.
CROWD = 64
MOST_NUMBERS = 1 << 20


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
    support = _support(study, similarity, threshold)
    best = np.zeros(study.U)
    np.maximum.at(best, study.unit, support)
    leading = support == best[study.unit]
    first = np.full(study.U, study.V, dtype=np.int64)
    np.minimum.at(first, study.unit[leading], study.code[leading])
    other = leading & (study.code != first[study.unit])
    tie = np.bincount(study.unit[other], minlength=study.U) > 0
    share = np.where(study.m > 1, best / np.maximum(study.m, 1), np.nan)
    return Consensus(share, np.where(study.m > 0, first, -1), tie)


def _support(study: Study, similarity: Similarity, threshold: float) -> FloatArray:
    """Number of answers of its unit that match each answer, itself included, (C,)."""
    support = np.ones(study.C)
    for block in blocks(study, kind=np.intp):
        cells = study.start[:-1][block.units] + np.arange(len(block.codes))[:, None]
        if len(block.codes) > CROWD and study.V <= CROWD**2 and not costly(similarity):
            support[cells] = _by_value(block.codes, similarity, threshold)
        else:
            support[cells] = _one_by_one(block.codes, similarity, threshold)
    return support


def _one_by_one(codes: Codes, similarity: Similarity, threshold: float) -> FloatArray:
    support = np.ones(codes.shape)
    for i, left in enumerate(codes):
        right = codes[i + 1 :]
        one = np.broadcast_to(left, right.shape)
        match = (similarity.at(one.ravel(), right.ravel()) >= threshold).reshape(right.shape)
        support[i] += match.sum(axis=0)
        support[i + 1 :] += match
    return support


def _by_value(codes: Codes, similarity: Similarity, threshold: float) -> FloatArray:
    """Many answers, few values: compare the values and add up how often they were given."""
    values = similarity.size
    every = np.arange(values)
    match = np.stack([similarity.at(np.full(values, v), every) >= threshold for v in range(values)]).astype(np.float64)
    support = np.empty(codes.shape)
    step = max(1, MOST_NUMBERS // values)
    for first in range(0, codes.shape[1], step):
        some = codes[:, first : first + step]
        unit = np.arange(some.shape[1])
        counts = np.bincount((unit * values + some).ravel(), minlength=len(unit) * values).reshape(-1, values)
        support[:, first : first + step] = 1.0 + (counts @ match)[unit, some] - match[some, some]
    return support
