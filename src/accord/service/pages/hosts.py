"""The page on which an admin says which hosts the server may ask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.service.access import Admin, Identity
from accord.service.api.asked import workspace_of
from accord.service.failures import Problem, from_accord
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.workspace.hosts import host_name

router = APIRouter()
Text = Annotated[str, Form(max_length=300)]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostsPage:
    """Allowed hosts; true where they may lie at loopback or link-local addresses."""

    hosts: dict[str, bool]
    typed: str = ""
    problem: Problem | None = None


def _show(request: Request, who: Identity, data: HostsPage, status: int = 200) -> Response:
    return html("hosts", data, frame(request, who), status)


@page(router, "/people/hosts", _show)
def hosts(request: Request, who: Admin) -> HostsPage:
    """Build the page."""
    del who
    return HostsPage(hosts=workspace_of(request).hosts.all())


@router.post("/people/hosts")
def change(request: Request, who: Admin, name: Text = "", local: Text = "", action: Text = "add") -> Response:
    """Add a host, or take one away."""
    kept = workspace_of(request).hosts
    try:
        host = host_name(name)
        others = {one: state for one, state in kept.all().items() if one != host}
        kept.put(others if action == "remove" else {**others, host: local == "yes"}, actor=who.actor)
    except AccordError as error:
        failure = from_accord(error)
        data = replace(hosts(request=request, who=who), typed=name, problem=failure.body.error)
        return _show(request, who, data, failure.status)
    return RedirectResponse("/people/hosts?said=saved", 303)
