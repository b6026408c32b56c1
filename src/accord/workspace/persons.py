"""One person's data: handed out, or erased; and how long anything is kept."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, func, select, update

from accord.errors import UsageError
from accord.workspace.authors import own_names
from accord.workspace.changing import changing
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.keeping import portions, touch
from accord.workspace.projects import project_row
from accord.workspace.settings import settings_of
from accord.workspace.tables import (
    ANNOTATION_VERSIONS,
    ANNOTATIONS,
    EVENTS,
    JOBS,
    PROJECTS,
    RATER_STATES,
    RATERS,
    REPORTS,
    TASKS,
)
from accord.workspace.texts import digest_of, json_text, text_digest

#: Fields of an annotation that name people.
NAMING: Final = ("completed_by", "updated_by", "created_username", "last_created_by")
DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What was erased, and the job that rescores where that takes long."""

    annotations: int
    tasks: int
    job: int | None


class Persons:
    """Data of single persons in the projects of a workspace, and retention."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def export(self, project_id: int, names: Collection[str]) -> dict[str, Any]:
        """Everything kept of a person in a project: every version of every annotation, what was decided about them.

        ``names`` are those under which they annotate: e-mail addresses or ids.
        """
        with self._database.read() as connection:
            project_row(connection, project_id)
            mine = _names(connection, project_id, names)
            annotations, versions = ANNOTATIONS.c, ANNOTATION_VERSIONS.c
            query = select(TASKS.c.key, annotations.key.label("annotation"), versions.version, versions.payload)
            query = query.add_columns(versions.recorded_at, annotations.deleted_at)
            query = query.join(ANNOTATIONS, annotations.task_id == TASKS.c.id)
            query = query.join(ANNOTATION_VERSIONS, versions.annotation_id == annotations.id)
            rows = connection.execute(
                query.where(_theirs(project_id, mine)).order_by(annotations.id, versions.version)
            ).all()
            return {
                "names": mine,
                "annotations": [
                    {
                        "task": row.key,
                        "annotation": row.annotation,
                        "version": row.version,
                        "recorded_at": row.recorded_at,
                        "deleted": row.deleted_at is not None,
                        "content": json.loads(row.payload),
                    }
                    for row in rows
                ],
                "states": _states(connection, project_id, mine),
            }

    def erase(self, project_id: int, names: Collection[str], *, actor: str, keep_answers: bool = False) -> Erased:
        """Erase a person from a project: all versions of their annotations, and the name.

        ``keep_answers``: the answers stay under a name that says nothing, so that what is measured stays the same.
        The event does not name the person.

        Raises
        ------
        UsageError
            Nobody in the project has one of these names.
        """
        with changing(self._database, project_id, self._clock()) as change:
            connection = change.connection
            mine = _names(connection, project_id, names)
            query = select(ANNOTATIONS.c.id, ANNOTATIONS.c.task_id).where(_theirs(project_id, mine))
            rows = connection.execute(query).all()
            if not rows:
                raise UsageError("Nobody in this project has that name.")
            numbers, tasks = [row.id for row in rows], {row.task_id for row in rows}
            if keep_answers:
                _rename(connection, project_id, numbers, mine)
            else:
                for some in portions(numbers):
                    connection.execute(delete(ANNOTATIONS).where(ANNOTATIONS.c.id.in_(some)))
            _forget_raters(connection, project_id, mine)
            connection.execute(delete(REPORTS).where(REPORTS.c.project_id == project_id, REPORTS.c.kind != "frozen"))
            touch(connection, tasks, change.version)
            payload = {"annotations": len(numbers), "kept_answers": keep_answers}
            record(connection, "person.erased", at=change.at, actor=actor, project_id=project_id, payload=payload)
            job = change.end(tasks)
        return Erased(annotations=len(numbers), tasks=len(tasks), job=job)

    def purge(self, project_id: int) -> dict[str, int]:
        """Remove what is older than the project's retention: old versions, deleted data, ended jobs, events.

        What is measured does not change. Nothing is removed where no retention is set.
        """
        now = self._clock()
        with self._database.write() as connection:
            row = connection.execute(select(PROJECTS).where(PROJECTS.c.id == project_id)).one()
            days = settings_of(connection, project_id, row.plan_version).retention_days
            if days is None:
                return {}
            before = now - days * DAY
            if row.deleted_at is not None and row.deleted_at < before:
                connection.execute(delete(PROJECTS).where(PROJECTS.c.id == project_id))
                return {"projects": 1}
            gone = _purge(connection, project_id, before)
            if any(gone.values()):
                record(connection, "data.purged", at=now, actor="retention", project_id=project_id, payload=gone)
            return gone

    def with_retention(self) -> list[int]:
        """Projects, removed ones included, that keep things for a limited time."""
        with self._database.read() as connection:
            rows = connection.execute(select(PROJECTS.c.id, PROJECTS.c.plan_version)).all()
            return [
                row.id for row in rows if settings_of(connection, row.id, row.plan_version).retention_days is not None
            ]


def _names(connection: Connection, project_id: int, names: Collection[str]) -> list[str]:
    given = [name.strip() for name in names if name.strip()]
    if not given:
        raise UsageError("Give at least one name of the person.")
    return own_names(connection, project_id, given)


def _theirs(project_id: int, names: Collection[str]) -> Any:
    return (ANNOTATIONS.c.project_id == project_id) & func.lower(ANNOTATIONS.c.author).in_(names)


def _raters(connection: Connection, project_id: int, names: Collection[str]) -> list[int]:
    here = (RATERS.c.project_id == project_id) & func.lower(RATERS.c.name).in_(names)
    return list(connection.scalars(select(RATERS.c.id).where(here)))


def _states(connection: Connection, project_id: int, names: Collection[str]) -> list[dict[str, Any]]:
    mine = RATER_STATES.c.rater_id.in_(_raters(connection, project_id, names))
    rows = connection.execute(select(RATER_STATES).where(mine).order_by(RATER_STATES.c.id))
    return [
        {"action": row.action, "reason": row.reason, "evidence": json.loads(row.evidence), "at": row.at} for row in rows
    ]


def _forget_raters(connection: Connection, project_id: int, names: Collection[str]) -> None:
    """Take the names from the raters of coded rows; their numbers stay, so that no number means two people."""
    for number in _raters(connection, project_id, names):
        name = _nameless(number)
        values = {"name": name, "digest": text_digest(name)}
        connection.execute(update(RATERS).where(RATERS.c.id == number).values(values))
        connection.execute(delete(RATER_STATES).where(RATER_STATES.c.rater_id == number))


def _nameless(number: int) -> str:
    return f"erased {number}"


def _rename(connection: Connection, project_id: int, numbers: list[int], names: Collection[str]) -> None:
    """Give annotations, in every version, an author that nobody is."""
    raters = _raters(connection, project_id, names)
    name = _nameless(raters[0] if raters else numbers[0])
    versions = ANNOTATION_VERSIONS.c
    for some in portions(numbers):
        rows = connection.execute(select(ANNOTATION_VERSIONS).where(versions.annotation_id.in_(some))).all()
        for row in rows:
            payload = _without_names(json.loads(row.payload), name, names)
            here = (versions.annotation_id == row.annotation_id) & (versions.version == row.version)
            connection.execute(update(ANNOTATION_VERSIONS).where(here).values(payload=json_text(payload)))
            current = (ANNOTATIONS.c.id == row.annotation_id) & (ANNOTATIONS.c.version == row.version)
            values = {"author": name, "digest": digest_of(payload)}
            connection.execute(update(ANNOTATIONS).where(current).values(values))


def _without_names(payload: Mapping[str, Any], name: str, names: Collection[str]) -> dict[str, Any]:
    found = dict(payload)
    for key in NAMING:
        if key in found and (key == "completed_by" or _is_named(found[key], names)):
            found[key] = name
    return found


def _is_named(given: Any, names: Collection[str]) -> bool:
    parts = given.values() if isinstance(given, Mapping) else [given]
    return any(str(part).lower() in names for part in parts)


def _purge(connection: Connection, project_id: int, before: float) -> dict[str, int]:
    versions, annotations = ANNOTATION_VERSIONS.c, ANNOTATIONS.c
    mine = select(annotations.id).where(annotations.project_id == project_id)
    current = select(annotations.version).where(annotations.id == versions.annotation_id).scalar_subquery()
    old = versions.annotation_id.in_(mine) & (versions.version < current) & (versions.recorded_at < before)

    def remove(table: Any, *wanted: Any) -> int:
        return connection.execute(delete(table).where(*wanted)).rowcount

    return {
        "versions": remove(ANNOTATION_VERSIONS, old),
        "annotations": remove(ANNOTATIONS, annotations.project_id == project_id, annotations.deleted_at < before),
        "tasks": remove(TASKS, TASKS.c.project_id == project_id, TASKS.c.deleted_at < before),
        "jobs": remove(JOBS, JOBS.c.project_id == project_id, JOBS.c.finished_at < before),
        "events": remove(EVENTS, EVENTS.c.project_id == project_id, EVENTS.c.at < before),
    }
