"""What reviewers decided, and what follows from it: which answers of a task count as accepted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Connection, Row, select

from accord.workspace.keeping import portions
from accord.workspace.tables import REVIEWS, USERS

#: One answer is right; several are; the reviewer put one together; there is no single truth.
OUTCOMES: Final = ("accept", "several", "compose", "none")
#: Why annotators disagreed.
REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "slip": "an annotator slipped",
        "guideline_gap": "the guideline does not say",
        "ambiguous_item": "the item can be read in several ways",
        "bad_data": "the item is broken",
        "several_valid": "several answers are valid",
        "metric_artefact": "the answers mean the same, the metric says otherwise",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One decision; ``accepted`` are numbers of annotations, ``composed`` the items of an answer put together."""

    id: int
    task_id: int
    reviewer_id: int | None
    reviewer: str
    outcome: str
    mode: str
    accepted: tuple[int, ...]
    composed: Sequence[Any] | None
    reason: str
    note: str
    blinded: bool
    data_version: int
    created_at: float
    undone_at: float | None
    undone_by: str | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """Answers that count as right: numbers of annotations in the order accepted, and composed answers."""

    annotations: tuple[int, ...] = ()
    composed: tuple[Sequence[Any], ...] = ()
    outcome: str = ""


def accepted(reviews: Iterable[Review]) -> Accepted:
    """What follows from the decisions about one task, oldest first; those undone have no say.

    Under ``single_truth`` a decision clears the marks of those before it, under ``keep_all`` it adds to them.

    Examples
    --------
    >>> def made(outcome, mode, *numbers):
    ...     return Review(
    ...         id=1, task_id=1, reviewer_id=1, reviewer="Ann", outcome=outcome, mode=mode, accepted=numbers,
    ...         composed=None, reason="slip", note="", blinded=True, data_version=1, created_at=0.0, undone_at=None,
    ...         undone_by=None,
    ...     )
    >>> accepted([made("accept", "keep_all", 4), made("accept", "keep_all", 5)]).annotations
    (4, 5)
    >>> accepted([made("accept", "keep_all", 4), made("accept", "single_truth", 5)]).annotations
    (5,)
    """
    now = Accepted()
    for review in reviews:
        if review.undone_at is not None:
            continue
        before = now if review.mode == "keep_all" and review.outcome != "none" else Accepted()
        composed = (review.composed,) if review.composed is not None else ()
        now = Accepted(
            tuple(dict.fromkeys((*before.annotations, *review.accepted))),
            (*before.composed, *composed),
            review.outcome,
        )
    return now


def reviews_of(connection: Connection, project_id: int, tasks: Sequence[int] | None = None) -> dict[int, list[Review]]:
    """Decisions by task, oldest first."""
    query = select(REVIEWS, USERS.c.name.label("reviewer")).outerjoin(USERS, USERS.c.id == REVIEWS.c.reviewer_id)
    query = query.where(REVIEWS.c.project_id == project_id).order_by(REVIEWS.c.id)
    found: dict[int, list[Review]] = {}
    for some in [None] if tasks is None else portions(tasks):
        rows = connection.execute(query if some is None else query.where(REVIEWS.c.task_id.in_(some)))
        for row in rows:
            found.setdefault(row.task_id, []).append(review_from(row))
    return found


def review_from(row: Row[Any]) -> Review:
    """Decision of a row with the name of the reviewer."""
    return Review(
        id=row.id,
        task_id=row.task_id,
        reviewer_id=row.reviewer_id,
        reviewer=row.reviewer or "(erased)",
        outcome=row.outcome,
        mode=row.mode,
        accepted=tuple(json.loads(row.accepted)),
        composed=None if row.composed is None else json.loads(row.composed),
        reason=row.reason,
        note=row.note,
        blinded=row.blinded,
        data_version=row.data_version,
        created_at=row.created_at,
        undone_at=row.undone_at,
        undone_by=row.undone_by,
    )
