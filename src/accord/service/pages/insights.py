"""Insights: readiness and its parts, what limits the numbers, and gold that good annotators miss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Identity, Viewer
from accord.service.annotators import trend_item
from accord.service.api.asked import Number, workspace_of
from accord.service.over_time import figure
from accord.service.pages.frames import frame, page
from accord.service.pages.overview import reports_of
from accord.service.rater_schemas import TrendItem
from accord.service.render import html
from accord.workspace.evaluation import GoldTask
from accord.workspace.records import Project

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of readiness; ``value`` None = not known and left out."""

    name: str
    weight: float
    value: float | None
    how: str


@dataclass(frozen=True, slots=True)
class Limit:
    """Something about the data that limits a number."""

    control: str
    title: str
    status: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Insights:
    """How far a project is: a weighted mean of the parts that are known."""

    project: Project
    readiness: float | None
    parts: tuple[Part, ...]
    limits: tuple[Limit, ...]
    gold: tuple[GoldTask, ...]
    trend: TrendItem


def _show(request: Request, who: Identity, data: Insights) -> Response:
    by_week = figure(data.trend.weeks, "Week", data.trend.time_zone)
    return html("insights", data, frame(request, who, project=data.project), by_week=by_week)


@page(router, "/projects/{project}/insights", _show)
def insights(request: Request, who: Viewer, project: Number) -> Insights:
    """Build the page."""
    del who
    workspace = workspace_of(request)
    found = workspace.projects.get(project)
    given = reports_of(request).page(project)
    shown: Mapping[str, Any] = {} if given is None else given.text.content
    known = shown.get("readiness") or {}
    return Insights(
        project=found,
        readiness=known.get("value"),
        parts=tuple(Part(*part) for part in known.get("parts", ())),
        limits=tuple(Limit(*one) for one in shown.get("limits", ())),
        gold=tuple(workspace.evaluation.gold(project)),
        trend=trend_item(workspace, project),
    )
