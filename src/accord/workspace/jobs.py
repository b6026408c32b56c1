"""Long work that survives a killed process: a table of jobs, each held by one worker for as long as it renews.

A worker claims the oldest job that waits, or whose holder has stopped renewing, with one UPDATE; its token fences
what it writes: once another has claimed the job, progress and result of the first are refused. Of one project only
one job that changes something runs at a time, and one that makes its report beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, and_, exists, func, insert, or_, select, text, true, update

from accord.errors import AccordError, UsageError, shorten
from accord.workspace.database import Database
from accord.workspace.events import Clock
from accord.workspace.projects import UnknownIdError
from accord.workspace.records import Job, Page
from accord.workspace.tables import JOBS
from accord.workspace.texts import json_text

#: Seconds a job stays with a worker that does not renew.
LEASE: Final = 15.0
#: A job that took its worker down this often is given up.
MOST_ATTEMPTS: Final = 25
OPEN: Final = ("queued", "running")
#: Kind of the jobs that make reports.
REPORT: Final = "report"
#: Any number, the same in all processes: one worker at a time chooses its job.
_LOCK: Final = 4_711_021


class LostLeaseError(AccordError):
    """The job was taken over by another worker, or cancelled; what this one did is not kept."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A job held by a worker."""

    job: Job
    worker: str


def enqueue(
    connection: Connection, kind: str, project_id: int | None, *, at: float, payload: Mapping[str, Any] | None = None
) -> int:
    """Add a job within a transaction; one that waits already for the same is that job."""
    asked = json_text(dict(payload or {}))
    same = and_(JOBS.c.kind == kind, JOBS.c.project_id == project_id, JOBS.c.payload == asked)
    waiting = connection.scalar(select(JOBS.c.id).where(same, JOBS.c.status == "queued").limit(1))
    if waiting is not None:
        return int(waiting)
    values = {"kind": kind, "project_id": project_id, "payload": asked, "status": "queued", "created_at": at}
    return int(connection.execute(insert(JOBS).values(values).returning(JOBS.c.id)).scalar_one())


class Jobs:
    """The jobs of a workspace."""

    def __init__(self, database: Database, clock: Clock, lease: float = LEASE) -> None:
        self._database = database
        self._clock = clock
        self.lease = lease

    def add(self, kind: str, project_id: int | None = None, payload: Mapping[str, Any] | None = None) -> int:
        """Queue a job; returns its number."""
        with self._database.write() as connection:
            return enqueue(connection, kind, project_id, at=self._clock(), payload=payload)

    def get(self, job_id: int) -> Job:
        """One job.

        Raises
        ------
        UnknownIdError
            There is no such job.
        """
        with self._database.read() as connection:
            row = connection.execute(select(JOBS).where(JOBS.c.id == job_id)).one_or_none()
        if row is None:
            raise UnknownIdError.of("job", job_id)
        return _job(row)

    def page(self, project_id: int | None = None, *, offset: int = 0, limit: int = 50) -> Page[Job]:
        """Latest jobs first."""
        wanted = [JOBS.c.project_id == project_id] if project_id is not None else []
        with self._database.read() as connection:
            total = connection.scalar(select(func.count()).select_from(JOBS).where(*wanted)) or 0
            query = select(JOBS).where(*wanted).order_by(JOBS.c.id.desc()).offset(offset).limit(limit)
            rows = [_job(row) for row in connection.execute(query)]
        return Page(rows, total, offset, limit)

    def claim(self, worker: str, *, reports: bool | None = None) -> Claim | None:
        """Take the next job, None if there is nothing to do; ``reports``: only those that make reports, or none."""
        now = self._clock()
        ready = _of_lane(reports) & or_(
            JOBS.c.status == "queued", and_(JOBS.c.status == "running", JOBS.c.lease_until < now)
        )
        with self._database.read() as connection:
            if connection.scalar(select(JOBS.c.id).where(ready).limit(1)) is None:
                return None
        with self._database.write() as connection:
            if not self._database.is_sqlite:  # else two workers could each take a job of one project
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
            self._give_up(connection, now)
            oldest = select(JOBS.c.id).where(ready, ~_project_is_busy(now)).order_by(JOBS.c.id).limit(1)
            oldest = oldest.with_for_update(skip_locked=True)
            taken = {
                "status": "running",
                "worker": worker,
                "lease_until": now + self.lease,
                "attempts": JOBS.c.attempts + 1,
                "started_at": func.coalesce(JOBS.c.started_at, now),
            }
            query = update(JOBS).where(JOBS.c.id == oldest.scalar_subquery()).values(taken).returning(*JOBS.c)
            row = connection.execute(query).one_or_none()
        return None if row is None else Claim(_job(row), worker)

    def _give_up(self, connection: Connection, now: float) -> None:
        """End jobs that nobody survived."""
        dead = and_(JOBS.c.status == "running", JOBS.c.lease_until < now, JOBS.c.attempts >= MOST_ATTEMPTS)
        error = f"given up: its worker stopped {MOST_ATTEMPTS} times while it ran"
        connection.execute(update(JOBS).where(dead).values(status="failed", error=error, finished_at=now))

    def renew(self, claim: Claim, done: float | None = None, total: float | None = None, message: str = "") -> None:
        """Keep a job, and tell how far it is.

        Raises
        ------
        LostLeaseError
            Another worker has it, or it was cancelled.
        """
        values: dict[str, Any] = {"lease_until": self._clock() + self.lease}
        if done is not None:
            values |= {"done": done, "total": total or 0.0, "message": message}
        with self._database.write() as connection:
            fenced(connection, claim, values)

    def finish(self, connection: Connection, claim: Claim, result: Any) -> None:
        """End a job within the transaction that holds its work, so that both are kept or none.

        Raises
        ------
        LostLeaseError
            Another worker has it; the transaction must not be kept.
        """
        values = {"status": "done", "result": json_text(result), "finished_at": self._clock(), "lease_until": None}
        fenced(connection, claim, values)

    def fail(self, claim: Claim, error: str) -> None:
        """End a job that cannot be done."""
        values = {"status": "failed", "error": shorten(error, 2000), "finished_at": self._clock(), "lease_until": None}
        with self._database.write() as connection:
            fenced(connection, claim, values)

    def release(self, claim: Claim) -> None:
        """Give a job back undone, as a worker that stops does."""
        values = {"status": "queued", "worker": None, "lease_until": None, "attempts": JOBS.c.attempts - 1}
        with self._database.write() as connection:
            fenced(connection, claim, values)

    def cancel(self, job_id: int) -> None:
        """Stop a job that waits or runs; what it did so far is not kept.

        Raises
        ------
        UsageError
            It has ended already.
        """
        with self._database.write() as connection:
            stopped = {"status": "cancelled", "finished_at": self._clock(), "lease_until": None, "worker": None}
            wanted = update(JOBS).where(JOBS.c.id == job_id, JOBS.c.status.in_(OPEN)).values(stopped)
            if not connection.execute(wanted).rowcount:
                raise UsageError(f"Job {job_id} is not waiting or running.")


def fenced(connection: Connection, claim: Claim, values: Mapping[str, Any]) -> None:
    """Change a job only while its worker holds it."""
    held = and_(JOBS.c.id == claim.job.id, JOBS.c.worker == claim.worker, JOBS.c.status == "running")
    if not connection.execute(update(JOBS).where(held).values(**values)).rowcount:
        raise LostLeaseError(f"Job {claim.job.id} is no longer held by this worker.")


def _of_lane(reports: bool | None) -> Any:
    if reports is None:
        return true()
    return JOBS.c.kind == REPORT if reports else JOBS.c.kind != REPORT


def _project_is_busy(now: float) -> Any:
    """Whether another job of the project runs; reports and changes of data are apart."""
    other = JOBS.alias("other")
    return exists().where(
        other.c.project_id == JOBS.c.project_id,
        other.c.id != JOBS.c.id,
        (other.c.kind == REPORT) == (JOBS.c.kind == REPORT),
        other.c.status == "running",
        other.c.lease_until >= now,
    )


def _job(row: Any) -> Job:
    return Job(
        id=row.id,
        project_id=row.project_id,
        kind=row.kind,
        payload=json.loads(row.payload),
        status=row.status,
        attempts=row.attempts,
        done=row.done,
        total=row.total,
        message=row.message,
        result=None if row.result is None else json.loads(row.result),
        error=row.error,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )
