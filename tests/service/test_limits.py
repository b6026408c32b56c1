"""What is too large, compressed, or no request at all; and the headers on every answer."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest
from live_server import Server, start

from accord.service.roles import Role
from accord.service.settings import Settings

ERROR = {"error"}


@pytest.mark.parametrize("path", ["/healthz", "/login", "/nothing", "/api/users", "/api/nothing"])
def test_every_answer_carries_the_headers(server: Server, path: str) -> None:
    for client in (server.client(), server.client(Role.ADMIN)):
        headers = client.get(path, headers={"Accept": "text/html"}).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"
        assert len(headers["x-request-id"]) == 16


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("DELETE", "/api/users", 405, "method_not_allowed"),
        ("GET", "/api/users", 401, "not_signed_in"),
    ],
)
def test_failures_have_one_shape(server: Server, method: str, path: str, status: int, code: str) -> None:
    answer = server.client().request(method, path)
    assert answer.status_code == status
    body = answer.json()
    assert set(body) == ERROR
    assert set(body["error"]) == {"code", "message", "details"}
    assert body["error"]["code"] == code


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400, "not_json"),
        ({"json": {}}, 422, "invalid"),
        ({"json": {"name": "x", "role": "emperor"}}, 422, "invalid"),
        ({"json": {"name": 1, "role": "viewer"}}, 422, "invalid"),
        ({"json": {"name": "x", "role": "viewer", "more": 1}}, 422, "invalid"),
        ({"content": b"[" * 100_000, "headers": {"Content-Type": "application/json"}}, 400, None),
        ({"content": b"x", "headers": {"Content-Encoding": "gzip"}}, 415, "media_type"),
    ],
)
def test_wrong_bodies_are_refused(server: Server, sent: dict, status: int, code: str | None) -> None:
    answer = server.client(Role.ADMIN).post("/api/users", **sent)
    assert answer.status_code == status
    assert code in (None, answer.json()["error"]["code"])


def test_failures_do_not_repeat_what_was_sent(server: Server) -> None:
    secret = "4111 1111 1111 1111"
    answer = server.client(Role.ADMIN).post("/api/users", json={"name": {"card": secret}, "role": secret})
    assert answer.status_code == 422
    assert secret not in answer.text


def test_large_bodies_are_refused_before_they_are_read(server: Server) -> None:
    limit = server.settings.body_bytes
    with socket.create_connection(("127.0.0.1", int(server.address.rpartition(":")[2])), timeout=10) as line:
        head = ("POST /api/users HTTP/1.1", "Host: x", "Content-Type: application/json", f"Content-Length: {limit + 1}")
        line.sendall("".join(f"{field}\r\n" for field in (*head, "")).encode())
        assert line.recv(2000).startswith(b"HTTP/1.1 413")


def test_bodies_without_a_length_are_counted(tmp_path: Path) -> None:
    for server in start(replace(Settings(data=tmp_path), body_bytes=1000)):
        client = server.client(Role.ADMIN)
        pieces = (b" " * 100 for _ in range(50))
        answer = client.post("/api/users", content=pieces, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "too_large"


def test_static_files_are_kept_and_nothing_else_is_served(server: Server) -> None:
    page = server.client().get("/login").text
    address = next(part.split('"')[1] for part in page.split("href=") if "report.css" in part)
    answer = server.client().get(address)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    for wrong in (
        "/static/x/../../errors.py",
        "/static/x/%2e%2e/app.py",
        address.replace("report.css", "layout.html.j2"),
    ):
        assert server.client().get(wrong).status_code == 404


def test_pages_show_no_traceback(server: Server) -> None:
    answer = server.browser().get(f"/welcome/{'x' * 5000}")
    assert answer.status_code == 404
    assert "Traceback" not in answer.text
