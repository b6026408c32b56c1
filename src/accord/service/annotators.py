"""Annotators of a project as the API and the pages give them."""

from __future__ import annotations

from accord.service.rater_schemas import (
    AssignmentItem,
    ClassesItem,
    ClassItem,
    EffortItem,
    GoldItem,
    LimitsItem,
    OverlapItem,
    PairItem,
    PeriodItem,
    RaterItem,
    SkipItem,
    TrendItem,
)
from accord.workspace import Workspace
from accord.workspace.effort import Overlap, SkipRate
from accord.workspace.evaluation import ControlScores, RaterEvaluation
from accord.workspace.trends import Period


def rater_items(workspace: Workspace, project: int) -> list[RaterItem]:
    """Every annotator, by name."""
    gold = {one.rater_id: _gold(one) for one in workspace.evaluation.raters(project) if one.tasks}
    return [
        RaterItem(
            id=row.id,
            name=row.name,
            tasks=row.tasks,
            skipped=row.skipped,
            lead_time_median=row.lead_time_median,
            state=row.state,
            gold=gold.get(row.id),
        )
        for row in workspace.raters.all(project)
    ]


def effort_item(workspace: Workspace, project: int) -> EffortItem:
    """Skips and overlap."""
    found = workspace.raters.effort(project)
    raters, tasks, labels = (list(map(_skips, rows)) for rows in (found.raters, found.tasks, found.labels))
    return EffortItem(raters=raters, tasks=tasks, labels=labels, overlap=_overlap(found.overlap))


def trend_item(workspace: Workspace, project: int) -> TrendItem:
    """Days and weeks."""
    found = workspace.trends.of(project)
    days, weeks = list(map(_period, found.days)), list(map(_period, found.weeks))
    return TrendItem(time_zone=found.time_zone, days=days, weeks=weeks, unknown=found.unknown)


def _gold(one: RaterEvaluation) -> GoldItem:
    interval = None if one.interval is None else LimitsItem(low=one.interval.low, high=one.interval.high)
    return GoldItem(
        tasks=one.tasks,
        accuracy=one.accuracy,
        interval=interval,
        passed=one.passed,
        passed_limits=LimitsItem(low=one.passed_limits[0], high=one.passed_limits[1]),
        controls=list(map(_classes, one.controls)),
    )


def _classes(control: ControlScores) -> ClassesItem:
    classes = [ClassItem.model_validate(one) for one in control.classes]
    return ClassesItem(control=control.control, macro=control.macro, micro=control.micro, classes=classes)


def _skips(row: SkipRate) -> SkipItem:
    limits = None if row.rate is None else LimitsItem(low=row.limits[0], high=row.limits[1])
    return SkipItem(name=row.name, answered=row.answered, skipped=row.skipped, rate=row.rate, limits=limits)


def _overlap(found: Overlap) -> OverlapItem:
    return OverlapItem(
        connected=found.connected,
        groups=[list(group) for group in found.groups],
        never_met=[PairItem(a=a, b=b) for a, b in found.never_met],
        never_met_total=found.never_met_total,
        missing=[AssignmentItem(rater=rater, task=task) for rater, task in found.missing],
    )


def _period(found: Period) -> PeriodItem:
    return PeriodItem.model_validate(found)
