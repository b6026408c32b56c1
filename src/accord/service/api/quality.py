"""Agreement of a project: catalogue, scores, settings."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from accord.service.access import Manager, Viewer
from accord.service.api.asked import Number, answered, tagged, version_wanted, workspace_of
from accord.service.catalogue import metric_entries
from accord.service.configs import controls_of, sample_annotation
from accord.service.custom import check_plan, code_in, trial
from accord.service.embedding_health import health
from accord.service.embedding_schemas import EmbeddingAsked, Health
from accord.service.failures import Failure, ProblemBody
from accord.service.page_reports import Given
from accord.service.plain import plain
from accord.service.schemas import (
    ControlRow,
    JobNumber,
    MetricRow,
    Metrics,
    Recompute,
    Recomputed,
    Schema,
    SettingsBody,
    TestCode,
    Tried,
)
from accord.workspace import Workspace

router = APIRouter(prefix="/api/projects/{project}/quality", tags=["quality"])
#: Seconds a recompute is waited for; then the answer is the number of its job.
PATIENCE = 60.0


@router.get("/metrics")
def metrics(request: Request, who: Viewer, project: Number) -> Metrics:
    """List all metrics, and say whether the project has code of its own."""
    del who
    settings, _ = workspace_of(request).settings.get(project)
    rows = [
        MetricRow(key=key, label=label, description=description, applies_to=applies)
        for key, label, description, applies in metric_entries()
    ]
    return Metrics(metrics=rows, has_custom_code=code_in(settings.to_dict()) is not None)


@router.get("/schema")
def schema(request: Request, who: Viewer, project: Number) -> Schema:
    """Give the controls of the label config and one annotation."""
    del who
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    rows = [
        ControlRow(
            name=control.name,
            tag=control.tag,
            kind=str(control.kind),
            level=str(control.level),
            domain=None if control.domain is None else [plain_value(value) for value in control.domain],
            objects=list(control.objects),
        )
        for control in controls_of(workspace, found)
    ]
    return Schema(controls=rows, sample=sample_annotation(workspace, found))


def plain_value(value: Any) -> Any:
    """JSON form of a value of a domain; paths of a taxonomy are lists."""
    if isinstance(value, tuple):
        return [plain_value(item) for item in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


@router.post(
    "/recompute",
    response_model=Recomputed,
    responses={202: {"model": JobNumber, "description": "Started, or not ready within a minute"}},
)
def recompute(request: Request, who: Manager, project: Number, body: Annotated[Recompute, Body()]) -> Response:
    """Score every task anew with the settings in force."""
    workspace = workspace_of(request)
    workspace.projects.get(project)
    job = workspace.jobs.add("recompute", project)
    workspace.events.add("quality.recompute", actor=who.actor, project_id=project, payload={"job": job})
    result = None if body.in_background else waited(workspace, job)
    if result is None:
        return tagged(request, {"job": job}, status=202)
    return tagged(request, {key: result[key] for key in Recomputed.model_fields})


def waited(workspace: Workspace, number: int, patience: float = PATIENCE) -> dict[str, Any] | None:
    """Result of a job once it has ended; None if that takes too long.

    Raises
    ------
    Failure
        422 if the job failed or was cancelled.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        job = workspace.jobs.get(number)
        if job.status == "done":
            return dict(job.result)
        if job.status in ("failed", "cancelled"):
            raise Failure(422, job.error or "The job was cancelled.", code="job_failed")
        time.sleep(0.1)
    return None


@router.get(
    "/report",
    response_class=Response,
    responses={200: {"content": {"application/json": {}}}, 409: {"model": ProblemBody, "description": "No scores yet"}},
)
def report(request: Request, who: Viewer, project: Number) -> Response:
    """Give the report in the form of ``accord score --json``; 409 while the first one is being made.

    The header ``Accord-Fresh`` is false on the last report while the one on the newest answers is being made.
    """
    del who
    found: Given | None = request.app.state.reports.report(project)
    if found is None:
        raise Failure(409, "There are no scores yet. Import annotations, or wait for the job that scores them.")
    answer = answered(request, found.text.json, f"report-{found.made.id}-{found.made.fresh:d}")
    answer.headers["Accord-Fresh"] = "true" if found.made.fresh else "false"
    return answer


@router.get("/live", response_class=Response, responses={200: {"content": {"application/json": {}}}})
def live(request: Request, who: Viewer, project: Number) -> Response:
    """Give the headline numbers of every control as they are now."""
    del who
    return tagged(request, dict(request.app.state.live.get(project)))


@router.get("/settings", response_model=SettingsBody)
def settings(request: Request, who: Viewer, project: Number) -> Response:
    """Give the settings in force and their version."""
    del who
    found, version = workspace_of(request).settings.get(project)
    return tagged(request, {"version": version, "settings": plain(found.to_dict())}, tag=str(version))


@router.put("/settings", responses={412: {"model": ProblemBody, "description": "Changed meanwhile"}})
def change_settings(
    request: Request, who: Manager, project: Number, body: Annotated[dict[str, Any], Body()]
) -> SettingsBody:
    """Change the settings: a plan, thresholds, policies, custom code; scores follow by a job where they must.

    What is absent has its default. With ``If-Match`` nothing is changed if somebody else was faster.
    """
    workspace = workspace_of(request)
    wanted = version_wanted(request)
    _, version = workspace.settings.get(project)
    if wanted is not None and wanted != version:
        raise Failure(412, f"The settings were changed meanwhile; they are at version {version} now. Read them again.")
    check_plan(body)
    new = workspace.settings.put(project, body, actor=who.actor, version=wanted)
    found, _ = workspace.settings.get(project)
    return SettingsBody(version=new, settings=plain(found.to_dict()))


@router.post("/preview", response_class=Response, responses={200: {"content": {"application/json": {}}}})
def preview(request: Request, who: Manager, project: Number, body: Annotated[dict[str, Any], Body()]) -> Response:
    """Say what other settings would do: headline numbers before and after, tasks entering and leaving the queue."""
    del who
    check_plan(body)
    return tagged(request, plain(workspace_of(request).previews.of(project, body)))


@router.post("/test", responses={409: {"model": ProblemBody, "description": "No task has two annotations"}})
def test(request: Request, who: Manager, project: Number, body: TestCode) -> Tried:
    """Run custom code on the first task that can be scored; nothing is kept."""
    del who
    workspace = workspace_of(request)
    workspace.projects.get(project)
    return Tried.model_validate(plain(trial(workspace, project, body.code)))


@router.post("/embedding-health")
def embedding_health(
    request: Request, who: Manager, project: Number, body: Annotated[EmbeddingAsked | None, Body()] = None
) -> Health:
    """Try an embedding on one text; hosts beside the model that comes with Accord must be allowed by an admin."""
    del who
    workspace = workspace_of(request)
    workspace.projects.get(project)
    asked = body or EmbeddingAsked()
    return health(workspace, asked.url, asked.model, asked.protocol)
