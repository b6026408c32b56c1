"""Specific agreement: given that one rater chose a label, how often does another rater choose it too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.chance import ratio
from accord.coefficients.spec import Rows
from accord.study import Study
from accord.values import FloatArray


@dataclass(frozen=True, slots=True)
class SpecificRows:
    """Ordered pairs of answers of each unit whose first is a label, (U, V): those that agree, and all of them."""

    agreeing: Rows
    given: Rows

    def shares(self, weights: FloatArray | None = None) -> FloatArray:
        """Specific agreement of each label, (V,), or (B, V) for weights of the units (B, U)."""
        if weights is None:
            weights = np.ones((1, self.given.shape[0]))
            return ratio(weights @ self.agreeing, weights @ self.given)[0]
        return ratio(weights @ self.agreeing, weights @ self.given)


def specific_rows(study: Study) -> SpecificRows:
    """Count the pairs behind the specific agreement of every label, unit by unit (sparse)."""
    from scipy.sparse import csr_array

    key = np.sort(study.unit.astype(np.int64) * study.V + study.code)
    head = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.empty(0, np.int64)
    count = np.diff(np.append(head, len(key))).astype(np.float64)
    unit, code = key[head] // study.V, key[head] % study.V
    shape = (study.U, study.V)
    return SpecificRows(
        csr_array((count * (count - 1.0), (unit, code)), shape=shape),
        csr_array((count * (study.m[unit] - 1.0), (unit, code)), shape=shape),
    )


def specific_agreement(study: Study) -> FloatArray:
    """Share of other answers that agree, for each label (V,).

    Undefined
        NaN for labels that were never given in a unit with a second answer.

    References
    ----------
    Uebersax 1982, Educational and Psychological Measurement 42; Fleiss, Levin and Paik 2003.

    Examples
    --------
    >>> from accord.readers.arrays import from_matrix
    >>> study = from_matrix([["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> specific_agreement(study).round(3).tolist()
    [0.8, 0.667]
    """
    return specific_rows(study).shares()
