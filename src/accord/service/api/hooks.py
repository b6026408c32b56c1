"""Deliveries of Label Studio's webhooks: checked, answered at once, worked on later."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool

from accord.labelstudio.webhooks import Change, parse_event
from accord.service.api.asked import Number, workspace_of
from accord.service.connection_schemas import Taken
from accord.service.failures import Failure
from accord.service.hints import Hints

router = APIRouter(tags=["webhooks"])
#: Named tasks are enough to ask for; of what is deleted only a whole pull tells.
NAMED = frozenset({Change.ANNOTATIONS, Change.TASKS})
DELIVERY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["action"],
                    "properties": {"action": {"type": "string", "maxLength": 100}},
                    "description": "What Label Studio sends",
                }
            }
        },
    }
}


@router.post("/hooks/label-studio/{project}", status_code=202, openapi_extra=DELIVERY)
async def delivery(
    request: Request, project: Number, secret: Annotated[str, Header(alias="X-Accord-Secret", max_length=200)] = ""
) -> Taken:
    """Take a delivery that brings the project's secret; a pull follows, whatever the order they come in."""
    workspace = workspace_of(request)
    if not await run_in_threadpool(workspace.connections.brings_secret, project, secret):
        raise Failure(401, "The secret is not that of this project's connection.")
    event = await run_in_threadpool(parse_event, await request.body())
    link = await run_in_threadpool(workspace.connections.get, project, "pull")
    if link is None or event.project != link.remote:
        return Taken(taken=False)
    if event.change is not Change.OTHER:
        hints: Hints = request.app.state.hints
        hints.add(project, event.tasks if event.change in NAMED else ())
    return Taken(taken=event.change is not Change.OTHER)
