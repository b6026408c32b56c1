"""Low-agreement review: a queue of tasks, decisions with reasons, undo. Decisions never change what is measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, select, update

from accord.errors import DataError, UsageError, shorten
from accord.inference.scores import mean_score
from accord.readers.given_tasks import read_tasks
from accord.workspace.authors import has_own_answer, own_names
from accord.workspace.database import Database
from accord.workspace.decisions import OUTCOMES, REASONS, Review, accepted, reviews_of
from accord.workspace.events import Clock, record
from accord.workspace.listing import Tasks
from accord.workspace.projects import UnknownIdError, config_of, lock, project_row
from accord.workspace.records import Page, TaskRow
from accord.workspace.settings import MODES, Settings, queue_policy, settings_of
from accord.workspace.stored_tasks import StoredTask, some_tasks
from accord.workspace.tables import REVIEWS, TASKS
from accord.workspace.task_views import TaskView, view
from accord.workspace.texts import json_text
from accord.workspace.users import User

LONGEST_NOTE = 10_000


class OwnAnswerError(UsageError):
    """Nobody reviews a task that they answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a reviewer decided.

    ``accepted`` are numbers of annotations (one for ``accept``, two or more for ``several``). ``composed`` are items
    of an answer in the form of Label Studio, or ``{"annotation": number, "item": id}`` for an item of an annotation.
    ``mode`` None = the project's policy.
    """

    outcome: str
    reason: str
    accepted: Sequence[int] = ()
    composed: Sequence[Any] | None = None
    note: str = ""
    mode: str | None = None

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES:
            raise UsageError(f"Outcome {shorten(repr(self.outcome))} is not known. Allowed: {', '.join(OUTCOMES)}.")
        if self.reason not in REASONS:
            raise UsageError(f"Reason {shorten(repr(self.reason))} is not known. Allowed: {', '.join(REASONS)}.")
        if self.mode is not None and self.mode not in MODES:
            raise UsageError(f"Mode {shorten(repr(self.mode))} is not known. Allowed: {', '.join(MODES)}.")
        if len(self.note) > LONGEST_NOTE:
            raise UsageError(f"A note has at most {LONGEST_NOTE:,} characters.")
        count, wanted = len(set(self.accepted)), {"accept": (1, 1), "several": (2, None)}.get(self.outcome, (0, 0))
        if count < (wanted[0] or 0) or (wanted[1] is not None and count > wanted[1]):
            raise UsageError(f"{self.outcome} does not go with {count} accepted annotations.")
        if (self.composed is not None) != (self.outcome == "compose"):
            raise UsageError("composed items go with the outcome compose, and only with it.")


class Reviews:
    """Reviews of the projects of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def queue(self, project_id: int, viewer: User, *, offset: int = 0, limit: int = 50) -> Page[TaskRow]:
        """Tasks to review, lowest agreement first: those of the project's policy that the viewer did not answer."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            policy = settings_of(connection, project_id, row.plan_version).review
            names = own_names(connection, project_id, viewer.identities)
        return Tasks(self._database).page(
            project_id,
            control=policy.control,
            below=policy.threshold,
            answers=policy.answers,
            reviewed=False,
            besides=has_own_answer(names),
            offset=offset,
            limit=limit,
        )

    def task(self, project_id: int, task_id: int, viewer: User | None = None, *, blind: bool | None = None) -> TaskView:
        """One task with its answers side by side; names of raters as the policy says, unless ``blind`` does."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            policy = settings_of(connection, project_id, row.plan_version).review
            return view(connection, project_id, task_id, viewer, blind=policy.blind if blind is None else blind)

    def decide(
        self, project_id: int, task_id: int, reviewer: User, decision: Decision, *, blinded: bool | None = None
    ) -> int:
        """Keep a decision; returns its number. ``blinded`` None = as the policy says.

        Raises
        ------
        OwnAnswerError
            The reviewer has answered the task.
        UsageError
            An accepted annotation is not one of the task, or was skipped.
        DataError
            The composed answer does not fit the label config.
        """
        now = self._clock()
        with self._database.write() as connection:
            row = lock(connection, project_id)
            settings = settings_of(connection, project_id, row.plan_version)
            task = _task(connection, project_id, task_id)
            self._check_own(connection, project_id, task_id, reviewer)
            _check_accepted(task, decision.accepted)
            composed = None if decision.composed is None else list(_composed(task, decision.composed))
            if composed is not None:
                _check_composed(task, composed, config_of(row))
            values = _values(decision, settings, composed, blinded) | {
                "project_id": project_id,
                "task_id": task_id,
                "reviewer_id": reviewer.id,
                "data_version": row.data_version,
                "created_at": now,
            }
            number = int(connection.execute(insert(REVIEWS).values(values).returning(REVIEWS.c.id)).scalar_one())
            payload = {"review": number, "task": task_id, "outcome": decision.outcome, "reason": decision.reason}
            actor = f"user {reviewer.id}"
            record(connection, "review.decided", at=now, actor=actor, project_id=project_id, payload=payload)
            queue_policy(connection, project_id, row.plan_version, now)
        return number

    def _check_own(self, connection: Connection, project_id: int, task_id: int, reviewer: User) -> None:
        names = own_names(connection, project_id, reviewer.identities)
        mine = select(TASKS.c.id).where(TASKS.c.id == task_id, has_own_answer(names))
        if connection.scalar(mine) is not None:
            raise OwnAnswerError("You answered this task yourself; somebody else has to review it.")

    def undo(self, project_id: int, review_id: int, actor: User) -> None:
        """Take a decision back: those before it count again. Reviewers undo their own, managers any.

        Raises
        ------
        UsageError
            It was undone already, or the actor may not.
        """
        now = self._clock()
        with self._database.write() as connection:
            here = REVIEWS.c.id == review_id, REVIEWS.c.project_id == project_id
            row = connection.execute(select(REVIEWS).where(*here)).one_or_none()
            if row is None:
                raise UnknownIdError.of("review", review_id)
            if row.reviewer_id != actor.id and not actor.may("manager"):
                raise UsageError("Only who decided, or a manager, undoes a decision.")
            who = f"user {actor.id}"
            done = update(REVIEWS).where(*here, REVIEWS.c.undone_at.is_(None)).values(undone_at=now, undone_by=who)
            if not connection.execute(done).rowcount:
                raise UsageError(f"Review {review_id} was undone already.")
            payload = {"review": review_id, "task": row.task_id}
            record(connection, "review.undone", at=now, actor=who, project_id=project_id, payload=payload)

    def all(self, project_id: int) -> Mapping[int, Sequence[Review]]:
        """Every decision by task, oldest first, undone ones included."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            return reviews_of(connection, project_id)


def _values(decision: Decision, settings: Settings, composed: list[Any] | None, blinded: bool | None) -> dict[str, Any]:
    return {
        "outcome": decision.outcome,
        "mode": decision.mode or settings.review.mode,
        "accepted": json_text(list(dict.fromkeys(decision.accepted))),
        "composed": None if composed is None else json_text(composed),
        "reason": decision.reason,
        "note": decision.note,
        "blinded": settings.review.blind if blinded is None else blinded,
    }


def _task(connection: Connection, project_id: int, task_id: int) -> StoredTask:
    mine = select(TASKS.c.id).where(TASKS.c.id == task_id, TASKS.c.project_id == project_id)
    found = some_tasks(connection, [task_id]) if connection.scalar(mine) is not None else []
    if not found:
        raise UnknownIdError.of("task", task_id)
    return found[0]


def _check_accepted(task: StoredTask, numbers: Sequence[int]) -> None:
    allowed = task.counted
    for number in numbers:
        if number not in allowed:
            words = ", ".join(map(str, allowed)) or "none"
            raise UsageError(f"Annotation {number} cannot be accepted for task {task.id}. Allowed: {words}.")


def _composed(task: StoredTask, items: Sequence[Any]) -> Iterator[Any]:
    """Items of a composed answer, those taken from annotations written out."""
    by_number = dict(zip(task.annotations, task.task["annotations"], strict=True))
    for item in items:
        if not isinstance(item, Mapping):
            raise UsageError(f"An item of a composed answer is an object, not {shorten(repr(item))}.")
        if "annotation" not in item:
            yield dict(item)
            continue
        source = by_number.get(item["annotation"]) if isinstance(item["annotation"], int) else None
        result = source.get("result") if source is not None else None
        found = [part for part in result or () if isinstance(part, Mapping) and part.get("id") == item.get("item")]
        if not found:
            raise UsageError(f"There is no item {shorten(repr(item.get('item')))} in that annotation.")
        yield from map(dict, found)


def _check_composed(task: StoredTask, items: Sequence[Any], config: Any) -> None:
    """Read the answer as annotations are read; whatever would be dropped or guessed is an error."""
    annotation = {"id": 1, "completed_by": "reviewer", "result": list(items)}
    given = {**task.task, "annotations": [annotation]}
    try:
        read_tasks([given], name="composed answer", config=config, strict=True)
    except RecursionError:
        raise DataError.at("the composed answer nests too deeply.") from None


def reviewer_agreement(reviews: Mapping[int, Sequence[Review]]) -> dict[str, Any]:
    """How often two reviewers of one task decided alike: tasks, share with its limits, None where no task has two.

    Alike: the same outcome, and the same annotations accepted. Of a reviewer's decisions about a task the last counts.
    """
    scores = []
    for made in reviews.values():
        last = {r.reviewer_id: r for r in made if r.undone_at is None and r.reviewer_id is not None}
        views = [accepted([replace(r, mode="single_truth")]) for r in last.values()]
        pairs = [(a, b) for i, a in enumerate(views) for b in views[i + 1 :]]
        if pairs:
            same = [a.outcome == b.outcome and set(a.annotations) == set(b.annotations) for a, b in pairs]
            scores.append(sum(same) / len(same))
    value, interval = mean_score(scores)
    return {
        "tasks": len(scores),
        "value": value if scores else None,
        "interval": None if interval is None else interval.to_dict(),
    }
