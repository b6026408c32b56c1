"""Specific agreement: given that one rater chose a label, how often does another rater choose it too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.chance import ratio
from accord.coefficients.spec import Rows
from accord.study import Study
from accord.values import FloatArray, Index

#: Places of a table of counts for each answer, up to which counting beats sorting.
MOST_PLACES = 4


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

    unit, code, count = _counts(study)
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
    unit, code, count = _counts(study)
    agreeing = np.bincount(code, count * (count - 1.0), study.V)
    given = np.bincount(code, count * (study.m[unit] - 1.0), study.V)
    return ratio(agreeing.astype(np.float64), given.astype(np.float64))


def _counts(study: Study) -> tuple[Index, Index, FloatArray]:
    """Unit, code and number of the answers of every value that was given to a unit, by unit and code."""
    key = study.unit.astype(np.int64) * study.V + study.code
    if study.U * study.V <= MOST_PLACES * study.C:
        count = np.bincount(key, minlength=study.U * study.V)
        place = np.flatnonzero(count)
        unit, code = np.divmod(place, study.V)
        return unit, code, count[place].astype(np.float64)
    key.sort()
    head = np.flatnonzero(np.concatenate((key[:1] >= 0, key[1:] != key[:-1])))
    count = np.diff(np.append(head, len(key)))
    return key[head] // study.V, key[head] % study.V, count.astype(np.float64)
