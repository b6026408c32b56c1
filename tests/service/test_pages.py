"""Pages as a browser without scripts gets them: forms, twins, and nothing that data could run."""

from __future__ import annotations

import re

import httpx
import pytest
from live_server import EXAMPLES, Server

from accord.service.roles import Role

ATTACK = "<script>alert('1')</script><img src=x onerror=alert(2)>\"'{{7*7}}\u202e"
ROUTES = ("", "/tasks", "/review", "/raters", "/insights", "/settings", "/settings/connections", "/exports", "/signoff")


def csrf(page: str) -> str:
    return re.search(r'name="csrf" value="([\w-]+)"', page)[1]


@pytest.fixture(scope="module")
def manager(server: Server) -> httpx.Client:
    return server.person(Role.MANAGER)


@pytest.fixture(scope="module")
def project(server: Server) -> int:
    return server.example("Support")


def test_from_an_empty_server_to_a_decision_and_back(server: Server, manager: httpx.Client) -> None:
    start = manager.get("/")
    given = {"csrf": csrf(start.text), "name": "Tickets"}
    given["label_config"] = (EXAMPLES / "support-config.xml").read_text(encoding="utf-8")
    with (EXAMPLES / "support-export.json").open("rb") as file:
        made = manager.post("/projects", data=given, files={"file": file})
    assert made.status_code == 303
    here = made.headers["location"].partition("?")[0]
    assert "being scored" in manager.get("/").text or "Tasks are being scored" in manager.get(here).text
    server.work()
    page = manager.get(here).text
    assert "Agreement by control" in page
    assert "Over time" in page
    queue = manager.get(f"{here}/review").text
    first = re.search(rf'href="({here}/review/\d+)"', queue)[1]
    task = manager.get(first).text
    assert "names hidden" in task
    number = re.search(r'name="accept" value="(\d+)"', task)[1]
    refused = manager.post(first, data={"csrf": csrf(task), "accept": number})
    assert refused.status_code == 422
    assert "is not known" in refused.text
    answer = {"csrf": csrf(task), "accept": number, "reason": "slip", "note": "see § 4"}
    done = manager.post(first, data=answer)
    assert done.status_code == 303
    decided = manager.get(done.headers["location"]).text
    assert "Agreement has not changed" in decided
    assert "see § 4" in decided
    undo = re.search(rf'action="({here}/reviews/\d+/undo)"', decided)[1]
    undone = manager.post(undo, data={"csrf": csrf(decided), "task": first.rpartition("/")[2]})
    assert ">undone<" in manager.get(undone.headers["location"]).text


@pytest.mark.parametrize("outcome", ["compose", "several", "none"])
def test_other_decisions(server: Server, manager: httpx.Client, project: int, outcome: str) -> None:
    page = manager.get(f"/projects/{project}/review").text
    first = re.search(rf'href="(/projects/{project}/review/\d+)"', page)[1]
    task = manager.get(first).text
    picked = dict(re.findall(r'name="(pick-[^"]+)" value="(\d+)"', task))
    given = {"csrf": csrf(task), "reason": "guideline_gap", "outcome": outcome} | picked
    done = manager.post(first, data=given)
    assert done.status_code == 303, done.text
    review = server.client(Role.REVIEWER).get(f"/api/projects/{project}/reviews").json()["items"][-1]
    assert review["outcome"] == outcome
    if outcome == "compose":
        controls = {item["from_name"] for item in review["composed"]}
        assert controls <= {name.removeprefix("pick-") for name in picked}
        assert len(controls) > 1


@pytest.mark.parametrize("route", ROUTES)
def test_every_page_has_a_twin(manager: httpx.Client, project: int, route: str) -> None:
    twin = manager.get(f"/projects/{project}{route}.json")
    assert twin.headers["content-type"] == "application/json"
    assert twin.json()["project"]["name"] == "Support"
    assert f'href="/projects/{project}{route}.json"' in manager.get(f"/projects/{project}{route}").text


def test_the_report_as_one_file(manager: httpx.Client, project: int) -> None:
    answer = manager.get(f"/projects/{project}/report.html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.text.startswith("<!doctype html>")


def test_nothing_from_the_data_is_markup(server: Server, manager: httpx.Client) -> None:
    admin = server.client(Role.MANAGER)
    number = admin.post("/api/projects", json={"name": "Attack <b>"}).json()["id"]
    item = {"from_name": ATTACK, "to_name": ATTACK, "type": "choices", "id": ATTACK}
    tasks = [
        {
            "id": f"{ATTACK} {i}",
            "data": {ATTACK: ATTACK},
            "annotations": [
                {
                    "id": f"{i}{r}",
                    "completed_by": f"{ATTACK}{r}",
                    "result": [item | {"value": {"choices": [ATTACK + c]}}],
                }
                for r, c in ((1, "a"), (2, "b" if i else "a"))
            ],
        }
        for i in range(4)
    ]
    assert admin.post(f"/api/projects/{number}/import", json=tasks).status_code == 200
    task = admin.get(f"/api/projects/{number}/tasks").json()["items"][0]["id"]
    for path in (
        *ROUTES,
        f"/tasks/{task}",
        f"/review/{task}",
        "/tasks?control=%3Cscript%3E",
        f"/tasks/{task}?names=true",
    ):
        page = manager.get(f"/projects/{number}{path}").text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "49" not in re.findall(r"\{\{7\*7\}\}|\b49\b", page)
    page = manager.get(f"/projects/{number}/tasks/{task}").text
    assert "&lt;script&gt;alert" in page


def test_names_are_shown_to_managers_only_and_recorded(server: Server, manager: httpx.Client, project: int) -> None:
    task = server.client(Role.VIEWER).get(f"/api/projects/{project}/tasks").json()["items"][0]["id"]
    path = f"/projects/{project}/tasks/{task}"
    assert "example.org" not in re.sub(r"(?s)<footer.*", "", manager.get(path).text)
    assert "example.org" in manager.get(f"{path}?names=true").text
    assert server.person(Role.REVIEWER, "Curious").get(f"{path}?names=true").status_code == 403
    rows = server.client(Role.MANAGER).get(f"/api/projects/{project}/events", params={"kind": "names.shown"}).json()
    assert rows["total"] == 1


def test_a_form_that_cannot_be_used_says_so(manager: httpx.Client, project: int) -> None:
    token = csrf(manager.get("/").text)
    wrong = manager.post("/projects", data={"csrf": token, "name": "", "label_config": "<View>"})
    assert wrong.status_code == 422
    assert 'role="alert"' in wrong.text
    empty = manager.post(f"/projects/{project}/import", data={"csrf": token}, files={"file": ("x.json", b"")})
    assert empty.status_code == 422
    broken = manager.post(f"/projects/{project}/import", data={"csrf": token}, files={"file": ("x.json", b"[{]")})
    assert broken.status_code == 422
    assert "x.json" in broken.text
    assert "accord-upload" not in broken.text


def test_sign_in_leads_back(server: Server, project: int) -> None:
    answer = server.browser().get(f"/projects/{project}/tasks?sort=key")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/login?next=%2Fprojects%2F{project}%2Ftasks%3Fsort%3Dkey"


def test_settings_change_what_is_compared(server: Server, manager: httpx.Client) -> None:
    number = server.example("Settings")
    path = f"/projects/{number}/settings"
    page = manager.get(path).text
    assert "for number, rating; these answers are free text" in page
    given = dict(re.findall(r'name="((?:review|suspend)\.[a-z]+)" type="number" value="([^"]*)"', page))
    given |= {"csrf": csrf(page), "version": "0", "review.mode": "keep_all", "time_zone": "Europe/Berlin"}
    given |= {"metric:topics": "dice", "criterion:sentiment": "0.6", "review.threshold": "0.8", "suspend.enabled": "on"}
    assert manager.post(path, data=given).status_code == 303
    stale = manager.post(path, data=given)
    assert stale.status_code == 422
    assert "changed meanwhile" in stale.text
    server.work()
    found = server.client(Role.VIEWER).get(f"/api/projects/{number}/quality/report").json()
    metrics = {control["name"]: control["metric"] for control in found["controls"]}
    assert metrics["topics"] == "dice"
    kept = server.client(Role.VIEWER).get(f"/api/projects/{number}/quality/settings").json()["settings"]
    assert kept["suspend"]["enabled"] is True
    assert kept["review"] == {"threshold": 0.8, "control": None, "answers": 2, "mode": "keep_all", "blind": False}
    assert kept["plan"]["controls"]["sentiment"] == {"criterion": 0.6}
    for wrong in (
        {"everything": "[]"},
        {"everything": '{"plan": {"x": 1}}'},
        given | {"version": "1", "time_zone": "Mars"},
    ):
        refused = manager.post(path, data={"csrf": csrf(page)} | wrong)
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text


def test_an_annotator_is_suspended_and_let_back(server: Server, manager: httpx.Client, project: int) -> None:
    path = f"/projects/{project}/raters"
    page = manager.get(path).text
    rater = re.search(rf'action="({path}/\d+)"', page)[1]
    given = {"csrf": csrf(page), "action": "suspend"}
    assert "A reason is needed" in manager.post(rater, data=given).text
    assert manager.post(rater, data=given | {"reason": "many slips"}).status_code == 303
    assert ">suspended<" in manager.get(path).text
    assert manager.post(rater, data=given | {"action": "undo", "reason": "talked"}).status_code == 303
    assert ">suspended<" not in manager.get(path).text
    assert "many slips" in manager.get(path).text


def test_settings_are_previewed_before_they_are_kept(manager: httpx.Client, project: int) -> None:
    path = f"/projects/{project}/settings"
    page = manager.get(path).text
    names = re.findall(r'<(?:input|select)[^>]* name="([^"]+)"', page)
    form = {name: "" for name in names if ":" in name} | {"csrf": csrf(page), "action": "preview"}
    form |= {"review.threshold": "0.99", "review.answers": "2", "review.mode": "single_truth", "time_zone": "UTC"}
    form |= {"suspend.threshold": "0.8", "suspend.minimum": "20", "suspend.match": "0.5", "level:urgency": "nominal"}
    shown = manager.post(path, data=form).text
    assert "What these settings would do" in shown
    assert "Would enter the queue" in shown
    assert 'value="0.99"' in shown
    assert 'value="0.99"' not in manager.get(path).text
