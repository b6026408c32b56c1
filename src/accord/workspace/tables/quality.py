"""Decisions about tasks and raters; rows are added and never changed, but for the mark that undoes one."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

from accord.workspace.tables.types import METADATA, AnyText, belongs_to, moment, number

#: ``accepted`` is a JSON list of annotations, ``composed`` the JSON items of an answer the reviewer put together.
REVIEWS: Final = Table(
    "reviews",
    METADATA,
    number(),
    belongs_to("projects"),
    belongs_to("tasks"),
    Column("reviewer_id", Integer, ForeignKey("users.id", ondelete="SET NULL")),
    Column("outcome", String(16), nullable=False),
    Column("mode", String(16), nullable=False),
    Column("accepted", Text, nullable=False),
    Column("composed", Text),
    Column("reason", String(32), nullable=False),
    Column("note", AnyText, nullable=False),
    Column("blinded", Boolean, nullable=False),
    Column("data_version", Integer, nullable=False),
    moment("created_at"),
    moment("undone_at", optional=True),
    Column("undone_by", AnyText),
    Index(None, "project_id", "task_id"),
    sqlite_autoincrement=True,
)

#: What happened to a rater: proposed, suspended, dismissed, appealed, undone; the last action tells the state.
RATER_STATES: Final = Table(
    "rater_states",
    METADATA,
    number(),
    belongs_to("projects"),
    belongs_to("raters"),
    Column("action", String(16), nullable=False),
    Column("reason", AnyText, nullable=False),
    Column("evidence", Text, nullable=False),
    Column("actor", AnyText, nullable=False),
    moment("at"),
    Index(None, "project_id", "rater_id"),
    sqlite_autoincrement=True,
)
