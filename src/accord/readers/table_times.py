"""Times in tables: seconds since 1970 from numbers, ISO text, or dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import numpy as np

from accord.errors import DataError
from accord.readers.answer_types import is_missing
from accord.readers.table_data import RawColumn
from accord.readers.times import instant
from accord.values import FloatArray


def seconds(column: RawColumn, refuse: Callable[[int, str], DataError]) -> FloatArray:
    """Times of a column (n,), NaN where blank; ``refuse(row, text)`` builds the error for what is not a time."""
    found = np.full(len(column.distinct) + 1, np.nan)
    for code, cell in enumerate(column.distinct):
        if not is_missing(cell):
            text = cell.isoformat() if isinstance(cell, dt.date) else cell
            moment = instant(_number(text))
            if moment is None:
                raise refuse(int(np.argmax(column.codes == code)), str(cell))
            found[code] = moment
    return found[column.codes]


def _number(cell: object) -> object:
    """Seconds written as text are numbers, also those that could be read as a date without dashes."""
    try:
        return float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return str(cell).strip()
