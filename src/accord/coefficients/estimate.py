"""The result of every measurement: a number with its interval, its counts and its recipe."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

#: Why a value does not exist, in the order in which it is tested.
UNDEFINED: Mapping[str, str] = {
    "no_answers": "there is no answer at all",
    "one_rater": "only one rater answered",
    "no_overlap": "no unit has two answers",
    "nothing_comparable": "no pair of answers can be compared",
    "one_unit": "chance comes from other units, and only one unit has two answers",
    "no_variation": "every answer is the same, so chance alone would agree always (0/0)",
    "not_applicable": "the coefficient does not apply to this data",
    "incomplete": "too many scores failed",
}


@dataclass(frozen=True, slots=True)
class Interval:
    """Confidence interval and how it was made."""

    low: float
    high: float
    level: float
    method: str

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "low": finite(self.low),
            "high": finite(self.high),
            "level": self.level,
            "method": self.method,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Value, observed and expected agreement, uncertainty, counts and recipe.

    ``value`` is NaN exactly when ``undefined`` names a reason (a key of UNDEFINED). ``disagreement`` is
    (D_o, D_e) in the coefficient's own units. ``units`` have at least two comparable answers, ``pairs`` are
    within-unit rater pairs that were scored, ``skipped`` pairs could not be compared.
    """

    name: str
    value: float
    observed: float = math.nan
    expected: float = math.nan
    disagreement: tuple[float, float] | None = None
    expected_error: float | None = None
    se: float = math.nan
    interval: Interval | None = None
    units: int = 0
    raters: int = 0
    values: int = 0
    pairs: int = 0
    skipped: int = 0
    clusters: int | None = None
    undefined: str | None = None
    reason: str | None = None
    notes: tuple[str, ...] = ()
    signature: str = ""
    similarity: str = ""
    symbol: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        counts = f"({self.units:,} units, {self.raters:,} raters, {self.pairs:,} pairs)"
        label = self.symbol or self.name
        if self.undefined:
            observed = "" if math.isnan(self.observed) else f", observed agreement {self.observed:.3f}"
            return f"{label} undefined: {self.reason or UNDEFINED[self.undefined]}{observed}  {counts}"
        interval = f" [{self.interval.low:.3f}, {self.interval.high:.3f}]" if self.interval else ""
        return f"{label} = {self.value:.3f}{interval}  {counts}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: full precision, NaN as None."""
        return {
            "value": finite(self.value),
            "observed": finite(self.observed),
            "expected": finite(self.expected),
            "disagreement": None if self.disagreement is None else [finite(d) for d in self.disagreement],
            "expected_error": finite(self.expected_error),
            "se": finite(self.se),
            "interval": None if self.interval is None else self.interval.to_dict(),
            "similarity": self.similarity,
            "units": self.units,
            "raters": self.raters,
            "values": self.values,
            "pairs": self.pairs,
            "skipped": self.skipped,
            "clusters": self.clusters,
            "undefined": self.undefined,
            "reason": self.reason or (UNDEFINED[self.undefined] if self.undefined else None),
            "notes": list(self.notes),
            "signature": self.signature,
            "details": {key: finite(value) for key, value in self.details.items()},
        }


def finite(value: Any) -> Any:
    """NaN and infinities become None; containers are walked."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value
