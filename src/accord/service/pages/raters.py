"""Annotators of a project: agreement with the others, accuracy against gold, and who may have to pause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from sqlalchemy import select
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.pipeline.report import Report
from accord.service.access import Identity, Manager, Viewer
from accord.service.api.asked import Number, workspace_of
from accord.service.failures import Problem, from_accord
from accord.service.pages.decision_words import moment
from accord.service.pages.frames import frame, page
from accord.service.pages.overview import reports_of
from accord.service.render import html
from accord.service.roles import Role
from accord.workspace.evaluation import ControlScores, RaterEvaluation
from accord.workspace.records import Project
from accord.workspace.settings import SuspendPolicy
from accord.workspace.suspension import Step
from accord.workspace.tables import RATERS

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean similarity of an annotator with the others in one control, not corrected for chance."""

    value: float | None
    low: float | None
    high: float | None
    tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRow:
    """One annotator; ``gold`` values are None without gold tasks of others."""

    id: int
    name: str
    answers: int
    agreement: Mapping[str, Agreement]
    gold_tasks: int
    gold_accuracy: float | None
    gold_low: float | None
    gold_high: float | None
    classes: Sequence[ControlScores]
    state: str
    history: Sequence[Step]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatersPage:
    """All annotators of a project, and the policy by which some may have to pause."""

    project: Project
    controls: tuple[str, ...]
    rows: tuple[RaterRow, ...]
    policy: SuspendPolicy
    can_manage: bool
    problem: Problem | None = None


def _show(request: Request, who: Identity, data: RatersPage, status: int = 200) -> Response:
    return html("raters", data, frame(request, who, project=data.project), status, moment=moment)


@page(router, "/projects/{project}/raters", _show)
def raters(request: Request, who: Viewer, project: Number) -> RatersPage:
    """Build the page."""
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    report = reports_of(request).get(project).report
    gold = {one.rater: one for one in workspace.evaluation.raters(project)}
    history = workspace.suspensions.history(project)
    states = workspace.suspensions.states(project)
    with workspace.database.read() as connection:
        query = select(RATERS.c.id, RATERS.c.name).where(RATERS.c.project_id == project)
        numbers = {row.name: row.id for row in connection.execute(query)}
    agreement = _agreement(report) if report is not None else {}
    rows = [
        _row(numbers[name], name, agreement[name], gold.get(name), states, history)
        for name in sorted(agreement, key=str.casefold)
    ]
    return RatersPage(
        project=found,
        controls=tuple(control.control.name for control in report.controls) if report is not None else (),
        rows=tuple(rows),
        policy=workspace.settings.get(project)[0].suspend,
        can_manage=who.role >= Role.MANAGER,
    )


def _agreement(report: Report) -> dict[str, tuple[int, dict[str, Agreement]]]:
    """Answers and agreement by control of each annotator."""
    found: dict[str, tuple[int, dict[str, Agreement]]] = {}
    for control in report.controls:
        for row in control.rater_rows:
            answers, by_control = found.get(row.rater, (0, {}))
            interval = row.agreement.interval
            low, high = (None, None) if interval is None else (interval.low, interval.high)
            value = None if row.agreement.undefined else row.agreement.value
            known = by_control | {control.control.name: Agreement(value, low, high, row.units)}
            found[row.rater] = answers + row.answers, known
    return found


def _row(
    number: int,
    name: str,
    seen: tuple[int, dict[str, Agreement]],
    gold: RaterEvaluation | None,
    states: Mapping[int, str],
    history: Mapping[int, Sequence[Step]],
) -> RaterRow:
    interval = gold.interval if gold else None
    return RaterRow(
        id=number,
        name=name,
        answers=seen[0],
        agreement=seen[1],
        gold_tasks=gold.tasks if gold else 0,
        gold_accuracy=gold.accuracy if gold else None,
        gold_low=interval.low if interval else None,
        gold_high=interval.high if interval else None,
        classes=gold.controls if gold else (),
        state=states.get(number, "active"),
        history=history.get(number, ()),
    )


@router.post("/projects/{project}/raters/{rater}")
def act(
    request: Request,
    who: Manager,
    project: Number,
    rater: Number,
    action: Annotated[str, Form(max_length=20)] = "",
    reason: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    """Suspend, dismiss a proposal, appeal, or undo; always with a reason."""
    try:
        workspace_of(request).suspensions.act(project, rater, action, reason=reason, actor=who.actor)
    except AccordError as error:
        failure = from_accord(error)
        data = replace(raters(request=request, who=who, project=project), problem=failure.body.error)
        return _show(request, who, data, failure.status)
    return RedirectResponse(f"/projects/{project}/raters?said=saved", 303)
