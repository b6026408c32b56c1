"""Rows of sufficient statistics: leading columns of plain numbers, then counts by value."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.coefficients.blocks import blocks
from accord.coefficients.spec import Rows, Tally
from accord.study import Study
from accord.values import FloatArray

#: Rows are dense up to this many columns and this many numbers; sparse beyond.
DENSE_COLUMNS = 64
DENSE_NUMBERS = 1 << 23


class AnswerTally(Tally):
    """Rows of leading columns and the answers of each unit counted by value, each with a weight.

    Sums and products with a vector are taken from the answers; the rows are made when a resample needs them.

    Parameters
    ----------
    lead
        Leading columns, (U,) each.
    weight
        Weight of each answer of a unit, (U,); 0 leaves the unit out.
    """

    def __init__(
        self, study: Study, lead: list[FloatArray], weight: FloatArray, *, context: Any, skipped: int = 0
    ) -> None:
        self._study = study
        self.lead = lead
        self._weight = weight
        self.context = context
        self.skipped = skipped

    @cached_property
    def rows(self) -> Rows:
        """All rows, (U, k)."""
        study = self._study
        return assemble(self.lead, study.code, self._weight[study.unit], study, study.V)

    def totals(self) -> FloatArray:
        """Sum over units, (1, k)."""
        lead = [column.sum() for column in self.lead]
        return np.concatenate((lead, self._counts()))[None, :]

    def _counts(self) -> FloatArray:
        study, weight = self._study, self._weight
        if study.U and weight.min() == weight.max():
            return study.counts * weight[0]
        total = np.zeros(study.V)
        for block in blocks(study, least=1):
            each = np.broadcast_to(weight[block.units], block.codes.shape)
            total += np.bincount(block.codes.ravel(), weights=each.ravel(), minlength=study.V)
        return total

    def product(self, per_column: FloatArray) -> FloatArray:
        """Each row times a vector (k,), (U,)."""
        k = len(self.lead)
        per_value, out = per_column[k:], np.zeros(self._study.U)
        if per_value.any():
            for block in blocks(self._study, least=1, kind=np.intp):
                out[block.units] = per_value.take(block.codes).sum(axis=0)
            out *= self._weight
        for column, factor in zip(self.lead, per_column[:k].tolist(), strict=True):
            if factor:
                out += factor * column
        return out


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
