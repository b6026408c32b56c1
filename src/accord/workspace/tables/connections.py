"""Where data come from by themselves, and where news goes: one connection of each kind for a project; allowed hosts."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, Text

from accord.workspace.tables.types import METADATA, AnyText, belongs_to, moment

#: ``kind`` is ``pull`` (a Label Studio server; ``remote`` is its project) or ``notify``. ``token`` is what the other
#: side wants to see, or what deliveries are signed with; it is never shown, and a backup leaves it out. ``digest`` is
#: that of the secret that webhooks bring. The next pull is due at ``due_at``.
CONNECTIONS: Final = Table(
    "connections",
    METADATA,
    belongs_to("projects", key=True),
    Column("kind", String(16), primary_key=True),
    Column("url", AnyText, nullable=False),
    Column("remote", Integer),
    Column("token", Text, nullable=False, info={"secret": True}),
    Column("digest", String(64), nullable=False, default=""),
    Column("minutes", Integer, nullable=False, default=0),
    moment("due_at", optional=True),
    moment("done_at", optional=True),
    Column("error", AnyText),
    moment("created_at"),
    Index(None, "due_at"),
)

#: When each task of a connected project last changed, as its server says, with its annotations and cancelled ones.
PULLED_TASKS: Final = Table(
    "pulled_tasks",
    METADATA,
    belongs_to("projects", key=True),
    Column("task", BigInteger, primary_key=True, autoincrement=False),
    Column("changed", AnyText, nullable=False),
    Column("counted", Integer, nullable=False),
    Column("cancelled", Integer, nullable=False),
)

#: Hosts that requests may go to; ``local`` ones may lie at loopback or link-local addresses.
HOSTS: Final = Table(
    "hosts",
    METADATA,
    Column("name", String(255), primary_key=True),
    Column("local", Boolean, nullable=False),
)
