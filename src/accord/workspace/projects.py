"""Projects: made, listed, removed; and the two versions that say what scores were made from."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Row, func, insert, select, update

from accord.errors import DataError, UsageError, shorten
from accord.readers.label_config import LabelConfig, parse_label_config
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.records import Project
from accord.workspace.tables import ANNOTATIONS, PROJECTS, TASKS

LONGEST_NAME: Final = 200


class UnknownIdError(UsageError):
    """Nothing has this number, or it was removed."""

    @classmethod
    def of(cls, what: str, number: int) -> UnknownIdError:
        """Build the error."""
        return cls(f"There is no {what} {number}.")


class Projects:
    """The projects of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create(self, name: str, label_config: str | None = None, *, actor: str) -> int:
        """Make a project; returns its number.

        Raises
        ------
        UsageError
            The name is blank or too long.
        DataError
            The label config cannot be read.
        """
        checked = checked_name(name, "project")
        if label_config is not None:
            parsed_config(label_config)
        now = self._clock()
        with self._database.write() as connection:
            made = connection.execute(
                insert(PROJECTS)
                .values(name=checked, label_config=label_config, created_at=now)
                .returning(PROJECTS.c.id)
            )
            number = int(made.scalar_one())
            record(connection, "project.created", at=now, actor=actor, project_id=number, payload={"name": checked})
        return number

    def all(self) -> list[Project]:
        """Every project, by name."""
        with self._database.read() as connection:
            found = connection.execute(_query().order_by(func.lower(PROJECTS.c.name), PROJECTS.c.id))
            return [_project(row) for row in found]

    def get(self, project_id: int) -> Project:
        """One project.

        Raises
        ------
        UnknownIdError
            There is no such project.
        """
        with self._database.read() as connection:
            row = connection.execute(_query().where(PROJECTS.c.id == project_id)).one_or_none()
        if row is None:
            raise UnknownIdError.of("project", project_id)
        return _project(row)

    def remove(self, project_id: int, *, actor: str) -> None:
        """Take a project out of sight; its data stay until retention ends."""
        now = self._clock()
        with self._database.write() as connection:
            lock(connection, project_id)
            connection.execute(update(PROJECTS).where(PROJECTS.c.id == project_id).values(deleted_at=now))
            record(connection, "project.removed", at=now, actor=actor, project_id=project_id)


def checked_name(name: str, what: str) -> str:
    """Name without blanks around it."""
    stripped = name.strip()
    if not stripped or len(stripped) > LONGEST_NAME or not stripped.isprintable():
        raise UsageError(
            f"{shorten(repr(name))} is no name for a {what}. Allowed: 1 to {LONGEST_NAME} printable characters."
        )
    return stripped


def _query() -> Any:
    tasks = (
        select(func.count())
        .select_from(TASKS)
        .where(TASKS.c.project_id == PROJECTS.c.id, TASKS.c.deleted_at.is_(None))
        .scalar_subquery()
    )
    annotations = (
        select(func.count())
        .select_from(ANNOTATIONS)
        .where(ANNOTATIONS.c.project_id == PROJECTS.c.id, ANNOTATIONS.c.deleted_at.is_(None))
        .scalar_subquery()
    )
    return select(PROJECTS, tasks.label("tasks"), annotations.label("annotations")).where(
        PROJECTS.c.deleted_at.is_(None)
    )


def _project(row: Row[Any]) -> Project:
    return Project(
        id=row.id,
        name=row.name,
        label_config=row.label_config,
        data_version=row.data_version,
        plan_version=row.plan_version,
        fresh=is_fresh(row),
        tasks=row.tasks,
        annotations=row.annotations,
        created_at=row.created_at,
    )


def is_fresh(row: Row[Any]) -> bool:
    """Whether coded rows and scores belong to the present data and settings."""
    return bool(row.coded_data == row.data_version and row.coded_plan == row.plan_version)


def project_row(connection: Connection, project_id: int) -> Row[Any]:
    """Row of a project that exists."""
    wanted = select(PROJECTS).where(PROJECTS.c.id == project_id, PROJECTS.c.deleted_at.is_(None))
    row = connection.execute(wanted).one_or_none()
    if row is None:
        raise UnknownIdError.of("project", project_id)
    return row


def lock(connection: Connection, project_id: int) -> Row[Any]:
    """Row of a project that nobody else changes until the transaction ends."""
    wanted = select(PROJECTS).where(PROJECTS.c.id == project_id, PROJECTS.c.deleted_at.is_(None)).with_for_update()
    row = connection.execute(wanted).one_or_none()
    if row is None:
        raise UnknownIdError.of("project", project_id)
    return row


def config_of(row: Row[Any]) -> LabelConfig | None:
    """Label config of a project."""
    return None if row.label_config is None else parsed_config(row.label_config)


def parsed_config(text: str) -> LabelConfig:
    """Parse the XML of a label config; text that is none is never taken for the name of a file.

    Raises
    ------
    DataError
        It cannot be read.
    """
    if not text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise DataError.at("the label config is no XML.", found=text, allowed="<View>...</View>")
    return parse_label_config(text)
