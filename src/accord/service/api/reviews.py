"""The review of tasks: queue, one task side by side, decisions, undoing."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Reviewer, Viewer
from accord.service.api.asked import Limit, Number, Offset, tagged, workspace_of
from accord.service.plain import plain
from accord.service.schemas import Created, Listed, NewDecision, ReviewItem, TaskItem
from accord.workspace.decisions import Review
from accord.workspace.reviews import Decision

router = APIRouter(prefix="/api/projects/{project}", tags=["review"])


@router.get("/queue", response_model=Listed[TaskItem])
def queue(request: Request, who: Reviewer, project: Number, offset: Offset = 0, limit: Limit = 50) -> Response:
    """List tasks that wait for this reviewer, the lowest agreement first."""
    found = workspace_of(request).reviews.queue(project, who.user, offset=offset, limit=limit)
    rows = [TaskItem.model_validate(row).model_dump() for row in found.rows]
    return tagged(request, {"items": rows, "total": found.total, "offset": offset, "limit": limit})


@router.get("/tasks/{task}", response_class=Response, responses={200: {"content": {"application/json": {}}}})
def task_facts(request: Request, who: Viewer, project: Number, task: Number) -> Response:
    """Give one task with its answers and decisions; annotators are letters where the policy hides names."""
    return tagged(request, plain(workspace_of(request).reviews.task(project, task, who.user)))


@router.get("/reviews")
def reviews(request: Request, who: Reviewer, project: Number) -> Listed[ReviewItem]:
    """List every decision, oldest first, undone ones included."""
    del who
    found = workspace_of(request).reviews.all(project)
    rows = sorted((review for made in found.values() for review in made), key=lambda review: review.id)
    items = [_item(review) for review in rows]
    return Listed(items=items, total=len(items), offset=0, limit=len(items))


@router.post("/tasks/{task}/reviews", status_code=201)
def decide(request: Request, who: Reviewer, project: Number, task: Number, body: NewDecision) -> Created:
    """Decide what counts as true for a task; nobody decides about answers of their own."""
    given: dict[str, Any] = body.model_dump()
    return Created(id=workspace_of(request).reviews.decide(project, task, who.user, Decision(**given)))


@router.delete("/reviews/{review}", status_code=204, response_class=Response)
def undo(request: Request, who: Reviewer, project: Number, review: Number) -> None:
    """Take a decision back; those before it count again."""
    workspace_of(request).reviews.undo(project, review, who.user)


def _item(review: Review) -> ReviewItem:
    facts = plain(review)
    return ReviewItem.model_validate({name: facts[name] for name in ReviewItem.model_fields})
