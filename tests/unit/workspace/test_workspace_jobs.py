"""Jobs: one holder at a time, nothing lost with a worker, one at a time for a project."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from accord.errors import AccordError, UsageError
from accord.workspace import Workspace
from accord.workspace.jobs import MOST_ATTEMPTS, LostLeaseError
from accord.workspace.tables import EVENTS
from accord.workspace.worker import Worker

from . import answers as made


def project(workspace, name="p"):
    return workspace.projects.create(name, made.CONFIG, actor="test")


def test_a_job_is_claimed_once(workspace):
    number = workspace.jobs.add("x")
    assert workspace.jobs.claim("one").job.id == number
    assert workspace.jobs.claim("two") is None


def test_same_job_is_not_queued_twice(workspace):
    number = project(workspace)
    assert workspace.jobs.add("x", number) == workspace.jobs.add("x", number)
    assert workspace.jobs.add("x", number, {"a": 1}) != workspace.jobs.add("x", number)


def test_a_project_has_one_running_job(workspace):
    one, other = project(workspace), project(workspace, "q")
    first = workspace.jobs.add("x", one)
    workspace.jobs.add("y", one)
    third = workspace.jobs.add("x", other)
    assert workspace.jobs.claim("one").job.id == first
    assert workspace.jobs.claim("two").job.id == third
    assert workspace.jobs.claim("three") is None


def test_a_report_is_made_beside_what_changes_data(workspace):
    number = project(workspace)
    pull, report = workspace.jobs.add("pull", number), workspace.jobs.add("report", number)
    workspace.jobs.add("recompute", number)
    assert workspace.jobs.claim("one", reports=True).job.id == report
    assert workspace.jobs.claim("two", reports=True) is None
    assert workspace.jobs.claim("two", reports=False).job.id == pull
    assert workspace.jobs.claim("three") is None


def test_lease_runs_out_and_the_first_holder_is_fenced(workspace, clock):
    workspace.jobs.add("x")
    first = workspace.jobs.claim("one")
    clock.now += workspace.jobs.lease / 2
    workspace.jobs.renew(first, 1, 4, "a quarter")
    assert workspace.jobs.get(first.job.id).message == "a quarter"
    clock.now += workspace.jobs.lease + 1
    second = workspace.jobs.claim("two")
    assert second.job.id == first.job.id
    assert second.job.attempts == 2
    with pytest.raises(LostLeaseError):
        workspace.jobs.renew(first)
    with pytest.raises(LostLeaseError), workspace.database.write() as connection:
        workspace.jobs.finish(connection, first, {})
    with workspace.database.write() as connection:
        workspace.jobs.finish(connection, second, {"n": 1})
    assert workspace.jobs.get(first.job.id).result == {"n": 1}


def test_what_goes_with_a_refused_finish_is_not_kept(workspace, clock):
    workspace.jobs.add("x")
    first = workspace.jobs.claim("one")
    clock.now += workspace.jobs.lease + 1
    workspace.jobs.claim("two")
    before = workspace.events.page().total

    def work():
        with workspace.database.write() as connection:
            connection.execute(EVENTS.insert().values(kind="x", actor="", payload="{}", at=0.0))
            workspace.jobs.finish(connection, first, {})

    with pytest.raises(LostLeaseError):
        work()
    assert workspace.events.page().total == before


def test_a_job_that_kills_its_workers_is_given_up(workspace, clock):
    number = workspace.jobs.add("x")
    for attempt in range(MOST_ATTEMPTS):
        assert workspace.jobs.claim(f"worker {attempt}") is not None
        clock.now += workspace.jobs.lease + 1
    assert workspace.jobs.claim("last") is None
    found = workspace.jobs.get(number)
    assert found.status == "failed"
    assert "given up" in found.error


def test_cancelled_and_unknown_jobs(workspace):
    number = workspace.jobs.add("x")
    workspace.jobs.cancel(number)
    assert workspace.jobs.get(number).status == "cancelled"
    with pytest.raises(UsageError, match="not waiting"):
        workspace.jobs.cancel(number)
    with pytest.raises(UsageError, match="no job 999"):
        workspace.jobs.get(999)
    other = workspace.jobs.add("nobody knows this")
    assert Worker(workspace).run_all() == 1
    assert "nobody knows this" in workspace.jobs.get(other).error


def test_an_error_ends_the_job_and_not_the_worker(workspace, caplog):
    def wrong(work):
        raise ValueError("no")

    def refused(work):
        raise AccordError("cannot be done")

    one, two = workspace.jobs.add("wrong"), workspace.jobs.add("refused")
    assert Worker(workspace, handlers={"wrong": wrong, "refused": refused}).run_all() == 2
    assert workspace.jobs.get(one).error == "ValueError: no"
    assert workspace.jobs.get(two).error == "cannot be done"
    assert "job 1 failed" in caplog.text


def test_a_stopped_worker_gives_its_job_back(workspace):
    worker = Worker(workspace)

    def long(work):
        worker.stop.set()
        work.step(1, 2)

    worker._handlers = {"long": long}
    number = workspace.jobs.add("long")
    worker.run()
    found = workspace.jobs.get(number)
    assert (found.status, found.attempts) == ("queued", 0)


def test_large_import_is_scored_by_a_job(workspace, monkeypatch):
    monkeypatch.setattr("accord.workspace.rescoring.SMALL", 0)
    number = project(workspace)
    done = workspace.content.import_(number, made.simple(tasks=30), actor="test")
    assert done.job is not None
    assert not workspace.projects.get(number).fresh
    assert workspace.reports.current(number) is None
    Worker(workspace).run_all()
    job = workspace.jobs.get(done.job)
    assert job.result == {"scanned": 30, "scored": 30, "mismatch": 30, "skipped": 0, "fresh": True}
    assert workspace.projects.get(number).fresh
    assert workspace.reports.current(number).fresh


WORKER = """
import sys
from accord.workspace import Workspace
from accord.workspace.tables import EVENTS
from accord.workspace.worker import Worker

def count(work):
    for step in range(3):
        work.step(step, 3)
    with work.workspace.database.write() as connection:
        connection.execute(EVENTS.insert().values(kind="counted", actor=str(work.claim.job.id), payload="{}", at=0.0))
        work.finish(connection, {})

print("ready", flush=True)
Worker(Workspace.open(sys.argv[1], lease=0.5), handlers={"count": count}, poll=0.01).run()
"""


def start(url):
    worker = subprocess.Popen([sys.executable, "-c", WORKER, url], stdout=subprocess.PIPE, text=True)
    assert worker.stdout.readline() == "ready\n"
    return worker


ROUNDS, JOBS = 5, 60


def test_killed_workers_lose_nothing_and_double_nothing(url):
    """Every job ends once although workers are killed while they do them, again and again."""
    with Workspace.open(url) as workspace:
        for number in range(JOBS):
            workspace.jobs.add("count", payload={"number": number})
        workers = [start(url), start(url)]
        choose = random.Random(7)
        try:
            for _ in range(ROUNDS):
                time.sleep(choose.uniform(0.02, 0.3))
                place = choose.randrange(2)
                os.kill(workers[place].pid, signal.SIGKILL)
                workers[place].wait()
                workers[place].stdout.close()
                workers[place] = start(url)
            deadline = time.monotonic() + 60
            while any(job.status != "done" for job in workspace.jobs.page(limit=1000).rows):
                assert time.monotonic() < deadline
                time.sleep(0.05)
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
                worker.stdout.close()
        counted = [event.actor for event in workspace.events.page(kind="counted", limit=1000).rows]
        assert sorted(map(int, counted)) == sorted(job.id for job in workspace.jobs.page(limit=1000).rows)
        assert len(counted) == JOBS
