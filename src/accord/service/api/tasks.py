"""Tasks by agreement, and what happened."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from accord.service.access import Manager, Viewer
from accord.service.api.asked import Limit, Number, Offset, tagged, workspace_of
from accord.service.plain import plain
from accord.service.schemas import EventItem, Listed, TaskItem

router = APIRouter(prefix="/api/projects/{project}", tags=["tasks"])
Share = Annotated[float | None, Query(ge=0, le=1)]


@router.get("/tasks", response_model=Listed[TaskItem])
def tasks(
    request: Request,
    who: Viewer,
    project: Number,
    control: Annotated[str | None, Query(max_length=500, description="Agreement in this control counts")] = None,
    below: Share = None,
    at_least: Share = None,
    raters: Annotated[int, Query(ge=0, le=100_000, description="Raters at least")] = 0,
    reviewed: bool | None = None,
    sort: Literal["agreement", "-agreement", "raters", "-raters", "key", "-key"] = "agreement",
    offset: Offset = 0,
    limit: Limit = 100,
) -> Response:
    """List tasks, the most disagreed first unless another order is asked for."""
    del who
    found = workspace_of(request).tasks.page(
        project,
        control=control,
        below=below,
        above=at_least,
        answers=raters,
        reviewed=reviewed,
        sort=sort,
        offset=offset,
        limit=limit,
    )
    rows = [TaskItem.model_validate(row).model_dump() for row in found.rows]
    return tagged(request, {"items": rows, "total": found.total, "offset": offset, "limit": limit})


@router.get("/events")
def events(
    request: Request,
    who: Manager,
    project: Number,
    kind: Annotated[str | None, Query(max_length=48)] = None,
    offset: Offset = 0,
    limit: Limit = 100,
) -> Listed[EventItem]:
    """List what was done to a project and by whom, latest first."""
    del who
    workspace = workspace_of(request)
    workspace.projects.get(project)
    found = workspace.events.page(project, kind=kind, offset=offset, limit=limit)
    items = [EventItem.model_validate(plain(row)) for row in found.rows]
    return Listed(items=items, total=found.total, offset=offset, limit=limit)
