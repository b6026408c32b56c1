"""Raters who may have to pause: proposed by the upper Wilson limit of gold accuracy, decided by people, undone at will.

Off unless the policy says otherwise, and even then only proposed; carried out at once only where it says automatic.
No work is ever deleted, and nothing that is measured changes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, Row, insert, select

from accord.errors import UsageError, shorten
from accord.inference.scores import wilson
from accord.workspace.database import Database
from accord.workspace.evaluation import RaterEvaluation, evaluate
from accord.workspace.events import Clock, record
from accord.workspace.making import loaded_with
from accord.workspace.notices import queue_notice
from accord.workspace.policies import SuspendPolicy
from accord.workspace.projects import UnknownIdError, lock, project_row
from accord.workspace.settings import settings_of
from accord.workspace.tables import RATER_STATES, RATERS
from accord.workspace.texts import json_text

#: State after each action; an appeal leaves it as it is.
STATES: Final[Mapping[str, str]] = {
    "propose": "proposed",
    "suspend": "suspended",
    "dismiss": "active",
    "undo": "active",
}
#: States in which each action makes sense.
ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "propose": ("active",),
    "suspend": ("active", "proposed"),
    "dismiss": ("proposed",),
    "undo": ("suspended",),
    "appeal": ("proposed", "suspended"),
}
LONGEST_REASON: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happened to a rater."""

    id: int
    rater_id: int
    action: str
    reason: str
    evidence: Mapping[str, Any]
    actor: str
    at: float


class Suspensions:
    """Proposals and suspensions in the projects of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def check(self, project_id: int, *, actor: str = "policy") -> list[int]:
        """Apply the policy of a project to all raters now; returns those proposed or suspended, by number.

        A rater whose proposal was dismissed, or suspension undone, is proposed again only after further gold tasks.
        """
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            policy = settings_of(connection, project_id, row.plan_version).suspend
            if not policy.enabled:
                return []
            loaded, settings = loaded_with(connection, row)
            failing = [
                one for one in evaluate(connection, row, loaded, settings) if fails(policy, one.passed, one.tasks)
            ]
        if not failing:
            return []
        now, action = self._clock(), "suspend" if policy.automatic else "propose"
        with self._database.write() as connection:
            row = lock(connection, project_id)
            history = _history(connection, project_id)
            news = [one for one in failing if _is_news(history.get(one.rater_id, []), one)]
            for one in news:
                reason, evidence = _reason(policy, one), _evidence(policy, one)
                _add(connection, row, one.rater_id, action, reason, evidence, actor, now)
        return [one.rater_id for one in news]

    def act(self, project_id: int, rater_id: int, action: str, *, reason: str, actor: str) -> None:
        """Suspend, dismiss a proposal, undo a suspension, or appeal.

        Raises
        ------
        UsageError
            The action is not known, does not fit the state, or has no reason.
        """
        if action not in ALLOWED or action == "propose":
            known = ", ".join(name for name in ALLOWED if name != "propose")
            raise UsageError(f"Action {shorten(repr(action))} is not known. Allowed: {known}.")
        if not reason.strip() or len(reason) > LONGEST_REASON:
            raise UsageError(f"A reason is needed, of at most {LONGEST_REASON:,} characters.")
        with self._database.write() as connection:
            row = lock(connection, project_id)
            here = select(RATERS.c.id).where(RATERS.c.id == rater_id, RATERS.c.project_id == project_id)
            if connection.scalar(here) is None:
                raise UnknownIdError.of("rater", rater_id)
            state = state_of(_history(connection, project_id).get(rater_id, []))
            if state not in ALLOWED[action]:
                raise UsageError(f"{action} does not fit: the rater is {state}.")
            _add(connection, row, rater_id, action, reason, {}, actor, self._clock())

    def history(self, project_id: int, rater_id: int | None = None) -> Mapping[int, Sequence[Step]]:
        """What happened to each rater, oldest first."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            found = _history(connection, project_id)
        return found if rater_id is None else {rater_id: found.get(rater_id, [])}

    def states(self, project_id: int) -> dict[int, str]:
        """State of each rater that is not simply active."""
        found = {rater: state_of(steps) for rater, steps in self.history(project_id).items()}
        return {rater: state for rater, state in found.items() if state != "active"}


def fails(policy: SuspendPolicy, passed: int, tasks: int) -> bool:
    """Whether so many passed gold tasks lie below the threshold beyond doubt.

    Examples
    --------
    >>> policy = SuspendPolicy(threshold=0.8, minimum=20)
    >>> fails(policy, 15, 20), fails(policy, 10, 20), fails(policy, 2, 10)
    (False, True, False)
    """
    return tasks >= policy.minimum and wilson(passed, tasks, level=policy.level)[1] < policy.threshold


def false_suspension(accuracy: float, policy: SuspendPolicy, tasks: int) -> float:
    """Chance that a rater of this true accuracy is ever proposed while answering so many gold tasks.

    The rule is looked at after every gold task from the minimum on. Exact for independent tasks.

    Examples
    --------
    >>> policy = SuspendPolicy(threshold=0.8, minimum=20)
    >>> round(false_suspension(0.9, policy, 20), 4), false_suspension(0.9, policy, 10)
    (0.0004, 0.0)
    """
    if not 0.0 <= accuracy <= 1.0 or not 1 <= tasks <= 100_000:
        raise UsageError(f"accuracy={accuracy} and tasks={tasks} make no chance. Allowed: 0 to 1, and 1 to 100000.")
    alive: np.ndarray[Any, np.dtype[np.float64]] = np.zeros(tasks + 1)
    alive[0], gone = 1.0, 0.0
    for n in range(1, tasks + 1):
        alive[1 : n + 1] = alive[1 : n + 1] * (1.0 - accuracy) + alive[:n] * accuracy
        alive[0] *= 1.0 - accuracy
        if n >= policy.minimum:
            limit = _most_failing(policy, n)
            gone += float(alive[:limit].sum())
            alive[:limit] = 0.0
    return gone


def _most_failing(policy: SuspendPolicy, tasks: int) -> int:
    """Numbers of passed tasks that fail are those below this one: the limit rises with the number."""
    low, high = 0, tasks + 1
    while low < high:
        middle = (low + high) // 2
        if fails(policy, middle, tasks):
            low = middle + 1
        else:
            high = middle
    return low


def state_of(steps: Sequence[Step]) -> str:
    """State that the steps lead to: active, proposed or suspended."""
    acts = [STATES[step.action] for step in steps if step.action in STATES]
    return acts[-1] if acts else "active"


def _is_news(steps: Sequence[Step], rater: RaterEvaluation) -> bool:
    """Whether there is something to propose: nothing stands, and there are more gold tasks than last time."""
    if state_of(steps) != "active":
        return False
    seen = [step.evidence["tasks"] for step in steps if step.evidence]
    return not seen or rater.tasks > max(seen)


def _reason(policy: SuspendPolicy, rater: RaterEvaluation) -> str:
    return (
        f"{rater.passed} of {rater.tasks} gold tasks passed; with {policy.level:.0%} limits of "
        f"{rater.passed_limits[0]:.2f} to {rater.passed_limits[1]:.2f} that is below {policy.threshold:g}"
    )


def _evidence(policy: SuspendPolicy, rater: RaterEvaluation) -> dict[str, Any]:
    return {
        "tasks": rater.tasks,
        "passed": rater.passed,
        "limits": list(rater.passed_limits),
        "accuracy": rater.accuracy,
        "threshold": policy.threshold,
        "scores": [list(pair) for pair in rater.evidence],
        "false_suspension": false_suspension(policy.threshold, policy, rater.tasks),
    }


def _add(
    connection: Connection,
    row: Row[Any],
    rater_id: int,
    action: str,
    reason: str,
    evidence: Mapping[str, Any],
    actor: str,
    at: float,
) -> None:
    values = {"project_id": row.id, "rater_id": rater_id, "action": action, "reason": reason, "actor": actor, "at": at}
    connection.execute(insert(RATER_STATES).values(values | {"evidence": json_text(dict(evidence))}))
    payload = {"rater": rater_id, "action": action}
    record(connection, f"rater.{action}", at=at, actor=actor, project_id=row.id, payload=payload)
    name = connection.scalar(select(RATERS.c.name).where(RATERS.c.id == rater_id))
    facts = {key: value for key, value in evidence.items() if key != "scores"}
    news = {"rater": {"id": rater_id, "name": name}, "reason": reason, "evidence": facts, "actor": actor, "at": at}
    told = {"event": f"rater.{action}", "project": {"id": row.id, "name": row.name}, **news}
    queue_notice(connection, row.id, told, at)


def _history(connection: Connection, project_id: int) -> dict[int, list[Step]]:
    query = select(RATER_STATES).where(RATER_STATES.c.project_id == project_id).order_by(RATER_STATES.c.id)
    found: dict[int, list[Step]] = {}
    for row in connection.execute(query):
        step = Step(
            id=row.id,
            rater_id=row.rater_id,
            action=row.action,
            reason=row.reason,
            evidence=json.loads(row.evidence),
            actor=row.actor,
            at=row.at,
        )
        found.setdefault(row.rater_id, []).append(step)
    return found
