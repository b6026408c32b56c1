"""Studies from arrays, lists and tables in memory; the constructors behind every public function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from accord.errors import DataError, UsageError
from accord.readers.answer_types import RefusedError
from accord.readers.coding import Coded, code_floats, code_integers, code_objects
from accord.readers.counts import from_contingency, from_counts
from accord.readers.studies import finished, laid_out, named, with_domain
from accord.study import Study
from accord.values import Value

__all__ = ["as_study", "from_contingency", "from_counts", "from_long", "from_matrix"]

Orientation = Literal["units", "raters"]


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
        return finished(study, level, cluster)
    if isinstance(data, np.ndarray | list | tuple):
        return from_matrix(data, level=level, domain=domain, missing=missing, cluster=cluster)
    from accord.readers.frame_studies import study_of_frame

    return finished(study_of_frame(data, domain=domain, missing=missing), level, cluster)


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
    names = (named(unit_names, shape[0], "", "units"), named(rater_names, shape[1], "r", "raters"))
    return finished(laid_out(coded, shape, names, domain, cluster), level, None)


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
    return finished(study_of_frame(frame, domain=domain, missing=missing, **roles), level, None)


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
    return _code_cells([answer for line in lines for answer in line], shape[1], missing, domain), shape


def _code_array(table: npt.NDArray[Any], missing: Iterable[Value], domain: Sequence[Value] | None) -> Coded:
    if table.dtype.kind in "iu":
        return code_integers(table, missing, domain)
    if table.dtype.kind == "f":
        return code_floats(table.astype(np.float64, copy=False), missing, domain)
    # dates stay scalars of numpy here, because in a list of them fine ones are numbers
    cells = list(table.ravel()) if table.dtype.kind in "mM" else table.ravel().tolist()
    return _code_cells(cells, table.shape[1], missing, domain)


def _code_cells(cells: list[Any], width: int, missing: Iterable[Value], domain: Sequence[Value] | None) -> Coded:
    try:
        return code_objects(cells, missing, domain)
    except RefusedError as error:
        unit, rater = divmod(error.index, width)
        raise DataError.at(f"unit {unit + 1}, rater {rater + 1}: {error}") from None


def _even_rows(rows: Any) -> list[Any]:
    lines = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, list | tuple) and (isinstance(line, str) or not isinstance(line, Sequence)):
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
