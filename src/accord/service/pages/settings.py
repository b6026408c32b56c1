"""Settings of a project: how controls are compared, review, suspension, custom code, everything as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from accord.dataset import Control
from accord.errors import AccordError
from accord.pipeline.plan import WEIGHTS
from accord.reporting.words import kind
from accord.service.access import Identity, Manager
from accord.service.api.asked import LARGEST, Number, workspace_of
from accord.service.catalogue import Choice, choices, default_words
from accord.service.configs import controls_of
from accord.service.custom import check_plan
from accord.service.embedding_health import health
from accord.service.embedding_schemas import Health
from accord.service.failures import Failure, Problem, from_accord
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.values import Level
from accord.workspace.policies import SuspendPolicy
from accord.workspace.previews import Preview
from accord.workspace.records import Project
from accord.workspace.settings import Settings
from accord.workspace.suspension import false_suspension

router = APIRouter()
GOOD = 0.9
LOOKED_AT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlSettings:
    """One control: what is chosen, what fits, and what does not with the reason."""

    name: str
    words: str
    default: str
    metric: str
    level: str
    weights: str
    criterion: str
    fitting: tuple[Choice, ...]
    refused: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsPage:
    """Settings in force; ``chance`` is how likely a good annotator is ever proposed for suspension."""

    project: Project
    version: int
    settings: dict[str, Any]
    controls: tuple[ControlSettings, ...]
    chance: float
    embedding: Health | None = None
    preview: Preview | None = None
    problem: Problem | None = None

    @property
    def text(self) -> str:
        """All settings as JSON text."""
        return json.dumps(self.settings, indent=2, ensure_ascii=False)

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels of measurement."""
        return tuple(map(str, Level))

    @property
    def weight_names(self) -> tuple[str, ...]:
        """Weights."""
        return WEIGHTS


def _show(request: Request, who: Identity, data: SettingsPage, status: int = 200) -> Response:
    return html("settings", data, frame(request, who, project=data.project), status, good=GOOD, looked_at=LOOKED_AT)


@page(router, "/projects/{project}/settings", _show)
def settings(request: Request, who: Manager, project: Number) -> SettingsPage:
    """Build the page."""
    del who
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    now, version = workspace.settings.get(project)
    return _page(found, version, now.to_dict(), controls_of(workspace, found), now.suspend)


def _page(
    project: Project, version: int, now: dict[str, Any], controls: tuple[Control, ...], suspend: SuspendPolicy
) -> SettingsPage:
    plans = now["plan"].get("controls", {})
    return SettingsPage(
        project=project,
        version=version,
        settings=now,
        controls=tuple(_control(control, plans.get(control.name, {})) for control in controls),
        chance=false_suspension(GOOD, suspend, LOOKED_AT),
    )


def _control(control: Control, plan: Mapping[str, Any]) -> ControlSettings:
    found = choices(control)
    return ControlSettings(
        name=control.name,
        words=kind(control),
        default=default_words(control),
        metric=plan.get("metric") or "",
        level=plan.get("level") or "",
        weights=plan.get("weights") or "",
        criterion="" if plan.get("criterion") is None else str(plan["criterion"]),
        fitting=tuple(one for one in found if not one.refused),
        refused=tuple(one for one in found if one.refused),
    )


@router.post("/projects/{project}/settings")
async def change(request: Request, who: Manager, project: Number) -> Response:
    """Keep changed settings."""
    async with request.form(max_fields=2000) as form:
        return await run_in_threadpool(_change, request, who, project, form)


def _change(request: Request, who: Identity, project: int, form: FormData) -> Response:
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    now, version = workspace.settings.get(project)
    try:
        wanted = _wanted(form, now.to_dict())
        check_plan(wanted)
        if form.get("action") == "preview":
            tried = workspace.previews.of(project, wanted)
            shown = Settings.from_dict(wanted)
            data = _page(found, version, shown.to_dict(), controls_of(workspace, found), shown.suspend)
            return _show(request, who, replace(data, preview=tried))
        workspace.settings.put(project, wanted, actor=who.actor, version=_version(form))
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        data = _page(found, version, now.to_dict(), controls_of(workspace, found), now.suspend)
        return _show(request, who, replace(data, problem=failure.body.error), failure.status)
    return RedirectResponse(f"/projects/{project}/settings?said=saved", 303)


def _version(form: FormData) -> int | None:
    given = str(form.get("version", ""))
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def _wanted(form: FormData, now: dict[str, Any]) -> dict[str, Any]:
    """Settings that a form asks for: those in force with what it changes."""
    if "everything" in form:
        return _json(str(form["everything"]))
    plan = now["plan"] | {"controls": _controls(form, now["plan"].get("controls", {}))}
    review = now["review"] | {
        "threshold": _number(form, "review.threshold"),
        "answers": int(_number(form, "review.answers")),
        "control": str(form.get("review.control", "")) or None,
        "mode": str(form.get("review.mode", "")),
        "blind": "review.blind" in form,
    }
    suspend = now["suspend"] | {
        "enabled": "suspend.enabled" in form,
        "automatic": "suspend.automatic" in form,
        "threshold": _number(form, "suspend.threshold"),
        "minimum": int(_number(form, "suspend.minimum")),
        "match": _number(form, "suspend.match"),
    }
    days = str(form.get("retention_days", "")).strip()
    rest = {
        "rounds": {
            "field": str(form.get("rounds.field", "")).strip() or None,
            "dates": str(form.get("rounds.dates", "")).strip(),
        },
        "retention_days": int(_number(form, "retention_days")) if days else None,
        "time_zone": str(form.get("time_zone", "")),
    }
    return now | {"plan": plan, "review": review, "suspend": suspend} | rest


def _controls(form: FormData, before: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: dict(plan) for name, plan in before.items()}
    for field, value in form.multi_items():
        what, _, name = field.partition(":")
        if what in ("metric", "level", "weights", "criterion") and name:
            plan = found.setdefault(name, {})
            plan.pop(what, None)
            if str(value).strip():
                plan[what] = _number(form, field) if what == "criterion" else str(value)
    return {name: plan for name, plan in found.items() if plan}


def _number(form: FormData, name: str) -> float:
    try:
        value = float(str(form.get(name, "")))
    except ValueError:
        value = float("nan")
    if not -LARGEST <= value <= LARGEST:
        raise Failure(422, f"{name} is not a number that fits.", code="usage")
    return value


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Failure(422, "The settings are not a JSON object.", code="not_json")
    return found


@router.post("/projects/{project}/recompute")
def recompute(request: Request, who: Manager, project: Number) -> Response:
    """Start scoring every task anew."""
    workspace = workspace_of(request)
    workspace.projects.get(project)
    job = workspace.jobs.add("recompute", project)
    workspace.events.add("quality.recompute", actor=who.actor, project_id=project, payload={"job": job})
    return RedirectResponse(f"/projects/{project}?said=started", 303)


@router.post("/projects/{project}/settings/embedding")
def try_embedding(request: Request, who: Manager, project: Number) -> Response:
    """Try the embedding by which texts of this project are compared where their meaning counts."""
    data = settings(request=request, who=who, project=project)
    return _show(request, who, replace(data, embedding=health(workspace_of(request), None)))
