"""One task as people look at it: its data, the answers side by side, what was decided about it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from accord.workspace.authors import own_names, pseudonyms, raters_of
from accord.workspace.decisions import Accepted, Review, accepted, reviews_of
from accord.workspace.listing import task_rows, tasks_with_agreement
from accord.workspace.projects import UnknownIdError, project_row
from accord.workspace.records import AnnotationRow, TaskRow
from accord.workspace.tables import ANNOTATION_VERSIONS, ANNOTATIONS, TASKS
from accord.workspace.users import User


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskView:
    """A task with everything about it. ``blinded``: raters are called by letters, in an order that tells nothing."""

    task: TaskRow
    annotations: Sequence[AnnotationRow]
    reviews: Sequence[Review]
    accepted: Accepted
    blinded: bool


def view(connection: Connection, project_id: int, task_id: int, viewer: User | None, *, blind: bool) -> TaskView:
    """Look at a task; ``viewer`` sees which answers are their own.

    Raises
    ------
    UnknownIdError
        There is no such task in the project.
    """
    project_row(connection, project_id)
    query, _ = tasks_with_agreement(connection, project_id, None)
    row = connection.execute(query.where(TASKS.c.id == task_id)).one_or_none()
    if row is None:
        raise UnknownIdError.of("task", task_id)
    reviews = reviews_of(connection, project_id, [task_id]).get(task_id, [])
    now = accepted(reviews)
    own = frozenset(own_names(connection, project_id, viewer.identities)) if viewer is not None else frozenset()
    rows = _annotations(connection, task_id)
    letters = pseudonyms(task_id, [found.id for found in rows])
    names: Mapping[int, str] = raters_of(connection, task_id)
    seen = [_row(found, letters[found.id] if blind else names.get(found.id, found.author), own, now) for found in rows]
    seen.sort(key=lambda found: (len(found.rater), found.rater) if blind else (0, str(found.id).zfill(12)))
    return TaskView(
        task=task_rows(connection, [row])[0], annotations=seen, reviews=reviews, accepted=now, blinded=blind
    )


def _annotations(connection: Connection, task_id: int) -> Sequence[Row[Any]]:
    columns, versions = ANNOTATIONS.c, ANNOTATION_VERSIONS.c
    now = (versions.annotation_id == columns.id) & (versions.version == columns.version)
    query = select(ANNOTATIONS, versions.payload).join(ANNOTATION_VERSIONS, now)
    return connection.execute(query.where(columns.task_id == task_id, columns.deleted_at.is_(None))).all()


def _row(found: Row[Any], rater: str, own: frozenset[str], now: Accepted) -> AnnotationRow:
    result = json.loads(found.payload).get("result")
    return AnnotationRow(
        id=found.id,
        key=found.key,
        rater=rater,
        own=found.author.lower() in own or rater.lower() in own,
        cancelled=found.cancelled,
        created=found.created,
        updated=found.updated,
        lead_time=found.lead_time,
        version=found.version,
        accepted=found.id in now.annotations,
        result=result if isinstance(result, list) else [],
    )
