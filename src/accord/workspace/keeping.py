"""Put tasks and annotations into the database: new ones added, changed ones as a new version, nothing twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from accord.workspace.incoming import NewAnnotation, NewTask
from accord.workspace.tables import ANNOTATION_VERSIONS, ANNOTATIONS, TASKS

#: Values in one IN (...); SQLite and PostgreSQL take more.
MOST: Final = 500
_CURRENT: Final = ("author", "cancelled", "created", "updated", "lead_time", "digest")


@dataclass(slots=True)
class Kept:
    """What was done: counts of annotations, and the tasks that changed."""

    tasks: int = 0
    annotations: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    older: int = 0
    touched: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Writes batches into one project, within one transaction.

    ``revive``: an annotation or task that was deleted comes back if it is in what comes in.
    """

    connection: Connection
    project_id: int
    version: int
    at: float
    source: str
    revive: bool
    kept: Kept = field(default_factory=Kept)

    def keep(self, tasks: Sequence[NewTask]) -> None:
        """Write one batch."""
        self.kept.tasks += len(tasks)
        numbers = self._tasks(tasks)
        known = _annotations(self.connection, list(numbers.values()))
        new: list[tuple[int, NewAnnotation]] = []
        changed: list[tuple[Row[Any], NewAnnotation]] = []
        for task in tasks:
            number = numbers.get((task.scope, task.key))
            if number is None:
                continue
            for annotation in task.annotations.values():
                row = known.get((number, annotation.key))
                self.kept.annotations += 1
                if row is None:
                    new.append((number, annotation))
                elif self._is_news(row, annotation):
                    changed.append((row, annotation))
        self._add(new)
        self._change(changed)

    def _tasks(self, tasks: Sequence[NewTask]) -> dict[tuple[str, str], int]:
        """Numbers of the tasks that count, made where they are new."""
        known = self._known_tasks(tasks)
        fresh = [task for task in tasks if (task.scope, task.key) not in known]
        if fresh:
            self.connection.execute(insert(TASKS), [self._row(task) for task in fresh])
            known |= self._known_tasks(fresh)
            self.kept.touched.update(known[task.scope, task.key].id for task in fresh)
        revised = [task for task in tasks if self._is_revised(known[task.scope, task.key], task)]
        for task in revised:
            number = known[task.scope, task.key].id
            values = {"payload": task.payload, "digest": task.digest, "changed_in": self.version, "deleted_at": None}
            self.connection.execute(update(TASKS).where(TASKS.c.id == number).values(values))
            self.kept.touched.add(number)
        return {key: row.id for key, row in known.items() if row.deleted_at is None or self.revive}

    def _is_revised(self, row: Row[Any], task: NewTask) -> bool:
        if row.deleted_at is not None:
            return self.revive
        return bool(row.digest != task.digest)

    def _known_tasks(self, tasks: Sequence[NewTask]) -> dict[tuple[str, str], Row[Any]]:
        found: dict[tuple[str, str], Row[Any]] = {}
        keys = sorted({task.key for task in tasks})
        for some in portions(keys):
            query = select(TASKS.c.id, TASKS.c.scope, TASKS.c.key, TASKS.c.digest, TASKS.c.deleted_at)
            query = query.where(TASKS.c.project_id == self.project_id, TASKS.c.key.in_(some))
            found.update({(row.scope, row.key): row for row in self.connection.execute(query)})
        return {(t.scope, t.key): found[t.scope, t.key] for t in tasks if (t.scope, t.key) in found}

    def _row(self, task: NewTask) -> dict[str, Any]:
        return {
            "project_id": self.project_id,
            "scope": task.scope,
            "key": task.key,
            "digest": task.digest,
            "payload": task.payload,
            "changed_in": self.version,
            "created_at": self.at,
        }

    def _is_news(self, row: Row[Any], annotation: NewAnnotation) -> bool:
        """Whether what came is a later version; counts what is not."""
        if row.deleted_at is not None:
            return self.revive
        if row.digest == annotation.digest:
            self.kept.unchanged += 1
            return False
        if annotation.updated is not None and row.updated is not None and annotation.updated < row.updated:
            self.kept.older += 1
            return False
        return True

    def _add(self, new: Sequence[tuple[int, NewAnnotation]]) -> None:
        if not new:
            return
        rows = [
            {"project_id": self.project_id, "task_id": task, "version": 1, **_current(annotation)}
            for task, annotation in new
        ]
        self.connection.execute(insert(ANNOTATIONS), rows)
        known = _annotations(self.connection, sorted({task for task, _ in new}))
        self._versions([(known[task, annotation.key].id, 1, annotation) for task, annotation in new])
        self.kept.added += len(new)
        self._touch({task for task, _ in new})

    def _change(self, changed: Sequence[tuple[Row[Any], NewAnnotation]]) -> None:
        if not changed:
            return
        columns: dict[str, Any] = {name: bindparam(f"new_{name}") for name in (*_CURRENT, "version")}
        query = update(ANNOTATIONS).where(ANNOTATIONS.c.id == bindparam("number"))
        rows = [
            {f"new_{name}": value for name, value in _current(annotation).items() if name != "key"}
            | {"number": row.id, "new_version": row.version + 1}
            for row, annotation in changed
        ]
        self.connection.execute(query.values(deleted_at=None, **columns), rows)
        self._versions([(row.id, row.version + 1, annotation) for row, annotation in changed])
        self.kept.changed += len(changed)
        self._touch({row.task_id for row, _ in changed})

    def _versions(self, rows: Sequence[tuple[int, int, NewAnnotation]]) -> None:
        self.connection.execute(
            insert(ANNOTATION_VERSIONS),
            [
                {
                    "annotation_id": number,
                    "version": version,
                    "payload": annotation.payload,
                    "source": self.source,
                    "recorded_at": self.at,
                }
                for number, version, annotation in rows
            ],
        )

    def _touch(self, tasks: set[int]) -> None:
        touch(self.connection, tasks, self.version)
        self.kept.touched |= tasks


def touch(connection: Connection, tasks: set[int], version: int) -> None:
    """Note in which version of the data tasks changed last."""
    for some in portions(sorted(tasks)):
        connection.execute(update(TASKS).where(TASKS.c.id.in_(some)).values(changed_in=version))


def _current(annotation: NewAnnotation) -> dict[str, Any]:
    return {name: getattr(annotation, name) for name in ("key", *_CURRENT)}


def _annotations(connection: Connection, tasks: Sequence[int]) -> dict[tuple[int, str], Row[Any]]:
    found: dict[tuple[int, str], Row[Any]] = {}
    columns = ANNOTATIONS.c
    for some in portions(tasks):
        query = select(columns.id, columns.task_id, columns.key, columns.version, columns.digest, columns.updated)
        rows = connection.execute(query.add_columns(columns.deleted_at).where(columns.task_id.in_(some)))
        found.update({(row.task_id, row.key): row for row in rows})
    return found


def portions(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Parts of a list that fit into one statement."""
    for begin in range(0, len(items), MOST):
        yield items[begin : begin + MOST]
