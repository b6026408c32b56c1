"""Rows of sufficient statistics: leading columns of plain numbers, then counts by value."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accord.coefficients.spec import Rows
from accord.study import Study
from accord.values import FloatArray

#: Rows are dense up to this many columns and this many numbers; sparse beyond.
DENSE_COLUMNS = 64
DENSE_NUMBERS = 1 << 23


def rows_by_value(study: Study, lead: list[FloatArray], weight: FloatArray) -> Rows:
    """Put the columns ``lead`` (each (U,)) before the answers of each unit counted by value, each with its weight.

    Parameters
    ----------
    weight
        Weight of each answer of a unit, (U,); 0 leaves the unit out.
    """
    return assemble(lead, study.code, weight[study.unit], study, study.V)


def assemble(
    lead: list[FloatArray], column: npt.NDArray[np.integer], data: FloatArray, study: Study, width: int
) -> Rows:
    """Put ``lead`` before ``width`` columns; cell c adds ``data[c]`` to column ``column[c]`` of its unit's row."""
    units, total = study.U, len(lead) + width
    if total <= DENSE_COLUMNS and total * units <= DENSE_NUMBERS:
        rows = np.empty((units, total))
        for k, values in enumerate(lead):
            rows[:, k] = values
        flat = np.bincount(study.unit.astype(np.int64) * width + column, weights=data, minlength=units * width)
        rows[:, len(lead) :] = flat.reshape(units, width)
        return rows
    return _sparse(lead, column, data, study, total)


def _sparse(
    lead: list[FloatArray], column: npt.NDArray[np.integer], data: FloatArray, study: Study, total: int
) -> Rows:
    from scipy.sparse import csr_array

    units, k = study.U, len(lead)
    keep = data != 0.0
    per_unit = np.bincount(study.unit[keep], minlength=units)
    indptr = np.concatenate(([0], np.cumsum(per_unit + k)))
    cell = np.flatnonzero(keep) if not keep.all() else slice(None)
    place = np.arange(int(per_unit.sum())) + k * (study.unit[cell].astype(np.int64) + 1)
    values = np.empty(int(indptr[-1]))
    indices = np.empty(int(indptr[-1]), dtype=np.int32 if total < 2**31 else np.int64)
    for j, numbers in enumerate(lead):
        values[indptr[:-1] + j] = numbers
        indices[indptr[:-1] + j] = j
    values[place] = data[cell]
    indices[place] = column[cell] + k
    return csr_array((values, indices, indptr), shape=(units, total))
