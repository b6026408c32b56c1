"""People and programs that may come in: passwords, one-time links, sessions, tokens. Secrets are kept as hashes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from time import time
from typing import Any, Final

from pwdlib import PasswordHash
from sqlalchemy import Connection, and_, delete, exists, insert, or_, select, update

from accord.service.access import Identity
from accord.service.failures import Failure
from accord.service.roles import Role
from accord.service.signing import digest, form_token, new_secret
from accord.workspace.database import Database
from accord.workspace.events import record
from accord.workspace.tables import SESSIONS, TOKENS, USERS

WELCOME: Final = "welcome"
PROGRAM: Final = ""
LINK_LIFE: Final = timedelta(days=7)
SHORTEST: Final = 10
LONGEST: Final = 200
NOTED_EVERY: Final = 3600.0
#: Hashing a password takes much memory on purpose, so only a few are hashed at a time.
_HASHING = threading.Semaphore(2)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a one-time link offers."""

    user: int
    name: str
    role: Role


class Accounts:
    """Signs people and programs in and out of one workspace."""

    def __init__(self, database: Database, session: timedelta, clock: Callable[[], float] = time) -> None:
        self._database = database
        self._session = session.total_seconds()
        self._clock = clock

    def now(self) -> float:
        """Seconds since 1970."""
        return self._clock()

    def of_token(self, secret: str) -> Identity | None:
        """Who a token stands for; None if it is unknown, revoked or too old."""
        now = self._clock()
        wanted = _live_token(secret, PROGRAM, now)
        query = select(USERS, TOKENS.c.id.label("token_id"), TOKENS.c.used_at).join_from(USERS, TOKENS).where(wanted)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        if row.used_at is None or row.used_at < now - NOTED_EVERY:
            with self._database.write() as connection:
                connection.execute(update(TOKENS).where(TOKENS.c.id == row.token_id).values(used_at=now))
        return Identity(row.id, row.name, Role.of(row.role))

    def of_session(self, secret: str) -> Identity | None:
        """Who a session belongs to; None if it has ended."""
        live = and_(SESSIONS.c.digest == digest(secret), SESSIONS.c.expires_at > self._clock(), _enabled())
        with self._database.read() as connection:
            row = connection.execute(select(USERS).join_from(USERS, SESSIONS).where(live)).one_or_none()
        return None if row is None else Identity(row.id, row.name, Role.of(row.role), secret)

    def any_credentials(self) -> bool:
        """Whether somebody can sign in, or a token exists."""
        person = exists().where(USERS.c.password_hash.is_not(None), _enabled())
        token = exists().where(TOKENS.c.once == PROGRAM, TOKENS.c.revoked_at.is_(None))
        with self._database.read() as connection:
            return bool(connection.scalar(select(or_(person, token))))

    def sign_in(self, name: str, password: str) -> str | None:
        """Start a session; returns its secret, None if name or password is wrong."""
        with self._database.read() as connection:
            row = connection.execute(select(USERS).where(USERS.c.name == name.strip(), _enabled())).one_or_none()
        stored = row.password_hash if row is not None and row.password_hash else _nobody()
        with _HASHING:
            right, renewed = _hasher().verify_and_update(password[:LONGEST], stored)
        if row is None or not row.password_hash or not right:
            return None
        with self._database.write() as connection:
            if renewed:
                connection.execute(update(USERS).where(USERS.c.id == row.id).values(password_hash=renewed))
            return self._start(connection, row.id, row.name)

    def _start(self, connection: Connection, user: int, name: str) -> str:
        now, secret = self._clock(), new_secret()
        connection.execute(delete(SESSIONS).where(SESSIONS.c.expires_at <= now))
        values = {"user_id": user, "digest": digest(secret), "csrf": form_token(secret)}
        times = {"created_at": now, "expires_at": now + self._session}
        connection.execute(insert(SESSIONS).values(values | times))
        record(connection, "user.signed-in", at=now, actor=name)
        return secret

    def sign_out(self, secret: str) -> None:
        """End a session."""
        with self._database.write() as connection:
            connection.execute(delete(SESSIONS).where(SESSIONS.c.digest == digest(secret)))

    def offered(self, secret: str) -> Offer | None:
        """What a one-time link offers; None if it was used or is too old."""
        with self._database.read() as connection:
            return self._offer(connection, secret)

    def _offer(self, connection: Connection, secret: str) -> Offer | None:
        wanted = _live_token(secret, WELCOME, self._clock())
        row = connection.execute(select(USERS).join_from(USERS, TOKENS).where(wanted)).one_or_none()
        return None if row is None else Offer(row.id, row.name, Role.of(row.role))

    def redeem(self, secret: str, name: str, password: str) -> str:
        """Use a one-time link: set name and password; returns the secret of a session.

        Raises
        ------
        Failure
            404 if the link was used or is too old, 422 if name or password will not do.
        """
        called = checked_name(name)
        hashed = hashed_password(called, password)
        with self._database.write() as connection:
            offer = self._offer(connection, secret)
            if offer is None:
                raise Failure(404, "This link was used already, or it is too old.")
            refuse_taken(connection, called, offer.user)
            now = self._clock()
            connection.execute(update(USERS).where(USERS.c.id == offer.user).values(name=called, password_hash=hashed))
            used = TOKENS.c.user_id == offer.user, TOKENS.c.once == WELCOME, TOKENS.c.used_at.is_(None)
            connection.execute(update(TOKENS).where(*used).values(used_at=now))
            connection.execute(delete(SESSIONS).where(SESSIONS.c.user_id == offer.user))
            record(connection, "user.welcomed", at=now, actor=called, payload={"role": offer.role.word})
            return self._start(connection, offer.user, called)

    def first_link(self) -> str | None:
        """Make the one-time link of the first admin; None if somebody has a password already."""
        with self._database.write() as connection:
            if connection.scalar(select(exists().where(USERS.c.password_hash.is_not(None)))):
                return None
            user = self._named(connection, "admin", Role.ADMIN)
            return self.link(connection, user)

    def link(self, connection: Connection, user: int) -> str:
        """Make a one-time link for a user; earlier ones end."""
        now, secret = self._clock(), new_secret()
        earlier = TOKENS.c.user_id == user, TOKENS.c.once == WELCOME, TOKENS.c.used_at.is_(None)
        connection.execute(update(TOKENS).where(*earlier).values(revoked_at=now))
        values = {"user_id": user, "digest": digest(secret), "label": "one-time link", "once": WELCOME}
        times = {"created_at": now, "expires_at": now + LINK_LIFE.total_seconds()}
        connection.execute(insert(TOKENS).values(values | times))
        return secret

    def server_token(self, label: str) -> str:
        """Make a token of an admin that is a program; those with the same label end."""
        with self._database.write() as connection:
            user = self._named(connection, label, Role.ADMIN)
            same = TOKENS.c.user_id == user, TOKENS.c.label == label
            connection.execute(update(TOKENS).where(*same).values(revoked_at=self._clock()))
            return self.token(connection, user, label, actor=label)

    def token(self, connection: Connection, user: int, label: str, life: timedelta | None = None, *, actor: str) -> str:
        """Make a token of a user."""
        now, secret = self._clock(), new_secret()
        values = {"user_id": user, "digest": digest(secret), "label": label, "once": PROGRAM, "created_at": now}
        values["expires_at"] = None if life is None else now + life.total_seconds()
        connection.execute(insert(TOKENS).values(values))
        record(connection, "token.created", at=now, actor=actor, payload={"label": label})
        return secret

    def _named(self, connection: Connection, name: str, role: Role) -> int:
        """Number of the user of a name, made if there is none."""
        found = connection.scalar(select(USERS.c.id).where(USERS.c.name == name))
        if found is not None:
            return int(found)
        made = insert(USERS).values(name=name, role=role.word, created_at=self._clock()).returning(USERS.c.id)
        return int(connection.execute(made).scalar_one())


def _enabled() -> Any:
    return USERS.c.disabled_at.is_(None)


def _live_token(secret: str, once: str, now: float) -> Any:
    return and_(
        TOKENS.c.digest == digest(secret),
        TOKENS.c.once == once,
        TOKENS.c.revoked_at.is_(None),
        or_(TOKENS.c.expires_at.is_(None), TOKENS.c.expires_at > now),
        or_(TOKENS.c.once == PROGRAM, TOKENS.c.used_at.is_(None)),
        _enabled(),
    )


def checked_name(name: str) -> str:
    """Name of a user without blanks around it.

    Raises
    ------
    Failure
        422 if it is empty, too long or holds control characters.
    """
    stripped = name.strip()
    if not stripped or len(stripped) > LONGEST or not stripped.isprintable():
        raise Failure(422, f"A name has 1 to {LONGEST} printable characters.", code="name")
    return stripped


def refuse_taken(connection: Connection, name: str, user: int | None = None) -> None:
    """Let no two users have one name.

    Raises
    ------
    Failure
        409 if another user has the name.
    """
    other = connection.scalar(select(USERS.c.id).where(USERS.c.name == name))
    if other is not None and other != user:
        raise Failure(409, "Somebody else has this name already.", code="name_taken")


def hashed_password(name: str, password: str) -> str:
    """Hash of a password that will do.

    Raises
    ------
    Failure
        422 if it is too short or too long, or is the name.
    """
    if not SHORTEST <= len(password) <= LONGEST or password.strip().casefold() == name.casefold():
        raise Failure(422, f"A password has {SHORTEST} to {LONGEST} characters and is not the name.", code="password")
    with _HASHING:
        return _hasher().hash(password)


@cache
def _hasher() -> PasswordHash:
    return PasswordHash.recommended()


@cache
def _nobody() -> str:
    """Hash no password fits, so that unknown names take as long as known ones."""
    return _hasher().hash(new_secret())
