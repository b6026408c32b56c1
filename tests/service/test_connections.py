"""Connections on pages and over the API: who may, what is shown once, deliveries of webhooks."""

from __future__ import annotations

import json
import re
import threading
import time

import httpx
import pytest
from live_server import Server

from accord.service.roles import Role

URL = "http://127.0.0.1:9"


@pytest.fixture
def project(server: Server) -> int:
    server.client(Role.ADMIN).put("/api/hosts", json={"hosts": {"127.0.0.1": True}})
    return server.client(Role.MANAGER).post("/api/projects", json={"name": "Live"}).json()["id"]


def connected(server: Server, project: int) -> str:
    body = {"url": URL, "remote": 7, "token": "never-shown", "minutes": 0}
    answer = server.client(Role.MANAGER).put(f"/api/projects/{project}/connection", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["secret"]


def deliver(server: Server, number: int, secret: str, **body: object) -> httpx.Response:
    content = json.dumps({"action": "ANNOTATION_CREATED", "project": {"id": 7}} | body)
    return server.client().post(f"/hooks/label-studio/{number}", content=content, headers={"X-Accord-Secret": secret})


def pulled(server: Server, project: int, tasks: set[int] | None) -> bool:
    """Whether jobs that pull these tasks between them, or all that changed, are queued in time."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        jobs = [job.payload for job in server.workspace.jobs.page(project).rows if job.kind == "pull"]
        if {} in jobs if tasks is None else tasks <= {task for job in jobs for task in job.get("tasks", ())}:
            return True
        time.sleep(0.05)
    return False


def test_a_token_is_never_shown(server: Server, project: int) -> None:
    secret = connected(server, project)
    manager = server.client(Role.MANAGER)
    found = manager.get(f"/api/projects/{project}/connection")
    assert found.json()["has_token"]
    page = server.person(Role.MANAGER, "connects").get(f"/projects/{project}/settings/connections").text
    events = manager.get(f"/api/projects/{project}/events").text
    for text in (found.text, page, events):
        assert "never-shown" not in text
        assert secret not in text
    assert manager.delete(f"/api/projects/{project}/connection").status_code == 204
    assert manager.get(f"/api/projects/{project}/connection").status_code == 404
    assert manager.post(f"/api/projects/{project}/connection/pull").status_code == 422


def test_deliveries_become_few_pulls(server: Server, project: int) -> None:
    secret = connected(server, project)
    for task in (5, 3, 5):
        answer = deliver(server, project, secret, task={"id": task}, annotation={"id": task, "task": task})
        assert (answer.status_code, answer.json()) == (202, {"taken": True})
    assert pulled(server, project, {3, 5})
    assert deliver(server, project, secret, action="ANNOTATIONS_DELETED", annotations=[{"id": 1}]).json()["taken"]
    assert pulled(server, project, None)
    assert not deliver(server, project, secret, action="LABEL_LINK_CREATED").json()["taken"]
    assert not deliver(server, project, secret, project={"id": 8}).json()["taken"]


@pytest.mark.parametrize("given", ["", "wrong", "x" * 300])
def test_deliveries_without_the_secret_are_refused(server: Server, project: int, given: str) -> None:
    connected(server, project)
    answer = deliver(server, project, given)
    assert answer.status_code in (401, 422)
    assert answer.json()["error"]["message"]
    assert deliver(server, 999_999, given or "x").status_code in (401, 422)


@pytest.mark.parametrize("body", [b"", b"[]", b"[" * 50_000, b'{"action": 1}', b"\xff\xfe"])
def test_what_is_no_delivery_is_refused(server: Server, project: int, body: bytes) -> None:
    secret = connected(server, project)
    headers = {"X-Accord-Secret": secret}
    answer = server.client().post(f"/hooks/label-studio/{project}", content=body, headers=headers)
    assert answer.status_code == 422, answer.text
    assert "no event" in answer.json()["error"]["message"]


def test_a_delivery_is_answered_while_somebody_else_writes(server: Server, project: int) -> None:
    secret = connected(server, project)
    held, go = threading.Event(), threading.Event()

    def write() -> None:
        with server.workspace.database.write():
            held.set()
            go.wait(10)

    thread = threading.Thread(target=write)
    thread.start()
    held.wait(5)
    try:
        started = time.monotonic()
        answer = deliver(server, project, secret, task={"id": 9}, annotation={"id": 9, "task": 9})
        assert answer.status_code == 202
        assert time.monotonic() - started < 5
    finally:
        go.set()
        thread.join()
    assert pulled(server, project, {9})


def test_the_pages_connect_and_end(server: Server, project: int) -> None:
    admin = server.person(Role.ADMIN, f"admin of hosts {project}")
    page = admin.get("/people/hosts").text
    token = re.search(r'name="csrf" value="([\w-]+)"', page)[1]
    bad = admin.post("/people/hosts", data={"csrf": token, "name": "http://x"})
    assert (bad.status_code, "no name of a host" in bad.text) == (422, True)
    assert admin.post("/people/hosts", data={"csrf": token, "name": "ls.example.org"}).status_code == 303
    assert "ls.example.org" in admin.get("/people/hosts").text
    assert admin.post("/people/hosts", data={"csrf": token, "name": "ls.example.org", "action": "remove"}).is_redirect
    root = f"/projects/{project}/settings/connections"
    form = {"csrf": token, "url": URL, "remote": "7", "token": "t0ken", "minutes": "5"}
    assert "not allowed" in admin.post(f"{root}/pull", data=form | {"url": "http://other.example.org"}).text
    assert "not a whole number" in admin.post(f"{root}/pull", data=form | {"remote": "seven"}).text
    made = admin.post(f"{root}/pull", data=form)
    assert "Shown this once" in made.text
    assert "t0ken" not in made.text
    assert admin.post(f"{root}/pull", data=form | {"token": ""}).headers["location"].endswith("said=saved")
    assert admin.post(f"{root}/pull", data={"csrf": token, "action": "pull"}).is_redirect
    signing = admin.post(f"{root}/notice", data={"csrf": token, "url": URL})
    assert "X-Accord-Signature" in signing.text
    server.work()
    shown = admin.get(root).text
    assert "and it failed" in shown
    assert "cannot be reached" in shown
    assert admin.get(f"{root}.json").json()["pull"]["error"]
    for part in ("pull", "notice"):
        assert admin.post(f"{root}/{part}", data={"csrf": token, "action": "remove"}).is_redirect
    assert admin.get(f"{root}.json").json()["pull"] is None
    assert server.client(Role.REVIEWER).get(root).status_code == 403
