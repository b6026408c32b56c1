"""Tasks of a project as a list, and one task side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from sqlalchemy import select
from starlette.responses import Response

from accord.reporting.words import clip
from accord.service.access import Identity, Viewer
from accord.service.api.asked import LARGEST, Number, workspace_of
from accord.service.failures import Failure
from accord.service.pages.decision_words import words_of_decisions
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.service.roles import Role
from accord.service.side_by_side import Sides, sides
from accord.workspace.records import Project, TaskRow
from accord.workspace.tables import CONTROLS
from accord.workspace.task_views import TaskView

router = APIRouter()
ROWS = 50
SHOWN_CONTROLS = 4
SORTS = (
    ("agreement", "lowest agreement first"),
    ("-agreement", "highest agreement first"),
    ("-raters", "most raters first"),
    ("key", "in order of import"),
)
STATES = (("", "any"), ("no", "not decided"), ("yes", "decided"))


@dataclass(frozen=True, slots=True)
class Row:
    """One task of the list; ``content`` is the beginning of its data."""

    id: int
    key: str
    content: str
    agreement: float | None
    by_control: dict[str, float]
    raters: int
    reviewed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TasksPage:
    """Tasks that fit the filter; ``before`` and ``after`` are addresses of the neighbouring pages."""

    project: Project
    rows: tuple[Row, ...]
    total: int
    offset: int
    control: str
    sort: str
    below: str
    raters: str
    state: str
    controls: tuple[tuple[str, str], ...]
    before: str
    after: str

    @property
    def sorts(self) -> tuple[tuple[str, str], ...]:
        """Orders to choose from."""
        return SORTS

    @property
    def states(self) -> tuple[tuple[str, str], ...]:
        """States of review to choose from."""
        return STATES

    @property
    def shown_controls(self) -> tuple[str, ...]:
        """Controls with a column of their own."""
        return tuple(name for name, _ in self.controls[1 : SHOWN_CONTROLS + 1])


def _show_list(request: Request, who: Identity, data: TasksPage) -> Response:
    return html("tasks", data, frame(request, who, project=data.project))


@page(router, "/projects/{project}/tasks", _show_list)
def tasks(
    request: Request,
    who: Viewer,
    project: Number,
    control: Annotated[str, Query(max_length=500)] = "",
    sort: Annotated[str, Query(max_length=20)] = "agreement",
    below: Annotated[str, Query(max_length=20)] = "",
    raters: Annotated[str, Query(max_length=20)] = "",
    state: Annotated[str, Query(max_length=20)] = "",
    offset: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
) -> TasksPage:
    """Build the list."""
    del who
    workspace = workspace_of(request)
    found = workspace.tasks.page(
        project,
        control=control or None,
        below=_number(below, "Agreement below"),
        answers=int(_number(raters, "Raters") or 0),
        reviewed={"yes": True, "no": False}.get(state),
        sort=sort,
        offset=offset,
        limit=ROWS,
    )
    asked = {"control": control, "sort": sort, "below": below, "raters": raters, "state": state}
    return TasksPage(
        project=workspace.projects.get(project),
        rows=tuple(map(row_of, found.rows)),
        total=found.total,
        offset=offset,
        controls=(("", "all controls (mean)"), *((name, name) for name in control_names(request, project))),
        before=_address(project, asked, offset - ROWS) if offset else "",
        after=_address(project, asked, offset + ROWS) if offset + ROWS < found.total else "",
        **asked,
    )


def control_names(request: Request, project: int) -> list[str]:
    """Controls of a project that were answered, in the order of the label config."""
    columns = CONTROLS.c
    query = select(columns.name).where(columns.project_id == project).order_by(columns.position, columns.id)
    with workspace_of(request).database.read() as connection:
        return list(connection.scalars(query))


def _number(text: str, name: str) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= LARGEST:
        raise Failure(422, f"{name} is not a number that fits.")
    return value


def _address(project: int, asked: dict[str, str], offset: int) -> str:
    given = {name: value for name, value in asked.items() if value} | {"offset": str(max(offset, 0))}
    return f"/projects/{project}/tasks?{urlencode(given)}"


def row_of(row: TaskRow) -> Row:
    """Task of a list, with the beginning of its data."""
    first = next((str(value) for value in row.data.values() if isinstance(value, str)), "")
    return Row(row.id, row.key, clip(first, 90), row.agreement, dict(row.by_control), row.raters, row.reviewed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPage:
    """One task with its answers and what was decided about it."""

    project: Project
    view: TaskView
    can_review: bool
    can_see_names: bool


def laid_out(request: Request, view: TaskView, project: Project) -> Sides:
    """Answers of a task side by side."""
    plan = workspace_of(request).settings.get(project.id)[0].measuring
    return sides(view, project.label_config, plan)


def _show(request: Request, who: Identity, data: TaskPage) -> Response:
    found = laid_out(request, data.view, data.project)
    return html("task", data, frame(request, who, project=data.project), sides=found, **words_of_decisions())


@page(router, "/projects/{project}/tasks/{task}", _show)
def task(request: Request, who: Viewer, project: Number, task: Number, names: bool = False) -> TaskPage:
    """Build the page of one task; managers may ask for names, which is recorded."""
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    blind = None
    if names:
        if who.role < Role.MANAGER:
            raise Failure(403, "Names of annotators are shown to managers.")
        workspace.events.add("names.shown", actor=who.actor, project_id=project, payload={"task": task})
        blind = False
    view = workspace.reviews.task(project, task, who.user, blind=blind)
    return TaskPage(
        project=found, view=view, can_review=who.role >= Role.REVIEWER, can_see_names=who.role >= Role.MANAGER
    )
