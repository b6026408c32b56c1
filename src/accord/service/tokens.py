"""Tokens and sessions: secrets that are given out once and kept as hashes."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, or_, select, update

from accord.errors import UsageError
from accord.workspace.database import Database, StoreError
from accord.workspace.events import Clock, record
from accord.workspace.projects import UnknownIdError, checked_name
from accord.workspace.tables import SESSIONS, TOKENS
from accord.workspace.users import User, user_of

#: Seconds between notes of the last use of a token.
NOTED: Final = 60.0
#: Seconds that a request waits for that.
BRIEF: Final = 0.05


def secret_digest(secret: str) -> str:
    """What is kept of a secret that has enough randomness of its own."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token as its owner sees it in a list; the secret itself is not known any more."""

    id: int
    user_id: int
    label: str
    created_at: float
    expires_at: float | None
    used_at: float | None
    revoked: bool


@dataclass(frozen=True, slots=True)
class Session:
    """A login: who it is, and the value that requests which change something must carry."""

    user: User
    csrf: str


class Tokens:
    """Tokens for programs, and links that let somebody in once."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create(self, user_id: int, label: str, *, actor: str, lifetime: float | None = None, once: str = "") -> str:
        """Make a token and return its secret, which cannot be had again.

        ``lifetime`` in seconds, None = no end. ``once`` names a purpose for which it is good a single time.
        """
        secret, now = secrets.token_urlsafe(32), self._clock()
        values = {
            "user_id": user_id,
            "digest": secret_digest(secret),
            "label": checked_name(label, "token"),
            "once": once,
            "created_at": now,
            "expires_at": None if lifetime is None else now + lifetime,
        }
        with self._database.write() as connection:
            user_of(connection, user_id)
            number = connection.execute(insert(TOKENS).values(values).returning(TOKENS.c.id)).scalar_one()
            record(connection, "token.created", at=now, actor=actor, payload={"token": number, "user": user_id})
        return secret

    def user_of(self, secret: str) -> User | None:
        """Whose token this is, None if it is nobody's, has ended, or is for a single use."""
        now = self._clock()
        with self._database.read() as connection:
            row = connection.execute(_valid(secret, now).where(TOKENS.c.once == "")).one_or_none()
            user = None if row is None else live_user(connection, row.user_id)
        if row is None or user is None:
            return None
        if row.used_at is None or row.used_at < now - NOTED:
            self._note(row.id, now)
        return user

    def _note(self, token: int, at: float) -> None:
        """Note that a token was used; while somebody else writes for long, a later use is noted instead."""
        with suppress(StoreError), self._database.write(BRIEF) as connection:
            connection.execute(update(TOKENS).where(TOKENS.c.id == token).values(used_at=at))

    def redeem(self, secret: str, purpose: str) -> User | None:
        """Use a token that is good once; None if it is not, or not for this."""
        now = self._clock()
        with self._database.write() as connection:
            row = connection.execute(_valid(secret, now).where(TOKENS.c.once == purpose)).one_or_none()
            if row is None or not purpose:
                return None
            here = update(TOKENS).where(TOKENS.c.id == row.id, TOKENS.c.revoked_at.is_(None))
            if not connection.execute(here.values(used_at=now, revoked_at=now)).rowcount:
                return None
            user = live_user(connection, row.user_id)
            record(connection, "token.redeemed", at=now, actor=f"user {row.user_id}", payload={"token": row.id})
        return user

    def all(self, user_id: int | None = None) -> list[Token]:
        """Tokens for programs, latest first, of one user or of all."""
        query = select(TOKENS).where(TOKENS.c.once == "").order_by(TOKENS.c.id.desc())
        with self._database.read() as connection:
            rows = connection.execute(query if user_id is None else query.where(TOKENS.c.user_id == user_id))
            return [_token(row) for row in rows]

    def revoke(self, token_id: int, *, actor: str) -> None:
        """End a token.

        Raises
        ------
        UsageError
            There is none, or it has ended.
        """
        now = self._clock()
        with self._database.write() as connection:
            here = update(TOKENS).where(TOKENS.c.id == token_id, TOKENS.c.revoked_at.is_(None))
            if not connection.execute(here.values(revoked_at=now)).rowcount:
                raise UsageError(f"There is no valid token {token_id}.")
            record(connection, "token.revoked", at=now, actor=actor, payload={"token": token_id})


class Sessions:
    """Logins of people with a browser."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def start(self, user_id: int, *, lifetime: float) -> tuple[str, str]:
        """Begin a session; returns its secret, for a cookie, and the value against forged requests."""
        secret, csrf, now = secrets.token_urlsafe(32), secrets.token_urlsafe(32), self._clock()
        values = {"user_id": user_id, "digest": secret_digest(secret), "csrf": csrf, "created_at": now}
        with self._database.write() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires_at < now))
            connection.execute(insert(SESSIONS).values(values | {"expires_at": now + lifetime}))
        return secret, csrf

    def find(self, secret: str) -> Session | None:
        """Session of a secret, None if there is none or it has ended."""
        query = select(SESSIONS).where(SESSIONS.c.digest == secret_digest(secret))
        with self._database.read() as connection:
            row = connection.execute(query.where(SESSIONS.c.expires_at >= self._clock())).one_or_none()
            user = None if row is None else live_user(connection, row.user_id)
        return None if row is None or user is None else Session(user, row.csrf)

    def end(self, secret: str) -> None:
        """Log out; nothing happens if there is no such session."""
        with self._database.write() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.digest == secret_digest(secret)))


def live_user(connection: Connection, user_id: int) -> User | None:
    """User of a number, None if the account is shut out."""
    try:
        return user_of(connection, user_id)
    except UnknownIdError:
        return None


def _valid(secret: str, now: float) -> Any:
    lasting = or_(TOKENS.c.expires_at.is_(None), TOKENS.c.expires_at >= now)
    return select(TOKENS).where(TOKENS.c.digest == secret_digest(secret), TOKENS.c.revoked_at.is_(None), lasting)


def _token(row: Any) -> Token:
    return Token(
        id=row.id,
        user_id=row.user_id,
        label=row.label,
        created_at=row.created_at,
        expires_at=row.expires_at,
        used_at=row.used_at,
        revoked=row.revoked_at is not None,
    )
