"""What was imported: projects, tasks, annotations with every version of them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Boolean, Column, Double, Index, Integer, String, Table, Text, UniqueConstraint

from accord.workspace.tables.types import METADATA, AnyText, belongs_to, moment, number

#: ``data_version`` rises with every change of tasks or annotations, ``plan_version`` with every change of settings.
#: Coded rows and scores were made from ``coded_data`` and ``coded_plan``. ``shape`` says what the whole read found.
PROJECTS: Final = Table(
    "projects",
    METADATA,
    number(),
    Column("name", AnyText, nullable=False),
    Column("label_config", AnyText),
    Column("data_version", Integer, nullable=False, default=0),
    Column("plan_version", Integer, nullable=False, default=0),
    Column("coded_data", Integer, nullable=False, default=0),
    Column("coded_plan", Integer, nullable=False, default=0),
    Column("shape", Text, nullable=False, default="{}"),
    moment("created_at"),
    moment("deleted_at", optional=True),
    sqlite_autoincrement=True,
)

#: ``scope`` is the id the project has where it came from; task ids are unique within it. ``payload`` is JSON.
TASKS: Final = Table(
    "tasks",
    METADATA,
    number(),
    belongs_to("projects"),
    Column("scope", AnyText, nullable=False, default=""),
    Column("key", AnyText, nullable=False),
    Column("payload", Text, nullable=False),
    Column("digest", String(32), nullable=False),
    Column("changed_in", Integer, nullable=False),
    moment("created_at"),
    moment("deleted_at", optional=True),
    UniqueConstraint("project_id", "scope", "key"),
    Index(None, "project_id", "changed_in"),
    sqlite_autoincrement=True,
)

#: The current version of each annotation; ``author`` is who made it, as the annotation says.
ANNOTATIONS: Final = Table(
    "annotations",
    METADATA,
    number(),
    belongs_to("projects"),
    belongs_to("tasks"),
    Column("key", AnyText, nullable=False),
    Column("version", Integer, nullable=False),
    Column("author", AnyText, nullable=False),
    Column("cancelled", Boolean, nullable=False),
    Column("created", Double),
    Column("updated", Double),
    Column("lead_time", Double),
    Column("digest", String(32), nullable=False),
    moment("deleted_at", optional=True),
    UniqueConstraint("task_id", "key"),
    Index(None, "project_id", "key"),
    sqlite_autoincrement=True,
)

ANNOTATION_VERSIONS: Final = Table(
    "annotation_versions",
    METADATA,
    belongs_to("annotations", key=True),
    Column("version", Integer, primary_key=True),
    Column("payload", Text, nullable=False),
    Column("source", AnyText, nullable=False),
    moment("recorded_at"),
)
