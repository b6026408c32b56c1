"""Annotators: work, gold accuracy, overlap, days and weeks, and whether somebody pauses."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Manager, Viewer
from accord.service.annotators import effort_item, rater_items, trend_item
from accord.service.api.asked import Number, tagged, workspace_of
from accord.service.failures import Failure, ProblemBody
from accord.service.plain import plain
from accord.service.rater_schemas import EffortItem, RaterAction, RaterItem, TrendItem
from accord.service.schemas import Listed

router = APIRouter(prefix="/api/projects/{project}", tags=["annotators"])


@router.get("/raters", response_model=Listed[RaterItem])
def raters(request: Request, who: Viewer, project: Number) -> Response:
    """List annotators with what they did, and how they do against gold by class."""
    del who
    rows = [row.model_dump() for row in rater_items(workspace_of(request), project)]
    return tagged(request, {"items": rows, "total": len(rows), "offset": 0, "limit": len(rows)})


@router.post("/raters/{rater}/actions", status_code=204, response_class=Response)
def act(request: Request, who: Manager, project: Number, rater: Number, body: RaterAction) -> None:
    """Suspend an annotator, dismiss a proposal, note an appeal, or undo a suspension; no work is deleted."""
    workspace_of(request).suspensions.act(project, rater, body.action, reason=body.reason, actor=who.actor)


@router.get("/effort", response_model=EffortItem)
def effort(request: Request, who: Viewer, project: Number) -> Response:
    """Give skips by annotator, task and label, and who shares tasks with whom."""
    del who
    return tagged(request, effort_item(workspace_of(request), project).model_dump())


@router.get("/trend", response_model=TrendItem)
def trend(request: Request, who: Viewer, project: Number) -> Response:
    """Give annotations and mean agreement of tasks by day and by week."""
    del who
    return tagged(request, trend_item(workspace_of(request), project).model_dump(mode="json"))


@router.get(
    "/rounds",
    response_class=Response,
    responses={
        200: {"content": {"application/json": {}}},
        409: {"model": ProblemBody, "description": "The settings name no rounds, or there are no scores"},
    },
)
def rounds(request: Request, who: Viewer, project: Number) -> Response:
    """Compare rounds: the headline of each control and the agreement of each annotator, and whether they changed."""
    del who
    found = workspace_of(request).rounds.of(project)
    if found is None:
        raise Failure(409, "The settings name no rounds, or there are no scores yet.")
    return tagged(request, plain(found))
