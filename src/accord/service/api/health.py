"""Is the server alive, is it ready, and what has it done."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel
from sqlalchemy import func, select
from starlette.responses import Response

from accord.service.access import Viewer
from accord.version import __version__
from accord.workspace.tables import JOBS

router = APIRouter(tags=["server"])
STATES = ("queued", "running", "done", "failed", "cancelled")


class Health(BaseModel):
    """State of the server."""

    status: Literal["ok"]
    version: str


@router.get("/healthz")
def alive() -> Health:
    """Say that the process answers."""
    return Health(status="ok", version=__version__)


@router.get("/readyz")
def ready(request: Request) -> Health:
    """Say that the database can be read; 503 if not."""
    with request.app.state.workspace.database.read() as connection:
        connection.execute(select(func.max(JOBS.c.id)))
    return Health(status="ok", version=__version__)


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def metrics(request: Request, who: Viewer) -> Response:
    """Give counters for Prometheus: requests by route, times, jobs by state."""
    del who
    telemetry = request.app.state.telemetry
    with request.app.state.workspace.database.read() as connection:
        rows = connection.execute(select(JOBS.c.status, func.count().label("count")).group_by(JOBS.c.status))
        found = {row.status: row.count for row in rows}
    for state in STATES:
        telemetry.jobs.labels(state).set(found.get(state, 0))
    return Response(telemetry.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
