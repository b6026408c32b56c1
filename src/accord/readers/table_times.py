"""Times in tables: seconds since 1970 from numbers, ISO text, or dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import numpy as np

from accord.errors import DataError
from accord.readers.coding import is_missing
from accord.readers.table_data import RawColumn
from accord.values import FloatArray


def seconds(column: RawColumn, refuse: Callable[[int, str], DataError]) -> FloatArray:
    """Times of a column (n,), NaN where blank; ``refuse(row, text)`` builds the error for what is not a time."""
    found = np.full(len(column.distinct) + 1, np.nan)
    for code, cell in enumerate(column.distinct):
        if not is_missing(cell):
            try:
                found[code] = moment(cell)
            except ValueError:
                raise refuse(int(np.argmax(column.codes == code)), str(cell)) from None
    return found[column.codes]


def moment(cell: Any) -> float:
    """Seconds since 1970 of one cell; text without a zone is UTC. Raises ValueError."""
    if isinstance(cell, dt.datetime):
        return (cell if cell.tzinfo else cell.replace(tzinfo=dt.UTC)).timestamp()
    if isinstance(cell, dt.date):
        return dt.datetime(cell.year, cell.month, cell.day, tzinfo=dt.UTC).timestamp()
    if isinstance(cell, int | float):
        return float(cell)
    text = str(cell).strip()
    try:
        return float(text)
    except ValueError:
        return moment(dt.datetime.fromisoformat(text))
