"""Is it good enough? The criteria of a project against its present scores, and what was signed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.pipeline.gate import Criterion, criteria_of, decide
from accord.pipeline.signoff import signed
from accord.service.page_reports import PageReports
from accord.workspace import Workspace
from accord.workspace.settings import Settings


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision as data, and the versions of data and settings it belongs to."""

    decision: Mapping[str, Any]
    versions: tuple[int, int]


def criteria(settings: Settings) -> tuple[Criterion, ...]:
    """Criteria of a project; those given with controls count where the list names no control."""
    listed = criteria_of(settings.criteria, "the criteria") if settings.criteria else ()
    named = {one.control for one in listed}
    plans = settings.measuring.controls.items()
    more = [Criterion(control=name, at_least=plan.criterion) for name, plan in plans if plan.criterion is not None]
    return (*listed, *(one for one in more if one.control not in named))


def judge(workspace: Workspace, reports: PageReports, project: int) -> Judged | None:
    """Judge the present scores; None where there are no criteria or no scores.

    Raises
    ------
    UnknownNameError
        If a criterion names a control or coefficient that was not measured.
    """
    asked = criteria(workspace.settings.get(project)[0])
    seen = reports.seen(project) if asked else None
    return None if seen is None else Judged(signed(seen.facts, seen.report, decide(seen.report, asked)), seen.versions)
