"""Long work: how far it is, and stopping it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from accord.service.access import Manager, Viewer
from accord.service.api.asked import LARGEST, Limit, Number, Offset, workspace_of
from accord.service.plain import plain
from accord.service.schemas import JobItem, Listed
from accord.workspace.records import Job

router = APIRouter(prefix="/api/jobs", tags=["jobs"])
ENDED = frozenset({"done", "failed", "cancelled"})
LOOK_SECONDS = 0.5


@router.get("")
def jobs(
    request: Request,
    who: Viewer,
    project: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
    offset: Offset = 0,
    limit: Limit = 50,
) -> Listed[JobItem]:
    """List jobs, latest first."""
    del who
    found = workspace_of(request).jobs.page(project, offset=offset, limit=limit)
    return Listed(items=[item(job) for job in found.rows], total=found.total, offset=offset, limit=limit)


@router.get("/{job}")
def job_facts(request: Request, who: Viewer, job: Number) -> JobItem:
    """Say how far a job is."""
    del who
    return item(workspace_of(request).jobs.get(job))


def existing(request: Request, who: Viewer, job: Number) -> int:
    """Number of a job, checked before the first event is sent."""
    del who
    return workspace_of(request).jobs.get(job).id


@router.get("/{job}/progress", response_class=EventSourceResponse)
async def progress(
    request: Request, who: Viewer, job: Annotated[int, Depends(existing)]
) -> AsyncIterable[ServerSentEvent]:
    """Follow a job: an event with the job whenever it moves, until it has ended."""
    del who
    jobs = workspace_of(request).jobs
    last: JobItem | None = None
    while not request.app.state.stopping.is_set():
        now = item(await run_in_threadpool(jobs.get, job))
        if now != last:
            yield ServerSentEvent(data=now, event="job")
            last = now
        if now.status in ENDED:
            return
        await asyncio.sleep(LOOK_SECONDS)


@router.post("/{job}/cancel", status_code=204, response_class=Response)
def cancel(request: Request, who: Manager, job: Number) -> None:
    """Stop a job that waits or runs."""
    workspace = workspace_of(request)
    found = workspace.jobs.get(job)
    workspace.jobs.cancel(job)
    payload = {"job": job, "kind": found.kind}
    workspace.events.add("job.cancelled", actor=who.actor, project_id=found.project_id, payload=payload)


def item(job: Job) -> JobItem:
    """Job as the API gives it, without what it was given."""
    facts = plain(job)
    return JobItem.model_validate({name: facts[name] for name in JobItem.model_fields})
