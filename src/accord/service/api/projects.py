"""Projects, and data in and out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from accord.service.access import Manager, Viewer
from accord.service.api.asked import Number, tagged, workspace_of
from accord.service.configs import checked_config
from accord.service.plain import plain
from accord.service.schemas import Created, ImportedRow, Listed, NewProject, ProjectRow
from accord.service.uploads import import_body
from accord.workspace.records import Project

router = APIRouter(prefix="/api/projects", tags=["projects"])
IMPORT_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
            "application/json": {
                "schema": {"type": "array", "items": {"type": "object"}, "description": "Label Studio tasks"}
            },
        },
    }
}


@router.get("")
def projects(request: Request, who: Viewer) -> Listed[ProjectRow]:
    """List all projects."""
    del who
    rows = [_row(project) for project in workspace_of(request).projects.all()]
    return Listed(items=rows, total=len(rows), offset=0, limit=len(rows))


@router.post("", status_code=201)
def create(request: Request, who: Manager, body: NewProject) -> Created:
    """Make a project."""
    config = checked_config(body.label_config)
    return Created(id=workspace_of(request).projects.create(body.name, config, actor=who.actor))


@router.get("/{project}", response_model=ProjectRow)
def project_facts(request: Request, who: Viewer, project: Number) -> Response:
    """Say what is in a project."""
    del who
    return tagged(request, _row(workspace_of(request).projects.get(project)).model_dump())


@router.delete("/{project}", status_code=204, response_class=Response)
def remove(request: Request, who: Manager, project: Number) -> None:
    """Take a project out of sight; its data stay until retention ends."""
    workspace_of(request).projects.remove(project, actor=who.actor)


@router.post("/{project}/import", openapi_extra=IMPORT_BODY)
async def import_tasks(
    request: Request,
    who: Manager,
    project: Number,
    strict: Annotated[bool, Query(description="Refuse irregular data instead of counting it")] = False,
) -> ImportedRow:
    """Take in tasks with their annotations; the same again changes nothing."""
    await run_in_threadpool(workspace_of(request).projects.get, project)
    return ImportedRow.model_validate(plain(await import_body(request, who.actor, project, strict=strict)))


@router.get("/{project}/export", response_class=Response, responses={200: {"content": {"application/json": {}}}})
def export(request: Request, who: Viewer, project: Number) -> Response:
    """Give all tasks with their annotations as a Label Studio export."""
    del who
    workspace = workspace_of(request)
    workspace.projects.get(project)
    headers = {"Content-Disposition": f'attachment; filename="project-{project}.json"'}
    return StreamingResponse(_array(workspace.content.export(project)), media_type="application/json", headers=headers)


def _array(items: Iterator[Any]) -> Iterator[str]:
    yield "["
    for i, item in enumerate(items):
        yield ("\n" if i == 0 else ",\n") + json.dumps(item, ensure_ascii=True, allow_nan=False)
    yield "\n]\n"


def _row(project: Project) -> ProjectRow:
    return ProjectRow.model_validate(project)
