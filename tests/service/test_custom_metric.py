"""Custom metrics of a project: tried, kept, reported; errors by kind; what cannot run is not kept."""

from __future__ import annotations

import re

import pytest
from live_server import EXAMPLES, Server

import accord
from accord.service.roles import Role

pytest.importorskip("pydantic_monty", reason="the extra custom is not installed")

CODE = """
def agreement(annotation_1, annotation_2, per_label=False):
    sizes = [len(one["result"]) for one in (annotation_1, annotation_2)]
    return min(sizes) / max(sizes) if max(sizes) else None
"""


@pytest.fixture(scope="module")
def project(server: Server) -> int:
    return server.example("Custom")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("def agreement(", "syntax"),
        ("import os\ndef agreement(a, b): return 1.0", "sandbox"),
        ("def agreement(a, b): return a['nothing']", "missing key"),
        ("def agreement(a, b): return 'high'", "type"),
        ("def agreement(a, b): return 1 / 0", "run time"),
    ],
)
def test_the_kind_of_an_error_is_told(server: Server, project: int, code: str, kind: str) -> None:
    found = server.client(Role.MANAGER).post(f"/api/projects/{project}/quality/test", json={"code": code})
    assert found.status_code == 200
    assert found.json()["error"]["kind"] == kind
    assert found.json()["score"] is None


def test_a_test_run_keeps_nothing(server: Server, project: int) -> None:
    manager = server.client(Role.MANAGER)
    before = manager.get(f"/api/projects/{project}/quality/settings").json()
    found = manager.post(f"/api/projects/{project}/quality/test", json={"code": CODE}).json()
    assert found["error"] is None
    assert 0 <= found["score"] <= 1
    assert len(found["annotations"]) == 2
    assert manager.get(f"/api/projects/{project}/quality/settings").json() == before


def test_kept_code_is_reported_as_on_the_command_line(server: Server, project: int) -> None:
    manager = server.client(Role.MANAGER)
    plan = {"controls": {"*": {"metric": "custom", "code": CODE}}}
    assert manager.put(f"/api/projects/{project}/quality/settings", json={"plan": plan}).status_code == 200
    server.work()
    assert manager.get(f"/api/projects/{project}/quality/metrics").json()["has_custom_code"] is True
    ours = manager.get(f"/api/projects/{project}/quality/report").json()
    source = EXAMPLES / "support-export.json"
    data = accord.read(source, config=EXAMPLES / "support-config.xml", results=True)
    theirs = accord.measure(data, plan)["*"]
    found = next(control for control in ours["controls"] if control["name"] == "*")
    assert found["pairwise"]["value"] == theirs.pairwise.value


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"plan": {"controls": {"*": {"metric": "custom", "code": "import os"}}}}, "sandbox error"),
        ({"plan": {"controls": {"*": {"metric": "custom"}}}}, "code is missing"),
        ({"plan": {"controls": {"sentiment": {"metric": "custom", "code": CODE}}}}, "whole annotations"),
        ({"custom": {"sentiment": CODE}}, "belongs to the plan"),
    ],
)
def test_what_cannot_run_is_not_kept(server: Server, project: int, settings: dict, words: str) -> None:
    refused = server.client(Role.MANAGER).put(f"/api/projects/{project}/quality/settings", json=settings)
    assert refused.status_code == 422
    assert words in refused.json()["error"]["message"]


def test_a_page_to_write_try_and_keep(server: Server, project: int) -> None:
    manager = server.person(Role.MANAGER, "Coder")
    path = f"/projects/{project}/settings/custom"
    page = manager.get(path)
    nonce = re.search(r'name="style-nonce" content="([^"]+)"', page.text)[1]
    assert f"style-src 'self' 'nonce-{nonce}'" in page.headers["content-security-policy"]
    assert nonce not in manager.get(path).text
    given = {"csrf": re.search(r'name="csrf" value="([^"]+)"', page.text)[1]}
    wrong = manager.post(path, data=given | {"code": "def agreement(a, b): return x", "action": "test"})
    assert "error</b> in line 1" in wrong.text
    right = manager.post(path, data=given | {"code": CODE, "action": "test"})
    assert "Score <b>" in right.text
    refused = manager.post(path, data=given | {"code": "import os", "action": "save"})
    assert refused.status_code == 422
    assert manager.post(path, data=given | {"code": CODE + "#", "action": "save"}).status_code == 303
    assert "The report shows it" in manager.get(path).text
    assert manager.post(path, data=given | {"action": "stop"}).status_code == 303
    assert "None is in use" in manager.get(path).text
