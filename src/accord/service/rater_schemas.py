"""What the API and the pages say of annotators: their work, gold accuracy by class, overlap, and days and weeks."""

from __future__ import annotations

from datetime import date

from accord.service.schemas import Answer, Body, Name, Text


class ClassItem(Answer):
    """One class of a control: chosen and right, chosen and wrong, missed; null = undefined."""

    label: str
    hits: int
    extra: int
    missed: int
    precision: float | None
    recall: float | None
    f1: float | None


class ClassesItem(Answer):
    """Classes of one control; ``macro`` is the mean of their F1, ``micro`` the F1 of all together."""

    control: str
    macro: float | None
    micro: float | None
    classes: list[ClassItem]


class LimitsItem(Answer):
    """Limits of an interval."""

    low: float
    high: float


class GoldItem(Answer):
    """Mean score against gold of others, and how many gold tasks were passed."""

    tasks: int
    accuracy: float | None
    interval: LimitsItem | None
    passed: int
    passed_limits: LimitsItem
    controls: list[ClassesItem]


class RaterItem(Answer):
    """An annotator: tasks answered and skipped, median seconds a task, state, and gold; null without gold tasks."""

    id: int
    name: str
    tasks: int
    skipped: int
    lead_time_median: float | None
    state: str
    gold: GoldItem | None


class RaterAction(Body):
    """What to do about an annotator, and why."""

    action: Text
    reason: Text


class SkipItem(Answer):
    """Skips among what was asked; 95 % limits, null where nothing was asked."""

    name: str
    answered: int
    skipped: int
    rate: float | None
    limits: LimitsItem | None


class PairItem(Answer):
    """Two annotators."""

    a: str
    b: str


class AssignmentItem(Answer):
    """A task to give to an annotator."""

    rater: str
    task: str


class OverlapItem(Answer):
    """Who shares tasks with whom: annotators of different groups share none, directly or through others."""

    connected: bool
    groups: list[list[str]]
    never_met: list[PairItem]
    never_met_total: int
    missing: list[AssignmentItem]


class EffortItem(Answer):
    """Skips by annotator, by task and by label, and overlap."""

    raters: list[SkipItem]
    tasks: list[SkipItem]
    labels: list[SkipItem]
    overlap: OverlapItem


class PeriodItem(Answer):
    """A day or week: annotations made, tasks completed, their mean agreement, which is not corrected for chance."""

    begin: date
    annotations: int
    tasks: int
    agreement: float | None


class TrendItem(Answer):
    """Days and weeks with something in them; ``unknown`` annotations have no time."""

    time_zone: str
    days: list[PeriodItem]
    weeks: list[PeriodItem]
    unknown: int


class PersonNames(Body):
    """Names under which a person annotates: e-mail addresses or ids."""

    names: list[Name]


class Erasure(PersonNames):
    """Whom to erase; with ``keep_answers`` the answers stay under a name that says nothing."""

    keep_answers: bool = False


class ErasedItem(Answer):
    """What was erased, and the job that scores anew where that takes long."""

    annotations: int
    tasks: int
    job: int | None
