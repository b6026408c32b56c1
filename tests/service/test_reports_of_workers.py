"""A server with workers gives out the last report at once, says when it is old, and shows the newest headline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from live_server import EXAMPLES, Server, start

from accord.service import page_reports
from accord.service.live_numbers import WAITING, LiveNumbers
from accord.service.page_reports import PageReports
from accord.service.roles import Role
from accord.service.settings import Settings
from accord.service.working import DOING
from accord.workspace.worker import Worker


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose workers are elsewhere, and work when the test says so."""
    monkeypatch.setattr(page_reports, "PATIENCE", 0.3)
    for made in start(Settings(data=tmp_path)):
        made.app.state.reports = PageReports(made.workspace, here=False)
        yield made


@pytest.fixture
def project(server: Server) -> int:
    return server.example("Support")


@pytest.fixture
def manager(server: Server) -> httpx.Client:
    return server.client(Role.MANAGER)


def work(server: Server) -> None:
    Worker(server.workspace, handlers=DOING).run_all()


def change(manager: httpx.Client, project: int) -> None:
    """Turn the answer of one annotator to one task around."""
    task = json.loads((EXAMPLES / "support-export.json").read_text(encoding="utf-8"))[0]
    annotation = task["annotations"][0]
    for item in annotation["result"]:
        if item["type"] == "choices" and item["from_name"] == "sentiment":
            said = item["value"]["choices"][0]
            item["value"]["choices"] = ["negative" if said != "negative" else "positive"]
    annotation["updated_at"] = "2030-01-01T00:00:00Z"
    answer = manager.post(f"/api/projects/{project}/import", json=[task | {"annotations": [annotation]}])
    assert answer.json()["changed"] == 1


def report(manager: httpx.Client, project: int) -> httpx.Response:
    return manager.get(f"/api/projects/{project}/quality/report")


def test_first_report_is_asked_for_and_comes(server: Server, manager: httpx.Client, project: int) -> None:
    assert report(manager, project).status_code == 409
    page = manager.get(f"/projects/{project}.json").json()
    assert page["report"] is None
    assert {one["control"] for one in page["now"]} >= {"sentiment", "urgency"}
    work(server)
    found = report(manager, project)
    assert found.headers["Accord-Fresh"] == "true"
    shown = manager.get(f"/projects/{project}.json").json()
    assert shown["report"] == {name: one for name, one in found.json().items() if name in shown["report"]} | {
        "controls": [
            {name: one for name, one in control.items() if name != "tasks"} for control in found.json()["controls"]
        ]
    }
    assert shown["now"] == []


def test_an_old_report_says_so_and_the_page_has_the_newest_headline(
    server: Server, manager: httpx.Client, project: int
) -> None:
    report(manager, project)
    work(server)
    before = report(manager, project)
    change(manager, project)
    old = report(manager, project)
    assert old.headers["Accord-Fresh"] == "false"
    assert old.json() == before.json()
    assert old.headers["ETag"] != before.headers["ETag"]
    page = manager.get(f"/projects/{project}.json").json()
    now = {one["control"]: one for one in page["now"]}["sentiment"]
    html = manager.get(f"/projects/{project}", headers={"Accept": "text/html"}).text
    assert "the report below is older" in html
    work(server)
    after = report(manager, project)
    assert after.headers["Accord-Fresh"] == "true"
    control = next(one for one in after.json()["controls"] if one["name"] == "sentiment")
    assert control["coefficients"][control["headline"]]["value"] == now["value"]
    assert after.json() != before.json()


def test_asking_often_makes_one_job(server: Server, manager: httpx.Client, project: int) -> None:
    for _ in range(3):
        report(manager, project)
        manager.get(f"/projects/{project}.json")
        manager.get(f"/projects/{project}/insights.json")
        manager.get(f"/projects/{project}/raters.json")
    waiting = [job for job in server.workspace.jobs.page(project).rows if job.status == "queued"]
    assert [job.kind for job in waiting] == ["report"]
    work(server)
    report(manager, project)
    assert not [job for job in server.workspace.jobs.page(project).rows if job.status == "queued"]


def test_a_report_that_cannot_be_made_is_not_tried_again_at_once(
    server: Server, manager: httpx.Client, project: int
) -> None:
    def broken(work: object) -> None:
        raise ValueError("no")

    report(manager, project)
    Worker(server.workspace, handlers={"report": broken}).run_all()
    assert report(manager, project).status_code == 409
    assert not [job for job in server.workspace.jobs.page(project).rows if job.status == "queued"]
    assert "ValueError" in manager.get(f"/projects/{project}.json").json()["failed"]


def test_drawn_pages_do_not_outlive_the_program_that_drew_them(
    server: Server, manager: httpx.Client, project: int
) -> None:
    report(manager, project)
    work(server)
    server.workspace.reports.forget("page")
    assert manager.get(f"/projects/{project}.json").json()["report"] is None
    assert report(manager, project).headers["Accord-Fresh"] == "true"
    work(server)
    assert manager.get(f"/projects/{project}.json").json()["report"] is not None


def test_numbers_are_computed_once_for_all_who_ask(
    server: Server, manager: httpx.Client, project: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, counted = LiveNumbers(server.workspace), []
    real = server.workspace.reports.live
    monkeypatch.setattr(server.workspace.reports, "live", lambda number: counted.append(number) or real(number))
    with ThreadPoolExecutor(3 * WAITING) as pool:
        found = list(pool.map(live.get, [project] * 12))
    assert len(counted) == 1
    assert all(one == found[0] for one in found)
    change(manager, project)
    with ThreadPoolExecutor(3 * WAITING) as pool:
        again = list(pool.map(live.get, [project] * 12))
    assert len(counted) == 2
    assert {one["fresh"] for one in again} == {True, False}
    assert {one["data_version"] for one in again if one["fresh"]} == {found[0]["data_version"] + 1}


def test_a_person_who_was_erased_is_on_no_page(server: Server, manager: httpx.Client, project: int) -> None:
    report(manager, project)
    work(server)
    names = [row["item"]["name"] for row in manager.get(f"/projects/{project}/raters.json").json()["rows"]]
    server.workspace.persons.erase(project, [names[0]], actor="tests", keep_answers=True)
    assert names[0] not in manager.get(f"/projects/{project}.json").text
    assert names[0] not in manager.get(f"/projects/{project}/raters.json").text
