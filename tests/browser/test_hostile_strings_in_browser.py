"""HTML and script in every string field of a project: the pages show them and run nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

pytestmark = pytest.mark.browser

sys.path.insert(0, str(Path(__file__).parent.parent / "service"))

from live_server import PASSWORD, Server, start  # noqa: E402 - the folder of the server's tests

from accord.service.roles import Role  # noqa: E402
from accord.service.settings import Settings  # noqa: E402

EVIL = "\"'><script>window.ran=1</script><img src=x onerror=window.ran=1><svg onload=alert(1)>{{7*7}}javascript:x()"
ROOT = "../../../../etc/passwd"
PAGES = (
    *("", "/tasks", "/review", "/raters", "/insights", "/settings", "/settings/custom", "/settings/connections"),
    *("/exports", "/signoff"),
)


def evil(what: str) -> str:
    return f"{what} {EVIL}"


def config() -> str:
    labels = "".join(f"<Choice value={quoteattr(evil(name))}/>" for name in ("yes", "no"))
    control, source = quoteattr(evil("control")), quoteattr(evil("object"))
    return (
        f'<View><Text name={source} value="$t"/><Choices name={control} toName={source}>{labels}</Choices>'
        f'<TextArea name="free" toName={source}/></View>'
    )


def tasks() -> list[dict[str, Any]]:
    def mark(task: int, rater: int) -> dict[str, Any]:
        label = evil(("yes", "no")[(task + rater) % 2 if rater else 0])
        where = {"to_name": evil("object")}
        said = {**where, "from_name": evil("control"), "type": "choices", "value": {"choices": [label]}}
        free = {**where, "from_name": "free", "type": "textarea", "value": {"text": [evil(f"text {rater}")]}}
        return {"id": 10 * task + rater, "completed_by": {"email": evil(f"rater{rater}@x")}, "result": [said, free]}

    data = {"t": evil("text"), evil("field"): evil("value"), "path": ROOT, "nested": {EVIL: [EVIL]}}
    return [
        {"id": task, "data": data, "annotations": [mark(task, 0), mark(task, 1)], "meta": {EVIL: EVIL}}
        for task in range(1, 7)
    ]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from start(Settings(data=tmp_path_factory.mktemp("hostile")))


@pytest.fixture(scope="module")
def project(server: Server) -> int:
    admin = server.client(Role.ADMIN)
    made = admin.post("/api/projects", json={"name": evil("project"), "label_config": config()})
    assert made.status_code == 201, made.text
    number = made.json()["id"]
    name = f"{ROOT}{EVIL}.json"
    done = admin.post(f"/api/projects/{number}/import", files={"file": (name, json.dumps(tasks()))})
    assert done.status_code == 200, done.text
    server.work()
    first = admin.get(f"/api/projects/{number}/tasks").json()["items"][0]["id"]
    note = {"outcome": "none", "reason": "slip", "note": EVIL}
    assert admin.post(f"/api/projects/{number}/tasks/{first}/reviews", json=note).status_code == 201
    return number


def test_pages_show_it_and_run_nothing(browser: Any, server: Server, project: int) -> None:
    said: list[str] = []
    asked: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.address}/welcome/{server.accounts.first_link()}")
    page.fill("[name=password]", PASSWORD)
    page.click("text=Continue")
    rows = server.client(Role.ADMIN).get(f"/api/projects/{project}/tasks").json()["items"]
    everywhere = [f"/projects/{project}{path}" for path in PAGES]
    everywhere += ["/", "/people", *(f"/projects/{project}/tasks/{row['id']}" for row in rows[:2])]
    for path in everywhere:
        answer = page.goto(f"{server.address}{path}")
        assert answer.status == 200, path
        assert page.evaluate("window.ran") is None, path
        assert page.locator("img[onerror], svg[onload]").count() == 0, path
        assert page.locator("script:not([src]):not([type='application/json'])").count() == 0, path
    page.goto(f"{server.address}/projects/{project}/tasks/{rows[0]['id']}")
    assert EVIL in page.inner_text("main")
    whole = server.client(Role.ADMIN).get(f"/projects/{project}/report.html").text
    report = context.new_page()
    report.on("dialog", lambda dialog: (said.append(f"dialog {dialog.message}"), dialog.dismiss()))
    report.set_content(whole)
    assert report.evaluate("window.ran") is None
    context.close()
    assert said == []
    assert [url for url in asked if not url.startswith((server.address, "data:"))] == []
