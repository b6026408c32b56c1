"""Connections to other servers: hosts, secrets, mirrors of pulled tasks, policies by job, signed deliveries."""

import contextlib
import http.server
import json
import threading

import pytest
from sqlalchemy import select

from accord.errors import UsageError
from accord.labelstudio.pull import Pulled, stamps_of
from accord.workspace.backup import backup, restore
from accord.workspace.database import Database
from accord.workspace.mirroring import known_stamps, mirror, take_config
from accord.workspace.notices import signature
from accord.workspace.tables import CONNECTIONS
from accord.workspace.worker import Worker

from . import answers as made

URL = "http://127.0.0.1:9"


@pytest.fixture
def project(workspace):
    return workspace.projects.create("p", made.CONFIG, actor="test")


def allow(workspace, local=True):
    workspace.hosts.put({"127.0.0.1": local}, actor="admin")


def connect(workspace, project, **more):
    given = {"url": URL, "remote": 7, "token": "abc", "minutes": 5, "actor": "manager"} | more
    return workspace.connections.put_pull(project, **given)


@pytest.mark.parametrize(
    "name", ["", "a b", "http://x", "x:80", "user@x", "-x", "x/y", "é.org", "x" * 300, "*.x.org", "\x00"]
)
def test_what_is_no_host_is_refused(workspace, name):
    with pytest.raises(UsageError, match="no name of a host"):
        workspace.hosts.put({name: False}, actor="admin")


def test_only_named_hosts_are_asked(workspace, project):
    with pytest.raises(UsageError, match="not allowed"):
        connect(workspace, project)
    allow(workspace, local=False)
    with pytest.raises(UsageError, match="not allowed from here"):
        connect(workspace, project)
    allow(workspace)
    assert connect(workspace, project)
    workspace.hosts.put({}, actor="admin")
    workspace.connections.ask(project)
    Worker(workspace).run_all()
    job = workspace.jobs.page(project).rows[0]
    assert (job.status, "not allowed" in job.error) == ("failed", True)
    assert "not allowed" in workspace.connections.get(project, "pull").error


def test_a_token_is_kept_for_its_server_only(workspace, project):
    workspace.hosts.put({"127.0.0.1": True, "localhost": True}, actor="admin")
    secret = connect(workspace, project)
    assert connect(workspace, project, token=None, minutes=0) is None
    assert workspace.connections.get(project, "pull").has_token
    with pytest.raises(UsageError, match="token of that server is needed"):
        connect(workspace, project, token=None, url="http://localhost:9")
    brings = workspace.connections.brings_secret
    assert brings(project, secret)
    assert not any(brings(project, given) for given in ("", None, secret[:-1], "\ud800", secret + "x"))
    assert not brings(999_999, secret)
    newer = workspace.connections.new_secret(project, actor="manager")
    assert (brings(project, newer), brings(project, secret)) == (True, False)
    workspace.connections.remove(project, "pull", actor="manager")
    assert not brings(project, newer)
    events = [(event.kind, json.dumps(event.payload)) for event in workspace.events.page(project).rows]
    assert not any("abc" in text or secret in text for _, text in events)


@pytest.mark.parametrize("token", ["a b", "é", "a\nb", "x" * 5000])
def test_what_is_no_token_is_refused(workspace, project, token):
    allow(workspace)
    with pytest.raises(UsageError, match="no token has"):
        connect(workspace, project, token=token)


def test_pulls_come_by_the_clock_and_once(workspace, project, clock):
    allow(workspace)
    connect(workspace, project, minutes=5)
    for _ in range(3):
        workspace.connections.queue_due()
    assert workspace.jobs.page(project).total == 1
    workspace.jobs.cancel(workspace.jobs.page(project).rows[0].id)
    clock.now += 299
    workspace.connections.queue_due()
    assert workspace.jobs.page(project).total == 1
    clock.now += 1
    workspace.connections.queue_due()
    assert workspace.jobs.page(project).total == 2
    assert workspace.connections.ask(project) == workspace.jobs.page(project).rows[0].id
    workspace.projects.remove(project, actor="test")
    clock.now += 1000
    workspace.connections.queue_due()
    assert workspace.jobs.page().total == 2


def pulled(*tasks, deleted=()):
    found = [{**task, "project": 7, "total_annotations": len(task["annotations"])} for task in tasks]
    return Pulled(tuple(found), frozenset(deleted), stamps_of(found))


def two(number, one="good", other="bad"):
    return made.task(
        number,
        made.annotation(10 * number + 1, 1, made.choice("mood", one)),
        made.annotation(10 * number + 2, 2, made.choice("mood", other)),
    )


def test_a_mirror_keeps_what_is_there_and_drops_what_is_gone(workspace, project):
    tasks = [two(number) for number in range(1, 6)]
    database, keep = workspace.database, lambda found: mirror(workspace.database, project, found, 7, 1.0, URL)
    assert keep(pulled(*tasks))["added"] == 10
    assert keep(pulled(*tasks))["tasks_changed"] == 0
    less = {**tasks[0], "annotations": tasks[0]["annotations"][:1]}
    changed = keep(pulled(less, deleted=[5]))
    assert (changed["tasks_changed"], changed["tasks_removed"]) == (2, 1)
    found = workspace.projects.get(project)
    assert (found.tasks, found.annotations) == (4, 9)
    exported = {task["id"]: len(task["annotations"]) for task in workspace.content.export(project)}
    assert exported == {1: 1, 2: 2, 3: 2, 4: 2}
    with database.read() as connection:
        assert set(known_stamps(connection, project)) == {1, 2, 3, 4}
    assert keep(pulled(tasks[0], tasks[4]))["tasks_changed"] == 2
    assert workspace.projects.get(project).annotations == 10


def test_a_mirror_leaves_other_sources_alone(workspace, project):
    workspace.content.import_(project, [two(1)], actor="test")
    mirror(workspace.database, project, pulled(two(1, "good", "good")), 7, 1.0, URL)
    assert workspace.projects.get(project).tasks == 2
    mirror(workspace.database, project, pulled(deleted=[1]), 7, 1.0, URL)
    assert workspace.projects.get(project).tasks == 1
    assert next(iter(workspace.content.export(project))).get("project") != 7


def test_another_config_reads_everything_anew(workspace, project):
    mirror(workspace.database, project, pulled(*[two(number) for number in range(1, 6)]), 7, 1.0, URL)
    assert not take_config(workspace.database, project, made.CONFIG, 1.0)
    other = made.CONFIG.replace('<Choice value="so so"/>', '<Choice value="so so"/><Choice value="awful"/>')
    assert take_config(workspace.database, project, other, 1.0)
    assert not workspace.projects.get(project).fresh
    mirror(workspace.database, project, pulled(two(6)), 7, 1.0, URL)
    Worker(workspace).run_all()
    assert workspace.projects.get(project).fresh
    control = next(one for one in workspace.reports.current(project).payload["controls"] if one["name"] == "mood")
    assert control["units"] == 6
    assert "awful" in json.dumps(workspace.reports.current(project).payload)


def test_a_backup_holds_no_token(workspace, project, tmp_path):
    allow(workspace)
    connect(workspace, project, token="remember-me")
    workspace.connections.put_notify(project, url=URL, actor="manager")
    backup(workspace.database, tmp_path / "b.gz")
    other = Database(tmp_path / "other.db")
    restore(other, tmp_path / "b.gz")
    with other.read() as connection:
        rows = connection.execute(select(CONNECTIONS)).all()
    other.close()
    assert [(row.url, row.token) for row in rows] == [(URL, ""), (URL, "")]


@contextlib.contextmanager
def receiver(*statuses):
    """A server that takes deliveries, and answers with these statuses and then with 204."""
    taken, answers = [], list(statuses)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((self.headers, body))
            status = answers.pop(0) if answers else 204
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/hook", taken
        server.shutdown()


def suspended(workspace, project):
    """Suspend a rater of a project, which queues what is to be told."""
    workspace.content.import_(project, [two(1)], actor="test")
    rater = workspace.raters.all(project)[0].id
    workspace.suspensions.act(project, rater, "suspend", reason="many slips", actor="user 1")
    return rater


def test_a_suspension_is_told_and_signed(workspace, project, monkeypatch):
    monkeypatch.setattr("accord.workspace.notices.WAITS", (0.01, 0.01))
    allow(workspace)
    with receiver(500) as (url, taken):
        secret = workspace.connections.put_notify(project, url=url, actor="manager")
        rater = suspended(workspace, project)
        Worker(workspace).run_all()
    (first, body), (second, again) = taken
    assert body == again
    assert first["X-Accord-Delivery"] == second["X-Accord-Delivery"]
    assert first["X-Accord-Signature"] == signature(body, secret)
    told = json.loads(body)
    assert (told["event"], told["rater"]["id"], told["reason"]) == ("rater.suspend", rater, "many slips")
    assert workspace.connections.get(project, "notify").error is None


@pytest.mark.parametrize("statuses", [(500, 500, 500), (302, 302, 302), (404, 410, 503)])
def test_a_receiver_that_does_not_take_it_is_shown(workspace, project, monkeypatch, statuses):
    monkeypatch.setattr("accord.workspace.notices.WAITS", (0.01, 0.01))
    allow(workspace)
    with receiver(*statuses) as (url, taken):
        workspace.connections.put_notify(project, url=url, actor="manager")
        suspended(workspace, project)
        Worker(workspace).run_all()
    assert len(taken) == 3
    assert f"HTTP {statuses[-1]}" in workspace.connections.get(project, "notify").error


def test_without_an_address_nothing_is_queued(workspace, project):
    suspended(workspace, project)
    assert [job.kind for job in workspace.jobs.page(project).rows if job.kind == "notify"] == []


def test_the_policy_is_applied_by_a_job_whenever_answers_come(workspace, project):
    workspace.settings.put(project, {"suspend": {"enabled": True, "minimum": 5, "match": 0.99}}, actor="manager")
    tasks = []
    for number in range(1, 9):
        task = two(number)
        task["annotations"][0]["ground_truth"] = True
        tasks.append(task)
    workspace.content.import_(project, tasks, actor="test")
    Worker(workspace).run_all()
    (state,) = workspace.suspensions.states(project).values()
    assert state == "proposed"
