"""Positions of values on a scale: ranks in the declared order, or the numbers themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from accord.study import Study
from accord.values import EMPTY, FloatArray, Value

On = Literal["rank", "value"]


@dataclass(frozen=True, slots=True)
class Positions:
    """Position of each value (V,), EMPTY standing in the middle; or the reason why there are none."""

    x: FloatArray
    declared: int | None = None
    reason: str | None = None


def positions(study: Study, on: On) -> Positions:
    """Place the values of a study on its scale."""
    if on == "value":
        return _filled(study, _numbers(study), "the answers are not numbers")
    return _ranks(study)


def empty_code(study: Study) -> int | None:
    """Code of EMPTY, None if it is not among the values."""
    return next((code for code, value in enumerate(study.values) if value is EMPTY), None)


def _numbers(study: Study) -> FloatArray | None:
    """Values as numbers, NaN for EMPTY; None if one is not a number."""
    if set(map(type, study.values)) <= {int, float}:
        plain = np.array(study.values, dtype=np.float64)
        return plain if np.isfinite(plain).all() else None
    found = np.full(study.V, np.nan)
    for code, value in enumerate(study.values):
        if value is EMPTY:
            continue
        if not is_number(value):
            return None
        found[code] = value
    return found


def is_number(value: Value) -> bool:
    """Whether a value is a finite number; truth values are not."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and bool(np.isfinite(value))


def _ranks(study: Study) -> Positions:
    declared = study.domain or 0
    extra = [value for value in study.values[declared:] if value is not EMPTY]
    numbers = _numbers(study)
    if declared and not extra:
        ranks = np.arange(study.V, dtype=np.float64)
        empty = empty_code(study)
        if empty is not None:
            ranks[empty:] -= 1.0
            ranks[empty] = np.nan
        return _filled(study, ranks, "")
    if numbers is None:
        if declared:
            return Positions(np.zeros(study.V), reason=f"the answer {extra[0]!r} has no place on the declared scale")
        return Positions(np.zeros(study.V), reason="the order of the answers is not declared; give the domain")
    inside = numbers[:declared]
    if (np.diff(inside[~np.isnan(inside)]) <= 0.0).any():
        return Positions(np.zeros(study.V), reason=f"the answer {extra[0]!r} has no place on the declared scale")
    on_scale = ((study.counts > 0) | (np.arange(study.V) < declared)) & ~np.isnan(numbers)
    ladder = np.unique(numbers[on_scale])
    return _filled(study, np.where(np.isnan(numbers), np.nan, np.searchsorted(ladder, numbers)), "")


def _filled(study: Study, x: FloatArray | None, reason: str) -> Positions:
    if x is None:
        return Positions(np.zeros(study.V), reason=reason)
    known = x[~np.isnan(x)]
    middle = float(known[len(known) // 2]) if len(known) else 0.0
    return Positions(np.where(np.isnan(x), middle, x), study.domain)
