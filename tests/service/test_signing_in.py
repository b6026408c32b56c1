"""One-time links, passwords, sessions, form tokens, and the limit on guessing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from live_server import PASSWORD, Server, start

from accord.service.accounts import Accounts
from accord.service.roles import Role
from accord.service.settings import Settings
from accord.workspace import Workspace
from accord.workspace.tables import SESSIONS, TOKENS, USERS


def form_token(page: str) -> str:
    found = re.search(r'name="csrf" value="([\w-]{43})"', page)
    assert found
    return found[1]


def test_a_one_time_link_works_once(server: Server) -> None:
    _, secret = server.accounts.invite("Ada", Role.REVIEWER, actor="tests")
    browser = server.browser()
    for _ in range(2):
        assert (
            "You will be" in browser.get(f"/welcome/{secret}").text
            or "you will be reviewer" in browser.get(f"/welcome/{secret}").text
        )
    answer = browser.post("/welcome", data={"secret": secret, "password": PASSWORD})
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    again = server.browser()
    assert again.get(f"/welcome/{secret}").status_code == 404
    assert again.post("/welcome", data={"secret": secret, "password": PASSWORD}).status_code == 404


@pytest.mark.parametrize("password", ["short", "x" * 1001, "grace hopper"])
def test_a_password_has_to_do(server: Server, password: str) -> None:
    name = "Grace Hopper" if password == "grace hopper" else f"Grace {len(password)}"
    _, secret = server.accounts.invite(name, Role.VIEWER, actor="tests")
    browser = server.browser()
    given = {"secret": secret, "password": password}
    answer = browser.post("/welcome", data=given)
    assert answer.status_code == 422
    assert browser.get(f"/welcome/{secret}").status_code == 200


def test_no_secret_is_stored(server: Server) -> None:
    browser = server.person(Role.VIEWER, "Barbara")
    secrets = {browser.cookies["accord_session"], *server.tokens.values(), PASSWORD}
    with server.workspace.database.read() as connection:
        stored = str([connection.execute(table.select()).all() for table in (USERS, TOKENS, SESSIONS)])
    assert "$argon2id$" in stored
    assert not [secret for secret in secrets if secret in stored]


def test_a_password_signs_in_and_out(server: Server) -> None:
    server.person(Role.ADMIN, "Katherine")
    browser = server.browser()
    asked = browser.get("/people")
    assert asked.status_code == 303
    assert asked.headers["location"] == "/login?next=%2Fpeople"
    given = {"name": "Katherine", "password": PASSWORD, "next": "/people"}
    assert browser.post("/login", data=given | {"password": "wrong password"}).status_code == 401
    answer = browser.post("/login", data=given)
    assert (answer.status_code, answer.headers["location"]) == (303, "/people")
    page = browser.get("/people")
    assert page.status_code == 200
    assert browser.post("/logout", data={"csrf": form_token(page.text)}).status_code == 303
    assert browser.get("/people").status_code == 303


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_never_leads_elsewhere(server: Server, target: str) -> None:
    name = f"Person {abs(hash(target))}"
    server.person(Role.VIEWER, name)
    given = {"name": name, "password": PASSWORD, "next": target}
    assert server.client().post("/login", data=given).headers["location"] == "/"


def test_changes_need_the_form_token(server: Server) -> None:
    browser = server.person(Role.ADMIN, "Mary")
    given = {"name": "New person", "role": "viewer"}
    for wrong in (given, given | {"csrf": "0" * 64}):
        answer = browser.post("/people", data=wrong)
        assert answer.status_code == 403
    assert browser.post("/api/users", json=given).status_code == 403
    token = form_token(browser.get("/people").text)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        assert browser.post("/people", data=given | {"csrf": token}, headers=headers).status_code == 403
    assert "New person" not in browser.get("/people").text
    assert browser.post("/people", data=given | {"csrf": token}).status_code == 200
    assert (
        browser.post("/api/users", json=given | {"name": "Other"}, headers={"X-CSRF-Token": token}).status_code == 201
    )
    other = server.person(Role.ADMIN, "Joan")
    assert other.post("/people", data=given | {"csrf": token, "name": "Third"}).status_code == 403


def test_other_sites_cannot_sign_anybody_in(server: Server) -> None:
    server.person(Role.VIEWER, "Radia")
    given = {"name": "Radia", "password": PASSWORD}
    answer = server.client().post("/login", data=given, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_guessing_is_stopped(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, attempts=3, attempts_window=timedelta(minutes=5))
    for server in start(settings):
        server.person(Role.VIEWER, "Hedy")
        given = {"name": "Hedy", "password": "not the password"}
        found = [server.client().post("/login", data=given).status_code for _ in range(4)]
        assert found == [401, 401, 401, 429]
        right = server.client().post("/login", data=given | {"password": PASSWORD})
        assert right.status_code == 429
        assert 0 < int(right.headers["retry-after"]) <= 300


def test_who_is_shut_out_is_out_at_once(server: Server) -> None:
    browser = server.person(Role.VIEWER, "Lise")
    assert browser.get("/metrics").status_code == 200
    admin = server.client(Role.ADMIN)
    number = next(user["id"] for user in admin.get("/api/users").json()["items"] if user["name"] == "Lise")
    assert admin.patch(f"/api/users/{number}", json={"disabled": True}).status_code == 204
    assert browser.get("/metrics").status_code == 401
    given = {"name": "Lise", "password": PASSWORD}
    assert server.client().post("/login", data=given).status_code == 401


def test_a_revoked_token_ends(server: Server) -> None:
    admin = server.client(Role.ADMIN)
    made = admin.post("/api/tokens", json={"label": "nightly", "role": "viewer"}).json()
    headers = {"Authorization": f"Bearer {made['secret']}"}
    assert server.client().get("/metrics", headers=headers).status_code == 200
    assert admin.delete(f"/api/tokens/{made['id']}").status_code == 204
    assert server.client().get("/metrics", headers=headers).status_code == 401


def test_an_admin_is_always_left(server: Server) -> None:
    admin = server.client(Role.ADMIN)
    server.person(Role.ADMIN, "Emmy")
    people = [user for user in admin.get("/api/users").json()["items"] if user["role"] == "admin"]
    myself = next(user for user in people if user["name"] == "tests as admin")
    others = [user for user in people if user is not myself]
    for user in others:
        assert admin.patch(f"/api/users/{user['id']}", json={"role": "viewer"}).status_code == 204
    assert admin.patch(f"/api/users/{myself['id']}", json={"role": "viewer"}).status_code == 422
    for user in others:
        assert admin.patch(f"/api/users/{user['id']}", json={"role": "admin"}).status_code == 204


def test_sessions_and_links_end(tmp_path: Path) -> None:
    now = [1000.0]
    with Workspace.open(Settings(data=tmp_path).url, clock=lambda: now[0]) as workspace:
        accounts = Accounts(workspace, timedelta(hours=1))
        link = accounts.first_link()
        assert link is not None
        newer = accounts.first_link()
        assert newer is not None
        assert accounts.offered(link) is None
        session = accounts.redeem(newer, PASSWORD)
        assert accounts.first_link() is None
        assert accounts.of_session(session) is not None
        now[0] += 3601
        assert accounts.of_session(session) is None
        _, late = accounts.invite("Late", Role.VIEWER, actor="tests")
        now[0] += 8 * 86400
        assert accounts.offered(late) is None


def test_the_port_is_part_of_the_address(server: Server) -> None:
    assert replace(server.settings, host="::1").loopback
    assert replace(server.settings, host="localhost").loopback
    assert not replace(server.settings, host="0.0.0.0").loopback
