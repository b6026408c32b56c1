"""Add projects, tasks and annotations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Add the tables."""
    _projects()
    _tasks()
    _annotations()
    _annotation_versions()


def _projects() -> None:
    op.create_table(
        "projects",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("label_config", sa.Text(), nullable=True),
        sa.Column("data_version", sa.Integer(), nullable=False),
        sa.Column("plan_version", sa.Integer(), nullable=False),
        sa.Column("coded_data", sa.Integer(), nullable=False),
        sa.Column("coded_plan", sa.Integer(), nullable=False),
        sa.Column("shape", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("deleted_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sqlite_autoincrement=True,
    )


def _tasks() -> None:
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("changed_in", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("deleted_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_tasks_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("project_id", "scope", "key", name=op.f("uq_tasks_project_id_scope_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_tasks_project_id_changed_in"), "tasks", ["project_id", "changed_in"], unique=False)


def _annotations() -> None:
    op.create_table(
        "annotations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=True),
        sa.Column("updated", sa.Double(), nullable=True),
        sa.Column("lead_time", sa.Double(), nullable=True),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("deleted_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_annotations_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_annotations_task_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotations")),
        sa.UniqueConstraint("task_id", "key", name=op.f("uq_annotations_task_id_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_annotations_project_id_key"), "annotations", ["project_id", "key"], unique=False)


def _annotation_versions() -> None:
    op.create_table(
        "annotation_versions",
        sa.Column("annotation_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["annotation_id"], ["annotations.id"], name=op.f("fk_annotation_versions_annotation_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("annotation_id", "version", name=op.f("pk_annotation_versions")),
    )
