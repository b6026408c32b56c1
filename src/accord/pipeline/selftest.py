"""Published values, recomputed: what ``accord selftest`` prints.

The tables and their sources are in ``published.json``. A value passes if it differs from the printed one by at most one
unit of its last printed digit; observed and expected agreement are compared where the source gives them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from accord import measures
from accord.coefficients.estimate import Estimate
from accord.readers.arrays import from_contingency, from_counts, from_matrix
from accord.study import Study


@dataclass(frozen=True, slots=True)
class Check:
    """One published value beside the recomputed one."""

    table: str
    source: str
    measure: str
    published: float
    computed: float
    tolerance: float
    passed: bool


def run() -> tuple[Check, ...]:
    """Recompute every published value.

    Examples
    --------
    >>> checks = run()
    >>> len(checks) > 40 and all(check.passed for check in checks)
    True
    """
    return tuple(check for table in published() for check in _checks(table))


def published() -> tuple[Mapping[str, Any], ...]:
    """Return the tables: name, source, shape, data, and the values others printed."""
    text = resources.files("accord.pipeline").joinpath("published.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)["tables"])


def _checks(table: Mapping[str, Any]) -> Iterator[Check]:
    study = _study(table["shape"], table["data"])
    for expected in table["values"]:
        options = expected.get("options", {})
        estimate = getattr(measures, expected["measure"])(study, ci=None, **options)
        tolerance = 1.0001 * 10.0 ** -expected["digits"]
        yield Check(
            table=table["name"],
            source=expected.get("source", table["source"]),
            measure=_title(expected["measure"], options),
            published=expected["value"],
            computed=estimate.value,
            tolerance=tolerance,
            passed=_close(estimate, expected, tolerance),
        )


def _study(shape: str, data: list[Any]) -> Study:
    if shape == "contingency":
        return from_contingency(data)
    if shape == "counts":
        return from_counts(data)
    rows = [[_answer(answer) for answer in row] for row in data]
    return from_matrix(rows, orientation="raters" if shape == "raters" else "units")


def _answer(answer: str | int) -> str | int | None:
    """Read one cell: a star is a missing answer, digits are numbers."""
    if answer == "*":
        return None
    return int(answer) if isinstance(answer, str) and answer.isdigit() else answer


def _title(measure: str, options: Mapping[str, Any]) -> str:
    shown = [str(value) for key, value in options.items() if key in ("level", "weights", "form")]
    return " ".join((measure, *shown))


def _close(estimate: Estimate, expected: Mapping[str, Any], tolerance: float) -> bool:
    """Compare the value, and the parts the source prints to two digits or more."""
    parts = [
        ("value", tolerance),
        *((part, _step(expected[part])) for part in ("observed", "expected") if part in expected),
    ]
    return all(abs(getattr(estimate, part) - expected[part]) <= allowed for part, allowed in parts)


def _step(printed: float) -> float:
    digits = max(2, len(str(printed).partition(".")[2]))
    return 1.0001 * 10.0**-digits
