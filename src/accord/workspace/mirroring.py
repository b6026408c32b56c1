"""Make a project hold what another server has: tasks as they are there now, without what was removed there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from accord.labelstudio.pull import Pulled, Stamp
from accord.readers.codes import Notices
from accord.workspace.changing import Change, changing
from accord.workspace.database import Database
from accord.workspace.events import record
from accord.workspace.incoming import NewTask, batches
from accord.workspace.jobs import enqueue
from accord.workspace.keeping import Keeper, portions, touch
from accord.workspace.projects import lock, parsed_config
from accord.workspace.tables import ANNOTATIONS, PROJECTS, PULLED_TASKS, TASKS
from accord.workspace.texts import index_key


def mirror(database: Database, project_id: int, found: Pulled, remote: int, at: float, name: str) -> dict[str, int]:
    """Keep what a pull found, all of it or nothing: changes, deletions, and when each task last changed.

    Tasks of other sources are left alone. Returns counts of annotations added and changed, and of what was removed.
    """
    with changing(database, project_id, at) as change:
        keeper = Keeper(change.connection, project_id, change.version, change.at, name, revive=True)
        dropped: set[int] = set()
        for batch in batches(found.changed, Notices()):
            keeper.keep(batch)
            dropped |= _drop_absent(change, batch)
        gone = _drop_tasks(change, [str(task) for task in sorted(found.deleted)], index_key(str(remote)))
        touched = keeper.kept.touched | dropped | gone
        touch(change.connection, dropped | gone, change.version)
        _keep_stamps(change.connection, project_id, found)
        counts = {
            "tasks": keeper.kept.tasks,
            "added": keeper.kept.added,
            "changed": keeper.kept.changed,
            "tasks_changed": len(touched),
            "tasks_removed": len(gone),
        }
        if touched:
            record(change.connection, "data.pulled", at=at, actor="pull", project_id=project_id, payload=counts)
        change.end(touched)
    return counts


def take_config(database: Database, project_id: int, label_config: str, at: float) -> bool:
    """Take another label config, where it is another; a job reads everything anew then. Returns whether it is.

    Raises
    ------
    DataError
        The label config cannot be read.
    """
    with database.write() as connection:
        row = lock(connection, project_id)
        if label_config == row.label_config:
            return False
        parsed_config(label_config)
        version = row.data_version + 1
        changed = {"label_config": label_config, "data_version": version}
        connection.execute(update(PROJECTS).where(PROJECTS.c.id == project_id).values(changed))
        connection.execute(update(TASKS).where(TASKS.c.project_id == project_id).values(changed_in=version))
        record(connection, "project.config", at=at, actor="pull", project_id=project_id)
        enqueue(connection, "recompute", project_id, at=at)
    return True


def known_stamps(connection: Connection, project_id: int) -> dict[int, Stamp]:
    """When each task last changed, as the server said."""
    query = select(PULLED_TASKS).where(PULLED_TASKS.c.project_id == project_id)
    return {row.task: (row.changed, row.counted, row.cancelled) for row in connection.execute(query)}


def _drop_absent(change: Change, batch: Sequence[NewTask]) -> set[int]:
    """Mark annotations of these tasks that are not among those that came; returns their tasks."""
    present = {(task.scope, task.key): task.annotations for task in batch}
    columns, dropped = ANNOTATIONS.c, dict[int, int]()
    for some in portions([task.key for task in batch]):
        query = select(columns.id, columns.key, TASKS.c.id.label("task"), TASKS.c.scope, TASKS.c.key.label("task_key"))
        query = query.join(TASKS, TASKS.c.id == columns.task_id).where(
            TASKS.c.project_id == change.project_id, TASKS.c.key.in_(some), columns.deleted_at.is_(None)
        )
        for row in change.connection.execute(query):
            kept = present.get((row.scope, row.task_key))
            if kept is not None and row.key not in kept:
                dropped[row.id] = row.task
    for some in portions(sorted(dropped)):
        change.connection.execute(update(ANNOTATIONS).where(columns.id.in_(some)).values(deleted_at=change.at))
    return set(dropped.values())


def _drop_tasks(change: Change, keys: Sequence[str], scope: str) -> set[int]:
    found: set[int] = set()
    for some in portions(keys):
        here = (TASKS.c.project_id == change.project_id) & (TASKS.c.scope == scope) & TASKS.c.key.in_(some)
        wanted = update(TASKS).where(here, TASKS.c.deleted_at.is_(None)).values(deleted_at=change.at)
        found |= set(change.connection.scalars(wanted.returning(TASKS.c.id)))
    return found


def _keep_stamps(connection: Connection, project_id: int, found: Pulled) -> None:
    changed = [int(task["id"]) for task in found.changed]
    _forget(connection, project_id, [*changed, *found.deleted])
    rows = [_stamp_row(project_id, task, found.stamps) for task in changed if task in found.stamps]
    if rows:
        connection.execute(insert(PULLED_TASKS), rows)


def _forget(connection: Connection, project_id: int, tasks: Collection[int]) -> None:
    for some in portions(sorted(tasks)):
        here = (PULLED_TASKS.c.project_id == project_id) & PULLED_TASKS.c.task.in_(some)
        connection.execute(delete(PULLED_TASKS).where(here))


def _stamp_row(project_id: int, task: int, stamps: Mapping[int, Stamp]) -> dict[str, Any]:
    changed, counted, cancelled = stamps[task]
    values = {"changed": changed, "counted": counted, "cancelled": cancelled}
    return {"project_id": project_id, "task": task, **values}
