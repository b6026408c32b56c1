"""What the workspace hands out: plain frozen data, the same for pages and for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some of many rows: ``total`` in all, these from ``offset`` on."""

    rows: Sequence[T]
    total: int
    offset: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project, how much is in it, and whether its scores are up to date (``fresh``)."""

    id: int
    name: str
    label_config: str | None
    data_version: int
    plan_version: int
    fresh: bool
    tasks: int
    annotations: int
    created_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did; ``tasks`` and ``annotations`` count what was in it.

    ``older`` are annotations of which the workspace has a later version. ``codes`` is the import report.
    ``job`` recomputes the scores, None where that is done already.
    """

    tasks: int = 0
    annotations: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    older: int = 0
    codes: Mapping[str, int] = field(default_factory=dict)
    job: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of the audit trail."""

    id: int
    project_id: int | None
    kind: str
    actor: str
    payload: Mapping[str, Any]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Long work: ``status`` is queued, running, done, failed or cancelled; ``done`` of ``total`` steps."""

    id: int
    project_id: int | None
    kind: str
    payload: Mapping[str, Any]
    status: str
    attempts: int
    done: float
    total: float
    message: str
    result: Any
    error: str | None
    created_at: float
    started_at: float | None
    finished_at: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReport:
    """A report as JSON and what it was made from; ``fresh`` says that nothing changed since."""

    id: int
    kind: str
    payload: Mapping[str, Any]
    data_version: int
    plan_version: int
    created_at: float
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """A task in a list: its agreement (mean over controls, None = no score), by control, and its state of review."""

    id: int
    key: str
    scope: str
    agreement: float | None
    by_control: Mapping[str, float]
    raters: int
    reviewed: bool
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationRow:
    """One annotation as reviewers see it; ``rater`` is a pseudonym where names are hidden."""

    id: int
    key: str
    rater: str
    own: bool
    cancelled: bool
    created: float | None
    updated: float | None
    lead_time: float | None
    version: int
    accepted: bool
    result: Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRow:
    """A rater of a project: answers given, skipped tasks, median seconds a task, and whether suspended."""

    id: int
    name: str
    tasks: int
    skipped: int
    lead_time_median: float | None
    state: str
