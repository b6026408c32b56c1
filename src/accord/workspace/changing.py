"""One change of a project's data: a new version of it, and the rows of scoring that follow from it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, update

from accord.workspace.database import Database
from accord.workspace.jobs import enqueue
from accord.workspace.projects import lock, project_row
from accord.workspace.rescoring import rescore
from accord.workspace.settings import queue_policy
from accord.workspace.tables import PROJECTS


@dataclass(frozen=True, slots=True)
class Change:
    """A change while its transaction is open: the new version of the data, and when."""

    connection: Connection
    project_id: int
    version: int
    at: float

    def end(self, touched: Collection[int]) -> int | None:
        """Rescore the tasks that changed; returns the job that does where it takes long."""
        if not touched:
            self._set_version(self.version - 1)
            return None
        done = rescore(self.connection, self.project_id, touched)
        job = None if done else enqueue(self.connection, "recompute", self.project_id, at=self.at)
        queue_policy(
            self.connection, self.project_id, project_row(self.connection, self.project_id).plan_version, self.at
        )
        return job

    def _set_version(self, version: int) -> None:
        self.connection.execute(update(PROJECTS).where(PROJECTS.c.id == self.project_id).values(data_version=version))


@contextmanager
def changing(database: Database, project_id: int, at: float) -> Iterator[Change]:
    """Open the transaction of a change; nothing of it is kept if something raises. ``end`` must be called."""
    with database.write() as connection:
        version = lock(connection, project_id).data_version + 1
        connection.execute(update(PROJECTS).where(PROJECTS.c.id == project_id).values(data_version=version))
        yield Change(connection, project_id, version, at)
