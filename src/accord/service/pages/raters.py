"""Annotators of a project: agreement with the others, accuracy against gold, and who may have to pause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.service.access import Identity, Manager, Viewer
from accord.service.annotators import effort_item, rater_items
from accord.service.api.asked import Number, workspace_of
from accord.service.failures import Problem, from_accord
from accord.service.pages.decision_words import moment
from accord.service.pages.frames import frame, page
from accord.service.pages.overview import reports_of
from accord.service.rater_schemas import EffortItem, RaterItem, SkipItem
from accord.service.render import html
from accord.service.roles import Role
from accord.workspace.policies import SuspendPolicy
from accord.workspace.records import Project
from accord.workspace.suspension import Step

router = APIRouter()
#: Rows of the lists of skips.
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean similarity of an annotator with the others in one control, not corrected for chance."""

    value: float | None
    low: float | None
    high: float | None
    tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRow:
    """One annotator: work and gold, agreement with the others by control, and what happened."""

    item: RaterItem
    agreement: Mapping[str, Agreement]
    history: Sequence[Step]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatersPage:
    """All annotators of a project, their effort, and the policy by which some may have to pause."""

    project: Project
    controls: tuple[str, ...]
    rows: tuple[RaterRow, ...]
    effort: EffortItem
    rounds: Mapping[str, Any] | None
    policy: SuspendPolicy
    can_manage: bool
    problem: Problem | None = None

    @property
    def skip_rates(self) -> Mapping[str, SkipItem]:
        """Skips by annotator."""
        return {row.name: row for row in self.effort.raters}

    @property
    def most_skipped_labels(self) -> list[SkipItem]:
        """Labels on whose tasks the largest share was skipped."""
        some = [row for row in self.effort.labels if row.skipped]
        return sorted(some, key=lambda row: -(row.rate or 0.0))[:SHOWN]


def _show(request: Request, who: Identity, data: RatersPage, status: int = 200) -> Response:
    return html("raters", data, frame(request, who, project=data.project), status, moment=moment)


@page(router, "/projects/{project}/raters", _show)
def raters(request: Request, who: Viewer, project: Number) -> RatersPage:
    """Build the page."""
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    given = reports_of(request).page(project)
    shown: Mapping[str, Any] = {} if given is None else given.text.content
    agreement = shown.get("raters", {})
    history = workspace.suspensions.history(project)
    rows = [
        RaterRow(item=item, agreement=_agreement(agreement.get(item.name, {})), history=history.get(item.id, ()))
        for item in rater_items(workspace, project)
    ]
    return RatersPage(
        project=found,
        controls=tuple(shown.get("controls", ())),
        rows=tuple(rows),
        effort=effort_item(workspace, project),
        rounds=shown.get("rounds"),
        policy=workspace.settings.get(project)[0].suspend,
        can_manage=who.role >= Role.MANAGER,
    )


def _agreement(given: Mapping[str, Mapping[str, Any]]) -> dict[str, Agreement]:
    """Agreement of an annotator by control."""
    return {control: Agreement(**one) for control, one in given.items()}


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
