"""Tasks of a project as a list: filtered, sorted, page by page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

from sqlalchemy import Connection, Select, exists, func, select

from accord.errors import UnknownNameError, UsageError
from accord.workspace.database import Database
from accord.workspace.projects import project_row
from accord.workspace.records import Page, TaskRow
from accord.workspace.tables import CODED_TASKS, CONTROLS, REVIEWS, TASK_SCORES, TASKS

Sort = Literal["agreement", "-agreement", "raters", "-raters", "key", "-key"]
SORTS: Final = ("agreement", "-agreement", "raters", "-raters", "key", "-key")
MOST_ROWS: Final = 1000


class Tasks:
    """The tasks of a workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(
        self,
        project_id: int,
        *,
        control: str | None = None,
        below: float | None = None,
        above: float | None = None,
        answers: int = 0,
        reviewed: bool | None = None,
        besides: Any = None,
        sort: str = "agreement",
        offset: int = 0,
        limit: int = 100,
    ) -> Page[TaskRow]:
        """Tasks that fit, in order.

        Parameters
        ----------
        control
            Agreement in this control counts; None = the mean over controls.
        below, above
            Only tasks whose agreement is less than, or at least, this.
        answers
            Only tasks with so many raters or more.
        reviewed
            Only tasks with, or without, a decision.
        besides
            Condition of the database that leaves tasks out.
        sort
            ``agreement`` (lowest first, tasks without a score last), ``raters`` or ``key``; "-" turns the order.

        Raises
        ------
        UsageError
            Something is not known or out of range.
        """
        if sort not in SORTS:
            raise UsageError(f"sort={sort!r} is not known. Allowed: {', '.join(SORTS)}.")
        if not 1 <= limit <= MOST_ROWS or offset < 0:
            raise UsageError(f"limit must be 1 to {MOST_ROWS}, offset 0 or more.")
        with self._database.read() as connection:
            project_row(connection, project_id)
            query, value = tasks_with_agreement(connection, project_id, control)
            if below is not None:
                query = query.where(value < below)
            if above is not None:
                query = query.where(value >= above)
            if answers:
                query = query.where(CODED_TASKS.c.raters >= answers)
            if reviewed is not None:
                query = query.where(is_reviewed() if reviewed else ~is_reviewed())
            if besides is not None:
                query = query.where(~besides)
            total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
            rows = connection.execute(_sorted(query, value, sort).offset(offset).limit(limit)).all()
            found = task_rows(connection, rows)
        return Page(found, total, offset, limit)


def tasks_with_agreement(connection: Connection, project_id: int, control: str | None) -> tuple[Select[Any], Any]:
    """Tasks of a project with the agreement that counts."""
    columns = (TASKS.c.id, TASKS.c.key, TASKS.c.scope, TASKS.c.payload, CODED_TASKS.c.raters)
    base = TASKS.outerjoin(CODED_TASKS, CODED_TASKS.c.task_id == TASKS.c.id)
    value: Any = CODED_TASKS.c.agreement
    if control is not None:
        number = control_number(connection, project_id, control)
        mine = (TASK_SCORES.c.task_id == TASKS.c.id) & (TASK_SCORES.c.control_id == number)
        base, value = base.outerjoin(TASK_SCORES, mine), TASK_SCORES.c.value
    query = select(*columns, value.label("agreement"), is_reviewed().label("reviewed")).select_from(base)
    return query.where(TASKS.c.project_id == project_id, TASKS.c.deleted_at.is_(None)), value


def control_number(connection: Connection, project_id: int, name: str) -> int:
    """Number of a control."""
    query = select(CONTROLS.c.name, CONTROLS.c.id).where(CONTROLS.c.project_id == project_id)
    known = {row.name: row.id for row in connection.execute(query)}
    if name not in known:
        raise UnknownNameError.among("control", name, known)
    return int(known[name])


def is_reviewed() -> Any:
    """Whether a task has a decision that was not undone."""
    return exists().where(REVIEWS.c.task_id == TASKS.c.id, REVIEWS.c.undone_at.is_(None))


def _sorted(query: Select[Any], value: Any, sort: str) -> Select[Any]:
    column = {"agreement": value, "raters": CODED_TASKS.c.raters, "key": TASKS.c.id}[sort.removeprefix("-")]
    order = column.desc() if sort.startswith("-") else column.asc()
    return query.order_by(order.nulls_last(), TASKS.c.id)


def task_rows(connection: Connection, rows: Sequence[Any]) -> list[TaskRow]:
    """Rows with the scores by control."""
    by_task: dict[int, dict[str, float]] = {}
    query = select(TASK_SCORES.c.task_id, CONTROLS.c.name, TASK_SCORES.c.value)
    query = query.join(CONTROLS, CONTROLS.c.id == TASK_SCORES.c.control_id).order_by(CONTROLS.c.position)
    for row in connection.execute(query.where(TASK_SCORES.c.task_id.in_([row.id for row in rows]))):
        by_task.setdefault(row.task_id, {})[row.name] = row.value
    return [
        TaskRow(
            id=row.id,
            key=row.key,
            scope=row.scope,
            agreement=row.agreement,
            by_control=by_task.get(row.id, {}),
            raters=row.raters or 0,
            reviewed=bool(row.reviewed),
            data=_data(row.payload),
        )
        for row in rows
    ]


def _data(payload: str) -> dict[str, Any]:
    data = json.loads(payload).get("data")
    return data if isinstance(data, dict) else {}
