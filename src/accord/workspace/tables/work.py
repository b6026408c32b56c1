"""What the workspace does and remembers: settings by version, reports, jobs, events."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Double, Index, Integer, String, Table, Text

from accord.workspace.tables.types import METADATA, AnyText, belongs_to, moment, number

#: Every version of a project's settings, as JSON.
PLANS: Final = Table(
    "plans",
    METADATA,
    belongs_to("projects", key=True),
    Column("version", Integer, primary_key=True),
    Column("payload", Text, nullable=False),
    Column("actor", AnyText, nullable=False),
    moment("created_at"),
)

#: ``kind`` is ``report`` or ``page`` (replaced by the next one), or ``frozen`` (kept, with its sign-off).
REPORTS: Final = Table(
    "reports",
    METADATA,
    number(),
    belongs_to("projects"),
    Column("kind", String(16), nullable=False),
    Column("data_version", Integer, nullable=False),
    Column("plan_version", Integer, nullable=False),
    Column("payload", Text, nullable=False),
    moment("created_at"),
    Index(None, "project_id", "kind"),
    sqlite_autoincrement=True,
)

#: ``worker`` is the token of the worker that holds the job until ``lease_until``.
JOBS: Final = Table(
    "jobs",
    METADATA,
    number(),
    belongs_to("projects", optional=True),
    Column("kind", String(32), nullable=False),
    Column("payload", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("worker", String(64)),
    moment("lease_until", optional=True),
    Column("done", Double, nullable=False, default=0.0),
    Column("total", Double, nullable=False, default=0.0),
    Column("message", AnyText, nullable=False, default=""),
    Column("result", Text),
    Column("error", AnyText),
    moment("created_at"),
    moment("started_at", optional=True),
    moment("finished_at", optional=True),
    Index(None, "status", "id"),
    Index(None, "project_id", "status"),
    sqlite_autoincrement=True,
)

#: The audit trail; nothing in Accord changes or removes a row but retention.
EVENTS: Final = Table(
    "events",
    METADATA,
    number(),
    belongs_to("projects", optional=True),
    Column("kind", String(48), nullable=False),
    Column("actor", AnyText, nullable=False),
    Column("payload", Text, nullable=False),
    moment("at"),
    Index(None, "project_id", "id"),
    sqlite_autoincrement=True,
)
