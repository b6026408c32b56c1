"""Who may come in: users, what raters they are, tokens and sessions. Secrets are kept as hashes only."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, String, Table, Text, UniqueConstraint

from accord.workspace.tables.types import METADATA, AnyText, belongs_to, moment, number

USERS: Final = Table(
    "users",
    METADATA,
    number(),
    Column("name", AnyText, nullable=False, unique=True),
    Column("password_hash", Text),
    Column("role", String(16), nullable=False),
    moment("created_at"),
    moment("disabled_at", optional=True),
    sqlite_autoincrement=True,
)

#: Names under which a user annotates: e-mail addresses or ids in the annotation tool.
IDENTITIES: Final = Table(
    "identities",
    METADATA,
    belongs_to("users", key=True),
    Column("name", AnyText, primary_key=True),
)

TOKENS: Final = Table(
    "tokens",
    METADATA,
    number(),
    belongs_to("users"),
    Column("digest", String(64), nullable=False, unique=True),
    Column("label", AnyText, nullable=False),
    Column("once", String(16), nullable=False, default=""),
    moment("created_at"),
    moment("expires_at", optional=True),
    moment("used_at", optional=True),
    moment("revoked_at", optional=True),
    sqlite_autoincrement=True,
)

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    number(),
    belongs_to("users"),
    Column("digest", String(64), nullable=False),
    Column("csrf", String(64), nullable=False),
    moment("created_at"),
    moment("expires_at"),
    UniqueConstraint("digest"),
    sqlite_autoincrement=True,
)
