"""Connections of a project: where annotations are pulled from, where news of suspensions goes; hosts, for admins."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Admin, Manager
from accord.service.api.asked import Number, workspace_of
from accord.service.connection_schemas import (
    ConnectionItem,
    HostsBody,
    HostsItem,
    NewConnection,
    NewNotice,
    SecretItem,
)
from accord.service.failures import not_found
from accord.service.schemas import JobNumber
from accord.workspace.connections import Kind, Link

router = APIRouter(prefix="/api", tags=["connections"])


@router.get("/projects/{project}/connection")
def connection(request: Request, who: Manager, project: Number) -> ConnectionItem:
    """Say where annotations are pulled from, and how that went; 404 where the project is not connected."""
    del who
    return existing(request, project, "pull")


@router.put("/projects/{project}/connection")
def connect(request: Request, who: Manager, project: Number, body: NewConnection) -> SecretItem:
    """Pull annotations from a Label Studio server; the secret is what its webhooks have to bring, shown this once."""
    made = workspace_of(request).connections.put_pull(project, **body.model_dump(), actor=who.actor)
    return SecretItem(secret=made)


@router.delete("/projects/{project}/connection", status_code=204, response_class=Response)
def disconnect(request: Request, who: Manager, project: Number) -> None:
    """End the connection; what was pulled stays."""
    workspace_of(request).connections.remove(project, "pull", actor=who.actor)


@router.post("/projects/{project}/connection/secret", status_code=201)
def new_secret(request: Request, who: Manager, project: Number) -> SecretItem:
    """Make a new secret for webhooks; the one before is no longer taken."""
    return SecretItem(secret=workspace_of(request).connections.new_secret(project, actor=who.actor))


@router.post("/projects/{project}/connection/pull", status_code=202)
def pull(request: Request, who: Manager, project: Number) -> JobNumber:
    """Pull now."""
    del who
    return JobNumber(job=workspace_of(request).connections.ask(project))


@router.get("/projects/{project}/notice")
def notice(request: Request, who: Manager, project: Number) -> ConnectionItem:
    """Say who is told about suspensions, and how that went; 404 where nobody is."""
    del who
    return existing(request, project, "notify")


@router.put("/projects/{project}/notice")
def notify(request: Request, who: Manager, project: Number, body: NewNotice) -> SecretItem:
    """Tell an address about suspensions; deliveries are signed with the secret, which is shown this once."""
    return SecretItem(secret=workspace_of(request).connections.put_notify(project, url=body.url, actor=who.actor))


@router.delete("/projects/{project}/notice", status_code=204, response_class=Response)
def stop_notices(request: Request, who: Manager, project: Number) -> None:
    """Tell nobody any more."""
    workspace_of(request).connections.remove(project, "notify", actor=who.actor)


@router.get("/hosts")
def hosts(request: Request, who: Admin) -> HostsItem:
    """List the hosts that requests of the server may go to."""
    del who
    return HostsItem(hosts=workspace_of(request).hosts.all())


@router.put("/hosts")
def change_hosts(request: Request, who: Admin, body: HostsBody) -> HostsItem:
    """Allow these hosts and no others."""
    workspace_of(request).hosts.put(body.hosts, actor=who.actor)
    return HostsItem(hosts=workspace_of(request).hosts.all())


def existing(request: Request, project: int, kind: Kind) -> ConnectionItem:
    """Connection of a project.

    Raises
    ------
    Failure
        404 if there is none.
    """
    found = workspace_of(request).connections.get(project, kind)
    if found is None:
        raise not_found("such connection")
    return item(request, project, found)


def item(request: Request, project: int, link: Link) -> ConnectionItem:
    """Connection as the API and the pages give it."""
    root = str(request.base_url).rstrip("/")
    webhook = f"{root}/hooks/label-studio/{project}" if link.remote is not None else None
    return ConnectionItem(
        url=link.url,
        remote=link.remote,
        minutes=link.minutes,
        has_token=link.has_token,
        due_at=link.due_at,
        done_at=link.done_at,
        error=link.error,
        webhook=webhook,
    )
