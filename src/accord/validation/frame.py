"""Pairs of different texts and their weights in observed and in expected agreement.

Both are sums over pairs of texts: what a coefficient makes of any scores follows from the weights, and so does how a
sample of pairs has to be weighted. K pairs, left < right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.errors import UnknownNameError
from accord.study import Study
from accord.values import FloatArray, Index


@dataclass(frozen=True)
class Frame:
    """All pairs of different texts of a study.

    ``observed`` and ``expected`` (K,) are weights; ``same_observed`` and ``same_expected`` those of equal texts, whose
    score is 1.
    """

    left: Index
    right: Index
    observed: FloatArray
    expected: FloatArray
    same_observed: float
    same_expected: float

    def of(self, table: FloatArray) -> FloatArray:
        """Scores of the pairs, (K,), from those of all texts (T, T)."""
        return table[self.left, self.right]

    def agreement(self, scores: FloatArray) -> tuple[float, float]:
        """Observed and expected agreement under scores (K,)."""
        observed = self.same_observed + float(self.observed @ scores)
        return observed, self.same_expected + float(self.expected @ scores)


def frame_of(study: Study, coefficient: str) -> Frame:
    """Pairs and weights of a coefficient.

    Raises
    ------
    UnknownNameError
        If the coefficient is no sum over pairs of texts.

    Examples
    --------
    >>> from accord.readers.arrays import from_matrix
    >>> frame = frame_of(from_matrix([["a", "a"], ["a", "b"]]), "cohen_kappa")
    >>> frame.observed.tolist(), frame.expected.tolist(), frame.agreement(np.zeros(1))
    ([0.5], [0.5], (0.5, 0.5))
    """
    match coefficient:
        case "cohen_kappa":
            within, share, marginal = _cohen(study)
        case "fleiss_kappa":
            within, share, marginal = _fleiss(study)
        case "krippendorff_alpha":
            within, share, marginal = _alpha(study)
        case _:
            raise UnknownNameError.among(
                "coefficient for validation", coefficient, ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha")
            )
    first, second = study.pairs
    i, j = study.code[first], study.code[second]
    size = study.V
    left, right = np.triu_indices(size, 1)
    keys = np.minimum(i, j).astype(np.int64) * size + np.maximum(i, j)
    met = np.bincount(keys, weights=within, minlength=size * size)
    both = marginal + marginal.T
    return Frame(
        left,
        right,
        met[left * size + right],
        both[left, right],
        float(met[np.arange(size) * (size + 1)].sum()),
        float(np.trace(marginal)) * share,
    )


def _cohen(study: Study) -> tuple[FloatArray, float, FloatArray]:
    first, second = study.pairs
    n = len(first)
    a, b = (np.bincount(study.code[cells], minlength=study.V) / n for cells in (first, second))
    return np.full(n, 1.0 / n), 1.0, np.outer(a, b)


def _fleiss(study: Study) -> tuple[FloatArray, float, FloatArray]:
    first, _ = study.pairs
    m = study.m[study.unit]
    share = np.bincount(study.code, weights=1.0 / m, minlength=study.V) / study.U
    size = study.m[study.unit[first]]
    rated = int((study.m >= 2).sum())
    return 2.0 / (rated * size * (size - 1.0)), 1.0, np.outer(share, share)


def _alpha(study: Study) -> tuple[FloatArray, float, FloatArray]:
    first, _ = study.pairs
    counted = study.m[study.unit] >= 2
    counts = np.bincount(study.code[counted], minlength=study.V).astype(np.float64)
    total = counts.sum()
    size = study.m[study.unit[first]]
    marginal = np.outer(counts, counts) / (total * (total - 1.0))
    # A label is not compared with itself.
    same = float((counts * (counts - 1.0)).sum() / (counts**2).sum())
    return 2.0 / (total * (size - 1.0)), same, marginal
