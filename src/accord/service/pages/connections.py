"""The page on which a project is connected: to a Label Studio server, and to who is told about suspensions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.service.access import Identity, Manager
from accord.service.api.asked import Number, workspace_of
from accord.service.api.connections import item
from accord.service.connection_schemas import ConnectionItem
from accord.service.failures import Failure, Problem, from_accord
from accord.service.pages.decision_words import moment
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.workspace.records import Project

router = APIRouter()
Text = Annotated[str, Form(max_length=4000)]
#: What a form that failed shows again.
Typed = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionsPage:
    """Connections of a project; secrets are shown once, to who made them."""

    project: Project
    pull: ConnectionItem | None
    notice: ConnectionItem | None
    hosts: tuple[str, ...]
    webhook: str
    secret: str = ""
    signing: str = ""
    typed: Typed | None = None
    problem: Problem | None = None


def _show(request: Request, who: Identity, data: ConnectionsPage, status: int = 200) -> Response:
    return html("connections", data, frame(request, who, project=data.project), status, moment=moment)


@page(router, "/projects/{project}/settings/connections", _show)
def connections(request: Request, who: Manager, project: Number) -> ConnectionsPage:
    """Build the page."""
    del who
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    pull, notice = workspace.connections.get(project, "pull"), workspace.connections.get(project, "notify")
    return ConnectionsPage(
        project=found,
        pull=None if pull is None else item(request, project, pull),
        notice=None if notice is None else item(request, project, notice),
        hosts=tuple(workspace.hosts.all()),
        webhook=f"{str(request.base_url).rstrip('/')}/hooks/label-studio/{project}",
    )


@router.post("/projects/{project}/settings/connections/pull")
def change_pull(
    request: Request,
    who: Manager,
    project: Number,
    action: Text = "",
    url: Text = "",
    remote: Text = "",
    token: Text = "",
    minutes: Text = "",
) -> Response:
    """Connect, pull now, make a new secret, or end the connection."""
    links = workspace_of(request).connections

    def connect() -> str | None:
        there, often = _whole(remote, "Project"), _whole(minutes, "Minutes")
        given = token.strip() or None
        return links.put_pull(project, url=url, remote=there, token=given, minutes=often, actor=who.actor)

    def change() -> ConnectionsPage | str:
        if action == "pull":
            links.ask(project)
            return f"/projects/{project}?said=started"
        if action == "remove":
            links.remove(project, "pull", actor=who.actor)
            return _saved(project)
        secret = links.new_secret(project, actor=who.actor) if action == "secret" else connect()
        shown = connections(request=request, who=who, project=project)
        return _saved(project) if secret is None else replace(shown, secret=secret)

    return _after(request, who, project, change, {"url": url, "remote": remote, "minutes": minutes})


@router.post("/projects/{project}/settings/connections/notice")
def change_notice(request: Request, who: Manager, project: Number, action: Text = "", url: Text = "") -> Response:
    """Say who is told about suspensions, or tell nobody."""
    links = workspace_of(request).connections

    def change() -> ConnectionsPage | str:
        if action == "remove":
            links.remove(project, "notify", actor=who.actor)
            return _saved(project)
        secret = links.put_notify(project, url=url, actor=who.actor)
        return replace(connections(request=request, who=who, project=project), signing=secret)

    return _after(request, who, project, change, {"notice": url})


def _after(
    request: Request, who: Identity, project: int, change: Callable[[], ConnectionsPage | str], typed: Typed
) -> Response:
    """Make a change and show the page, with what went wrong where it did."""
    try:
        done = change()
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        data = connections(request=request, who=who, project=project)
        return _show(request, who, replace(data, problem=failure.body.error, typed=typed), failure.status)
    return RedirectResponse(done, 303) if isinstance(done, str) else _show(request, who, done)


def _saved(project: int) -> str:
    return f"/projects/{project}/settings/connections?said=saved"


def _whole(text: str, name: str) -> int:
    found = text.strip()
    if not (found.isascii() and found.isdigit() and len(found) < 10):
        raise Failure(422, f"{name} is not a whole number.", code="usage")
    return int(found)
