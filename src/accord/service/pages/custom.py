"""The page on which a project's custom metric is written, tried and kept."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from accord.dataset import Control
from accord.errors import AccordError
from accord.service.access import Identity, Manager
from accord.service.api.asked import Number, workspace_of
from accord.service.configs import controls_of, sample_annotation
from accord.service.custom import STARTER, WHOLE, Trial, check_plan, code_in, trial
from accord.service.failures import Failure, Problem, from_accord
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.workspace.records import Project

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomPage:
    """Code of a project, what annotations look like, and the last test run."""

    project: Project
    code: str
    in_use: bool
    controls: tuple[Control, ...]
    sample: Mapping[str, Any] | None
    trial: Trial | None = None
    problem: Problem | None = None

    @property
    def sample_text(self) -> str:
        """One annotation as JSON text."""
        return json.dumps(self.sample, indent=2, ensure_ascii=False) if self.sample is not None else ""


def _show(request: Request, who: Identity, data: CustomPage, status: int = 200) -> Response:
    surroundings = frame(request, who, project=data.project, nonce=secrets.token_urlsafe(16))
    return html("custom", data, surroundings, status)


@page(router, "/projects/{project}/settings/custom", _show)
def custom(request: Request, who: Manager, project: Number) -> CustomPage:
    """Build the page."""
    del who
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    now = workspace.settings.get(project)[0].to_dict()
    code = code_in(now)
    return CustomPage(
        project=found,
        code=STARTER if code is None else code,
        in_use=code is not None,
        controls=controls_of(workspace, found),
        sample=sample_annotation(workspace, found),
    )


@router.post("/projects/{project}/settings/custom")
def write(
    request: Request,
    who: Manager,
    project: Number,
    code: Annotated[str, Form(max_length=200_000)] = "",
    action: Annotated[str, Form(max_length=20)] = "test",
) -> Response:
    """Try code, keep it, or stop using it."""
    data = custom(request=request, who=who, project=project)
    text = code.replace("\r\n", "\n")
    try:
        if action == "test":
            tried = trial(workspace_of(request), project, text)
            return _show(request, who, replace(data, code=text, trial=tried))
        _keep(request, who, project, text if action == "save" else None)
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        return _show(request, who, replace(data, code=text, problem=failure.body.error), failure.status)
    return RedirectResponse(f"/projects/{project}/settings/custom?said=saved", 303)


def _keep(request: Request, who: Identity, project: int, code: str | None) -> None:
    workspace = workspace_of(request)
    now, version = workspace.settings.get(project)
    wanted = now.to_dict()
    controls = {name: plan for name, plan in wanted["plan"].get("controls", {}).items() if name != WHOLE}
    if code is not None:
        controls[WHOLE] = {"metric": "custom", "code": code}
    wanted["plan"] = wanted["plan"] | {"controls": controls}
    check_plan(wanted)
    workspace.settings.put(project, wanted, actor=who.actor, version=version)
