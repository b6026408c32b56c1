"""The job that pulls annotations from the server a project is connected to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.errors import AccordError, UsageError
from accord.labelstudio import Client
from accord.labelstudio.pull import Pulled, exported, pull, stamps_of
from accord.workspace.connections import row_of
from accord.workspace.database import StoreError
from accord.workspace.jobs import LostLeaseError
from accord.workspace.mirroring import known_stamps, mirror, take_config

if TYPE_CHECKING:
    from accord.workspace.worker import Work

SECONDS = 30.0


def pull_project(work: Work) -> None:
    """Bring a project up to date with its server: all that changed, or the tasks that a webhook named."""
    workspace = work.workspace
    try:
        found = _pulled(work)
    except (StoreError, LostLeaseError):
        raise
    except AccordError as error:
        workspace.connections.note(work.project_id, "pull", str(error))
        raise
    workspace.connections.note(work.project_id, "pull", None)
    with workspace.database.write() as connection:
        work.finish(connection, found)


def _pulled(work: Work) -> dict[str, Any]:
    workspace, project_id = work.workspace, work.project_id
    only = tuple(work.claim.job.payload.get("tasks", ()))
    with workspace.database.read() as connection:
        row = row_of(connection, project_id, "pull")
        known = {} if only else known_stamps(connection, project_id)
    if row is None:
        raise UsageError("The project is no longer connected.")
    if not row.token:
        raise UsageError("The connection has no token: enter it again.")
    url, remote = workspace.hosts.checked(row.url), int(row.remote)
    with Client(url, row.token, seconds=SECONDS) as client:
        if only:
            found = _named(client, remote, only)
        else:
            config = str(client.project(remote).get("label_config") or "")
            if config:
                take_config(workspace.database, project_id, config, workspace.clock())
            found = pull(client, remote, known, progress=work.step)
    work.step(len(found.changed), len(found.changed))
    return mirror(workspace.database, project_id, found, remote, workspace.clock(), url)


def _named(client: Client, remote: int, tasks: tuple[int, ...]) -> Pulled:
    """Tasks that a webhook named; whether they are gone is left to the next whole pull."""
    found = [task for task in client.tasks(remote, annotations=True, only=tasks) if task["id"] in tasks]
    return Pulled(tuple(map(exported, found)), frozenset(), stamps_of(found))
