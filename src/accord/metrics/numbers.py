"""Numbers and ratings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from accord.metrics.spec import Codes, metric
from accord.registry import Option
from accord.values import FloatArray, Kind, Value


def as_number(value: Value) -> float | None:
    """Return a finite number, None for anything else (texts and truth values are not numbers)."""
    if isinstance(value, bool | str) or not isinstance(value, int | float | np.number):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _scores(difference: FloatArray, max_difference: float | None) -> FloatArray:
    if max_difference is None:
        return 1.0 / (1.0 + difference)
    slack = 1e-12 * max(1.0, abs(max_difference))
    return (difference <= max_difference + slack).astype(np.float64)


def _block(left: Sequence[float], right: Sequence[float], *, max_difference: float | None) -> FloatArray:
    return _scores(np.abs(np.array(left)[:, None] - np.array(right)[None, :]), max_difference)


@metric(
    "numeric_difference",
    kinds=(Kind.NUMBER, Kind.RATING),
    reference="Reciprocal distance similarity",
    prepare=as_number,
    shape="batch",
    block=_block,
    options={
        "max_difference": Option(None, help="score 1 up to this difference and 0 beyond, instead of the graded form")
    },
)
def numeric_difference(pool: Sequence[float], i: Codes, j: Codes, /, *, max_difference: float | None) -> FloatArray:
    """1 / (1 + absolute difference), or 1 within a tolerance and 0 outside it."""
    x = np.array(pool, dtype=np.float64)
    return _scores(np.abs(x[i] - x[j]), max_difference)
