"""Who may come in: users with roles, passwords kept as argon2 hashes, and the raters that users are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pwdlib import PasswordHash
from sqlalchemy import Connection, Row, delete, insert, select, update

from accord.errors import UsageError
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.projects import UnknownIdError, checked_name
from accord.workspace.tables import IDENTITIES, SESSIONS, TOKENS, USERS
from accord.workspace.users import ROLES, User, user_of

SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A user as admins see them; ``password`` says whether one was set."""

    id: int
    name: str
    role: str
    identities: frozenset[str]
    password: bool
    disabled: bool


class Users:
    """The users of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create(
        self,
        name: str,
        role: str,
        *,
        actor: str,
        password: str | None = None,
        identities: Collection[str] = (),
    ) -> int:
        """Make a user; returns the number. Without a password they come in by tokens only.

        Raises
        ------
        UsageError
            The name is taken or no name, the role is not known, or the password too short.
        """
        checked, now = checked_name(name, "user"), self._clock()
        values = {"name": checked, "role": _role(role), "password_hash": self._hashed(password), "created_at": now}
        with self._database.write() as connection:
            if connection.scalar(select(USERS.c.id).where(USERS.c.name == checked)) is not None:
                raise UsageError(f"There is a user {checked!r} already.")
            number = int(connection.execute(insert(USERS).values(values).returning(USERS.c.id)).scalar_one())
            _set_identities(connection, number, (checked, *identities))
            record(connection, "user.created", at=now, actor=actor, payload={"user": number, "role": role})
        return number

    def get(self, user_id: int) -> Account:
        """One user.

        Raises
        ------
        UnknownIdError
            There is no such user.
        """
        with self._database.read() as connection:
            return account_of(connection, user_id)

    def all(self) -> list[Account]:
        """Every user, by name."""
        with self._database.read() as connection:
            numbers = connection.scalars(select(USERS.c.id).order_by(USERS.c.name)).all()
            return [account_of(connection, number) for number in numbers]

    def check(self, name: str, password: str) -> User | None:
        """User with this name and password, else None; takes as long for names that nobody has."""
        with self._database.read() as connection:
            row = connection.execute(select(USERS).where(USERS.c.name == name.strip())).one_or_none()
            hashed = self._nobody if row is None or row.password_hash is None else row.password_hash
            matches = len(password) <= LONGEST_PASSWORD and self._hasher.verify(password, hashed)
            if row is None or row.password_hash is None or row.disabled_at is not None or not matches:
                return None
            return user_of(connection, row.id)

    def change(
        self,
        user_id: int,
        *,
        actor: str,
        role: str | None = None,
        password: str | None = None,
        identities: Collection[str] | None = None,
        disabled: bool | None = None,
    ) -> None:
        """Change what is given. A new password or role, and being disabled, end all sessions of the user.

        Raises
        ------
        UsageError
            The last admin would be gone, or a value is not allowed.
        """
        values: dict[str, Any] = {}
        if role is not None:
            values["role"] = _role(role)
        if password is not None:
            values["password_hash"] = self._hashed(password)
        if disabled is not None:
            values["disabled_at"] = self._clock() if disabled else None
        with self._database.write() as connection:
            known = account_of(connection, user_id)
            if values:
                connection.execute(update(USERS).where(USERS.c.id == user_id).values(values))
                connection.execute(delete(SESSIONS).where(SESSIONS.c.user_id == user_id))
            if disabled:
                gone = update(TOKENS).where(TOKENS.c.user_id == user_id, TOKENS.c.revoked_at.is_(None))
                connection.execute(gone.values(revoked_at=self._clock()))
            if identities is not None:
                _set_identities(connection, user_id, (known.name, *identities))
            if known.role == "admin":
                _keep_an_admin(connection)
            what = sorted((*values, *(["identities"] if identities is not None else [])))
            payload = {"user": user_id, "changed": what}
            record(connection, "user.changed", at=self._clock(), actor=actor, payload=payload)

    @cached_property
    def _hasher(self) -> PasswordHash:
        return PasswordHash.recommended()

    @cached_property
    def _nobody(self) -> str:
        """Hash that no password is checked against but the time it takes."""
        return self._hasher.hash("nobody")

    def _hashed(self, password: str | None) -> str | None:
        if password is None:
            return None
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise UsageError(f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.")
        return self._hasher.hash(password)


def _role(role: str) -> str:
    if role not in ROLES:
        raise UsageError(f"Role {role!r} is not known. Allowed: {', '.join(ROLES)}.")
    return role


def _keep_an_admin(connection: Connection) -> None:
    here = select(USERS.c.id).where(USERS.c.role == "admin", USERS.c.disabled_at.is_(None)).limit(1)
    if connection.scalar(here) is None:
        raise UsageError("This is the last admin; make another one first.")


def _set_identities(connection: Connection, user_id: int, names: Sequence[str]) -> None:
    connection.execute(delete(IDENTITIES).where(IDENTITIES.c.user_id == user_id))
    distinct = sorted({checked_name(name, "rater").lower() for name in names})
    connection.execute(insert(IDENTITIES), [{"user_id": user_id, "name": name} for name in distinct])


def account_of(connection: Connection, user_id: int) -> Account:
    """User of a number, shut out or not."""
    row: Row[Any] | None = connection.execute(select(USERS).where(USERS.c.id == user_id)).one_or_none()
    if row is None:
        raise UnknownIdError.of("user", user_id)
    names = connection.scalars(select(IDENTITIES.c.name).where(IDENTITIES.c.user_id == user_id))
    return Account(
        id=row.id,
        name=row.name,
        role=row.role,
        identities=frozenset(names),
        password=row.password_hash is not None,
        disabled=row.disabled_at is not None,
    )
