"""Tasks out of the database, in the form of an export: the same text the command line would read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import Connection, Select, select

from accord.readers.labelstudio import is_cancelled
from accord.workspace.keeping import portions
from accord.workspace.tables import ANNOTATION_VERSIONS, ANNOTATIONS, TASKS

#: Rows fetched at a time.
FETCH: Final = 1000


@dataclass(frozen=True, slots=True)
class StoredTask:
    """A task with its annotations, numbers of both, in the order of their numbers.

    A task that came without an id has the number the store gave it.
    """

    id: int
    key: str
    scope: str
    task: dict[str, Any]
    annotations: tuple[int, ...]

    @property
    def counted(self) -> tuple[int, ...]:
        """Annotations that were not cancelled: those a reader makes rows of."""
        pairs = zip(self.annotations, self.task["annotations"], strict=True)
        return tuple(number for number, annotation in pairs if not is_cancelled(annotation))


def stored_tasks(connection: Connection, project_id: int) -> Iterator[StoredTask]:
    """Every task of a project, in order; one after the other is in memory."""
    tasks = _tasks().where(TASKS.c.project_id == project_id).execution_options(yield_per=FETCH)
    answers = _answers().where(ANNOTATIONS.c.project_id == project_id).execution_options(yield_per=FETCH)
    with connection.execute(tasks) as rows, connection.execute(answers) as others:
        yield from _joined(iter(rows), iter(others))


def some_tasks(connection: Connection, tasks: Sequence[int]) -> list[StoredTask]:
    """Some tasks, in order; those that were removed are left out."""
    found: list[StoredTask] = []
    for some in portions(sorted(tasks)):
        rows = connection.execute(_tasks().where(TASKS.c.id.in_(some)))
        answers = connection.execute(_answers().where(ANNOTATIONS.c.task_id.in_(some)))
        found += _joined(iter(rows), iter(answers))
    return found


def _tasks() -> Select[Any]:
    columns = TASKS.c
    query = select(columns.id, columns.key, columns.scope, columns.payload)
    return query.where(columns.deleted_at.is_(None)).order_by(columns.id)


def _answers() -> Select[Any]:
    columns, versions = ANNOTATIONS.c, ANNOTATION_VERSIONS.c
    now = (versions.annotation_id == columns.id) & (versions.version == columns.version)
    query = select(columns.id, columns.task_id, versions.payload).join(ANNOTATION_VERSIONS, now)
    query = query.join(TASKS, TASKS.c.id == columns.task_id)
    return query.where(columns.deleted_at.is_(None), TASKS.c.deleted_at.is_(None)).order_by(columns.task_id, columns.id)


def _joined(tasks: Iterator[Any], answers: Iterator[Any]) -> Iterator[StoredTask]:
    groups = groupby(answers, key=attrgetter("task_id"))
    pending = next(groups, None)
    for row in tasks:
        mine = []
        if pending is not None and pending[0] == row.id:
            mine = list(pending[1])
            pending = next(groups, None)
        task = json.loads(row.payload)
        if task.get("id") is None:
            task["id"] = f"#{row.id}"
        task["annotations"] = [json.loads(answer.payload) for answer in mine]
        yield StoredTask(row.id, row.key, row.scope, task, tuple(answer.id for answer in mine))
