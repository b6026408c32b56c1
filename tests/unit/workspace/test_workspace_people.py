"""Users, tokens and sessions: secrets are kept as hashes, and end when they should."""

import pytest
from sqlalchemy import select

from accord.errors import UsageError
from accord.workspace.tables import SESSIONS, TOKENS, USERS

PASSWORD = "correct horse battery"


def rows(workspace, table):
    with workspace.database.read() as connection:
        return connection.execute(select(table)).all()


def test_passwords_are_kept_as_argon2_and_checked(workspace):
    number = workspace.users.create("Ann", "reviewer", actor="test", password=PASSWORD)
    assert rows(workspace, USERS)[0].password_hash.startswith("$argon2id$")
    assert workspace.users.check("Ann", PASSWORD).id == number
    assert workspace.users.check("Ann", PASSWORD + "x") is None
    assert workspace.users.check("Bob", PASSWORD) is None
    assert workspace.users.check("Ann", "x" * 10**6) is None


def test_a_user_without_password_cannot_log_in(workspace):
    workspace.users.create("Robot", "manager", actor="test")
    assert workspace.users.check("Robot", "nobody") is None
    assert workspace.users.check("Robot", "") is None


@pytest.mark.parametrize(
    "name, role, password, words",
    [
        ("Ann", "owner", PASSWORD, "Allowed: viewer, reviewer, manager, admin"),
        ("Ann", "viewer", "short", "10 to 1000"),
        (" ", "viewer", PASSWORD, "no name for a user"),
        ("A\x00", "viewer", PASSWORD, "no name for a user"),
    ],
)
def test_what_is_no_user_is_refused(workspace, name, role, password, words):
    with pytest.raises(UsageError, match=words):
        workspace.users.create(name, role, actor="test", password=password)
    assert not rows(workspace, USERS)


def test_names_are_taken_once_and_roles_are_ordered(workspace):
    number = workspace.users.create("Ann", "manager", actor="test", identities=["ann@example.org", "17"])
    with pytest.raises(UsageError, match="already"):
        workspace.users.create(" Ann ", "viewer", actor="test")
    found = workspace.users.get(number)
    assert found.identities == {"ann", "ann@example.org", "17"}
    assert [found.may(role) for role in ("viewer", "reviewer", "manager", "admin")] == [True, True, True, False]


def test_the_last_admin_stays(workspace):
    number = workspace.users.create("Root", "admin", actor="test")
    for change in ({"role": "viewer"}, {"disabled": True}):
        with pytest.raises(UsageError, match="last admin"):
            workspace.users.change(number, actor="test", **change)
    assert workspace.users.get(number).role == "admin"


def test_tokens_are_hashed_end_and_can_be_revoked(workspace, clock):
    user = workspace.users.create("Ann", "viewer", actor="test")
    secret = workspace.tokens.create(user, "laptop", actor="test", lifetime=100)
    assert secret not in str(rows(workspace, TOKENS))
    assert workspace.tokens.user_of(secret).id == user
    assert workspace.tokens.user_of(secret + "x") is None
    clock.now += 101
    assert workspace.tokens.user_of(secret) is None
    forever = workspace.tokens.create(user, "server", actor="test")
    clock.now += 10**9
    assert workspace.tokens.user_of(forever).id == user
    token = workspace.tokens.all(user)[0]
    assert token.label == "server"
    workspace.tokens.revoke(token.id, actor="test")
    assert workspace.tokens.user_of(forever) is None
    with pytest.raises(UsageError, match="no valid token"):
        workspace.tokens.revoke(token.id, actor="test")


def test_a_link_is_good_once_and_for_its_purpose(workspace):
    user = workspace.users.create("Root", "admin", actor="test")
    secret = workspace.tokens.create(user, "first start", actor="test", once="login", lifetime=60)
    assert workspace.tokens.user_of(secret) is None
    assert workspace.tokens.redeem(secret, "reset") is None
    assert workspace.tokens.redeem(secret, "login").id == user
    assert workspace.tokens.redeem(secret, "login") is None


def test_sessions_end_with_time_log_out_and_changes_of_the_user(workspace, clock):
    user = workspace.users.create("Ann", "viewer", actor="test", password=PASSWORD)
    secret, csrf = workspace.sessions.start(user, lifetime=100)
    assert secret not in str(rows(workspace, SESSIONS))
    assert workspace.sessions.find(secret).csrf == csrf
    workspace.users.change(user, actor="test", role="manager")
    assert workspace.sessions.find(secret) is None
    secret, _ = workspace.sessions.start(user, lifetime=100)
    clock.now += 101
    assert workspace.sessions.find(secret) is None
    secret, _ = workspace.sessions.start(user, lifetime=100)
    workspace.sessions.end(secret)
    assert workspace.sessions.find(secret) is None
    assert len(rows(workspace, SESSIONS)) == 0


def test_a_disabled_user_is_out_at_once(workspace):
    user = workspace.users.create("Ann", "viewer", actor="test", password=PASSWORD)
    session, _ = workspace.sessions.start(user, lifetime=100)
    token = workspace.tokens.create(user, "x", actor="test")
    workspace.users.change(user, actor="test", disabled=True)
    assert workspace.sessions.find(session) is None
    assert workspace.tokens.user_of(token) is None
    assert workspace.users.check("Ann", PASSWORD) is None


def test_changes_are_events_without_secrets(workspace):
    user = workspace.users.create("Ann", "viewer", actor="root", password=PASSWORD)
    secret = workspace.tokens.create(user, "x", actor="root")
    workspace.users.change(user, actor="root", password=PASSWORD + "!")
    events = workspace.events.page().rows
    assert [event.kind for event in events] == ["user.changed", "token.created", "user.created"]
    assert PASSWORD not in str(events)
    assert secret not in str(events)
