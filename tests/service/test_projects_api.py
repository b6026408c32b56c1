"""Projects over HTTP: data in and out, numbers as on the command line, review, settings, jobs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from live_server import EXAMPLES, Server

from accord.service.roles import Role

CONFIG = (
    '<View><Text name="t" value="$t"/><Choices name="mood" toName="t"><Choice value="good"/><Choice value="bad"/>'
    "</Choices></View>"
)


@pytest.fixture(scope="module")
def project(server: Server) -> int:
    return server.example("Support")


def answer(number: int, rater: object, choice: str) -> dict:
    item = {"from_name": "mood", "to_name": "t", "type": "choices", "id": str(number), "value": {"choices": [choice]}}
    return {"id": number, "completed_by": rater, "result": [item]}


def small(server: Server, text: str = "Fine.", raters: tuple = ("ann", "bob")) -> int:
    manager = server.client(Role.MANAGER)
    number = manager.post("/api/projects", json={"name": f"Small {text[:20]}", "label_config": CONFIG}).json()["id"]
    tasks = [
        {"id": 1, "data": {"t": text}, "annotations": [answer(1, raters[0], "good"), answer(2, raters[1], "bad")]},
        {"id": 2, "data": {"t": text}, "annotations": [answer(3, raters[0], "good"), answer(4, raters[1], "good")]},
    ]
    done = manager.post(f"/api/projects/{number}/import", json=tasks)
    assert done.json()["annotations"] == 4, done.text
    return number


def test_numbers_are_those_of_the_command_line(server: Server, project: int) -> None:
    found = server.client(Role.VIEWER).get(f"/api/projects/{project}/quality/report").json()
    command = [sys.executable, "-m", "accord", "score", EXAMPLES / "support-export.json"]
    command += ["--config", EXAMPLES / "support-config.xml", "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert [control["name"] for control in found["controls"]] == [control["name"] for control in told["controls"]]
    for ours, theirs in zip(found["controls"], told["controls"], strict=True):
        assert ours["coefficients"] == theirs["coefficients"]
        assert ours["pairwise"] == theirs["pairwise"]
    assert found["overall"] == told["overall"]


def test_the_same_import_changes_nothing(server: Server, project: int) -> None:
    manager = server.client(Role.MANAGER)
    before = manager.get(f"/api/projects/{project}").json()
    with (EXAMPLES / "support-export.json").open("rb") as file:
        done = manager.post(f"/api/projects/{project}/import", files={"file": ("../../etc/passwd", file)}).json()
    assert (done["added"], done["changed"], done["unchanged"]) == (0, 0, 604)
    assert manager.get(f"/api/projects/{project}").json() == before


def test_an_export_comes_back_as_it_went_in(server: Server) -> None:
    number = small(server, "Back again")
    tasks = server.client(Role.VIEWER).get(f"/api/projects/{number}/export").json()
    assert [len(task["annotations"]) for task in tasks] == [2, 2]
    again = server.client(Role.MANAGER).post(f"/api/projects/{number}/import", json=tasks).json()
    assert again["unchanged"] == 4


def test_what_was_read_already_is_not_sent_again(server: Server, project: int) -> None:
    viewer = server.client(Role.VIEWER)
    for path in ("", "/quality/report", "/quality/settings", "/tasks"):
        first = viewer.get(f"/api/projects/{project}{path}")
        again = viewer.get(f"/api/projects/{project}{path}", headers={"If-None-Match": first.headers["etag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_tasks_by_agreement(server: Server, project: int) -> None:
    viewer = server.client(Role.VIEWER)
    path = f"/api/projects/{project}/tasks"
    pages = [viewer.get(path, params={"limit": 100, "offset": offset}).json() for offset in (0, 100, 200)]
    rows = [row for page in pages for row in page["items"]]
    assert len({row["id"] for row in rows}) == pages[0]["total"] == 240
    known = [row["agreement"] for row in rows if row["agreement"] is not None]
    assert known == sorted(known)
    below = viewer.get(path, params={"below": 0.5, "control": "sentiment"}).json()
    assert below["items"]
    assert all(row["by_control"]["sentiment"] < 0.5 for row in below["items"])
    unknown = viewer.get(path, params={"control": "sentimant"}).json()["error"]["message"]
    assert "Did you mean sentiment" in unknown


def test_decisions_never_change_agreement(server: Server) -> None:
    number = small(server, "Decide")
    reviewer = server.client(Role.REVIEWER)
    before = reviewer.get(f"/api/projects/{number}/quality/live").json()
    queue = reviewer.get(f"/api/projects/{number}/queue").json()
    assert queue["total"] == 1
    task = queue["items"][0]["id"]
    view = reviewer.get(f"/api/projects/{number}/tasks/{task}").json()
    assert [row["rater"] for row in view["annotations"]] == ["A", "B"]
    given = {"outcome": "accept", "reason": "slip", "accepted": [view["annotations"][0]["id"]]}
    made = reviewer.post(f"/api/projects/{number}/tasks/{task}/reviews", json=given)
    assert made.status_code == 201
    assert reviewer.get(f"/api/projects/{number}/queue").json()["total"] == 0
    assert reviewer.get(f"/api/projects/{number}/quality/live").json() == before
    assert reviewer.delete(f"/api/projects/{number}/reviews/{made.json()['id']}").status_code == 204
    assert reviewer.get(f"/api/projects/{number}/queue").json()["total"] == 1
    assert reviewer.get(f"/api/projects/{number}/quality/live").json() == before
    (review,) = reviewer.get(f"/api/projects/{number}/reviews").json()["items"]
    assert review["undone_at"] is not None


def test_nobody_decides_about_own_answers(server: Server) -> None:
    number = small(server, "Own", raters=("tests as reviewer", "bob"))
    reviewer = server.client(Role.REVIEWER)
    assert reviewer.get(f"/api/projects/{number}/queue").json()["total"] == 0
    task = reviewer.get(f"/api/projects/{number}/tasks").json()["items"][0]["id"]
    given = {"outcome": "none", "reason": "ambiguous_item"}
    refused = reviewer.post(f"/api/projects/{number}/tasks/{task}/reviews", json=given)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "own_answer")


def test_settings_are_kept_by_version(server: Server) -> None:
    number = small(server, "Settings")
    manager, path = server.client(Role.MANAGER), f"/api/projects/{number}/quality/settings"
    first = manager.get(path)
    changed = manager.put(path, json={"review": {"threshold": 0.9}}, headers={"If-Match": first.headers["etag"]})
    assert changed.json()["settings"]["review"]["threshold"] == 0.9
    late = manager.put(path, json={}, headers={"If-Match": first.headers["etag"]})
    assert (late.status_code, late.json()["error"]["code"]) == (412, "changed_meanwhile")
    wrong = manager.put(path, json={"plan": {"seeds": 1}})
    assert wrong.status_code == 422
    assert "Did you mean seed?" in wrong.json()["error"]["message"]


def test_recompute_in_the_background_and_its_progress(server: Server) -> None:
    number = small(server, "Recompute")
    manager = server.client(Role.MANAGER)
    started = manager.post(f"/api/projects/{number}/quality/recompute", json={"async": True})
    assert started.status_code == 202
    server.work()
    job = started.json()["job"]
    facts = manager.get(f"/api/jobs/{job}").json()
    assert facts["status"] == "done"
    assert {key: facts["result"][key] for key in ("scanned", "scored", "mismatch", "skipped")} == {
        "scanned": 2,
        "scored": 2,
        "mismatch": 0,
        "skipped": 0,
    }
    with manager.stream("GET", f"/api/jobs/{job}/progress") as stream:
        text = stream.read().decode()
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert '"status":"done"' in text.replace(" ", "")


def test_metrics_and_schema(server: Server, project: int) -> None:
    viewer = server.client(Role.VIEWER)
    found = viewer.get(f"/api/projects/{project}/quality/metrics").json()
    assert found["has_custom_code"] is False
    rows = {row["key"]: row for row in found["metrics"]}
    assert rows["jaccard"]["applies_to"][:2] == ["Choices", "Taxonomy"]
    assert rows["exact_match"]["applies_to"] == rows["custom"]["applies_to"] == ["*"]
    schema = viewer.get(f"/api/projects/{project}/quality/schema").json()
    assert "sentiment" in [control["name"] for control in schema["controls"]]
    assert schema["sample"]["result"]


@pytest.mark.parametrize(
    "config", ["/etc/passwd", "{}", "<View>", '<!DOCTYPE v [<!ENTITY x SYSTEM "file:///etc/passwd">]><View>&x;</View>']
)
def test_a_label_config_is_never_a_file(server: Server, config: str) -> None:
    refused = server.client(Role.MANAGER).post("/api/projects", json={"name": "x", "label_config": config})
    assert refused.status_code == 422
    assert "root:" not in refused.text


def test_events_say_who_did_what(server: Server) -> None:
    number = small(server, "Events")
    rows = server.client(Role.MANAGER).get(f"/api/projects/{number}/events").json()["items"]
    assert [row["kind"] for row in rows] == ["data.imported", "project.created"]
    assert all(row["actor"].startswith("user ") for row in rows)


def test_a_project_that_is_removed_is_gone(server: Server) -> None:
    number = small(server, "Gone")
    manager = server.client(Role.MANAGER)
    assert manager.delete(f"/api/projects/{number}").status_code == 204
    for path in ("", "/tasks", "/export", "/quality/report", "/quality/settings"):
        assert manager.get(f"/api/projects/{number}{path}").status_code == 404
