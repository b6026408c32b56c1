"""Studies from tables of counts: items by categories, or a cross table of two raters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from accord.errors import DataError, UsageError
from accord.readers.coding import EXACT, Coded, check_types, declared_values
from accord.readers.studies import Numbered, finished, laid_out, named
from accord.study import Study, compact, pick
from accord.values import Index, Value

#: Every counted answer is laid out.
MOST_ANSWERS: Final = 100_000_000


def from_counts(
    table: Any,
    *,
    categories: Sequence[Value] | None = None,
    level: str | None = None,
    unit_names: Sequence[str] | None = None,
) -> Study:
    """Make a study of counts: how many raters put each unit into each category.

    Raters are interchangeable slots: the table does not say who answered what.

    Parameters
    ----------
    table
        Whole numbers (U, V), one row a unit, one column a category.
    categories
        Values of the columns; by default 1..V.

    Examples
    --------
    >>> from accord.readers.arrays import from_counts
    >>> study = from_counts([[3, 0], [1, 2]], categories=["yes", "no"])
    >>> study.U, study.C, study.slots
    (2, 6, True)
    """
    counts = count_table(table)
    values = declared_values(range(1, counts.shape[1] + 1) if categories is None else categories)
    if len(values) != counts.shape[1]:
        raise UsageError(f"{len(values)} categories were given for {counts.shape[1]} columns of counts.")
    names = named(unit_names, len(counts), "", "units")
    return finished(spread(counts, values, names), level, None)


def spread(counts: Index, values: tuple[Value, ...], names: Sequence[str]) -> Study:
    """Give every counted answer a slot within its unit."""
    check_types(values)
    _check_total(counts)
    unit, code = np.divmod(np.repeat(np.arange(counts.size), counts.ravel()), counts.shape[1])
    totals = counts.sum(axis=1)
    slot = np.arange(len(unit)) - np.repeat(np.cumsum(totals) - totals, totals)
    unit, units = compact(unit.astype(np.int32), len(counts))
    return Study(
        unit=unit,
        rater=slot.astype(np.int32),
        code=code.astype(np.int32),
        values=values,
        unit_names=pick(names, units),
        rater_names=Numbered(int(totals.max(initial=0)), "slot "),
        domain=len(values),
        slots=True,
    )


def from_contingency(table: Any, *, categories: Sequence[Value] | None = None, level: str | None = None) -> Study:
    """Make a study of two raters from their square cross table (V, V): rows the first rater, columns the second.

    Examples
    --------
    >>> from accord.readers.arrays import from_contingency
    >>> study = from_contingency([[20, 5], [10, 15]], categories=["yes", "no"])
    >>> study.U, study.R
    (50, 2)
    """
    counts = count_table(table)
    if counts.shape[0] != counts.shape[1]:
        raise DataError.at(
            "a cross table of two raters is square, with the same categories in the same order on both sides.",
            found=f"{counts.shape[0]} rows and {counts.shape[1]} columns",
        )
    values = declared_values(range(1, len(counts) + 1) if categories is None else categories)
    if len(values) != len(counts):
        raise UsageError(f"{len(values)} categories were given for {len(counts)} rows and columns.")
    return finished(crossed(counts, values), level, None)


def crossed(counts: Index, values: tuple[Value, ...], raters: Sequence[str] = ("r1", "r2")) -> Study:
    """Give every counted pair of answers a unit."""
    check_types(values)
    _check_total(counts)
    matrix = np.stack(np.divmod(np.repeat(np.arange(counts.size), counts.ravel()), len(counts)), axis=1)
    coded = Coded(matrix.astype(np.int32).ravel(), values)
    return laid_out(coded, (len(matrix), 2), (Numbered(len(matrix)), raters), values, None)


def _check_total(counts: Index) -> None:
    total = float(counts.sum(dtype=np.float64))
    if total > MOST_ANSWERS:
        raise DataError.at(
            "the counts add up to more answers than can be measured.",
            found=f"{total:,.0f}",
            allowed=f"up to {MOST_ANSWERS:,}",
            hint="Check whether these are counts.",
        )


def count_table(table: Any) -> Index:
    """Check a table of counts: two dimensions, whole numbers, none negative."""
    try:
        counts = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError.at("a table of counts holds whole numbers in rows of equal length.") from None
    if counts.ndim != 2:
        raise DataError.at("a table of counts has two dimensions.", found=f"shape {counts.shape}")
    if counts.size and not ((counts >= 0) & (counts == np.rint(counts)) & (counts < EXACT)).all():
        bad = counts[~((counts >= 0) & (counts == np.rint(counts)) & (counts < EXACT))]
        raise DataError.at("counts are whole numbers, none negative.", found=str(bad.flat[0]))
    return counts.astype(np.int64)
