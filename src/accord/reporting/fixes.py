"""What to fix first: the findings of the page, each with its evidence; one entry a rater, whatever the control."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.pipeline.report import ControlReport, Finding, Report
from accord.reporting import words
from accord.reporting.charts import shares
from accord.reporting.label_figures import pair_tasks
from accord.reporting.tasks import TaskGroup

FINDING_WORDS = {
    "labels": "Label pair",
    "label": "Label",
    "rater": "Rater",
    "tasks": "Tasks",
    "overlap": "Overlap",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a finding was made, its share of the loss there, and the tasks behind it."""

    control: str
    share: str
    link: Markup | None
    elsewhere: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to fix first, and the other controls where the same was found."""

    finding: Finding
    what: str
    bar: Markup | None
    evidence: Evidence
    also: tuple[Evidence, ...]


def fixes(report: Report, groups: Sequence[TaskGroup]) -> tuple[Fix, ...]:
    """Make the entries in the order of the findings; a rater named on several controls has one entry."""
    entries: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in report.findings:
        where = "" if finding.kind == "rater" else finding.control
        entries.setdefault((finding.kind, finding.title, where), []).append(finding)
    return tuple(_fix(found, report, groups) for found in entries.values())


def _fix(found: Sequence[Finding], report: Report, groups: Sequence[TaskGroup]) -> Fix:
    first, *others = found
    return Fix(
        finding=first,
        what=FINDING_WORDS[first.kind],
        bar=shares.against_chance(first.share, first.chance_share) if math.isfinite(first.share) else None,
        evidence=_evidence(first, report, groups),
        also=tuple(_evidence(other, report, groups) for other in others),
    )


def _evidence(finding: Finding, report: Report, groups: Sequence[TaskGroup]) -> Evidence:
    share = words.percent(finding.share) if math.isfinite(finding.share) else ""
    place = next((i for i, c in enumerate(report.controls) if c.control.name == finding.control), None)
    numbers = [] if place is None else _numbers(finding, report.controls[place], groups[place])
    if place is None or not numbers:
        return Evidence(finding.control, share, None, "")
    missing = len(finding.units) - len(numbers)
    link = groups[place].link(numbers, f"Show {words.plural(len(numbers), 'task')}")
    return Evidence(finding.control, share, link, f"{missing:,} more not on this page" if missing > 0 else "")


def _numbers(finding: Finding, control: ControlReport, tasks: TaskGroup) -> list[int]:
    """Numbers of the embedded tasks behind a finding."""
    if finding.units or finding.kind != "labels":
        return tasks.numbers(finding.units)
    pairs = [pair for pair in control.confused if f"{pair.first} against {pair.second}" == finding.title]
    return sorted(number for pair in pairs for number in pair_tasks(tasks, pair.first, pair.second))
