"""Decisions: criteria read from a file, checked against a report; undefined never passes."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import DataError, UnknownNameError, UsageError, shorten
from accord.pipeline.plan import load_json_object
from accord.pipeline.report import ControlReport, Report


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """What one control must reach.

    ``on`` is ``value`` or ``lower`` (lower limit of the interval); ``units``, ``raters`` and ``gold_accuracy`` (mean
    score against answers marked as ground truth) are minima; ``coefficient`` None = the headline.
    """

    control: str
    at_least: float
    coefficient: str | None = None
    on: str = "value"
    units: int = 0
    raters: int = 0
    gold_accuracy: float = 0.0

    def __post_init__(self) -> None:
        for name in ("control", "coefficient"):
            text = getattr(self, name)
            if not isinstance(text, str) and not (text is None and name == "coefficient"):
                raise UsageError(f"A criterion: {name} must be a text, not {shorten(repr(text))}.")
        if self.on not in ("value", "lower"):
            raise UsageError(f"Criterion of {self.control}: on={self.on!r} is not known. Allowed: value, lower.")
        for name, low, high in (
            ("at_least", -1.0, 1.0),
            ("units", 0, None),
            ("raters", 0, None),
            ("gold_accuracy", 0, 1),
        ):
            found = getattr(self, name)
            if isinstance(found, bool) or not isinstance(found, int | float) or not np.isfinite(found):
                raise UsageError(f"Criterion of {self.control}: {name} must be a number, not {found!r}.")
            if found < low or (high is not None and found > high):
                raise UsageError(f"Criterion of {self.control}: {name}={found} is out of range.")


@dataclass(frozen=True, slots=True)
class Check:
    """Outcome of one criterion."""

    control: str
    criterion: str
    found: float | None
    passed: bool
    why: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Outcome of all criteria."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every criterion holds; no criterion, no pass."""
        return bool(self.checks) and all(check.passed for check in self.checks)


def load_criteria(path: str | Path) -> tuple[Criterion, ...]:
    """Read ``{"criteria": [{"control": ..., "at_least": ..., ...}]}``.

    Raises
    ------
    UsageError, DataError
        Naming the file, the criterion and what is allowed.
    """
    return criteria_of(load_json_object(path), str(path))


def criteria_of(data: Mapping[str, Any], where: str) -> tuple[Criterion, ...]:
    """Read criteria from an object of the form of a criteria file; ``where`` is how messages call it.

    Raises
    ------
    UsageError, DataError
        Naming the criterion and what is allowed.
    """
    unknown = set(data) - {"criteria"}
    if unknown:
        raise UnknownNameError.among("key in the criteria file", sorted(unknown, key=str)[0], ["criteria"])
    items = data.get("criteria")
    if not isinstance(items, list) or not items:
        raise DataError.at("holds no criteria.", file=where, allowed='{"criteria": [{"control": …, "at_least": …}]}')
    return tuple(_criterion(item, f"{where}, criterion {i}") for i, item in enumerate(items, 1))


def _criterion(item: Any, where: str) -> Criterion:
    known = [field.name for field in dataclasses.fields(Criterion)]
    if not isinstance(item, Mapping):
        raise UsageError(f"{where}: an object is expected, not {item!r}.")
    for key in item:
        if key not in known:
            close = difflib.get_close_matches(str(key), known, n=1)
            raise UsageError(
                f"{where}: unknown key {key!r}. "
                + (f"Did you mean {close[0]}?" if close else f"Known: {', '.join(known)}.")
            )
    for key in ("control", "at_least"):
        if key not in item:
            raise UsageError(f"{where}: {key} is missing.")
    return Criterion(**item)


def decide(report: Report, criteria: tuple[Criterion, ...]) -> Decision:
    """Check every criterion.

    Raises
    ------
    UnknownNameError
        If a criterion names a control or a coefficient that was not measured.
    """
    names = {control.control.name: control for control in report.controls}
    checks = []
    for criterion in criteria:
        if criterion.control not in names:
            raise UnknownNameError.among("control", criterion.control, names)
        checks.append(_check(names[criterion.control], criterion))
    return Decision(tuple(checks))


def fail_under(report: Report, threshold: float, on: str = "value") -> Decision:
    """Ask every scored control's headline for at least ``threshold``."""
    criteria = tuple(Criterion(control=c.control.name, at_least=threshold, on=on) for c in report.controls)
    return decide(report, criteria)


def _check(control: ControlReport, criterion: Criterion) -> Check:
    key = criterion.coefficient or control.headline
    if key not in control.coefficients:
        raise UnknownNameError.among(f"coefficient measured for {criterion.control}", key, control.coefficients)
    estimate = control.coefficients[key]
    words = f"{key} {'lower limit ' if criterion.on == 'lower' else ''}at least {criterion.at_least:g}"
    if estimate.undefined:
        return Check(criterion.control, words, None, False, f"undefined: {estimate.reason or estimate.undefined}")
    if criterion.on == "lower" and estimate.interval is None:
        return Check(criterion.control, words, None, False, "there is no interval")
    found = estimate.interval.low if criterion.on == "lower" and estimate.interval else estimate.value
    if estimate.units < criterion.units:
        return Check(criterion.control, words, found, False, f"{estimate.units} units, {criterion.units} are needed")
    if estimate.raters < criterion.raters:
        return Check(criterion.control, words, found, False, f"{estimate.raters} raters, {criterion.raters} are needed")
    short = _short_of_gold(control, criterion)
    if short:
        return Check(criterion.control, words, found, False, short)
    passed = found >= criterion.at_least
    return Check(criterion.control, words, found, passed, "reached" if passed else "not reached")


def _short_of_gold(control: ControlReport, criterion: Criterion) -> str | None:
    """Why the agreement with gold answers does not suffice, None if it does."""
    if not criterion.gold_accuracy:
        return None
    gold = control.gold
    if gold is None or gold.undefined:
        return "no answer can be compared with a gold answer"
    lower = criterion.on == "lower"
    if lower and gold.interval is None:
        return "gold accuracy has no interval"
    found = gold.interval.low if lower and gold.interval else gold.value
    if found >= criterion.gold_accuracy:
        return None
    what = "lower limit of gold accuracy" if lower else "gold accuracy"
    return f"{what} {found:.3g}, {criterion.gold_accuracy:g} is needed"
