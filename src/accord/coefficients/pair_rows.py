"""Rows of rater pairs, made from the compared pairs of answers when something needs every one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.coefficients.rows import DENSE_COLUMNS, DENSE_NUMBERS
from accord.coefficients.spec import Rows, Tally
from accord.coefficients.within import pair_blocks
from accord.errors import DataError
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, IntArray

Numbers = npt.NDArray[np.integer]

#: Most pairs of answers kept for errors and resampling.
MOST_PAIRS = 50_000_000


@dataclass(frozen=True, slots=True)
class Entries:
    """Comparable pairs of answers: unit, rater pair g R + h, codes and distance, (P,)."""

    unit: Numbers
    pair: Numbers
    first: IntArray
    second: IntArray
    apart: FloatArray
    skipped: int

    @classmethod
    def of(cls, study: Study, similarity: Similarity) -> Entries:
        """Compare all answers of each unit.

        Raises
        ------
        DataError
            The pairs of answers do not fit into memory.
        """
        _check_size(study)
        parts = [[np.empty(0, np.int32)] * 4 + [np.empty(0)]]
        skipped = 0
        for unit, i, j in pair_blocks(study):
            a, b = study.code[i], study.code[j]
            apart = 1.0 - similarity.at(a, b)
            known = ~np.isnan(apart)
            pair = study.rater[i].astype(np.int64) * study.R + study.rater[j]
            found = [unit.astype(np.int32), pair.astype(_index(study.R**2)), a, b, apart]
            if not known.all():
                skipped += int(len(known) - np.count_nonzero(known))
                found = [column[known] for column in found]
            parts.append(found)
        unit, pair, first, second, apart = (np.concatenate(column) for column in zip(*parts, strict=True))
        return cls(unit, pair, first, second, apart, skipped)


class PairTally(Tally):
    """Rows (1 for each pair that answered, distance for each pair, comparable, mean distance, margins).

    Parameters
    ----------
    found, pair
        Compared pairs of answers (P,), and the number of their rater pair.
    margins
        Unit and column, from the first margin on, of everything that enters a margin.
    """

    def __init__(
        self,
        units: int,
        found: Entries,
        pair: Numbers,
        margins: tuple[Numbers, Numbers],
        *,
        context: Any,
        width: int,
    ) -> None:
        self._units = units
        self._found = found
        self._pair = pair
        self._margins = margins
        self._width = width
        self.context = context
        self.skipped = found.skipped

    @cached_property
    def _compared(self) -> tuple[FloatArray, FloatArray]:
        """Whether each unit has comparable answers, and their mean distance, (U,) each."""
        found = self._found
        number = np.bincount(found.unit, minlength=self._units)
        mean = np.bincount(found.unit, weights=found.apart, minlength=self._units) / np.maximum(number, 1)
        return (number > 0).astype(np.float64), mean

    def totals(self) -> FloatArray:
        """Sum over units, (1, k)."""
        k = self.context.pairs
        parts = (
            np.bincount(self._pair, minlength=k),
            np.bincount(self._pair, self._found.apart, k),
            [column.sum() for column in self._compared],
            np.bincount(self._margins[1], minlength=self._width - 2 * k - 2),
        )
        return np.concatenate(parts, dtype=np.float64)[None, :]

    def product(self, per_column: FloatArray) -> FloatArray:
        """Each row times a vector (k,), (U,)."""
        k, found = self.context.pairs, self._found
        usable, mean = self._compared
        out = per_column[2 * k] * usable + per_column[2 * k + 1] * mean
        if per_column[: 2 * k].any():
            each = per_column[:k][self._pair] + per_column[k : 2 * k][self._pair] * found.apart
            out += np.bincount(found.unit, each, self._units)
        unit, column = self._margins
        return out + np.bincount(unit, per_column[2 * k + 2 :][column], self._units)

    @cached_property
    def rows(self) -> Rows:
        """All rows, (U, k)."""
        from scipy.sparse import coo_array

        k, found, (unit, column) = self.context.pairs, self._found, self._margins
        kind = _index(max(self._width, self._units))
        units, ones = np.arange(self._units, dtype=kind), np.ones(max(len(self._pair), len(unit), self._units))
        apart = found.apart != 0.0
        usable, mean = self._compared
        cells = (
            (found.unit, self._pair, ones[: len(self._pair)]),
            (found.unit[apart], self._pair[apart] + k, found.apart[apart]),
            (units, np.full(self._units, 2 * k), usable),
            (units, np.full(self._units, 2 * k + 1), mean),
            (unit, column + 2 * k + 2, ones[: len(unit)]),
        )
        row = np.concatenate([each[0].astype(kind, copy=False) for each in cells])
        place = np.concatenate([each[1].astype(kind, copy=False) for each in cells])
        data = np.concatenate([each[2] for each in cells])
        rows = coo_array((data, (row, place)), shape=(self._units, self._width)).tocsr()
        dense = self._width <= DENSE_COLUMNS and self._width * self._units <= DENSE_NUMBERS
        return rows.toarray() if dense else rows


class TooManyPairsError(DataError):
    """The pairs of answers do not fit into memory."""


def _check_size(study: Study) -> None:
    pairs = study.P
    if pairs > MOST_PAIRS:
        raise TooManyPairsError.at(
            "the errors of a mean over rater pairs need every pair of answers in memory.",
            control=study.name or None,
            found=f"{pairs:,} pairs of answers",
            allowed=f"{MOST_PAIRS:,}",
            hint="Ask for the value alone (ci=None), or use conger_kappa, which needs one row an answer.",
        )


def _index(size: int) -> type[np.signedinteger]:
    """Integer type that holds indices below ``size``."""
    return np.int32 if size < 2**31 else np.int64
