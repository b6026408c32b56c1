"""Sign-off: criteria against the present scores, frozen on request."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Manager, Viewer
from accord.service.api.asked import Number, tagged, workspace_of
from accord.service.failures import Failure, ProblemBody
from accord.service.plain import plain
from accord.service.schemas import Answer, Created, Listed
from accord.service.signing import Judged, judge

router = APIRouter(prefix="/api/projects/{project}/quality", tags=["quality"])
NOTHING: dict[int | str, dict[str, Any]] = {409: {"model": ProblemBody, "description": "No criteria, or no scores"}}


class SignOffItem(Answer):
    """A decision that was signed; ``fresh`` says that data and settings are still those."""

    id: int
    decision: dict[str, Any]
    created_at: float
    fresh: bool


@router.get("/decision", response_class=Response, responses={200: {"content": {"application/json": {}}}, **NOTHING})
def decision(request: Request, who: Viewer, project: Number) -> Response:
    """Check the criteria of the settings against the present scores."""
    del who
    return tagged(request, plain(judged(request, project).decision))


@router.post("/signoffs", status_code=201, responses=NOTHING)
def sign(request: Request, who: Manager, project: Number) -> Created:
    """Freeze the decision as it is now, passed or not."""
    found = judged(request, project)
    reports = workspace_of(request).reports
    return Created(id=reports.freeze(project, plain(found.decision), found.versions, actor=who.name))


@router.get("/signoffs")
def signoffs(request: Request, who: Viewer, project: Number) -> Listed[SignOffItem]:
    """List what was signed, latest first."""
    del who
    rows = [
        SignOffItem(id=one.id, decision=dict(one.payload), created_at=one.created_at, fresh=one.fresh)
        for one in workspace_of(request).reports.frozen(project)
    ]
    return Listed(items=rows, total=len(rows), offset=0, limit=len(rows))


def judged(request: Request, project: int) -> Judged:
    """Decision on the present scores.

    Raises
    ------
    Failure
        409 where there are no criteria or no scores.
    """
    workspace = workspace_of(request)
    workspace.projects.get(project)
    found = judge(workspace, request.app.state.reports, project)
    if found is None:
        raise Failure(409, "There are no criteria in the settings, or no scores yet, so nothing can be decided.")
    return found
