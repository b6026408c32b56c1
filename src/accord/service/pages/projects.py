"""The start page: all projects, and a form for a new one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Form, Request, UploadFile
from sqlalchemy import Connection, func, select
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.service.access import Identity, Manager, Viewer
from accord.service.api.asked import workspace_of
from accord.service.configs import checked_config
from accord.service.failures import Failure, Problem, from_accord
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.service.roles import Role
from accord.service.uploads import import_file
from accord.workspace.records import Project
from accord.workspace.tables import CODED_TASKS

router = APIRouter()


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """One project in the list; ``waiting`` tasks are below the threshold of its review and undecided."""

    id: int
    name: str
    tasks: int
    annotations: int
    agreement: float | None
    waiting: int
    updating: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectsPage:
    """All projects; ``name``, ``config`` and ``problem`` belong to a form that could not be used."""

    projects: tuple[ProjectRow, ...]
    can_create: bool
    can_review: bool
    name: str = ""
    config: str = ""
    problem: Problem | None = None


def _show(request: Request, who: Identity, data: ProjectsPage, status: int = 200) -> Response:
    return html("projects", data, frame(request, who), status)


@page(router, "/projects", _show)
def projects(request: Request, who: Viewer) -> ProjectsPage:
    """Build the page."""
    workspace = workspace_of(request)
    found = workspace.projects.all()
    with workspace.database.read() as connection:
        means = _means(connection)
    rows = tuple(_row(request, project, means.get(project.id)) for project in found)
    return ProjectsPage(projects=rows, can_create=who.role >= Role.MANAGER, can_review=who.role >= Role.REVIEWER)


@router.get("/")
def start(request: Request, who: Viewer) -> Response:
    """Show the projects."""
    return _show(request, who, projects(request=request, who=who))


def _means(connection: Connection) -> dict[int, float]:
    """Mean agreement of the tasks of each project."""
    mean = func.avg(CODED_TASKS.c.agreement)
    query = select(CODED_TASKS.c.project_id, mean.label("mean")).group_by(CODED_TASKS.c.project_id)
    return {row.project_id: float(row.mean) for row in connection.execute(query) if row.mean is not None}


def _row(request: Request, project: Project, mean: float | None) -> ProjectRow:
    waiting = waiting_tasks(request, project.id)
    return ProjectRow(project.id, project.name, project.tasks, project.annotations, mean, waiting, not project.fresh)


def waiting_tasks(request: Request, project: int) -> int:
    """Tasks that wait for a decision."""
    workspace = workspace_of(request)
    review = workspace.settings.get(project)[0].review
    try:
        found = workspace.tasks.page(
            project,
            control=review.control,
            below=review.threshold,
            answers=review.answers,
            reviewed=False,
            limit=1,
        )
    except AccordError:  # the control of the policy has no answers any more
        return 0
    return found.total


@router.post("/projects")
def create(
    request: Request,
    who: Manager,
    name: Annotated[str, Form(max_length=1000)] = "",
    label_config: Annotated[str, Form(max_length=1_000_000)] = "",
    file: UploadFile | None = None,
) -> Response:
    """Make a project, with a first import where a file came with it."""
    workspace = workspace_of(request)
    try:
        number = workspace.projects.create(name, checked_config(label_config), actor=who.actor)
    except (Failure, AccordError) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        data = replace(projects(request=request, who=who), name=name, config=label_config, problem=failure.body.error)
        return _show(request, who, data, failure.status)
    if file is None or not file.filename:
        return RedirectResponse(f"/projects/{number}?said=created", 303)
    import_file(request, file.file, file.filename, who.actor, number)
    return RedirectResponse(f"/projects/{number}?said=imported", 303)
