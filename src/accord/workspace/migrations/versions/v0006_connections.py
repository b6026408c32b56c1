"""Add connections to other servers, and the hosts that may be asked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the tables."""
    _connections()
    _pulled_tasks()
    op.create_table(
        "hosts",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("local", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_hosts")),
    )


def _connections() -> None:
    op.create_table(
        "connections",
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("remote", sa.Integer(), nullable=True),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=True),
        sa.Column("done_at", sa.Double(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_connections_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "kind", name=op.f("pk_connections")),
    )
    op.create_index(op.f("ix_connections_due_at"), "connections", ["due_at"], unique=False)


def _pulled_tasks() -> None:
    op.create_table(
        "pulled_tasks",
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("task", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("changed", sa.Text(), nullable=False),
        sa.Column("counted", sa.Integer(), nullable=False),
        sa.Column("cancelled", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_pulled_tasks_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "task", name=op.f("pk_pulled_tasks")),
    )
