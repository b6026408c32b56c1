"""A real Label Studio server on loopback, with two users, in an environment of its own."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import environments
import httpx

TOKEN = "0123456789012345678901234567890123456789"
CONFIG = """<View><Text name="t" value="$text"/>
<Choices name="tone" toName="t"><Choice value="warm"/><Choice value="cold"/><Choice value="mixed"/></Choices></View>"""
#: Nothing is sent elsewhere, webhooks may reach loopback, tokens of the old kind are taken.
ENVIRONMENT = {
    "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
    "SSRF_PROTECTION_ENABLED": "false",
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
    "COLLECT_ANALYTICS": "0",
    "LATEST_VERSION_CHECK": "0",
}
PATIENCE = 240.0


def tone(choice: str) -> dict[str, Any]:
    """An annotation."""
    item = {"from_name": "tone", "to_name": "t", "type": "choices", "value": {"choices": [choice]}}
    return {"result": [item], "lead_time": 2.5}


@dataclass
class LabelStudio:
    """The server, and clients of its admin and of a second annotator."""

    url: str
    admin: httpx.Client
    second: httpx.Client

    def project(self, texts: int) -> tuple[int, list[int]]:
        """Make a project with tasks; returns its number and theirs."""
        body = {"title": "tones", "label_config": CONFIG, "maximum_annotations": 2}
        number = self.admin.post("/api/projects/", json=body).json()["id"]
        tasks = [{"text": f"text {i}"} for i in range(texts)]
        made = self.admin.post(f"/api/projects/{number}/import?return_task_ids=1", json=tasks)
        return number, made.json()["task_ids"]

    def annotate(self, task: int, choice: str, *, by: httpx.Client | None = None, **more: Any) -> int:
        """Annotate a task as the admin, or as the second annotator; returns the annotation's number."""
        answer = (by or self.admin).post(f"/api/tasks/{task}/annotations/", json=tone(choice) | more)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def change(self, annotation: int, choice: str) -> None:
        answer = self.admin.patch(f"/api/annotations/{annotation}/", json=tone(choice))
        assert answer.status_code == 200, answer.text

    def delete(self, annotation: int) -> None:
        assert self.admin.delete(f"/api/annotations/{annotation}/").status_code == 204

    def delete_tasks(self, project: int, tasks: list[int]) -> None:
        items = {"selectedItems": {"all": False, "included": tasks}}
        assert self.admin.post(f"/api/dm/actions?id=delete_tasks&project={project}", json=items).status_code == 200

    def export(self, project: int, target: Path) -> Path:
        """Write the server's own JSON export of all tasks."""
        asked = {"exportType": "JSON", "download_all_tasks": "true"}
        target.write_bytes(self.admin.get(f"/api/projects/{project}/export", params=asked).content)
        return target

    def personal_token(self) -> str:
        """Make a personal access token of the second annotator."""
        return self.second.post("/api/token/", json={}).json()["token"]


@contextmanager
def running(folder: Path) -> Iterator[LabelStudio]:
    """Run a server on a copy of a database that was migrated once.

    Raises
    ------
    UnavailableError
        If Label Studio cannot be installed here.
    """
    program = environments.environment("labelstudio").parent / "label-studio"
    data = folder / "data"
    shutil.copytree(_migrated(program), data)
    with _started(program, data, folder / "server.log") as url, httpx.Client(base_url=url, timeout=60) as guest:
        headers = {"Authorization": f"Token {TOKEN}"}
        with httpx.Client(base_url=url, headers=headers, timeout=60) as admin:
            headers = {"Authorization": f"Token {_join(guest, admin)}"}
            with httpx.Client(base_url=url, headers=headers, timeout=60) as second:
                yield LabelStudio(url, admin, second)


def _migrated(program: Path) -> Path:
    """Folder with a database that has all tables, made once for an environment."""
    folder = program.parents[1] / "data"
    with (program.parents[1] / "data.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            with _started(program, folder, program.parents[1] / "migrating.log"):
                pass
            (folder / "ready").touch()
    return folder


@contextmanager
def _started(program: Path, data: Path, log: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [program, "start", "--no-browser", "--data-dir", data, "--internal-host", "127.0.0.1", "-p", str(port)]
    command += ["--username", "admin@example.org", "--password", "secret-pass-1", "--user-token", TOKEN]
    command += ["--log-level", "WARNING"]
    environment = {**os.environ, **ENVIRONMENT, "LABEL_STUDIO_BASE_DATA_DIR": str(data)}
    environment.pop("PYTHONPATH", None)
    with log.open("w") as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=said, cwd=data, start_new_session=True)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, process, log)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=60)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(f"{url}/health", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.3)
    raise AssertionError(f"Label Studio did not start: {log.read_text()[-2000:]}")


def _join(guest: httpx.Client, admin: httpx.Client) -> str:
    """Let somebody join by invitation; returns their token."""
    invited = admin.get("/api/invite").json()["invite_url"]
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', guest.get(invited).text)[1]
    form = {"email": "second@example.org", "password": "secret-pass-2", "csrfmiddlewaretoken": token}
    answer = guest.post(invited, data=form, headers={"Referer": str(guest.base_url) + invited})
    assert answer.status_code == 302, answer.text[:500]
    return guest.get("/api/current-user/token").json()["token"]
