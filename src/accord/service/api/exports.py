"""Results to take away: accepted answers, decisions, soft labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from accord.service.access import Reviewer, Viewer
from accord.service.api.asked import Number, workspace_of
from accord.writers.records import csv_lines, json_list

router = APIRouter(prefix="/api/projects/{project}/export", tags=["export"])
Form = Annotated[Literal["json", "csv"], Query(alias="format", description="JSON, or a table")]
FILES: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}, "text/csv": {}}}}


@router.get("/accepted", response_class=Response, responses=FILES)
def accepted(request: Request, who: Viewer, project: Number, form: Form = "json") -> Response:
    """Give tasks with accepted answers only, as Label Studio JSON with ground truth marked, or a row for each item."""
    del who
    exports = workspace_of(request).exports
    items = exports.accepted_tasks(project) if form == "json" else exports.accepted_rows(project)
    return _file(request, project, items, "accepted", form)


@router.get("/decisions", response_class=Response, responses=FILES)
def decisions(request: Request, who: Reviewer, project: Number, form: Form = "json") -> Response:
    """Give every decision, undone ones included."""
    del who
    return _file(request, project, workspace_of(request).exports.decision_rows(project), "decisions", form)


@router.get("/soft-labels", response_class=Response, responses=FILES)
def soft_labels(request: Request, who: Viewer, project: Number, form: Form = "json") -> Response:
    """Give shares of labels among the answers, as Label Studio predictions, or a row for each unit and label."""
    del who
    exports = workspace_of(request).exports
    items = exports.soft_label_tasks(project) if form == "json" else exports.soft_label_rows(project)
    return _file(request, project, items, "soft-labels", form)


def _file(request: Request, project: int, items: Iterable[Any], name: str, form: str) -> Response:
    workspace_of(request).projects.get(project)
    headers = {"Content-Disposition": f'attachment; filename="project-{project}-{name}.{form}"'}
    if form == "csv":
        return StreamingResponse(csv_lines(items), media_type="text/csv; charset=utf-8", headers=headers)
    return StreamingResponse(json_list(items), media_type="application/json", headers=headers)
