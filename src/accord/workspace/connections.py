"""Connections of projects to other servers: where annotations are pulled from, and where news goes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import Connection, Row, delete, insert, select, update

from accord.errors import UsageError
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.hosts import Hosts
from accord.workspace.jobs import enqueue
from accord.workspace.projects import lock, project_row
from accord.workspace.tables import CONNECTIONS, PROJECTS, PULLED_TASKS

Kind = Literal["pull", "notify"]
LONGEST: Final = 1440
LARGEST: Final = 2**31 - 1
SECRET_BYTES: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A connection as it may be shown; ``minutes`` 0 = pulled only when a webhook or a person asks.

    ``done_at`` is when it last did something, ``error`` why that failed.
    """

    url: str
    remote: int | None
    minutes: int
    has_token: bool
    due_at: float | None
    done_at: float | None
    error: str | None


class Connections:
    """The connections of the projects of a workspace."""

    def __init__(self, database: Database, clock: Clock, hosts: Hosts) -> None:
        self._database = database
        self._clock = clock
        self._hosts = hosts

    def get(self, project_id: int, kind: Kind) -> Link | None:
        """Return a connection without its token; None where there is none."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            row = row_of(connection, project_id, kind)
        return None if row is None else _link(row)

    def put_pull(
        self, project_id: int, *, url: str, remote: int, token: str | None, minutes: int, actor: str
    ) -> str | None:
        """Pull annotations from a Label Studio server; ``token`` None keeps the one there is.

        Returns the secret that webhooks have to bring, where it is new: it is not shown again.

        Raises
        ------
        UsageError
            The host is not allowed, there is no token, or a number is out of range.
        """
        checked = self._hosts.checked(url)
        if not 1 <= remote <= LARGEST or not 0 <= minutes <= LONGEST:
            raise UsageError(f"Project {remote} every {minutes} minutes does not fit. Allowed: 0 to {LONGEST} minutes.")
        now, secret = self._clock(), secrets.token_urlsafe(SECRET_BYTES)
        with self._database.write() as connection:
            lock(connection, project_id)
            before = row_of(connection, project_id, "pull")
            same = before is not None and (before.url, before.remote) == (checked, remote)
            kept = before.token if before is not None and before.url == checked else ""
            values = {
                "url": checked,
                "remote": remote,
                "token": checked_token(token) if token else kept,
                "minutes": minutes,
                "due_at": now,
                "digest": before.digest if before is not None else digest_of_secret(secret),
            }
            if not values["token"]:
                raise UsageError("A token of that server is needed.")
            if not same:
                connection.execute(delete(PULLED_TASKS).where(PULLED_TASKS.c.project_id == project_id))
            self._put(connection, project_id, "pull", values, actor)
        return secret if before is None else None

    def put_notify(self, project_id: int, *, url: str, actor: str) -> str:
        """Tell an address about suspensions; returns the secret that deliveries are signed with, shown this once."""
        checked, secret = self._hosts.checked(url), secrets.token_urlsafe(SECRET_BYTES)
        with self._database.write() as connection:
            lock(connection, project_id)
            self._put(connection, project_id, "notify", {"url": checked, "token": secret}, actor)
        return secret

    def _put(self, connection: Connection, project_id: int, kind: Kind, values: dict[str, Any], actor: str) -> None:
        now = self._clock()
        _remove(connection, project_id, kind)
        made = {"project_id": project_id, "kind": kind, "created_at": now, **values}
        connection.execute(insert(CONNECTIONS).values(made))
        payload = {"kind": kind, "url": values["url"], "remote": values.get("remote")}
        record(connection, "connection.changed", at=now, actor=actor, project_id=project_id, payload=payload)

    def remove(self, project_id: int, kind: Kind, *, actor: str) -> None:
        """End a connection; what was pulled stays."""
        with self._database.write() as connection:
            lock(connection, project_id)
            if _remove(connection, project_id, kind):
                payload = {"kind": kind}
                at = self._clock()
                record(connection, "connection.removed", at=at, actor=actor, project_id=project_id, payload=payload)

    def new_secret(self, project_id: int, *, actor: str) -> str:
        """Make a new secret for webhooks; the one before is no longer taken.

        Raises
        ------
        UsageError
            The project is not connected.
        """
        secret = secrets.token_urlsafe(SECRET_BYTES)
        with self._database.write() as connection:
            lock(connection, project_id)
            here = (CONNECTIONS.c.project_id == project_id) & (CONNECTIONS.c.kind == "pull")
            found = connection.execute(update(CONNECTIONS).where(here).values(digest=digest_of_secret(secret)))
            if not found.rowcount:
                raise UsageError("The project is not connected to a Label Studio server.")
            record(connection, "connection.secret", at=self._clock(), actor=actor, project_id=project_id)
        return secret

    def brings_secret(self, project_id: int, given: str | None) -> bool:
        """Whether a delivery brings the secret of this project."""
        with self._database.read() as connection:
            row = row_of(connection, project_id, "pull")
        kept = row.digest if row is not None else digest_of_secret(secrets.token_urlsafe(SECRET_BYTES))
        return hmac.compare_digest(kept, digest_of_secret(given or "")) and bool(given)

    def ask(self, project_id: int, tasks: list[int] | None = None) -> int:
        """Queue a pull, of all that changed or of these tasks; returns the job."""
        with self._database.write() as connection:
            project_row(connection, project_id)
            if row_of(connection, project_id, "pull") is None:
                raise UsageError("The project is not connected to a Label Studio server.")
            payload = {} if tasks is None else {"tasks": tasks}
            return enqueue(connection, "pull", project_id, at=self._clock(), payload=payload)

    def queue_due(self) -> None:
        """Queue the pulls whose time has come."""
        now = self._clock()
        due = (CONNECTIONS.c.kind == "pull") & (CONNECTIONS.c.due_at <= now)
        query = select(CONNECTIONS.c.project_id, CONNECTIONS.c.minutes).where(due)
        query = query.join(PROJECTS, (PROJECTS.c.id == CONNECTIONS.c.project_id) & PROJECTS.c.deleted_at.is_(None))
        with self._database.read() as connection:
            if connection.execute(query.limit(1)).one_or_none() is None:
                return
        with self._database.write() as connection:
            for row in connection.execute(query).all():
                here = (CONNECTIONS.c.project_id == row.project_id) & (CONNECTIONS.c.kind == "pull")
                following = now + 60.0 * row.minutes if row.minutes else None
                connection.execute(update(CONNECTIONS).where(here).values(due_at=following))
                enqueue(connection, "pull", row.project_id, at=now, payload={})

    def note(self, project_id: int, kind: Kind, error: str | None) -> None:
        """Keep when a connection last did something, and why that failed."""
        here = (CONNECTIONS.c.project_id == project_id) & (CONNECTIONS.c.kind == kind)
        with self._database.write() as connection:
            connection.execute(update(CONNECTIONS).where(here).values(done_at=self._clock(), error=error))


def row_of(connection: Connection, project_id: int, kind: Kind) -> Row[Any] | None:
    """Row of a connection."""
    here = (CONNECTIONS.c.project_id == project_id) & (CONNECTIONS.c.kind == kind)
    return connection.execute(select(CONNECTIONS).where(here)).one_or_none()


def checked_token(token: str) -> str:
    """Token without blanks around it, of characters that a header can carry."""
    found = token.strip()
    if not found.isascii() or not found.isprintable() or " " in found or len(found) > 4000:
        raise UsageError("The token holds characters that no token has.")
    return found


def digest_of_secret(secret: str) -> str:
    """Digest under which a random secret is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _remove(connection: Connection, project_id: int, kind: Kind) -> bool:
    here = (CONNECTIONS.c.project_id == project_id) & (CONNECTIONS.c.kind == kind)
    return bool(connection.execute(delete(CONNECTIONS).where(here)).rowcount)


def _link(row: Row[Any]) -> Link:
    return Link(
        url=row.url,
        remote=row.remote,
        minutes=row.minutes,
        has_token=bool(row.token),
        due_at=row.due_at,
        done_at=row.done_at,
        error=row.error,
    )
