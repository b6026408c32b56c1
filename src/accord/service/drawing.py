"""What the pages show of a report, as JSON that is kept beside it: drawn once, by whoever makes the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from accord.pipeline.contract import to_dict
from accord.pipeline.report import Report
from accord.reporting import page as report_page
from accord.service.annotators import trend_item
from accord.service.over_time import figure
from accord.service.plain import plain
from accord.service.rater_schemas import TrendItem
from accord.service.render import templates
from accord.workspace import Workspace


def draw(workspace: Workspace, project: int, report: Report) -> Mapping[str, Any]:
    """Draw a report on a project."""
    trend, rounds = trend_item(workspace, project), plain(workspace.rounds.of(project))
    return {
        "body": body(project, report, trend, rounds),
        "report": to_dict(report),
        "trend": trend.model_dump(mode="json"),
        "rounds": rounds,
        "readiness": plain(report.readiness),
        "limits": list(_limits(report)),
        "controls": [control.control.name for control in report.controls],
        "raters": _raters(report),
    }


def body(project: int, report: Report, trend: TrendItem, rounds: Mapping[str, Any] | None) -> str:
    """HTML of everything that the overview shows of a report."""
    return (
        templates()
        .get_template("report_body.html.j2")
        .render(
            project=project,
            page=report_page.build(report),
            report=report,
            trend=trend,
            rounds=rounds,
            by_day=figure(trend.days, "Day", trend.time_zone),
            by_week=figure(trend.weeks, "Week", trend.time_zone),
        )
    )


def _limits(report: Report) -> Iterator[tuple[str, str, str, str]]:
    for control in report.controls:
        for one in control.diagnostics:
            if one.status != "fine":
                yield control.control.name, one.title, one.status, one.text


def _raters(report: Report) -> dict[str, dict[str, Any]]:
    """Agreement of each annotator with the others, by control."""
    found: dict[str, dict[str, Any]] = {}
    for control in report.controls:
        for row in control.rater_rows:
            interval = row.agreement.interval
            found.setdefault(row.rater, {})[control.control.name] = {
                "value": None if row.agreement.undefined else row.agreement.value,
                "low": None if interval is None else interval.low,
                "high": None if interval is None else interval.high,
                "tasks": row.units,
            }
    return found
