"""What must be refused whole: bombs, depth, entities, endless bodies; and nothing is left of it."""

from __future__ import annotations

import io
import socket
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from live_server import Server, start

from accord.service.roles import Role
from accord.service.settings import Settings


@pytest.fixture(scope="module")
def project(server: Server) -> int:
    return server.client(Role.MANAGER).post("/api/projects", json={"name": "Hostile"}).json()["id"]


def bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(12):
            archive.writestr(f"xl/worksheets/sheet{i}.xml", b"\0" * 100_000_000)
    return buffer.getvalue()


def deep(levels: int) -> bytes:
    return b'[{"id": 1, "data": ' + b"[" * levels + b"]" * levels + b', "annotations": []}]'


UPLOADS = {
    "a bomb": (bomb, "x.xlsx", 413),
    "a bomb that calls itself JSON": (bomb, "x.json", 413),
    "depth": (lambda: deep(100_000), "x.json", 422),
    "no JSON": (lambda: b"\xff\xfe\x00\x00" * 100, "x.json", 422),
    "a table": (lambda: b"a,b\n1,2\n", "x.csv", 422),
    "nothing": (lambda: b"", "x.json", 422),
    "XML": (lambda: b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "../../x.xml", 422),
    "a number": (lambda: b"17", "x.json", 422),
    "numbers": (lambda: b"[1, 2]", "x.json", 422),
}


@pytest.mark.parametrize("what", UPLOADS)
def test_it_is_refused_and_nothing_stays(server: Server, project: int, what: str) -> None:
    make, name, status = UPLOADS[what]
    manager = server.client(Role.MANAGER)
    before = set(Path(tempfile.gettempdir()).glob("accord-upload-*"))
    answer = manager.post(f"/api/projects/{project}/import", files={"file": (name, make())})
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    assert "accord-upload" not in answer.text
    assert "/" not in answer.json()["error"]["message"].partition(":")[0]
    assert set(Path(tempfile.gettempdir()).glob("accord-upload-*")) <= before
    assert manager.get(f"/api/projects/{project}").json()["tasks"] == 0


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "", "multipart/form-data", "application/gzip"])
def test_other_media_types_are_refused(server: Server, project: int, kind: str) -> None:
    answer = server.client(Role.MANAGER).post(
        f"/api/projects/{project}/import", content=b"[]", headers={"Content-Type": kind}
    )
    assert answer.status_code in (400, 415)
    assert set(answer.json()) == {"error"}


def test_an_endless_upload_ends(tmp_path: Path) -> None:
    for server in start(replace(Settings(data=tmp_path), upload_bytes=200_000)):
        manager = server.client(Role.MANAGER)
        number = manager.post("/api/projects", json={"name": "Endless"}).json()["id"]
        pieces = (b" " * 10_000 for _ in range(1000))
        headers = {"Content-Type": "application/json"}
        answer = manager.post(f"/api/projects/{number}/import", content=pieces, headers=headers)
        assert answer.status_code == 413


def test_half_a_body_leaves_nothing(server: Server, project: int) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        head = [
            f"POST /api/projects/{project}/import HTTP/1.1",
            "Host: x",
            "Content-Type: application/json",
            "Content-Length: 1000",
            f"Authorization: Bearer {server.tokens[Role.MANAGER]}",
        ]
        line.sendall("".join(f"{field}\r\n" for field in (*head, "")).encode() + b'[{"id": 1')
    assert server.client(Role.MANAGER).get(f"/api/projects/{project}").json()["tasks"] == 0
