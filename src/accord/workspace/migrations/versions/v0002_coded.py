"""Add coded answers and scores."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the tables."""
    _raters()
    _controls()
    _answer_values()
    _coded_tasks()
    _task_scores()


def _raters() -> None:
    op.create_table(
        "raters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_raters_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_raters")),
        sa.UniqueConstraint("project_id", "digest", name=op.f("uq_raters_project_id_digest")),
        sqlite_autoincrement=True,
    )


def _controls() -> None:
    op.create_table(
        "controls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_controls_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_controls")),
        sa.UniqueConstraint("project_id", "digest", name=op.f("uq_controls_project_id_digest")),
        sqlite_autoincrement=True,
    )


def _answer_values() -> None:
    op.create_table(
        "answer_values",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("control_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["control_id"], ["controls.id"], name=op.f("fk_answer_values_control_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer_values")),
        sa.UniqueConstraint("control_id", "digest", name=op.f("uq_answer_values_control_id_digest")),
        sqlite_autoincrement=True,
    )


def _coded_tasks() -> None:
    op.create_table(
        "coded_tasks",
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=True),
        sa.Column("units", sa.Text(), nullable=False),
        sa.Column("cells", sa.LargeBinary(), nullable=False),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("raters", sa.Integer(), nullable=False),
        sa.Column("agreement", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_coded_tasks_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_coded_tasks_task_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_coded_tasks")),
    )
    op.create_index(
        op.f("ix_coded_tasks_project_id_agreement"), "coded_tasks", ["project_id", "agreement"], unique=False
    )
    op.create_index(op.f("ix_coded_tasks_project_id_task_id"), "coded_tasks", ["project_id", "task_id"], unique=False)


def _task_scores() -> None:
    op.create_table(
        "task_scores",
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("control_id", sa.Integer(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["control_id"], ["controls.id"], name=op.f("fk_task_scores_control_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_task_scores_task_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("task_id", "control_id", name=op.f("pk_task_scores")),
    )
    op.create_index(op.f("ix_task_scores_control_id_value"), "task_scores", ["control_id", "value"], unique=False)
