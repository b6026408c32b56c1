"""Annotators over the API and on pages: work, gold by class, overlap, days and weeks, exports, one person's data."""

from __future__ import annotations

import csv
import io
import re

import httpx
import pytest
from live_server import EXAMPLES, Server

import accord
from accord.service.roles import Role

CONFIG = """<View><Text name="t" value="$t"/><Choices name="mood" toName="t"><Choice value="good"/><Choice value="bad"/>
</Choices></View>"""


def annotation(number: int, rater: str, choice: str, **more: object) -> dict:
    item = {"from_name": "mood", "to_name": "t", "type": "choices", "value": {"choices": [choice]}}
    return {"id": number, "completed_by": {"email": rater}, "result": [item], **more}


def tasks() -> list[dict]:
    """Ten tasks; ann always says good, bob says bad on odd ones; gold of an expert says good; bob skips the last."""
    found = []
    for i in range(10):
        answers = [
            annotation(10 * i + 1, "ann@x.org", "good", lead_time=4.0, created_at="2026-03-02T10:00:00Z"),
            annotation(10 * i + 2, "bob@x.org", "bad" if i % 2 else "good", lead_time=8.0, was_cancelled=i == 9),
            annotation(10 * i + 3, "expert@x.org", "good", ground_truth=True, created_at="2026-03-09T10:00:00Z"),
        ]
        found.append({"id": i, "data": {"t": f"text {i}"}, "annotations": answers})
    return found


@pytest.fixture
def project(server: Server) -> int:
    manager = server.client(Role.MANAGER)
    number = manager.post("/api/projects", json={"name": "Moods", "label_config": CONFIG}).json()["id"]
    assert manager.post(f"/api/projects/{number}/import", json=tasks()).status_code == 200
    server.work()
    return number


def test_work_and_gold(server: Server, project: int) -> None:
    found = server.client(Role.VIEWER).get(f"/api/projects/{project}/raters").json()
    rows = {row["name"]: row for row in found["items"]}
    assert found["total"] == 3
    bob = rows["bob@x.org"]
    assert (bob["tasks"], bob["skipped"], bob["lead_time_median"], bob["state"]) == (9, 1, 8.0, "active")
    assert bob["gold"]["tasks"] == 9
    assert bob["gold"]["accuracy"] == pytest.approx(5 / 9)
    classes = {one["label"]: one for one in bob["gold"]["controls"][0]["classes"]}
    assert (classes["good"]["precision"], classes["good"]["recall"]) == (1.0, pytest.approx(5 / 9))
    assert classes["bad"]["precision"] == 0.0
    assert bob["gold"]["controls"][0]["macro"] == pytest.approx((2 * 5 / 14 + 0.0) / 2)
    assert rows["ann@x.org"]["gold"]["accuracy"] == 1.0
    assert rows["expert@x.org"]["gold"] is None


def test_effort_and_trend(server: Server, project: int) -> None:
    viewer = server.client(Role.VIEWER)
    effort = viewer.get(f"/api/projects/{project}/effort").json()
    rates = {row["name"]: row["rate"] for row in effort["raters"]}
    assert rates == {"ann@x.org": 0.0, "bob@x.org": 0.1, "expert@x.org": 0.0}
    assert effort["overlap"]["connected"]
    assert [row["name"] for row in effort["tasks"]] == ["9"]
    trend = viewer.get(f"/api/projects/{project}/trend").json()
    assert [(week["begin"], week["annotations"]) for week in trend["weeks"]] == [("2026-03-02", 10), ("2026-03-09", 10)]
    assert trend["unknown"] == 9


def test_the_page_and_its_twin(server: Server, project: int) -> None:
    manager = server.person(Role.MANAGER, "annotators manager")
    page = manager.get(f"/projects/{project}/raters").text
    for words in ("Seconds a task", "All annotators can be compared", "Most skipped tasks", "F1 macro"):
        assert words in page
    twin = manager.get(f"/projects/{project}/raters.json").json()
    items = server.client(Role.VIEWER).get(f"/api/projects/{project}/raters").json()["items"]
    assert [row["item"] for row in twin["rows"]] == items
    assert "without a time" in manager.get(f"/projects/{project}").text


def test_a_suspension_over_the_api(server: Server, project: int) -> None:
    manager = server.client(Role.MANAGER)
    rows = manager.get(f"/api/projects/{project}/raters").json()["items"]
    bob = next(row["id"] for row in rows if row["name"] == "bob@x.org")
    path = f"/api/projects/{project}/raters/{bob}/actions"
    assert manager.post(path, json={"action": "suspend", "reason": "many slips"}).status_code == 204
    assert manager.post(path, json={"action": "suspend", "reason": "again"}).status_code == 422
    assert manager.post(path, json={"action": "undo", "reason": "talked"}).status_code == 204
    assert (
        manager.post("/api/projects/999999/raters/1/actions", json={"action": "undo", "reason": "x"}).status_code == 404
    )


def exported(client: httpx.Client, project: int, name: str, form: str = "json") -> httpx.Response:
    answer = client.get(f"/api/projects/{project}/export/{name}", params={"format": form})
    assert answer.status_code == 200, answer.text
    assert f"{name}.{form}" in answer.headers["content-disposition"]
    return answer


def test_exports_of_what_reviewers_decided(server: Server, project: int) -> None:
    client = server.client(Role.REVIEWER)
    task = client.get(f"/api/projects/{project}/tasks").json()["items"][0]["id"]
    view = client.get(f"/api/projects/{project}/tasks/{task}").json()
    chosen = view["annotations"][0]["id"]
    decision = {"outcome": "accept", "reason": "slip", "accepted": [chosen], "note": "=1+1"}
    assert client.post(f"/api/projects/{project}/tasks/{task}/reviews", json=decision).status_code == 201
    (accepted,) = exported(client, project, "accepted").json()
    assert [one["ground_truth"] for one in accepted["annotations"]] == [True]
    (row,) = csv.DictReader(io.StringIO(exported(client, project, "decisions", "csv").text))
    assert (row["outcome"], row["reason"], row["note"]) == ("accept", "slip", "'=1+1")
    soft = list(csv.DictReader(io.StringIO(exported(client, project, "soft-labels", "csv").text)))
    shares = {(one["unit"], one["label"]): float(one["share"]) for one in soft}
    assert shares["1", "good"] == pytest.approx(2 / 3)
    labelled = exported(client, project, "soft-labels").json()
    assert all(one["predictions"][0]["model_version"] == "soft labels" for one in labelled)
    assert server.client(Role.VIEWER).get(f"/api/projects/{project}/export/decisions").status_code == 403
    assert client.get("/api/projects/999999/export/accepted").status_code == 404


def test_the_accepted_answers_are_read_back(server: Server, tmp_path) -> None:
    number = server.example("To take away")
    client = server.client(Role.REVIEWER)
    for task in client.get(f"/api/projects/{number}/tasks").json()["items"][:5]:
        view = client.get(f"/api/projects/{number}/tasks/{task['id']}").json()
        decision = {"outcome": "accept", "reason": "slip", "accepted": [view["annotations"][0]["id"]]}
        assert client.post(f"/api/projects/{number}/tasks/{task['id']}/reviews", json=decision).status_code == 201
    file = tmp_path / "accepted.json"
    file.write_bytes(exported(client, number, "accepted").content)
    found = accord.read(file, config=EXAMPLES / "support-config.xml")
    assert found.report.tasks == 5
    assert found.report.annotations == 5


def test_one_persons_data(server: Server, project: int) -> None:
    admin, root = server.client(Role.ADMIN), f"/api/projects/{project}/person"
    assert server.client(Role.MANAGER).post(f"{root}/export", json={"names": ["bob@x.org"]}).status_code == 403
    found = admin.post(f"{root}/export", json={"names": ["Bob@x.org"]}).json()
    assert len(found["annotations"]) == 10
    person = server.person(Role.ADMIN, "privacy officer")
    page = person.get("/people/data").text
    token = re.search(r'name="csrf" value="([\w-]+)"', page)[1]
    form = {"csrf": token, "project": str(project), "names": "bob@x.org"}
    handed = person.post("/people/data", data=form | {"action": "export"})
    assert handed.json() == found
    assert person.post("/people/data", data=form | {"action": "erase"} | {"csrf": "x"}).status_code == 403
    kept = person.post("/people/data", data=form | {"action": "erase", "keep": "yes"})
    assert "Erased: 10 annotations" in kept.text
    server.work()
    names = [row["name"] for row in admin.get(f"/api/projects/{project}/raters").json()["items"]]
    assert "bob@x.org" not in names
    assert len(names) == 3
    again = person.post("/people/data", data=form | {"action": "erase"})
    assert (again.status_code, "Nobody in this project has that name" in again.text) == (422, True)
    assert person.post("/people/data", data=form | {"project": "999"}).status_code == 404
    erased = admin.post(f"{root}/erase", json={"names": ["ann@x.org"], "keep_answers": False}).json()
    assert erased["annotations"] == 10
    server.work()
    assert len(admin.get(f"/api/projects/{project}/raters").json()["items"]) == 2
    kinds = [one["kind"] for one in admin.get(f"/api/projects/{project}/events").json()["items"]]
    assert kinds.count("person.exported") == 2
    assert kinds.count("person.erased") == 2
    log = admin.get(f"/api/projects/{project}/events").text
    assert "bob@x.org" not in log


def test_rounds_over_the_api_and_on_pages(server: Server) -> None:
    number = server.example("In rounds")
    manager = server.client(Role.MANAGER)
    assert manager.get(f"/api/projects/{number}/rounds").status_code == 409
    wanted = {"rounds": {"dates": "2026-03-12"}}
    assert manager.put(f"/api/projects/{number}/quality/settings", json=wanted).status_code == 200
    server.work()
    found = manager.get(f"/api/projects/{number}/rounds").json()
    assert found["names"] == ["before 2026-03-12", "from 2026-03-12"]
    assert sum(found["tasks"]) == 240
    assert all(len(one["rounds"]) == 2 for one in found["controls"])
    person = server.person(Role.VIEWER, "looks at rounds")
    assert "Rounds compared" in person.get(f"/projects/{number}").text
    assert "Round by round" in person.get(f"/projects/{number}/raters").text
    assert person.get(f"/projects/{number}.json").json()["rounds"] == found
