"""Reports of projects: computed from coded rows, kept with the versions they were made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select

from accord.errors import UsageError
from accord.pipeline.contract import to_full_dict
from accord.pipeline.control import pairwise
from accord.pipeline.measure import Progress, measure
from accord.pipeline.question import Question
from accord.pipeline.report import Report
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.jobs import enqueue
from accord.workspace.loading import Loaded, load
from accord.workspace.projects import is_fresh, lock, project_row
from accord.workspace.records import StoredReport
from accord.workspace.settings import Settings, settings_of
from accord.workspace.tables import REPORTS
from accord.workspace.texts import json_text
from accord.workspace.whole_annotations import with_annotations

#: Answers up to which a report is made while the caller waits.
AT_ONCE: Final = 20_000


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
            loaded, settings = loaded_with(connection, row)
        if not is_fresh(row) or loaded.dataset.answers > AT_ONCE:
            with self._database.write() as connection:
                enqueue(connection, "report", project_id, at=self._clock())
            return stored
        if not loaded.dataset.columns:
            return stored
        with self._database.write() as connection:
            self.keep(connection, row, full_report(row, loaded, settings))
        with self._database.read() as connection:
            return _latest(connection, project_row(connection, project_id))

    def keep(self, connection: Connection, row: Row[Any], report: Report, kind: str = "report") -> int:
        """Store a report within a transaction; a report of kind ``report`` takes the place of the one before."""
        if kind == "report":
            connection.execute(delete(REPORTS).where(REPORTS.c.project_id == row.id, REPORTS.c.kind == kind))
        values = {
            "project_id": row.id,
            "kind": kind,
            "data_version": row.coded_data,
            "plan_version": row.coded_plan,
            "payload": json_text(to_full_dict(report)),
            "created_at": self._clock(),
        }
        return int(connection.execute(insert(REPORTS).values(values).returning(REPORTS.c.id)).scalar_one())

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


def full_report(row: Row[Any], loaded: Loaded, settings: Settings, progress: Progress | None = None) -> Report:
    """Measure everything the pages show."""
    return measure(loaded.dataset, settings.measuring, tasks=True, page=True, title=row.name, progress=progress)


def loaded_with(connection: Connection, row: Row[Any]) -> tuple[Loaded, Settings]:
    """Coded answers of a project, and the settings they were scored with."""
    settings = settings_of(connection, row.id, row.coded_plan)
    plan = settings.measuring
    return with_annotations(connection, load(connection, row.id, plan.cluster), plan), settings


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
    same = (found.data_version, found.plan_version) == (row.data_version, row.plan_version)
    return StoredReport(
        id=found.id,
        kind=found.kind,
        payload=json.loads(found.payload),
        data_version=found.data_version,
        plan_version=found.plan_version,
        created_at=found.created_at,
        fresh=same,
    )
