"""The audit trail: who did what when. Rows are only ever added."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select

from accord.workspace.database import Database
from accord.workspace.records import Event, Page
from accord.workspace.tables import EVENTS
from accord.workspace.texts import json_text

Clock = Callable[[], float]


def record(
    connection: Connection,
    kind: str,
    *,
    at: float,
    actor: str,
    project_id: int | None = None,
    payload: Mapping[str, Any] | None = None,
) -> None:
    """Add an event within a transaction; it is kept if the transaction is."""
    connection.execute(
        insert(EVENTS).values(
            project_id=project_id, kind=kind, actor=actor, payload=json_text(dict(payload or {})), at=at
        )
    )


class Events:
    """The events of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(
        self, kind: str, *, actor: str, project_id: int | None = None, payload: Mapping[str, Any] | None = None
    ) -> None:
        """Record something that happened outside of the store, such as a login."""
        with self._database.write() as connection:
            record(connection, kind, at=self._clock(), actor=actor, project_id=project_id, payload=payload)

    def page(
        self, project_id: int | None = None, *, kind: str | None = None, offset: int = 0, limit: int = 100
    ) -> Page[Event]:
        """Latest events first, of one project or of all."""
        wanted = [EVENTS.c.project_id == project_id] if project_id is not None else []
        wanted += [EVENTS.c.kind == kind] if kind is not None else []
        with self._database.read() as connection:
            total = connection.scalar(select(func.count()).select_from(EVENTS).where(*wanted)) or 0
            query = select(EVENTS).where(*wanted).order_by(EVENTS.c.id.desc()).offset(offset).limit(limit)
            rows = [_event(row) for row in connection.execute(query)]
        return Page(rows, total, offset, limit)


def _event(row: Any) -> Event:
    return Event(
        id=row.id,
        project_id=row.project_id,
        kind=row.kind,
        actor=row.actor,
        payload=json.loads(row.payload),
        at=row.at,
    )
