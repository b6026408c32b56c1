"""Keep coded rows in step with the data: one changed task at a time where that is exact, all of them by a job."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, func, select, update

from accord.readers.given_tasks import TasksRead, read_tasks
from accord.workspace.coding import Brief, Coder
from accord.workspace.database import Database
from accord.workspace.keeping import portions
from accord.workspace.projects import config_of, lock, project_row
from accord.workspace.settings import Settings, settings_of
from accord.workspace.stored_tasks import StoredTask, some_tasks, stored_tasks
from accord.workspace.tables import CODED_TASKS, CONTROLS, PROJECTS, TASK_SCORES, TASKS
from accord.workspace.texts import json_text
from accord.workspace.vocabulary import control_text

#: Projects up to this many tasks are read whole whenever something changes.
SMALL: Final = 200
#: More changed tasks than this are left to a job.
FEW: Final = 2000

Step = Callable[[int, int], None]


def rescore(connection: Connection, project_id: int, touched: Iterable[int]) -> bool:
    """Bring the rows of changed tasks up to date within the transaction that changed them.

    False where that needs a look at the whole of a large project; a job must do it then.
    """
    row = project_row(connection, project_id)
    settings = settings_of(connection, project_id, row.plan_version)
    was_in_step = row.coded_data >= row.data_version - 1 and row.coded_plan == row.plan_version
    changed = sorted(touched)
    if was_in_step and len(changed) <= FEW and _rescore_alone(connection, row, settings, changed):
        return True
    here = select(func.count()).select_from(TASKS).where(TASKS.c.project_id == project_id)
    if (connection.scalar(here) or 0) > SMALL:
        return False
    stored = list(stored_tasks(connection, project_id))
    _replace_all(connection, row, settings, *read_stored(stored, row, settings))
    _mark(connection, row, row.data_version)
    return True


def _rescore_alone(connection: Connection, row: Row[Any], settings: Settings, changed: Sequence[int]) -> bool:
    """Replace the rows of some tasks, if reading these alone gives what reading all would give of them."""
    shape = json.loads(row.shape)
    if not shape.get("separable"):
        return False
    tasks = some_tasks(connection, changed)
    read, briefs = read_stored(tasks, row, settings)
    identities = read.identities | set(shape["identities"])
    if not read.separable or {"id", "email"} <= identities or not _same_controls(connection, row.id, read, shape):
        return False
    _clear(connection, changed)
    Coder(connection, row.id, read, briefs, settings.measuring).write()
    _mark(connection, row, row.data_version, shape | {"identities": sorted(identities)})
    return True


def _same_controls(connection: Connection, project_id: int, read: TasksRead, shape: Mapping[str, Any]) -> bool:
    query = select(CONTROLS.c.name, CONTROLS.c.facts).where(CONTROLS.c.project_id == project_id)
    known = {row.name: row.facts for row in connection.execute(query) if row.name in shape["controls"]}
    return known == {control.name: control_text(control) for control in read.dataset.controls}


def rescore_all(database: Database, project_id: int, step: Step, finish: Callable[[Connection, Any], None]) -> None:
    """Read a whole project anew and replace its rows; ``finish`` is called within the transaction that does.

    What changes meanwhile is caught up with at the end. Where that needs another whole read, the outcome says
    ``"fresh": False``.
    """
    with database.read() as connection:
        row = project_row(connection, project_id)
        settings = settings_of(connection, project_id, row.plan_version)
        count = connection.scalar(_present(project_id)) or 0
        read, briefs = read_stored(_counted(stored_tasks(connection, project_id), count, step), row, settings)
    step(count, count)
    with database.write() as connection:
        now = lock(connection, project_id)
        before = _agreement(connection, project_id)
        _replace_all(connection, row, settings, read, briefs)
        _mark(connection, row, row.data_version)
        fresh = now.plan_version == row.plan_version and _catch_up(connection, project_id, row.data_version)
        after = _agreement(connection, project_id)
        scored = sum(value is not None for value in after.values())
        mismatch = sum(differs(before.get(task), value) for task, value in after.items() if value is not None)
        outcome = {"scanned": count, "scored": scored, "mismatch": mismatch, "skipped": count - scored}
        finish(connection, outcome | {"fresh": fresh})


def differs(one: float | None, other: float | None) -> bool:
    """Whether two scores are not the same."""
    if one is None or other is None:
        return one is not other
    return abs(one - other) > 1e-12


def _agreement(connection: Connection, project_id: int) -> dict[int, float | None]:
    query = select(CODED_TASKS.c.task_id, CODED_TASKS.c.agreement).where(CODED_TASKS.c.project_id == project_id)
    return {row.task_id: row.agreement for row in connection.execute(query)}


def _catch_up(connection: Connection, project_id: int, version: int) -> bool:
    """Bring in what changed since a version of the data; False where that is left to another job."""
    row = project_row(connection, project_id)
    if row.data_version == version:
        return True
    query = select(TASKS.c.id).where(TASKS.c.project_id == project_id, TASKS.c.changed_in > version)
    changed = list(connection.scalars(query))
    settings = settings_of(connection, project_id, row.plan_version)
    return len(changed) <= FEW and _rescore_alone(connection, row, settings, changed)


def _present(project_id: int) -> Any:
    here = select(func.count()).select_from(TASKS)
    return here.where(TASKS.c.project_id == project_id, TASKS.c.deleted_at.is_(None))


def _counted(tasks: Iterator[StoredTask], count: int, step: Step) -> Iterator[StoredTask]:
    for done, task in enumerate(tasks):
        if done % 2000 == 0:
            step(done, count)
        yield task


def read_stored(tasks: Iterable[StoredTask], row: Row[Any], settings: Settings) -> tuple[TasksRead, list[Brief]]:
    """Read tasks as a file of them would be read."""
    plan = settings.measuring
    briefs: list[Brief] = []

    def given() -> Iterator[Any]:
        for task in tasks:
            briefs.append(Brief.of(task, plan.cluster))
            yield task.task

    read = read_tasks(
        given(),
        name="workspace",
        config=config_of(row),
        missing=plan.missing,
        unanswered="empty" if plan.unanswered == "empty" else "auto",
        fields=() if plan.cluster in (None, "task", "file", "unit") else (plan.cluster,),
    )
    return read, briefs


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a whole read found that a change of one task does not tell."""

    read: TasksRead

    def text(self) -> str:
        dataset = self.read.dataset
        return json_text(
            {
                "separable": self.read.separable and not {"id", "email"} <= self.read.identities,
                "identities": sorted(self.read.identities),
                "links": dict(self.read.links),
                "controls": {n: [c.missing, c.not_applicable] for n, c in dataset.columns.items()},
                "notices": [[n.code, n.count, n.meaning] for n in dataset.report.notices],
            }
        )


def _replace_all(
    connection: Connection, row: Row[Any], settings: Settings, read: TasksRead, briefs: Sequence[Brief]
) -> None:
    of_project = select(CODED_TASKS.c.task_id).where(CODED_TASKS.c.project_id == row.id)
    connection.execute(delete(TASK_SCORES).where(TASK_SCORES.c.task_id.in_(of_project)))
    connection.execute(delete(CODED_TASKS).where(CODED_TASKS.c.project_id == row.id))
    Coder(connection, row.id, read, briefs, settings.measuring).write()
    connection.execute(update(PROJECTS).where(PROJECTS.c.id == row.id).values(shape=_Shape(read).text()))


def _clear(connection: Connection, tasks: Sequence[int]) -> None:
    for some in portions(tasks):
        connection.execute(delete(TASK_SCORES).where(TASK_SCORES.c.task_id.in_(some)))
        connection.execute(delete(CODED_TASKS).where(CODED_TASKS.c.task_id.in_(some)))


def _mark(connection: Connection, row: Row[Any], version: int, shape: Mapping[str, Any] | None = None) -> None:
    """Note from which version of data and settings the rows are."""
    values: dict[str, Any] = {"coded_data": version, "coded_plan": row.plan_version}
    if shape is not None:
        values["shape"] = json_text(dict(shape))
    connection.execute(update(PROJECTS).where(PROJECTS.c.id == row.id).values(values))
