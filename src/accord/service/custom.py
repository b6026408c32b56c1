"""Custom metrics of a project: checked, tried on the first task that can be scored, kept as part of the plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from accord.sandbox import CustomCode, CustomCodeError, check, try_pair
from accord.sandbox import Failure as CodeFailure
from accord.service.failures import Failure
from accord.workspace import Workspace

#: The control under which a plan keeps code that compares whole annotations; a project has one.
WHOLE: Final = "*"
MOST_PRINTED: Final = 10_000
STARTER: Final = '''\
def agreement(annotation_1, annotation_2, per_label=False):
    """Share of the items of both annotations that are in both: 0..1, or None to leave the pair out."""
    first = {json.dumps(item["value"], sort_keys=True) for item in annotation_1["result"]}
    second = {json.dumps(item["value"], sort_keys=True) for item in annotation_2["result"]}
    if not first and not second:
        return None
    return len(first & second) / len(first | second)
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeError:
    """Why code gave no score: its kind, what happened, and the line where that is known."""

    kind: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A test run: the pair that was used and its score, or the error; ``score`` None without error = left out."""

    task: int | None = None
    annotations: tuple[Any, ...] = ()
    score: float | None = None
    labels: Mapping[str, float] | None = None
    clamped: bool = False
    printed: str = ""
    seconds: float = 0.0
    error: CodeError | None = None


def trial(workspace: Workspace, project: int, text: str) -> Trial:
    """Run code on the first task with two annotations that were not cancelled; nothing is kept.

    Raises
    ------
    Failure
        409 if no task has two annotations.
    """
    try:
        code = CustomCode.of(text)
    except CustomCodeError as error:
        return Trial(error=_error(error.failure))
    task, pair = _first_pair(workspace, project)
    keys = tuple(annotation.get("id") for annotation in pair)
    try:
        found = try_pair(code, *(json.dumps(annotation) for annotation in pair))
    except CustomCodeError as error:
        return Trial(task=task, annotations=keys, error=_error(error.failure))
    outcome = found.outcome
    return Trial(
        task=task,
        annotations=keys,
        score=outcome.score,
        labels=dict(outcome.labels) or None,
        clamped=outcome.clamped,
        printed=found.printed[:MOST_PRINTED],
        seconds=found.seconds,
        error=None if outcome.failure is None else _error(outcome.failure),
    )


def _error(failure: CodeFailure) -> CodeError:
    return CodeError(kind=str(failure.kind), message=failure.message, line=failure.line)


def _first_pair(workspace: Workspace, project: int) -> tuple[int | None, list[dict[str, Any]]]:
    for number, task in enumerate(workspace.content.export(project), 1):
        usable = [one for one in task.get("annotations", ()) if isinstance(one, dict) and not one.get("was_cancelled")]
        if len(usable) >= 2:
            key = task.get("id")
            pair = [{"id": one.get("id"), "result": one.get("result") or []} for one in usable[:2]]
            return (key if isinstance(key, int) else number), pair
    raise Failure(409, "No task has two annotations yet, so the code cannot be tried.", code="nothing_to_try")


def check_plan(settings: Mapping[str, Any]) -> None:
    """Check the custom code that settings hold before they are kept.

    Raises
    ------
    CustomCodeError
        If it cannot run.
    Failure
        422 if it is not where a project keeps code.
    """
    if settings.get("custom"):
        raise Failure(422, 'Custom code belongs to the plan: {"controls": {"*": {"metric": "custom", "code": "…"}}}.')
    plan = settings.get("plan")
    controls = plan.get("controls") if isinstance(plan, Mapping) else None
    for name, wish in (controls or {}).items() if isinstance(controls, Mapping) else ():
        if not isinstance(wish, Mapping) or str(wish.get("metric") or "").partition(":")[0] != "custom":
            continue
        if name != WHOLE:
            raise Failure(422, f"Control {name}: in a project, custom code compares whole annotations (control *).")
        if not isinstance(wish.get("code"), str):
            raise Failure(422, "Control *: the code is missing.")
        check(CustomCode.of(wish["code"]))


def code_in(settings: Mapping[str, Any]) -> str | None:
    """Custom code of a project; None if it has none."""
    wish = settings["plan"].get("controls", {}).get(WHOLE, {})
    return wish.get("code")
