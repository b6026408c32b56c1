"""Data in and out: imports, single deliveries, deletions, exports. Each is kept whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Table, select, update

from accord.errors import DataError
from accord.readers.codes import Notices
from accord.readers.given_tasks import read_tasks
from accord.readers.sniff import sniff
from accord.readers.task_stream import tasks_of
from accord.workspace.changing import Change, changing
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.incoming import batches
from accord.workspace.keeping import Keeper, portions, touch
from accord.workspace.projects import config_of, project_row
from accord.workspace.records import Imported
from accord.workspace.stored_tasks import stored_tasks
from accord.workspace.tables import ANNOTATION_VERSIONS, ANNOTATIONS, TASKS
from accord.workspace.texts import index_key

Tasks = Callable[[], Iterable[Any]]


class Content:
    """Tasks and annotations of the projects of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def import_(
        self,
        project_id: int,
        source: str | Path | Sequence[Any],
        *,
        actor: str,
        name: str = "import",
        strict: bool = False,
        revive: bool = True,
    ) -> Imported:
        """Take in tasks with their annotations; the same again changes nothing.

        Parameters
        ----------
        source
            A Label Studio export (a file of JSON in any of its shapes), or its tasks.
        name
            What messages and versions call the source.
        strict
            Refuse irregular data instead of counting it.
        revive
            Bring back what was deleted here and is in the source; False for deliveries that may come late.

        Raises
        ------
        DataError
            The source cannot be read; nothing is kept then.
        """
        tasks = _tasks(source, strict=strict)
        with self._database.read() as connection:
            config = config_of(project_row(connection, project_id))
        found = read_tasks(tasks(), name=name, config=config, strict=strict).dataset.report
        with changing(self._database, project_id, self._clock()) as change:
            keeper = Keeper(change.connection, project_id, change.version, change.at, name, revive)
            for batch in batches(tasks(), Notices()):
                keeper.keep(batch)
            kept = keeper.kept
            counts = {
                "tasks": kept.tasks,
                "annotations": kept.annotations,
                "added": kept.added,
                "changed": kept.changed,
                "unchanged": kept.unchanged,
                "older": kept.older,
            }
            record(
                change.connection,
                "data.imported",
                at=change.at,
                actor=actor,
                project_id=project_id,
                payload=counts | {"source": name, "codes": dict(found.codes)},
            )
            job = change.end(kept.touched)
        return Imported(**counts, codes=dict(found.codes), job=job)

    def delete(
        self,
        project_id: int,
        *,
        tasks: Iterable[str] = (),
        annotations: Iterable[str] = (),
        actor: str,
    ) -> int:
        """Take tasks and annotations, by the ids they came with, out of what is measured; returns how many.

        Every version stays until retention ends.
        """
        keys = [index_key(key) for key in tasks], [index_key(key) for key in annotations]
        with changing(self._database, project_id, self._clock()) as change:
            gone, gone_tasks = _delete(change, ANNOTATIONS, keys[1]), _delete(change, TASKS, keys[0])
            touched = {row.task_id for row in (*gone, *gone_tasks)}
            touch(change.connection, touched, change.version)
            if touched:
                record(
                    change.connection,
                    "data.deleted",
                    at=change.at,
                    actor=actor,
                    project_id=project_id,
                    payload={"tasks": len(gone_tasks), "annotations": len(gone)},
                )
            change.end(touched)
        return len(gone) + len(gone_tasks)

    def export(self, project_id: int) -> Iterator[Mapping[str, Any]]:
        """Tasks with their present annotations, in the form of a Label Studio export, one after the other."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            for stored in stored_tasks(connection, project_id):
                yield stored.task

    def versions(self, project_id: int, annotation_id: int) -> list[dict[str, Any]]:
        """Every version of an annotation, oldest first."""
        versions = ANNOTATION_VERSIONS.c
        here = select(ANNOTATION_VERSIONS).join(ANNOTATIONS, ANNOTATIONS.c.id == versions.annotation_id)
        here = here.where(ANNOTATIONS.c.project_id == project_id, ANNOTATIONS.c.id == annotation_id)
        with self._database.read() as connection:
            return [
                {
                    "version": row.version,
                    "source": row.source,
                    "at": row.recorded_at,
                    "payload": json.loads(row.payload),
                }
                for row in connection.execute(here.order_by(versions.version))
            ]


def _delete(change: Change, table: Table, keys: Sequence[str]) -> list[Row[Any]]:
    """Mark rows as deleted; those that were before are left alone."""
    found: list[Row[Any]] = []
    for some in portions(keys):
        here = (table.c.project_id == change.project_id) & table.c.key.in_(some) & table.c.deleted_at.is_(None)
        wanted = update(table).where(here).values(deleted_at=change.at)
        returned = table.c.task_id if table is ANNOTATIONS else table.c.id.label("task_id")
        found += change.connection.execute(wanted.returning(returned)).all()
    return found


def _tasks(source: str | Path | Sequence[Any], *, strict: bool) -> Tasks:
    """Make the tasks readable twice: once to check them all, once to keep them."""
    if not isinstance(source, str | Path):
        return lambda: source
    path = Path(source)
    kind = sniff(path)
    if kind != "labelstudio":
        raise DataError.at(
            f"a workspace takes tasks with annotations, and this is read as {kind}.",
            file=str(path),
            allowed="a Label Studio export as JSON",
            hint="Export the project as JSON.",
        )
    return lambda: tasks_of(path, Notices(strict=strict), None)[0]
