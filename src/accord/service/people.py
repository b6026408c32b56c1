"""What an admin does about people and tokens; every change is an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from accord.service.accounts import PROGRAM, Accounts, checked_name, refuse_taken
from accord.service.failures import Failure, not_found
from accord.service.roles import Role
from accord.workspace.database import Database
from accord.workspace.events import record
from accord.workspace.tables import IDENTITIES, SESSIONS, TOKENS, USERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user; ``signs`` are the names under which the user annotates."""

    id: int
    name: str
    role: Role
    signs: tuple[str, ...]
    password: bool
    disabled: bool
    created_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token of a program, without its secret."""

    id: int
    label: str
    user: str
    role: Role
    created_at: float
    expires_at: float | None
    used_at: float | None


class People:
    """Users and tokens of one workspace."""

    def __init__(self, database: Database, accounts: Accounts) -> None:
        self._database = database
        self._accounts = accounts

    def all(self) -> list[Person]:
        """Every user, by name."""
        with self._database.read() as connection:
            signs: dict[int, list[str]] = {}
            for row in connection.execute(select(IDENTITIES).order_by(IDENTITIES.c.name)):
                signs.setdefault(row.user_id, []).append(row.name)
            return [_person(row, signs.get(row.id, [])) for row in connection.execute(select(USERS))]

    def invite(self, name: str, role: Role, *, actor: str) -> tuple[int, str]:
        """Add a user; returns the number and the secret of a one-time link.

        Raises
        ------
        Failure
            422 if the name will not do, 409 if it is taken.
        """
        called = checked_name(name)
        now = self._accounts.now()
        with self._database.write() as connection:
            refuse_taken(connection, called)
            made = insert(USERS).values(name=called, role=role.word, created_at=now).returning(USERS.c.id)
            user = int(connection.execute(made).scalar_one())
            record(connection, "user.invited", at=now, actor=actor, payload={"user": called, "role": role.word})
            return user, self._accounts.link(connection, user)

    def new_link(self, user: int, *, actor: str) -> str:
        """Make a new one-time link for a user who forgot the password; the old password works until it is used.

        Raises
        ------
        Failure
            404 if there is no such user.
        """
        with self._database.write() as connection:
            row = _row(connection, user)
            record(connection, "user.link", at=self._accounts.now(), actor=actor, payload={"user": row.name})
            return self._accounts.link(connection, user)

    def change(
        self,
        user: int,
        *,
        actor: str,
        role: Role | None = None,
        disabled: bool | None = None,
        signs: Sequence[str] | None = None,
    ) -> None:
        """Change the role of a user, shut the user out, or say under which names the user annotates.

        Raises
        ------
        Failure
            404 if there is no such user, 409 if no admin with a password would be left.
        """
        now = self._accounts.now()
        with self._database.write() as connection:
            row = _row(connection, user)
            changes: dict[str, Any] = {} if role is None else {"role": role.word}
            if disabled is not None:
                changes["disabled_at"] = now if disabled else None
            if changes:
                connection.execute(update(USERS).where(USERS.c.id == user).values(changes))
            if disabled:
                connection.execute(delete(SESSIONS).where(SESSIONS.c.user_id == user))
            if signs is not None:
                _sign(connection, user, signs)
            _keep_an_admin(connection)
            said = {"user": row.name, "role": role.word if role else None, "disabled": disabled}
            record(connection, "user.changed", at=now, actor=actor, payload=said)

    def tokens(self) -> list[Token]:
        """Tokens that work, latest first."""
        live = TOKENS.c.once == PROGRAM, TOKENS.c.revoked_at.is_(None)
        query = select(TOKENS, USERS.c.name, USERS.c.role).join_from(TOKENS, USERS).where(*live)
        with self._database.read() as connection:
            return [_token(row) for row in connection.execute(query.order_by(TOKENS.c.id.desc()))]

    def new_token(self, label: str, role: Role, life: timedelta | None, *, actor: str) -> tuple[int, str]:
        """Make a token for a program that has a role of its own; returns its number and secret.

        Raises
        ------
        Failure
            422 if the label will not do, 409 if a user has that name.
        """
        called = checked_name(label)
        now = self._accounts.now()
        with self._database.write() as connection:
            refuse_taken(connection, called)
            made = insert(USERS).values(name=called, role=role.word, created_at=now).returning(USERS.c.id)
            user = int(connection.execute(made).scalar_one())
            secret = self._accounts.token(connection, user, called, life, actor=actor)
            number = connection.scalar(select(TOKENS.c.id).where(TOKENS.c.user_id == user))
        return int(number or 0), secret

    def revoke(self, token: int, *, actor: str) -> None:
        """End a token.

        Raises
        ------
        Failure
            404 if there is no such token.
        """
        now = self._accounts.now()
        live = TOKENS.c.id == token, TOKENS.c.once == PROGRAM, TOKENS.c.revoked_at.is_(None)
        with self._database.write() as connection:
            if not connection.execute(update(TOKENS).where(*live).values(revoked_at=now)).rowcount:
                raise not_found(f"token {token}")
            record(connection, "token.revoked", at=now, actor=actor, payload={"token": token})


def _row(connection: Connection, user: int) -> Row[Any]:
    row = connection.execute(select(USERS).where(USERS.c.id == user)).one_or_none()
    if row is None:
        raise not_found(f"user {user}")
    return row


def _sign(connection: Connection, user: int, signs: Sequence[str]) -> None:
    connection.execute(delete(IDENTITIES).where(IDENTITIES.c.user_id == user))
    names = list(dict.fromkeys(checked_name(name) for name in signs))
    if names:
        connection.execute(insert(IDENTITIES), [{"user_id": user, "name": name} for name in names])


def _keep_an_admin(connection: Connection) -> None:
    left = USERS.c.role == Role.ADMIN.word, USERS.c.disabled_at.is_(None), USERS.c.password_hash.is_not(None)
    if connection.scalar(select(USERS.c.id).where(*left).limit(1)) is None:
        raise Failure(409, "Nobody could administer the server any more. Make somebody else an admin first.")


def _person(row: Row[Any], signs: Sequence[str]) -> Person:
    return Person(
        id=row.id,
        name=row.name,
        role=Role.of(row.role),
        signs=tuple(signs),
        password=row.password_hash is not None,
        disabled=row.disabled_at is not None,
        created_at=row.created_at,
    )


def _token(row: Row[Any]) -> Token:
    return Token(
        id=row.id,
        label=row.label,
        user=row.name,
        role=Role.of(row.role),
        created_at=row.created_at,
        expires_at=row.expires_at,
        used_at=row.used_at,
    )
