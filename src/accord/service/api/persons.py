"""One person's data in a project, for admins; names travel in bodies, which no log keeps."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Admin
from accord.service.api.asked import Number, as_bytes, workspace_of
from accord.service.plain import plain
from accord.service.rater_schemas import ErasedItem, Erasure, PersonNames
from accord.workspace import Workspace

router = APIRouter(prefix="/api/projects/{project}/person", tags=["people"])


@router.post("/export", response_class=Response, responses={200: {"content": {"application/json": {}}}})
def export(request: Request, who: Admin, project: Number, body: PersonNames) -> Response:
    """Give everything kept of a person: every version of every annotation, and what was decided about them."""
    return person_file(workspace_of(request), project, body.names, who.actor)


@router.post("/erase")
def erase(request: Request, who: Admin, project: Number, body: Erasure) -> ErasedItem:
    """Erase a person: all versions of the annotations, and the name. This cannot be undone."""
    persons = workspace_of(request).persons
    found = persons.erase(project, body.names, actor=who.actor, keep_answers=body.keep_answers)
    return ErasedItem.model_validate(found)


def person_file(workspace: Workspace, project: int, names: list[str], actor: str) -> Response:
    """File with the data of a person; that it was made is recorded, without the name."""
    found = workspace.persons.export(project, names)
    payload = {"annotations": len(found["annotations"])}
    workspace.events.add("person.exported", actor=actor, project_id=project, payload=payload)
    headers = {"Content-Disposition": f'attachment; filename="project-{project}-person.json"'}
    return Response(as_bytes(plain(found)), media_type="application/json", headers=headers)
