"""The overview of a project: the report on its present scores, work under way, imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter, Request, UploadFile
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from accord.errors import AccordError
from accord.reporting import words
from accord.reporting.html import render
from accord.service.access import Identity, Manager, Viewer
from accord.service.api.asked import Number, workspace_of
from accord.service.failures import Failure, Problem, from_accord
from accord.service.page_reports import Given, PageReports
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.service.roles import Role
from accord.service.uploads import import_file
from accord.workspace.records import Job, Project

router = APIRouter()
OPEN = frozenset({"queued", "running"})
WORDS = {
    "recompute": "Tasks are being scored",
    "report": "The report is being made",
    "pull": "Annotations are being pulled",
    "retention": "Old data are being removed",
    "policy": "Annotators are being compared with gold",
    "notify": "Somebody is being told about a suspension",
}


@dataclass(frozen=True, slots=True)
class Progress:
    """A job under way, in words."""

    id: int
    words: str
    done: float
    total: float

    @property
    def percent(self) -> str:
        """How much is done."""
        return f"{100 * self.done / self.total:.0f} %" if self.total else ""


@dataclass(frozen=True, slots=True)
class Now:
    """Headline coefficient of a control as it is now, newer than the report."""

    control: str
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    undefined: str | None

    @property
    def shown(self) -> str:
        """The number and its interval in words."""
        if self.value is None:
            return f"undefined: {self.undefined}"
        limits = "" if self.low is None else f" [{words.number(self.low, 3)}, {words.number(self.high, 3)}]"
        return f"{words.number(self.value, 3)}{limits}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Everything the page shows; ``report`` is the JSON of ``accord score --json``, None before the first one.

    ``seen`` are the versions of data and settings that the report belongs to. While the next one is being made, ``now``
    has the headline numbers on what there is.
    """

    project: Project
    seen: str
    report: dict[str, Any] | None
    trend: dict[str, Any] | None
    rounds: dict[str, Any] | None
    job: Progress | None
    failed: str
    now: tuple[Now, ...] = ()
    newer: bool = False
    can_manage: bool = False
    problem: Problem | None = None


def reports_of(request: Request) -> PageReports:
    """Reports of the server."""
    found: PageReports = request.app.state.reports
    return found


def _show(request: Request, who: Identity, data: Overview, status: int = 200) -> Response:
    given: Given | None = request.state.given
    body = None if given is None else Markup(given.text.content["body"])  # noqa: S704 - drawn by our own templates
    return html("overview", data, frame(request, who, project=data.project), status, body=body)


@page(router, "/projects/{project}", _show)
def overview(request: Request, who: Viewer, project: Number) -> Overview:
    """Build the page."""
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    given = request.state.given = reports_of(request).page(project)
    shown: Mapping[str, Any] = {} if given is None else given.text.content
    job, failed = work_of(request, project)
    return Overview(
        project=found,
        seen="" if given is None else given.made.versions,
        report=shown.get("report"),
        trend=shown.get("trend"),
        rounds=shown.get("rounds"),
        job=job,
        failed=failed,
        now=_now(request, project, given) if found.annotations else (),
        can_manage=who.role >= Role.MANAGER,
    )


def _now(request: Request, project: int, given: Given | None) -> tuple[Now, ...]:
    """Headline numbers where the report does not have them yet."""
    if given is not None and given.made.latest:
        return ()
    return tuple(_headline(control) for control in request.app.state.live.get(project)["controls"])


def _headline(control: Mapping[str, Any]) -> Now:
    found = control["coefficients"][control["headline"]]
    interval = found["interval"] or {}
    return Now(
        control["name"],
        control["headline"],
        found["value"],
        interval.get("low"),
        interval.get("high"),
        found["reason"],
    )


def work_of(request: Request, project: int) -> tuple[Progress | None, str]:
    """Job under way on a project, and what the last one failed of."""
    latest = workspace_of(request).jobs.page(project, limit=5).rows
    running = next((job for job in latest if job.status in OPEN), None)
    failed = latest[0].error or "" if latest and latest[0].status == "failed" else ""
    return (None if running is None else _progress(running)), failed


def _progress(job: Job) -> Progress:
    said = WORDS.get(job.kind, "Work is under way")
    return Progress(job.id, said if job.status == "running" else f"{said} soon", job.done, job.total)


@router.get("/projects/{project}/state")
def state(request: Request, who: Viewer, project: Number, seen: str = "") -> Response:
    """Show the line about work under way, for the page to refresh."""
    del who
    found = workspace_of(request).projects.get(project)
    job, failed = work_of(request, project)
    given = reports_of(request).page(project)
    data = {
        "project": found,
        "job": job,
        "failed": failed,
        "newer": job is None and given is not None and given.made.versions != seen,
        "seen": seen,
    }
    return html("state", data, frame(request, None))


@router.get("/projects/{project}/report.html")
def whole_report(request: Request, who: Viewer, project: Number) -> Response:
    """Give the report as one file that works anywhere."""
    del who
    seen = reports_of(request).seen(project)
    if seen is None:
        raise Failure(409, "There are no scores yet.")
    headers = {"Content-Disposition": f'attachment; filename="accord-project-{project}.html"'}
    return HTMLResponse(render(seen.report), headers=headers)


@router.post("/projects/{project}/import")
def import_form(request: Request, who: Manager, project: Number, file: UploadFile | None = None) -> Response:
    """Import a file."""
    workspace_of(request).projects.get(project)
    try:
        upload = chosen(file)
        import_file(request, upload.file, upload.filename or "", who.actor, project)
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        data = overview(request=request, who=who, project=project)
        return _show(request, who, replace(data, problem=failure.body.error), failure.status)
    return RedirectResponse(f"/projects/{project}?said=imported", 303)


def chosen(file: UploadFile | None) -> UploadFile:
    """File of a form.

    Raises
    ------
    Failure
        422 if none was chosen.
    """
    if file is None or not file.filename:
        raise Failure(422, "Choose a file.", code="no_file")
    return file
