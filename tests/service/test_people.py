"""Users, tokens and sessions: secrets are kept as hashes, and end when they should."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from accord.errors import UsageError
from accord.service.accounts import Accounts
from accord.workspace import Workspace
from accord.workspace.tables import SESSIONS, TOKENS, USERS

PASSWORD = "correct horse battery"


@pytest.fixture
def clock():
    return SimpleNamespace(now=1_800_000_000.0)


@pytest.fixture
def accounts(tmp_path, clock):
    with Workspace.open(tmp_path / "accord.db", clock=lambda: clock.now) as workspace:
        found = Accounts(workspace, timedelta(hours=1))
        found.database, found.events = workspace.database, workspace.events
        yield found


def rows(accounts, table):
    with accounts.database.read() as connection:
        return connection.execute(select(table)).all()


def test_passwords_are_kept_as_argon2_and_checked(accounts):
    number = accounts.users.create("Ann", "reviewer", actor="test", password=PASSWORD)
    assert rows(accounts, USERS)[0].password_hash.startswith("$argon2id$")
    assert accounts.users.check("Ann", PASSWORD).id == number
    assert accounts.users.check("Ann", PASSWORD + "x") is None
    assert accounts.users.check("Bob", PASSWORD) is None
    assert accounts.users.check("Ann", "x" * 10**6) is None


def test_a_user_without_password_cannot_log_in(accounts):
    accounts.users.create("Robot", "manager", actor="test")
    assert accounts.users.check("Robot", "nobody") is None
    assert accounts.users.check("Robot", "") is None


@pytest.mark.parametrize(
    "name, role, password, words",
    [
        ("Ann", "owner", PASSWORD, "Allowed: viewer, reviewer, manager, admin"),
        ("Ann", "viewer", "short", "10 to 1000"),
        (" ", "viewer", PASSWORD, "no name for a user"),
        ("A\x00", "viewer", PASSWORD, "no name for a user"),
    ],
)
def test_what_is_no_user_is_refused(accounts, name, role, password, words):
    with pytest.raises(UsageError, match=words):
        accounts.users.create(name, role, actor="test", password=password)
    assert not rows(accounts, USERS)


def test_names_are_taken_once_and_roles_are_ordered(accounts):
    number = accounts.users.create("Ann", "manager", actor="test", identities=["ann@example.org", "17"])
    with pytest.raises(UsageError, match="already"):
        accounts.users.create(" Ann ", "viewer", actor="test")
    found = accounts.users.get(number)
    assert found.identities == {"ann", "ann@example.org", "17"}


def test_the_last_admin_stays(accounts):
    number = accounts.users.create("Root", "admin", actor="test")
    for change in ({"role": "viewer"}, {"disabled": True}):
        with pytest.raises(UsageError, match="last admin"):
            accounts.users.change(number, actor="test", **change)
    assert accounts.users.get(number).role == "admin"


def test_tokens_are_hashed_end_and_can_be_revoked(accounts, clock):
    user = accounts.users.create("Ann", "viewer", actor="test")
    secret = accounts.tokens.create(user, "laptop", actor="test", lifetime=100)
    assert secret not in str(rows(accounts, TOKENS))
    assert accounts.tokens.user_of(secret).id == user
    assert accounts.tokens.user_of(secret + "x") is None
    clock.now += 101
    assert accounts.tokens.user_of(secret) is None
    forever = accounts.tokens.create(user, "server", actor="test")
    clock.now += 10**9
    assert accounts.tokens.user_of(forever).id == user
    token = accounts.tokens.all(user)[0]
    assert token.label == "server"
    accounts.tokens.revoke(token.id, actor="test")
    assert accounts.tokens.user_of(forever) is None
    with pytest.raises(UsageError, match="no valid token"):
        accounts.tokens.revoke(token.id, actor="test")


def test_a_link_is_good_once_and_for_its_purpose(accounts):
    user = accounts.users.create("Root", "admin", actor="test")
    secret = accounts.tokens.create(user, "first start", actor="test", once="login", lifetime=60)
    assert accounts.tokens.user_of(secret) is None
    assert accounts.tokens.redeem(secret, "reset") is None
    assert accounts.tokens.redeem(secret, "login").id == user
    assert accounts.tokens.redeem(secret, "login") is None


def test_sessions_end_with_time_log_out_and_changes_of_the_user(accounts, clock):
    user = accounts.users.create("Ann", "viewer", actor="test", password=PASSWORD)
    secret, csrf = accounts.sessions.start(user, lifetime=100)
    assert secret not in str(rows(accounts, SESSIONS))
    assert accounts.sessions.find(secret).csrf == csrf
    accounts.users.change(user, actor="test", role="manager")
    assert accounts.sessions.find(secret) is None
    secret, _ = accounts.sessions.start(user, lifetime=100)
    clock.now += 101
    assert accounts.sessions.find(secret) is None
    secret, _ = accounts.sessions.start(user, lifetime=100)
    accounts.sessions.end(secret)
    assert accounts.sessions.find(secret) is None
    assert len(rows(accounts, SESSIONS)) == 0


def test_a_disabled_user_is_out_at_once(accounts):
    user = accounts.users.create("Ann", "viewer", actor="test", password=PASSWORD)
    session, _ = accounts.sessions.start(user, lifetime=100)
    token = accounts.tokens.create(user, "x", actor="test")
    accounts.users.change(user, actor="test", disabled=True)
    assert accounts.sessions.find(session) is None
    assert accounts.tokens.user_of(token) is None
    assert accounts.users.check("Ann", PASSWORD) is None


def test_changes_are_events_without_secrets(accounts):
    user = accounts.users.create("Ann", "viewer", actor="root", password=PASSWORD)
    secret = accounts.tokens.create(user, "x", actor="root")
    accounts.users.change(user, actor="root", password=PASSWORD + "!")
    events = accounts.events.page().rows
    assert [event.kind for event in events] == ["user.changed", "token.created", "user.created"]
    assert PASSWORD not in str(events)
    assert secret not in str(events)
