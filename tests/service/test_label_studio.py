"""A real Label Studio server: what is pulled gives the same numbers as the server's own export."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import environments
import pytest
from label_studio import CONFIG, LabelStudio, running
from live_server import Server, start

from accord.service.roles import Role
from accord.service.settings import Settings
from accord.workspace.worker import Worker

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabelStudio]:
    try:
        with running(tmp_path_factory.mktemp("label-studio")) as found:
            yield found
    except environments.UnavailableError as reason:
        pytest.skip(str(reason))


def command(*arguments: object) -> str:
    done = subprocess.run([sys.executable, "-m", "accord", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def scores(file: Path, folder: Path) -> dict[str, Any]:
    config = folder / "config.xml"
    config.write_text(CONFIG)
    return json.loads(command("score", file, "--config", config, "--tasks", "--json"))


def filled(studio: LabelStudio) -> tuple[int, list[int], list[int]]:
    """A project with 24 tasks, 16 of them answered twice."""
    project, tasks = studio.project(24)
    mine = []
    for i, task in enumerate(tasks[:16]):
        mine.append(studio.annotate(task, ("warm", "cold", "mixed")[i % 3]))
        studio.annotate(task, ("warm", "cold")[i % 2], by=studio.second)
    return project, tasks, mine


def test_a_pull_gives_the_numbers_of_the_export(studio: LabelStudio, tmp_path: Path) -> None:
    project, tasks, mine = filled(studio)
    pulled, asked = tmp_path / "pulled.json", ("pull", "--url", studio.url, "--project", project)
    token = studio.admin.headers["Authorization"].removeprefix("Token ")

    def compare(token: str) -> str:
        said = command(*asked, "--token", token, "-o", pulled, "--config", tmp_path / "pulled.xml")
        exported = studio.export(project, tmp_path / "exported.json")
        found = scores(pulled, tmp_path)
        assert found == scores(exported, tmp_path)
        assert found["controls"][0]["pairs"] > 10
        return said

    assert "24 tasks, 24 new or changed, 0 deleted" in compare(token)
    studio.change(mine[0], "mixed")
    studio.delete(mine[1])
    studio.delete_tasks(project, [tasks[2], tasks[20]])
    studio.annotate(tasks[18], "warm", was_cancelled=True)
    said = compare(studio.personal_token())
    assert "22 tasks, " in said
    assert "2 deleted" in said
    assert json.loads((tmp_path / "pulled.json").read_text())[0]["id"] == tasks[0]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    for server in start(Settings(data=tmp_path)):
        worker = Worker(server.workspace)
        thread = threading.Thread(target=worker.run)
        thread.start()
        yield server
        worker.stop.set()
        thread.join()


def until(found: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_webhooks_and_pulls_keep_a_project_up_to_date(studio: LabelStudio, server: Server, tmp_path: Path) -> None:
    remote, tasks, mine = filled(studio)
    manager, admin = server.client(Role.MANAGER), server.client(Role.ADMIN)
    number = manager.post("/api/projects", json={"name": "Live"}).json()["id"]
    root = f"/api/projects/{number}"
    token = studio.admin.headers["Authorization"].removeprefix("Token ")
    wanted = {"url": studio.url, "remote": remote, "token": token, "minutes": 0}
    refused = manager.put(f"{root}/connection", json=wanted)
    assert (refused.status_code, "not allowed" in refused.text) == (422, True)
    assert admin.put("/api/hosts", json={"hosts": {"127.0.0.1": False}}).status_code == 200
    assert "not allowed from here" in manager.put(f"{root}/connection", json=wanted).text
    assert admin.put("/api/hosts", json={"hosts": {"127.0.0.1": True}}).status_code == 200
    secret = manager.put(f"{root}/connection", json=wanted).json()["secret"]
    until(lambda: manager.get(root).json()["annotations"] == 32)

    def same() -> bool:
        exported = studio.export(remote, tmp_path / "exported.json")
        expected = scores(exported, tmp_path)["controls"][0]
        found = manager.get(f"{root}/quality/live").json()["controls"]
        return bool(found) and all(
            found[0][key] == expected[key] if key != "coefficients" else _alpha(found[0]) == _alpha(expected)
            for key in ("units", "pairs", "pairwise", "coefficients")
        )

    until(same)
    hook = manager.get(f"{root}/connection").json()["webhook"]
    body = {"project": remote, "url": hook, "send_payload": True, "send_for_all_actions": True}
    made = studio.admin.post("/api/webhooks/", json=body | {"headers": {"X-Accord-Secret": secret}})
    assert made.status_code == 201, made.text
    before = _alpha(manager.get(f"{root}/quality/live").json()["controls"][0])
    studio.change(mine[0], "mixed")
    until(lambda: _alpha(manager.get(f"{root}/quality/live").json()["controls"][0]) != before)
    assert same()
    studio.delete(mine[1])
    until(lambda: manager.get(root).json()["annotations"] == 31)
    studio.delete_tasks(remote, [tasks[2], tasks[20]])
    until(lambda: manager.get(root).json()["tasks"] == 22)
    studio.annotate(tasks[18], "warm")
    studio.annotate(tasks[18], "warm", by=studio.second)
    until(lambda: manager.get(root).json()["annotations"] == 31)
    until(same)
    report = manager.get(f"{root}/quality/report").json()["controls"][0]
    assert _alpha(report) == _alpha(scores(studio.export(remote, tmp_path / "last.json"), tmp_path)["controls"][0])
    export = tmp_path / "ours.json"
    export.write_bytes(manager.get(f"{root}/export").content)
    assert _alpha(scores(export, tmp_path)["controls"][0]) == _alpha(report)


def _alpha(control: dict[str, Any]) -> float:
    return control["coefficients"]["krippendorff_alpha"]["value"]
