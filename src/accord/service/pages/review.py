"""The queue of tasks to review, one of them with its decision, and undoing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.reporting.words import number
from accord.service.access import Identity, Reviewer
from accord.service.api.asked import Number, workspace_of
from accord.service.failures import Failure, Problem, from_accord
from accord.service.pages.decision_words import words_of_decisions
from accord.service.pages.frames import frame, page
from accord.service.pages.tasks import Row, laid_out, row_of
from accord.service.render import html
from accord.workspace.policies import ReviewPolicy
from accord.workspace.records import Project
from accord.workspace.reviews import Decision, reviewer_agreement
from accord.workspace.task_views import TaskView

router = APIRouter()
ROWS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage:
    """Tasks that wait for this reviewer, and how far reviewers agree among themselves."""

    project: Project
    policy: ReviewPolicy
    rows: tuple[Row, ...]
    total: int
    agreement: Mapping[str, Any]


def _show_queue(request: Request, who: Identity, data: QueuePage) -> Response:
    return html("review_queue", data, frame(request, who, project=data.project))


@page(router, "/projects/{project}/review", _show_queue)
def queue(request: Request, who: Reviewer, project: Number) -> QueuePage:
    """Build the queue."""
    workspace = workspace_of(request)
    found = workspace.reviews.queue(project, who.user, limit=ROWS)
    return QueuePage(
        project=workspace.projects.get(project),
        policy=workspace.settings.get(project)[0].review,
        rows=tuple(map(row_of, found.rows)),
        total=found.total,
        agreement=reviewer_agreement(workspace.reviews.all(project)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage:
    """One task to decide; ``may_not`` says why this reviewer must not."""

    project: Project
    view: TaskView
    why: str
    left: int
    next: int | None
    may_not: str
    reason: str = ""
    note: str = ""
    problem: Problem | None = None

    @property
    def may_decide(self) -> bool:
        """Whether this reviewer may decide."""
        return not self.may_not

    @property
    def can_review(self) -> bool:
        """Whether decisions can be undone here."""
        return True


def _show(request: Request, who: Identity, data: ReviewPage, status: int = 200) -> Response:
    found = laid_out(request, data.view, data.project)
    surroundings = frame(request, who, project=data.project)
    return html("review", data, surroundings, status, sides=found, **words_of_decisions())


@page(router, "/projects/{project}/review/{task}", _show)
def review(request: Request, who: Reviewer, project: Number, task: Number) -> ReviewPage:
    """Build the page of one task to decide."""
    workspace = workspace_of(request)
    view = workspace.reviews.task(project, task, who.user)
    waiting = workspace.reviews.queue(project, who.user, limit=2)
    following = next((row.id for row in waiting.rows if row.id != task), None)
    own = any(row.own for row in view.annotations)
    return ReviewPage(
        project=workspace.projects.get(project),
        view=view,
        why=_why(view, workspace.settings.get(project)[0].review),
        left=waiting.total,
        next=following,
        may_not="You answered this task yourself, so somebody else has to review it." if own else "",
    )


def _why(view: TaskView, policy: ReviewPolicy) -> str:
    value = view.task.agreement if policy.control is None else view.task.by_control.get(policy.control)
    if value is None:
        return "There is no pair of answers to compare."
    if value < policy.threshold:
        return f"In the queue because its agreement is {number(value)}, below {number(policy.threshold)}."
    return f"Its agreement is {number(value)}."


@router.post("/projects/{project}/review/{task}")
async def decide(request: Request, who: Reviewer, project: Number, task: Number) -> Response:
    """Keep a decision and go on to the next task."""
    async with request.form(max_fields=500) as form:
        return await run_in_threadpool(_decide, request, who, project, task, form)


def _decide(request: Request, who: Identity, project: int, task: int, form: FormData) -> Response:
    workspace = workspace_of(request)
    data = review(request=request, who=who, project=project, task=task)
    try:
        workspace.reviews.decide(project, task, who.user, decision_of(form, data.view))
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        said = replace(
            data, problem=failure.body.error, reason=str(form.get("reason", "")), note=str(form.get("note", ""))
        )
        return _show(request, who, said, failure.status)
    return RedirectResponse(f"/projects/{project}/tasks/{task}?said=decided", 303)


def decision_of(form: FormData, view: TaskView) -> Decision:
    """Read a decision from the form of the page.

    Raises
    ------
    UsageError
        If what was chosen does not go together.
    """
    reason, note, accept = str(form.get("reason", "")), str(form.get("note", "")), str(form.get("accept", ""))
    if accept:
        numbers = [int(accept)] if accept.isascii() and accept.isdigit() and len(accept) < 12 else []
        return Decision(outcome="accept", reason=reason, note=note, accepted=numbers)
    outcome = str(form.get("outcome", ""))
    if outcome == "several":
        numbers = [row.id for row in view.annotations if not row.cancelled]
        return Decision(outcome="several", reason=reason, note=note, accepted=numbers)
    if outcome == "compose":
        return Decision(outcome="compose", reason=reason, note=note, composed=_picked(form, view))
    return Decision(outcome=outcome, reason=reason, note=note)


def _picked(form: FormData, view: TaskView) -> list[Any]:
    """Items of the answers picked control by control."""
    rows = {str(row.id): row for row in view.annotations}
    found = []
    for name, value in form.multi_items():
        row = rows.get(str(value)) if name.startswith("pick-") else None
        if row is not None:
            control = name.removeprefix("pick-")
            found += [item for item in row.result if isinstance(item, dict) and item.get("from_name") == control]
    return found


@router.post("/projects/{project}/reviews/{review}/undo")
def undo(
    request: Request,
    who: Reviewer,
    project: Number,
    review: Number,
    task: Annotated[str, Form(max_length=12)] = "",
) -> Response:
    """Take a decision back."""
    workspace_of(request).reviews.undo(project, review, who.user)
    back = f"/tasks/{int(task)}" if task.isascii() and task.isdigit() else "/review"
    return RedirectResponse(f"/projects/{project}{back}?said=undone", 303)
