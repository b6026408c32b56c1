"""The loop that does jobs, and what each kind of job does."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from accord.errors import AccordError
from accord.workspace.database import StoreError
from accord.workspace.jobs import Claim, LostLeaseError, enqueue
from accord.workspace.notices import send_notice
from accord.workspace.pulling import pull_project
from accord.workspace.rescoring import rescore_all

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from accord.pipeline.report import Report
    from accord.workspace.facade import Workspace

log = logging.getLogger("accord.worker")

#: Seconds between looks at the table of jobs.
POLL: Final = 0.1
#: Seconds between looks for what is kept no longer, and for servers whose turn it is to be asked.
PURGE: Final = 43_200.0
DUE: Final = 2.0


class StoppedError(AccordError):
    """The worker is asked to stop; the job goes back to the queue."""


@dataclass
class Work:
    """One job while it is done: tells progress, and ends it within the transaction that holds its result."""

    workspace: Workspace
    claim: Claim
    stop: threading.Event
    lost: threading.Event = field(default_factory=threading.Event)

    @property
    def project_id(self) -> int:
        """Project the job is about."""
        if self.claim.job.project_id is None:
            raise AccordError(f"A job of kind {self.claim.job.kind} needs a project.")
        return self.claim.job.project_id

    def step(self, done: float, total: float) -> None:
        """Tell how far the job is; raises if it is not to go on."""
        if self.stop.is_set():
            raise StoppedError("The worker stops.")
        if self.lost.is_set():
            raise LostLeaseError(f"Job {self.claim.job.id} is no longer held by this worker.")
        self.workspace.jobs.renew(self.claim, done, total)

    def finish(self, connection: Connection, result: Any) -> None:
        """End the job with what else the transaction holds."""
        self.workspace.jobs.finish(connection, self.claim, result)

    def keep_renewing(self, ended: threading.Event) -> None:
        """Renew the lease until the job has ended."""
        while not ended.wait(self.workspace.jobs.lease / 3.0):
            try:
                self.workspace.jobs.renew(self.claim)
            except LostLeaseError:
                self.lost.set()
                return
            except StoreError:
                log.warning("the lease of job %d could not be renewed", self.claim.job.id)


Handler: TypeAlias = Callable[[Work], None]


def recompute(work: Work) -> None:
    """Read a project anew and replace its coded rows and scores."""

    def finish(connection: Connection, outcome: Mapping[str, Any]) -> None:
        work.finish(connection, outcome)
        if not outcome["fresh"]:
            enqueue(connection, "recompute", work.project_id, at=work.workspace.clock())

    rescore_all(work.workspace.database, work.project_id, work.step, finish)


def report(work: Work, draw: Callable[[Workspace, int, Report], Mapping[str, Any]] | None = None) -> None:
    """Make the report that is given out, and the page of it where somebody draws one."""
    drawn = None if draw is None else partial(draw, work.workspace, work.project_id)

    def finish(connection: Connection, number: int | None) -> None:
        work.finish(connection, {"report": number})

    def progress(_: str, done: int, total: int) -> None:
        work.step(done, total)

    work.workspace.reports.make(work.project_id, draw=drawn, progress=progress, finish=finish)


def retention(work: Work) -> None:
    """Remove what a project keeps no longer."""
    gone = work.workspace.persons.purge(work.project_id)
    with work.workspace.database.write() as connection:
        work.finish(connection, gone)


def policy(work: Work) -> None:
    """Look who may have to pause."""
    found = work.workspace.suspensions.check(work.project_id)
    with work.workspace.database.write() as connection:
        work.finish(connection, {"raters": found})


HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "recompute": recompute,
        "report": report,
        "retention": retention,
        "policy": policy,
        "pull": pull_project,
        "notify": send_notice,
    }
)


def _unknown(work: Work) -> None:
    raise AccordError(f"No worker of this version knows jobs of kind {work.claim.job.kind!r}.")


class Worker:
    """Does jobs one after the other until it is stopped; any number of workers may share a workspace.

    Parameters
    ----------
    handlers
        What to do for each kind of job.
    poll
        Seconds between looks at the table of jobs.
    reports
        True: only jobs that make reports, False: only others, which then never wait for a report; None: all.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        handlers: Mapping[str, Handler] = HANDLERS,
        poll: float = POLL,
        reports: bool | None = None,
    ) -> None:
        self._workspace = workspace
        self._reports = reports
        self._handlers = handlers
        self._poll = poll
        self.token = secrets.token_hex(16)
        self.stop = threading.Event()
        self._looked_for_due = -DUE
        self._looked_for_old = -PURGE

    def run(self) -> None:
        """Work until ``stop`` is set; look now and then for pulls that are due, and for what is kept no longer."""
        while not self.stop.is_set():
            try:
                if not self._reports:
                    self._queue_by_the_clock()
                busy = self.run_one()
            except StoreError as error:
                log.warning("%s", error)
                busy = False
            if not busy:
                self.stop.wait(self._poll)

    def _queue_by_the_clock(self) -> None:
        now = self._workspace.clock()
        if now - self._looked_for_due >= DUE:
            self._looked_for_due = now
            self._workspace.connections.queue_due()
        if now - self._looked_for_old >= PURGE:
            self._looked_for_old = now
            self._queue_retention()

    def _queue_retention(self) -> None:
        for project in self._workspace.persons.with_retention():
            self._workspace.jobs.add("retention", project)

    def run_all(self) -> int:
        """Work until nothing waits; returns how many jobs were done."""
        count = 0
        while self.run_one():
            count += 1
        return count

    def run_one(self) -> bool:
        """Do one job, False if there was none."""
        claim = self._workspace.jobs.claim(self.token, reports=self._reports)
        if claim is None:
            return False
        work, ended = Work(self._workspace, claim, self.stop), threading.Event()
        keeper = threading.Thread(target=work.keep_renewing, args=(ended,), daemon=True)
        keeper.start()
        try:
            self._do(work)
        finally:
            ended.set()
            keeper.join()
        return True

    def _do(self, work: Work) -> None:
        job, jobs = work.claim.job, self._workspace.jobs
        try:
            self._handlers.get(job.kind, _unknown)(work)
        except LostLeaseError:
            log.warning("job %d was taken over or cancelled", job.id)
        except StoppedError:
            jobs.release(work.claim)
        except StoreError:
            raise
        except AccordError as error:
            jobs.fail(work.claim, str(error))
        except Exception as error:
            log.exception("job %d failed", job.id)
            jobs.fail(work.claim, f"{type(error).__name__}: {error}")
