"""Who made an annotation: names of raters, the annotations of one person, and names that hide the person."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

import numpy as np
from sqlalchemy import Connection, exists, func, select

from accord.workspace.coding import FACT
from accord.workspace.tables import ANNOTATIONS, CODED_TASKS, PROJECTS, RATERS, TASKS
from accord.workspace.texts import text_digest


def own_names(connection: Connection, project_id: int, identities: Collection[str]) -> list[str]:
    """Names under which a person's annotations are kept: their own, and ids that belong to their e-mail."""
    names = {name.lower() for name in identities}
    shape = json.loads(connection.scalar(select(PROJECTS.c.shape).where(PROJECTS.c.id == project_id)) or "{}")
    linked = {key for key, email in shape.get("links", {}).items() if email in names}
    return sorted(names | linked)


def has_own_answer(names: Collection[str]) -> Any:
    """Whether a task has an annotation, skipped ones included, by somebody of these names."""
    mine = func.lower(ANNOTATIONS.c.author).in_(names)
    return exists().where(ANNOTATIONS.c.task_id == TASKS.c.id, ANNOTATIONS.c.deleted_at.is_(None), mine)


def raters_of(connection: Connection, task_id: int) -> dict[int, str]:
    """Names of the raters of a task's annotations, as scoring has them."""
    row = connection.execute(select(CODED_TASKS.c.facts).where(CODED_TASKS.c.task_id == task_id)).one_or_none()
    if row is None:
        return {}
    facts = np.frombuffer(row.facts, dtype=np.float64).reshape(-1, FACT)[:, :2].astype(np.int64)
    query = select(RATERS.c.id, RATERS.c.name).where(RATERS.c.id.in_(np.unique(facts[:, 1]).tolist()))
    names = {found.id: found.name for found in connection.execute(query)}
    return {int(annotation): names[int(rater)] for annotation, rater in facts.tolist()}


def pseudonyms(task_id: int, annotations: Sequence[int]) -> Mapping[int, str]:
    """Letters for the annotations of a task, in an order that tells nothing; the same each time.

    Examples
    --------
    >>> sorted(pseudonyms(1, [10, 11, 12]).values())
    ['A', 'B', 'C']
    """
    order = sorted(annotations, key=lambda number: text_digest(f"{task_id}:{number}"))
    return {number: _letters(place) for place, number in enumerate(order)}


def _letters(place: int) -> str:
    more, last = divmod(place, len(ascii_uppercase))
    return (_letters(more - 1) if more else "") + ascii_uppercase[last]
