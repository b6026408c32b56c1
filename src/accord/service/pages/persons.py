"""One person's data: handed out or erased, for admins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from accord.errors import AccordError
from accord.service.access import Admin, Identity
from accord.service.api.asked import workspace_of
from accord.service.api.persons import person_file
from accord.service.failures import Failure, Problem, from_accord, not_found
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.workspace.persons import Erased

router = APIRouter()
Text = Annotated[str, Form(max_length=2000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsPage:
    """Projects to choose from; after an erasure, what it did."""

    projects: tuple[tuple[str, str], ...]
    chosen: str = ""
    names: str = ""
    erased: Erased | None = None
    problem: Problem | None = None


def _show(request: Request, who: Identity, data: PersonsPage, status: int = 200) -> Response:
    return html("persons", data, frame(request, who), status)


@page(router, "/people/data", _show)
def persons(request: Request, who: Admin) -> PersonsPage:
    """Build the page."""
    del who
    return PersonsPage(projects=tuple((str(one.id), one.name) for one in workspace_of(request).projects.all()))


@router.post("/people/data")
def act(
    request: Request, who: Admin, project: Text = "", names: Text = "", action: Text = "", keep: Text = ""
) -> Response:
    """Hand out or erase."""
    data = replace(persons(request=request, who=who), chosen=project, names=names)
    try:
        return _act(request, who, data, action, keep_answers=keep == "yes")
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        return _show(request, who, replace(data, problem=failure.body.error), failure.status)


def _act(request: Request, who: Identity, data: PersonsPage, action: str, *, keep_answers: bool) -> Response:
    if data.chosen not in dict(data.projects):
        raise not_found("such project")
    workspace, number = workspace_of(request), int(data.chosen)
    names = [name for part in data.names.split(",") if (name := part.strip())]
    if action == "export":
        return person_file(workspace, number, names, who.actor)
    if action != "erase":
        raise Failure(422, "Choose to export or to erase.", code="usage")
    found = workspace.persons.erase(number, names, actor=who.actor, keep_answers=keep_answers)
    return _show(request, who, replace(data, names="", erased=found))
