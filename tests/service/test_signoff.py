"""Criteria against the present scores, frozen on request: pages, API, and what does not fit."""

from __future__ import annotations

import re

import pytest
from live_server import Server

from accord.service.roles import Role


@pytest.fixture
def project(server: Server) -> int:
    return server.example("To sign")


def test_without_criteria_nothing_is_decided(server: Server, project: int) -> None:
    viewer = server.client(Role.VIEWER)
    assert viewer.get(f"/api/projects/{project}/quality/decision").status_code == 409
    assert viewer.post(f"/api/projects/{project}/quality/signoffs").status_code == 403
    assert viewer.get(f"/api/projects/{project}/quality/signoffs").json()["items"] == []


def test_criteria_are_checked_and_signed_on_the_page(server: Server, project: int) -> None:
    manager = server.person(Role.MANAGER, f"signs {project}")
    root = f"/projects/{project}/signoff"
    token = re.search(r'name="csrf" value="([\w-]+)"', manager.get(root).text)[1]
    rows = {"coefficient": "", "units": "", "raters": "", "gold_accuracy": ""}
    form = {name: [value, value] for name, value in rows.items()}
    form |= {"control": ["sentiment", "summary"], "at_least": ["0.5", "0.5"], "on": ["value", "lower"]}
    saved = manager.post(root, data={"csrf": token, "action": "save"} | form)
    assert saved.status_code == 303, saved.text
    page = manager.get(root).text
    assert "not every criterion is met" in page
    assert manager.post(root, data={"csrf": token, "action": "sign"}).status_code == 303
    assert "still the same" in manager.get(root).text
    (kept,) = server.client(Role.VIEWER).get(f"/api/projects/{project}/quality/signoffs").json()["items"]
    decision = kept["decision"]
    assert [check["passed"] for check in decision["checks"]] == [True, False]
    assert decision["data"]["units"] == 240
    assert decision["data"]["fingerprint"]
    assert decision["signed_by"] == f"signs {project}"
    assert "Signed by" in manager.get(f"{root}?number={kept['id']}").text
    assert manager.get(f"{root}?number=999999").status_code == 404
    twin = manager.get(f"{root}.json").json()
    assert [one["control"] for one in twin["criteria"]] == ["sentiment", "summary"]


def test_what_was_signed_stays_and_says_what_changed(server: Server, project: int) -> None:
    manager = server.client(Role.MANAGER)
    wanted = {"criteria": {"criteria": [{"control": "sentiment", "at_least": 0.5}]}}
    assert manager.put(f"/api/projects/{project}/quality/settings", json=wanted).status_code == 200
    assert manager.get(f"/api/projects/{project}/quality/decision").json()["passed"]
    assert manager.post(f"/api/projects/{project}/quality/signoffs").status_code == 201
    task = manager.get(f"/api/projects/{project}/tasks").json()["items"][0]["key"]
    found = next(one for one in manager.get(f"/api/projects/{project}/export").json() if str(one["id"]) == task)
    found["annotations"][0]["result"] = []
    found["annotations"][0]["updated_at"] = "2030-01-01T00:00:00Z"
    assert manager.post(f"/api/projects/{project}/import", json=[found]).json()["changed"] == 1
    server.work()
    (kept,) = manager.get(f"/api/projects/{project}/quality/signoffs").json()["items"]
    assert not kept["fresh"]
    assert kept["decision"]["passed"]


@pytest.mark.parametrize(
    "criteria",
    [
        {"criteria": []},
        {"wrong": 1},
        {"criteria": [{"control": "sentiment"}]},
        {"criteria": [{"control": "sentiment", "at_least": 2}]},
        {"criteria": ["x"]},
    ],
)
def test_criteria_that_cannot_be_read_are_refused(server: Server, criteria: dict) -> None:
    manager = server.client(Role.MANAGER)
    number = manager.post("/api/projects", json={"name": "No data"}).json()["id"]
    answer = manager.put(f"/api/projects/{number}/quality/settings", json={"criteria": criteria})
    assert answer.status_code == 422, answer.text


def test_a_control_that_was_not_measured_is_named(server: Server, project: int) -> None:
    manager = server.client(Role.MANAGER)
    wanted = {"criteria": {"criteria": [{"control": "sentimint", "at_least": 0.5}]}}
    assert manager.put(f"/api/projects/{project}/quality/settings", json=wanted).status_code == 200
    answer = manager.get(f"/api/projects/{project}/quality/decision")
    assert (answer.status_code, "sentiment" in answer.text) == (422, True)
    page = server.person(Role.VIEWER, f"looks {project}").get(f"/projects/{project}/signoff")
    assert (page.status_code, "sentimint" in page.text) == (200, True)
