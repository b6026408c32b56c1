"""A full disk and a database that is gone: clear errors, nothing half done, and all is well when they are back."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from live_server import EXAMPLES, Server, start
from postgres_server import Postgres, new_database, running
from sqlalchemy import Engine, event, text

from accord.service.roles import Role
from accord.service.settings import Settings

CONFIG = (EXAMPLES / "support-config.xml").read_text(encoding="utf-8")
EXPORT = (EXAMPLES / "support-export.json").read_bytes()


def new_project(manager: httpx.Client) -> int:
    return manager.post("/api/projects", json={"name": "Room", "label_config": CONFIG}).json()["id"]


def imported(manager: httpx.Client, project: int) -> httpx.Response:
    return manager.post(f"/api/projects/{project}/import", files={"file": ("export.json", EXPORT)})


def limit_pages(engine: Engine, limits: list[str]) -> None:
    event.listen(engine, "connect", lambda connection, _: connection.execute(limits[0]))
    engine.dispose()


def test_a_full_database_file_refuses_whole_imports(tmp_path: Path) -> None:
    for server in start(Settings(data=tmp_path)):
        manager = server.client(Role.MANAGER)
        project = new_project(manager)
        engine = server.workspace.database.engine
        with server.workspace.database.read() as connection:
            pages = connection.scalar(text("PRAGMA page_count")) + 100
        limits = [f"PRAGMA max_page_count={pages}"]
        limit_pages(engine, limits)
        answer = imported(manager, project)
        assert answer.status_code == 503
        assert "nothing was changed" in answer.json()["error"]["message"] or "cannot be used now" in answer.text
        assert answer.headers["Retry-After"]
        facts = manager.get(f"/api/projects/{project}").json()
        assert (facts["tasks"], facts["annotations"], facts["data_version"]) == (0, 0, 0)
        assert server.workspace.jobs.page(project).total == 0
        limits[0] = "PRAGMA max_page_count=1000000"
        engine.dispose()
        assert imported(manager, project).status_code == 200
        with server.workspace.database.read() as connection:
            assert connection.scalar(text("PRAGMA integrity_check")) == "ok"


def test_a_full_disk_under_uploads_is_said(tmp_path: Path) -> None:
    """The server process may write no file beyond some size, as on a disk that is full."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({2**20}, {2**20}))\n"
    program = f"{limit}from accord.cli import main; main()"
    token = tmp_path / "token"
    command = [sys.executable, "-c", program, "serve", "--data", str(tmp_path / "data"), "--port", "0"]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([*command, "--workers", "0", "--token-out", str(token)], **options) as process:
        try:
            address = re.search(r"http://\S+", process.stdout.readline() + process.stdout.readline())[0]
            headers = {"Authorization": f"Bearer {token.read_text().strip()}"}
            with httpx.Client(base_url=address, headers=headers, timeout=60) as manager:
                project = new_project(manager)
                for send in (
                    {"files": {"file": ("export.json", EXPORT + b" " * 2**20)}},
                    {"content": EXPORT + b" " * 2**20, "headers": {"Content-Type": "application/json"}},
                ):
                    answer = manager.post(f"/api/projects/{project}/import", **send)
                    assert answer.status_code == 503, answer.text
                    assert "no room left" in answer.json()["error"]["message"]
                    assert manager.get(f"/api/projects/{project}").json()["tasks"] == 0
                assert manager.get("/readyz").status_code == 200
        finally:
            process.kill()


@pytest.fixture
def postgres_of_its_own() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.mark.postgres
def test_a_database_that_goes_and_comes_back(tmp_path: Path, postgres_of_its_own: Postgres) -> None:
    with new_database(postgres_of_its_own.url) as url:
        for server in start(Settings(data=tmp_path, database=url)):
            project = server.example("Support")
            manager = server.client(Role.MANAGER)
            before = manager.get(f"/api/projects/{project}").json()
            postgres_of_its_own.stop()
            try:
                refuses(server, manager, project)
            finally:
                postgres_of_its_own.start()
            until = time.monotonic() + 30
            while manager.get("/readyz").status_code != 200:
                assert time.monotonic() < until
                time.sleep(0.1)
            assert manager.get(f"/api/projects/{project}").json() == before
            assert imported(manager, project).json()["unchanged"] == before["annotations"]
            assert manager.get(f"/api/projects/{project}/quality/report").status_code == 200


def refuses(server: Server, manager: httpx.Client, project: int) -> None:
    """Everything that needs the database says so, shows no part of its address, and the process lives."""
    assert server.client().get("/healthz").status_code == 200
    page = server.browser().get(
        f"/projects/{project}", headers={"Authorization": f"Bearer {server.tokens[Role.ADMIN]}"}
    )
    for answer in (
        server.client().get("/readyz"),
        manager.get(f"/api/projects/{project}"),
        manager.get(f"/api/projects/{project}/quality/report"),
        imported(manager, project),
        page,
    ):
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        assert "postgres" not in answer.text.lower()
        assert "127.0.0.1" not in answer.text
