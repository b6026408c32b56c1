"""Settings of a project: the plan, and the policies for review, gold tasks and keeping data."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, insert, select, update

from accord.equivalence.models import MODELS, REACHING
from accord.errors import UnknownNameError, UsageError, shorten
from accord.pipeline.gate import criteria_of
from accord.pipeline.plan import Plan
from accord.pipeline.settings import check_settings
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.jobs import enqueue
from accord.workspace.policies import ReviewPolicy, RoundPolicy, SuspendPolicy
from accord.workspace.projects import lock, project_row
from accord.workspace.tables import PLANS, PROJECTS
from accord.workspace.texts import json_text

MODES: Final = ("single_truth", "keep_all")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set for a project.

    ``retention_days``: how long old versions, finished jobs and removed data are kept; None = always.
    ``criteria``: what must be reached to sign off, as the file of ``accord gate``; ``custom``: code by control.
    """

    plan: Mapping[str, Any] = field(default_factory=dict)
    review: ReviewPolicy = field(default_factory=ReviewPolicy)
    suspend: SuspendPolicy = field(default_factory=SuspendPolicy)
    rounds: RoundPolicy = field(default_factory=RoundPolicy)
    retention_days: int | None = None
    time_zone: str = "UTC"
    criteria: Mapping[str, Any] = field(default_factory=dict)
    custom: Mapping[str, str] = field(default_factory=dict)

    @property
    def measuring(self) -> Plan:
        """The plan, checked."""
        return Plan.from_dict(dict(self.plan))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Settings:
        """Read the JSON form; what is absent has its default.

        Raises
        ------
        UsageError
            A key is not known, or a value not allowed.

        Examples
        --------
        >>> Settings.from_dict({"review": {"threshold": 0.6}}).review.threshold
        0.6
        """
        found = _fields(cls, data, "settings")
        for name, kind in (("review", ReviewPolicy), ("suspend", SuspendPolicy), ("rounds", RoundPolicy)):
            if name in found:
                found[name] = _record(kind, found[name], name)
        settings = cls(**found)
        _check(settings)
        return settings


def _fields(kind: type, data: Any, where: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise UsageError(f"{where} must be an object, not {shorten(repr(data))}.")
    known = {f.name for f in dataclasses.fields(kind)}
    for key in data:
        if key not in known:
            raise UnknownNameError.among(f"key of {where}", str(key), known)
    return dict(data)


def _record(kind: type[T], data: Any, where: str) -> T:
    found = _fields(kind, data, where)
    for item in dataclasses.fields(cast(Any, kind)):
        if item.name in found:
            _typed(found[item.name], str(item.type), f"{where}.{item.name}")
    return kind(**found)


def _typed(value: Any, declared: str, where: str) -> None:
    """Refuse a value of another type than declared."""
    allowed: dict[str, tuple[type, ...]] = {
        "float": (int, float),
        "int": (int,),
        "str": (str,),
        "str | None": (str, type(None)),
        "bool": (bool,),
    }
    if not isinstance(value, allowed[declared]) or (isinstance(value, bool) and declared != "bool"):
        raise UsageError(f"{where} must be {declared.replace('str', 'text')}, not {shorten(repr(value))}.")


def _check(settings: Settings) -> None:
    review, suspend = settings.review, settings.suspend
    plan = settings.measuring
    check_settings(plan.settings)
    if plan.join is not None:
        raise UsageError("join is for several files; the tasks of a project are told apart by their ids.")
    _check_reach(plan)
    if review.mode not in MODES:
        raise UsageError(f"review.mode={review.mode!r} is not known. Allowed: {', '.join(MODES)}.")
    for name, value, low, high in (
        ("review.threshold", review.threshold, 0.0, 1.0),
        ("review.answers", review.answers, 2, 1000),
        ("suspend.threshold", suspend.threshold, 0.0, 1.0),
        ("suspend.minimum", suspend.minimum, 1, 100_000),
        ("suspend.level", suspend.level, 0.5, 0.9999),
        ("suspend.match", suspend.match, 0.0, 1.0),
    ):
        if not low <= value <= high:
            raise UsageError(f"{name}={value} is out of range. Allowed: {low:g} to {high:g}.")
    days = settings.retention_days
    if days is not None and (isinstance(days, bool) or not isinstance(days, int) or not 1 <= days <= 36_500):
        raise UsageError(f"retention_days={days!r} is out of range. Allowed: 1 to 36500, or null.")
    _zone(settings.time_zone)
    if settings.rounds.cuts and settings.rounds.field:
        raise UsageError("rounds: give a field or dates, not both.")
    if settings.criteria:
        criteria_of(settings.criteria, "the criteria")
    if not all(isinstance(name, str) and isinstance(code, str) for name, code in settings.custom.items()):
        raise UsageError("custom must give code as text for each control.")


def _check_reach(plan: Plan) -> None:
    """Refuse a plan that reaches other machines or files of this one: that is for whoever runs the server."""
    given = [name for name in ("cache", "allow_remote") if getattr(plan, name)]
    for key in plan.settings:
        model, _, option = key.partition(".")
        given += [key] if model in MODELS.catalog() and option in REACHING else []
    for name, control in plan.controls.items():
        given += [f"controls.{name}.options.{option}" for option in control.options if option in REACHING]
    if given:
        raise UsageError(f"{', '.join(given)}: a project reaches no other machine and no file. Leave this out.")


def _zone(name: Any) -> None:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, TypeError, OSError):
        raise UsageError(f"time_zone={shorten(repr(name))} is not known. Example: Europe/Berlin.") from None


class SettingsOfProjects:
    """Reads and changes settings; every version is kept."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def get(self, project_id: int) -> tuple[Settings, int]:
        """Settings in force, and their version (0 = defaults)."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            return settings_of(connection, project_id, row.plan_version), row.plan_version

    def put(
        self, project_id: int, settings: Settings | Mapping[str, Any], *, actor: str, version: int | None = None
    ) -> int:
        """Change settings; returns the new version. Scores are recomputed by a job where the plan changed.

        ``version``: the one that was edited; if another came between, nothing is changed.

        Raises
        ------
        UsageError
            Something is not known or not allowed, or the settings were changed meanwhile.
        """
        chosen = settings if isinstance(settings, Settings) else Settings.from_dict(settings)
        now = self._clock()
        with self._database.write() as connection:
            row = lock(connection, project_id)
            if version is not None and version != row.plan_version:
                raise UsageError(f"The settings were changed meanwhile (version {row.plan_version}). Look again.")
            before = settings_of(connection, project_id, row.plan_version)
            new = row.plan_version + 1
            payload = json_text(chosen.to_dict())
            connection.execute(
                insert(PLANS).values(project_id=project_id, version=new, payload=payload, actor=actor, created_at=now)
            )
            in_step = row.coded_plan == row.plan_version
            same = (before.plan, before.custom) == (chosen.plan, chosen.custom)
            coded = {"coded_plan": new} if in_step and same else {}
            connection.execute(update(PROJECTS).where(PROJECTS.c.id == project_id).values(plan_version=new, **coded))
            changed = {"version": new, "changed": _differences(before, chosen)}
            record(connection, "settings.changed", at=now, actor=actor, project_id=project_id, payload=changed)
            if not same:
                enqueue(connection, "recompute", project_id, at=now)
            if before.suspend != chosen.suspend:
                queue_policy(connection, project_id, new, now)
        return new

    def history(self, project_id: int) -> list[dict[str, Any]]:
        """Every version with who made it and when, latest first."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            query = select(PLANS).where(PLANS.c.project_id == project_id).order_by(PLANS.c.version.desc())
            return [
                {
                    "version": row.version,
                    "actor": row.actor,
                    "created_at": row.created_at,
                    "settings": json.loads(row.payload),
                }
                for row in connection.execute(query)
            ]


def settings_of(connection: Connection, project_id: int, version: int) -> Settings:
    """One version of the settings of a project."""
    if version == 0:
        return Settings()
    found = connection.scalar(
        select(PLANS.c.payload).where(PLANS.c.project_id == project_id, PLANS.c.version == version)
    )
    return Settings.from_dict(json.loads(found or "{}"))


def queue_policy(connection: Connection, project_id: int, version: int, at: float) -> None:
    """Let a job look who may have to pause, where the policy of these settings is on."""
    if settings_of(connection, project_id, version).suspend.enabled:
        enqueue(connection, "policy", project_id, at=at)


def _differences(before: Settings, after: Settings) -> dict[str, Any]:
    """What changed, old and new."""
    old, new = before.to_dict(), after.to_dict()
    return {key: [old[key], new[key]] for key in new if old[key] != new[key]}
