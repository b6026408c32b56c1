"""What scoring needs: raters and values by number, coded answers of each task, its scores.

Numbers of raters, controls and values are given once and never again, so a changed task replaces its own row only.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Double, Index, Integer, LargeBinary, String, Table, Text, UniqueConstraint

from accord.workspace.tables.types import METADATA, AnyText, belongs_to, number

RATERS: Final = Table(
    "raters",
    METADATA,
    number(),
    belongs_to("projects"),
    Column("name", AnyText, nullable=False),
    Column("digest", String(32), nullable=False),
    UniqueConstraint("project_id", "digest"),
    sqlite_autoincrement=True,
)

#: ``facts`` is the control as JSON: kind, level, domain, ... as the whole read settled them.
CONTROLS: Final = Table(
    "controls",
    METADATA,
    number(),
    belongs_to("projects"),
    Column("name", AnyText, nullable=False),
    Column("position", Integer, nullable=False),
    Column("digest", String(32), nullable=False),
    Column("facts", Text, nullable=False),
    UniqueConstraint("project_id", "digest"),
    sqlite_autoincrement=True,
)

ANSWER_VALUES: Final = Table(
    "answer_values",
    METADATA,
    number(),
    belongs_to("controls"),
    Column("digest", String(32), nullable=False),
    Column("payload", Text, nullable=False),
    UniqueConstraint("control_id", "digest"),
    sqlite_autoincrement=True,
)

#: ``cells`` int32 (n, 5): control, unit within the task, rater, value (-1 = answered without content, -2 = hidden by
#: a condition), annotation. ``facts`` float64 (n, 6): annotation, rater, flags, created, updated, lead time. ``units``
#: JSON: places of the units in the task; ``name`` and ``scope`` name it, ``cluster`` is the field the plan groups by.
CODED_TASKS: Final = Table(
    "coded_tasks",
    METADATA,
    belongs_to("tasks", key=True),
    belongs_to("projects"),
    Column("name", AnyText, nullable=False),
    Column("scope", AnyText, nullable=False),
    Column("cluster", AnyText),
    Column("units", Text, nullable=False),
    Column("cells", LargeBinary, nullable=False),
    Column("facts", LargeBinary, nullable=False),
    Column("raters", Integer, nullable=False),
    Column("agreement", Double),
    Index(None, "project_id", "task_id"),
    Index(None, "project_id", "agreement"),
)

#: Mean pairwise similarity of a task in one control, and the pairs it rests on.
TASK_SCORES: Final = Table(
    "task_scores",
    METADATA,
    belongs_to("tasks", key=True),
    belongs_to("controls", key=True),
    Column("value", Double, nullable=False),
    Column("pairs", Integer, nullable=False),
    Index(None, "control_id", "value"),
)
