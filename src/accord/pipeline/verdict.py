"""Words for "is it good enough?", only where somebody said what is enough."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from accord.pipeline.gate import Criterion, decide, load_criteria
from accord.pipeline.report import ControlReport, Report

MEETS, BELOW, UNKNOWN = "Meets the criterion", "Below the criterion", "Cannot tell yet"


def with_criteria(report: Report, path: Path) -> Report:
    """Give each control that has a criterion for its headline a verdict in words."""
    criteria = load_criteria(path)
    decide(report, criteria)
    chosen = {c.control: c for c in criteria}
    controls = tuple(_judge(control, chosen.get(control.control.name)) for control in report.controls)
    return replace(report, controls=controls, criteria=f"Judged against {path.name}.")


def _judge(control: ControlReport, criterion: Criterion | None) -> ControlReport:
    if criterion is None or (criterion.coefficient or control.headline) != control.headline:
        return control
    return replace(control, criterion=criterion.at_least, verdict=verdict(control, criterion))


def verdict(control: ControlReport, criterion: Criterion) -> str:
    """Compare interval (or value) with what is asked."""
    main = control.main
    enough = main.units >= criterion.units and main.raters >= criterion.raters
    if main.undefined or not enough:
        return UNKNOWN
    if criterion.on == "value" or main.interval is None:
        return MEETS if main.value >= criterion.at_least else BELOW
    if main.interval.low >= criterion.at_least:
        return MEETS
    return BELOW if main.interval.high < criterion.at_least else UNKNOWN
