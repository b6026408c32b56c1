"""What one may take away from a project, and in which forms."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Identity, Viewer
from accord.service.api.asked import Number, workspace_of
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.service.roles import Role
from accord.workspace.records import Project

router = APIRouter()
LS = "Label Studio JSON"
#: Name in the address, title, what it holds, the role that may have it, what its JSON is.
FILES = (
    ("accepted", "Accepted answers", "Tasks that reviewers decided, with what counts as true.", Role.VIEWER, LS),
    ("soft-labels", "Soft labels", "Shares of labels among the answers, to train on disagreement.", Role.VIEWER, LS),
    ("decisions", "Decisions", "Who decided what for which reason, undone ones included.", Role.REVIEWER, "JSON"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One thing to take away; ``forms`` are words and addresses."""

    title: str
    what: str
    forms: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportsPage:
    """Everything this person may take away."""

    project: Project
    files: tuple[File, ...]


def _show(request: Request, who: Identity, data: ExportsPage) -> Response:
    return html("exports", data, frame(request, who, project=data.project))


@page(router, "/projects/{project}/exports", _show)
def exports(request: Request, who: Viewer, project: Number) -> ExportsPage:
    """Build the page."""
    found = workspace_of(request).projects.get(project)
    root = f"/api/projects/{project}/export"
    whole = File(title="Annotations", what="All tasks with their annotations, as they came.", forms=((LS, root),))
    files = [
        File(title=title, what=what, forms=((said, f"{root}/{name}"), ("table (CSV)", f"{root}/{name}?format=csv")))
        for name, title, what, role, said in FILES
        if who.role >= role
    ]
    return ExportsPage(project=found, files=(whole, *files))
