"""Reports of projects: computed from coded rows, kept with the versions they were made from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Row, delete, insert, select

from accord.errors import UsageError
from accord.pipeline.control import pairwise
from accord.pipeline.measure import Progress
from accord.pipeline.question import Question
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.jobs import enqueue
from accord.workspace.making import Draw, keep, loaded_with, payloads_of
from accord.workspace.projects import is_fresh, lock, project_row
from accord.workspace.records import StoredReport
from accord.workspace.tables import JOBS, REPORTS
from accord.workspace.texts import json_text

#: Answers up to which a report is made while the caller waits.
AT_ONCE: Final = 20_000
#: Seconds after a report could not be made, before it is tried again.
RETRY: Final = 60.0
Finish: TypeAlias = Callable[[Connection, int | None], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A stored report without its content.

    ``fresh``: nothing changed since it was made. ``latest``: another one made now would be the same, though scores of
    what changed meanwhile may still be on their way.
    """

    id: int
    data_version: int
    plan_version: int
    fresh: bool
    latest: bool

    @property
    def versions(self) -> str:
        """Versions of data and settings in one word."""
        return f"{self.data_version}.{self.plan_version}"


class Reports:
    """The reports of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def current(self, project_id: int) -> StoredReport | None:
        """Return the report on the present data, or the last one while a job makes it; None where there is none yet.

        Its payload is the JSON of ``accord score --json --tasks`` with what pages show beside it under ``report``.
        """
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            stored = _latest(connection, row)
            if stored is not None and stored.fresh:
                return stored
            loaded, _ = loaded_with(connection, row)
        if not is_fresh(row) or loaded.dataset.answers > AT_ONCE:
            self.ask(project_id)
            return stored
        if self.make(project_id) is None:
            return stored
        with self._database.read() as connection:
            return _latest(connection, project_row(connection, project_id))

    def made(self, project_id: int, kind: str = "report") -> Made | None:
        """Say which report of a kind there is, without reading it."""
        columns = (REPORTS.c.id, REPORTS.c.data_version, REPORTS.c.plan_version)
        query = select(*columns).where(REPORTS.c.project_id == project_id, REPORTS.c.kind == kind)
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            found = connection.execute(query.order_by(REPORTS.c.id.desc()).limit(1)).one_or_none()
        if found is None:
            return None
        latest = (found.data_version, found.plan_version) == (row.coded_data, row.coded_plan)
        return Made(*found, fresh=_same(found, row), latest=latest)

    def text(self, report_id: int) -> str | None:
        """JSON of a stored report; None if another has taken its place."""
        with self._database.read() as connection:
            found: str | None = connection.scalar(select(REPORTS.c.payload).where(REPORTS.c.id == report_id))
        return found

    def ask(self, project_id: int) -> bool:
        """Queue the job that makes the next report; False where nothing was answered or it just failed."""
        mine = (JOBS.c.kind == "report") & (JOBS.c.project_id == project_id)
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            last = connection.execute(
                select(JOBS.c.status, JOBS.c.finished_at).where(mine).order_by(JOBS.c.id.desc()).limit(1)
            ).one_or_none()
        if not json.loads(row.shape).get("controls"):
            return False
        if last is not None and last.status == "failed" and (last.finished_at or 0.0) > self._clock() - RETRY:
            return False
        if last is None or last.status != "queued":
            with self._database.write() as connection:
                enqueue(connection, "report", project_id, at=self._clock())
        return True

    def make(
        self,
        project_id: int,
        *,
        draw: Draw | None = None,
        progress: Progress | None = None,
        finish: Finish | None = None,
    ) -> int | None:
        """Make and store the report on the present rows; returns its number, None where nothing was answered.

        ``draw`` makes the page that is kept beside it; ``finish`` is called with the number within the transaction
        that stores both. What is there and the latest is not made again.
        """
        stored = [self.made(project_id, kind) for kind in ("report", "page")[: 1 if draw is None else 2]]
        number = stored[0].id if stored[0] is not None and all(one and one.latest for one in stored) else None
        made = None if number is not None else payloads_of(self._database, project_id, draw, progress)
        with self._database.write() as connection:
            if made is not None:
                number = keep(connection, *made, at=self._clock()).get("report")
            if finish is not None:
                finish(connection, number)
        return number

    def forget(self, kind: str) -> None:
        """Remove the stored reports of a kind, as after an upgrade; they are made again when somebody asks."""
        with self._database.write() as connection:
            connection.execute(delete(REPORTS).where(REPORTS.c.kind == kind))

    def freeze(self, project_id: int, decision: Mapping[str, Any], versions: tuple[int, int], *, actor: str) -> int:
        """Keep a sign-off for good, with the versions of data and settings that it was made from; returns its number.

        Raises
        ------
        UsageError
            There are newer scores than those that were judged.
        """
        now = self._clock()
        with self._database.write() as connection:
            row = lock(connection, project_id)
            if not is_fresh(row) or (row.coded_data, row.coded_plan) != versions:
                raise UsageError("Scores have changed since this was shown. Look again before you sign.")
            values = {"data_version": versions[0], "plan_version": versions[1], "created_at": now}
            payload = json_text({**decision, "signed_by": actor})
            made = insert(REPORTS).values(project_id=project_id, kind="frozen", payload=payload, **values)
            number = int(connection.execute(made.returning(REPORTS.c.id)).scalar_one())
            signed = {"sign_off": number, "passed": decision["passed"]}
            record(connection, "quality.signed_off", at=now, actor=actor, project_id=project_id, payload=signed)
        return number

    def frozen(self, project_id: int) -> list[StoredReport]:
        """Sign-offs, latest first."""
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            query = select(REPORTS).where(REPORTS.c.project_id == project_id, REPORTS.c.kind == "frozen")
            return [_stored(found, row) for found in connection.execute(query.order_by(REPORTS.c.id.desc()))]

    def live(self, project_id: int) -> Mapping[str, Any]:
        """Headline numbers of every control on the present rows, within a second on 10^5 tasks.

        ``fresh`` is False while a job brings the rows up to date. Each control has its units, raters, pairs, mean
        pairwise score, headline and percent agreement, as in the contract of ``accord score --json``.
        """
        with self._database.read() as connection:
            row = project_row(connection, project_id)
            loaded, settings = loaded_with(connection, row)
        controls = [_headline(Question.of(loaded.dataset, n, settings.measuring)) for n in loaded.dataset.columns]
        dataset = loaded.dataset
        return {
            "fresh": is_fresh(row),
            "data_version": row.coded_data,
            "plan_version": row.coded_plan,
            "units": len(dataset.units),
            "raters": len(dataset.raters),
            "answers": dataset.answers,
            "controls": controls,
        }


def _headline(question: Question) -> dict[str, Any]:
    keys = dict.fromkeys((question.headline, "percent_agreement"))
    study = question.study
    return {
        "name": question.name,
        "kind": str(study.kind),
        "metric": question.metric,
        "headline": question.headline,
        "units": int((study.m >= 2).sum()),
        "raters": study.R,
        "pairs": study.P,
        "pairwise": pairwise(question).to_dict(),
        "coefficients": {key: question.estimate(key).to_dict() for key in keys},
    }


def _latest(connection: Connection, row: Row[Any]) -> StoredReport | None:
    query = select(REPORTS).where(REPORTS.c.project_id == row.id, REPORTS.c.kind == "report")
    found = connection.execute(query.order_by(REPORTS.c.id.desc()).limit(1)).one_or_none()
    return None if found is None else _stored(found, row)


def _stored(found: Row[Any], row: Row[Any]) -> StoredReport:
    return StoredReport(
        id=found.id,
        kind=found.kind,
        payload=json.loads(found.payload),
        data_version=found.data_version,
        plan_version=found.plan_version,
        created_at=found.created_at,
        fresh=_same(found, row),
    )


def _same(found: Any, row: Row[Any]) -> bool:
    """Whether a report was made from what there is now."""
    return (found.data_version, found.plan_version) == (row.data_version, row.plan_version)
