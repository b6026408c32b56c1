"""Studies from arrays, lists and tables in memory; the constructors behind every public function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from accord.errors import DataError, UnknownNameError, UsageError
from accord.readers.coding import (
    EXACT,
    Coded,
    cell_index,
    check_types,
    code_floats,
    code_integers,
    code_objects,
    declared_values,
    kind_of,
    settle,
)
from accord.study import Study, compact, pick
from accord.values import Index, IntArray, Level, Value

Orientation = Literal["units", "raters"]


class Numbered(Sequence[str]):
    """Names made from a number on demand: r1, r2, ..."""

    def __init__(self, count: int, prefix: str = "") -> None:
        self._count = count
        self._prefix = prefix

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        numbers = range(1, self._count + 1)[index]
        return f"{self._prefix}{numbers}" if isinstance(numbers, int) else [f"{self._prefix}{n}" for n in numbers]


def as_study(
    data: Any,
    *,
    level: str | None = None,
    domain: Sequence[Value] | None = None,
    cluster: Sequence[Any] | None = None,
    missing: Iterable[Value] = (),
) -> Study:
    """Make a study of what a user has: a Study, a units x raters table, or a dataframe.

    Parameters
    ----------
    data
        A Study, an array or list of lists (U, R) with None or NaN for missing answers, or a dataframe
        (pandas, polars, pyarrow), long or wide.
    level
        Level of measurement; by default that of a Study, ``interval`` for numbers with decimals and no domain,
        else ``nominal``.
    domain
        What could have been said, in order.
    cluster
        Cluster of each unit (U,).

    Raises
    ------
    DataError
        The table is ragged or mixes types of answers.
    """
    if isinstance(data, Study):
        study = data if domain is None else with_domain(data, domain)
        return _finish(study, level, cluster)
    if isinstance(data, np.ndarray | list | tuple):
        return from_matrix(data, level=level, domain=domain, missing=missing, cluster=cluster)
    from accord.readers.frame_studies import study_of_frame

    return _finish(study_of_frame(data, domain=domain, missing=missing), level, cluster)


def from_matrix(
    rows: npt.ArrayLike | Sequence[Sequence[Any]],
    *,
    orientation: Orientation = "units",
    level: str | None = None,
    domain: Sequence[Value] | None = None,
    missing: Iterable[Value] = (),
    rater_names: Sequence[str] | None = None,
    unit_names: Sequence[str] | None = None,
    cluster: Sequence[Any] | None = None,
) -> Study:
    """Make a study of a table with one row a unit and one column a rater.

    Parameters
    ----------
    rows
        Array or list of lists (U, R); None, NaN and blank text are missing.
    orientation
        ``units`` if rows are units, ``raters`` if rows are raters.

    Raises
    ------
    DataError
        The rows differ in length, or answers mix text, numbers and truth values.

    Examples
    --------
    >>> from accord.readers.arrays import from_matrix
    >>> study = from_matrix([["a", "a"], ["a", "b"], ["b", None]])
    >>> study.U, study.R, study.C, study.values
    (3, 2, 5, ('a', 'b'))
    """
    if orientation not in ("units", "raters"):
        raise UsageError(f"Unknown orientation {orientation!r}. Allowed: units, raters.")
    coded, shape = _coded_table(rows, orientation, missing, domain)
    names = (_names(unit_names, shape[0], "", "units"), _names(rater_names, shape[1], "r", "raters"))
    return _finish(_study(coded, shape, names, domain, cluster), level, None)


def from_long(
    frame: Any,
    *,
    unit: str,
    rater: str,
    value: str,
    time: str | None = None,
    level: str | None = None,
    domain: Sequence[Value] | None = None,
    missing: Iterable[Value] = (),
    cluster: str | None = None,
) -> Study:
    """Make a study of a long table with one row an answer.

    Parameters
    ----------
    frame
        Dataframe of pandas, polars or pyarrow, or a mapping of column names to lists.
    unit, rater, value
        Names of columns.
    time
        Column with the time of each answer; the newest of several answers by one rater to one unit counts.
    cluster
        Column with the cluster of each unit.

    Raises
    ------
    DataError
        A rater gave different answers to one unit and no time tells which is the newest.

    Examples
    --------
    >>> from accord.readers.arrays import from_long
    >>> rows = {"doc": [1, 1, 2, 2], "who": ["a", "b", "a", "b"], "says": ["x", "y", "x", "x"]}
    >>> from_long(rows, unit="doc", rater="who", value="says").values
    ('x', 'y')
    """
    from accord.readers.frame_studies import study_of_frame

    roles = {"unit": unit, "rater": rater, "value": value, "time": time, "cluster": cluster}
    return _finish(study_of_frame(frame, domain=domain, missing=missing, **roles), level, None)


def _coded_table(
    rows: Any, orientation: str, missing: Iterable[Value], domain: Sequence[Value] | None
) -> tuple[Coded, tuple[int, int]]:
    if isinstance(rows, np.ndarray):
        if rows.ndim != 2:
            raise DataError.at(
                "a table of answers has two dimensions, units and raters.",
                found=f"shape {rows.shape}",
                hint="Put one unit in a row and one rater in a column.",
            )
        table = rows.T if orientation == "raters" else rows
        return _code_array(table, missing, domain), (table.shape[0], table.shape[1])
    lines = _even_rows(rows)
    if orientation == "raters":
        lines = list(zip(*lines, strict=True))
    shape = (len(lines), len(lines[0]) if lines else 0)
    return code_objects([answer for line in lines for answer in line], missing, domain), shape


def _code_array(table: npt.NDArray[Any], missing: Iterable[Value], domain: Sequence[Value] | None) -> Coded:
    if table.dtype.kind in "iu":
        return code_integers(table, missing, domain)
    if table.dtype.kind == "f":
        return code_floats(table, missing, domain)
    return code_objects(table.ravel().tolist(), missing, domain)


def _even_rows(rows: Any) -> list[Any]:
    lines = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    for number, line in enumerate(lines, start=1):
        if isinstance(line, str) or not isinstance(line, Sequence):
            raise DataError.at(
                "each row of a table is a list with one answer a rater.",
                line=number,
                found=repr(line),
                hint="Put one unit in a row and one rater in a column.",
            )
        if len(line) != len(lines[0]):
            raise DataError.at(
                "rows differ in length.",
                line=number,
                found=f"{len(line)} answers",
                allowed=f"{len(lines[0])} as in the first row; None for a missing answer",
            )
    return lines


def _names(names: Sequence[str] | None, count: int, prefix: str, what: str) -> Sequence[str]:
    if names is None:
        return Numbered(count, prefix)
    if len(names) != count:
        raise UsageError(f"{len(names)} names were given for {count} {what}.")
    return [str(name) for name in names]


def _study(
    coded: Coded,
    shape: tuple[int, int],
    names: tuple[Sequence[str], Sequence[str]],
    domain: Sequence[Value] | None,
    cluster: Sequence[Any] | None,
) -> Study:
    """Lay coded cells (U * R,) out as a study; units and raters without any answer go."""
    codes = coded.codes
    unit, rater, kept = cell_index(codes, shape)
    matrix = codes.reshape(shape)
    numbers = None if cluster is None else cluster_numbers(cluster, shape[0])
    if kept is not None:
        codes = codes[kept]
        unit, units = compact(unit, shape[0])
        rater, raters = compact(rater, shape[1])
        if len(units) < shape[0] or len(raters) < shape[1]:
            matrix = matrix[np.ix_(units, raters)]
        names = (pick(names[0], units), pick(names[1], raters))
        numbers = None if numbers is None else cluster_numbers(numbers[units], len(units))
    kind, level = kind_of(coded.values, domain)
    return Study(
        unit=unit,
        rater=rater,
        code=codes,
        values=coded.values,
        unit_names=names[0],
        rater_names=names[1],
        kind=kind,
        level=level,
        domain=None if domain is None else len(coded.values) - len(coded.outside),
        cluster=numbers,
        matrix=matrix,
    )


def cluster_numbers(cluster: Sequence[Any] | npt.NDArray[Any], units: int) -> IntArray:
    """Number the clusters of the units (U,) from 0; every unit must have one."""
    if len(cluster) != units:
        raise UsageError(f"cluster has {len(cluster)} entries for {units} units; give one for each unit.")
    if isinstance(cluster, np.ndarray) and cluster.dtype.kind in "iu":
        return np.unique(cluster, return_inverse=True)[1].astype(np.int32)
    coded = code_objects(list(cluster))
    if (coded.codes < 0).any():
        raise DataError.at("a unit has no cluster.", found=f"nothing for unit {int(np.argmin(coded.codes)) + 1}")
    return coded.codes


def with_domain(study: Study, domain: Sequence[Value]) -> Study:
    """Return the study with another declared domain; answers outside it stay, after the declared values."""
    said = study.counts > 0
    old = [value if given else None for value, given in zip(study.values, said.tolist(), strict=True)]
    coded = settle(np.arange(study.V, dtype=np.int32), old, (), domain)
    return replace(
        study,
        code=coded.codes[study.code],
        values=coded.values,
        domain=len(coded.values) - len(coded.outside),
        matrix=None if study.matrix is None else np.append(coded.codes, np.int32(-1))[study.matrix],
    )


def _finish(study: Study, level: str | None, cluster: Sequence[Any] | None) -> Study:
    if level is None and cluster is None:
        return study
    return replace(
        study,
        level=study.level if level is None else as_level(level),
        cluster=study.cluster if cluster is None else cluster_numbers(cluster, study.U),
    )


def as_level(name: str) -> Level:
    """Level of measurement by name."""
    try:
        return Level(name.lower())
    except ValueError:
        raise UnknownNameError.among("level", name, list(Level)) from None


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
    names = _names(unit_names, len(counts), "", "units")
    return _finish(spread(counts, values, names), level, None)


def spread(counts: Index, values: tuple[Value, ...], names: Sequence[str]) -> Study:
    """Give every counted answer a slot within its unit."""
    check_types(values)
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
    return _finish(crossed(counts, values), level, None)


def crossed(counts: Index, values: tuple[Value, ...], raters: Sequence[str] = ("r1", "r2")) -> Study:
    """Give every counted pair of answers a unit."""
    check_types(values)
    matrix = np.stack(np.divmod(np.repeat(np.arange(counts.size), counts.ravel()), len(counts)), axis=1)
    coded = Coded(matrix.astype(np.int32).ravel(), values)
    return _study(coded, (len(matrix), 2), (Numbered(len(matrix)), raters), values, None)


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
