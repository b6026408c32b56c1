"""People and programs that may come in: one-time links, passwords, sessions, tokens."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Final

from sqlalchemy import exists, or_, select, update

from accord.service.access import Identity
from accord.service.failures import Failure
from accord.service.roles import Role
from accord.service.tokens import Sessions, Tokens, secret_digest
from accord.service.users import LONGEST_PASSWORD, SHORTEST_PASSWORD, Account, Users
from accord.workspace import Workspace
from accord.workspace.tables import TOKENS, USERS
from accord.workspace.users import User

WELCOME: Final = "welcome"
LINK_LIFE: Final = timedelta(days=7)
FIRST_ADMIN: Final = "admin"


class Accounts:
    """Signs people and programs in and out of one workspace.

    Attributes
    ----------
    users, tokens, sessions
        Who may come in, and with what.
    """

    def __init__(self, workspace: Workspace, session: timedelta) -> None:
        self._workspace = workspace
        self._session = session.total_seconds()
        self.users = Users(workspace.database, workspace.clock)
        self.tokens = Tokens(workspace.database, workspace.clock)
        self.sessions = Sessions(workspace.database, workspace.clock)
        #: Hashing a password takes much memory on purpose, so only a few are hashed at a time.
        self._hashing = threading.Semaphore(2)

    def of_token(self, secret: str) -> Identity | None:
        """Who a token stands for; None if it is unknown or has ended."""
        user = self.tokens.user_of(secret)
        return None if user is None else Identity(user, Role.of(user.role))

    def of_session(self, secret: str) -> Identity | None:
        """Who a session belongs to; None if it has ended."""
        found = self.sessions.find(secret)
        return None if found is None else Identity(found.user, Role.of(found.user.role), secret, found.csrf)

    def sign_in(self, name: str, password: str) -> str | None:
        """Start a session; returns its secret, None if name or password is wrong."""
        with self._hashing:
            user = self.users.check(name, password)
        if user is None:
            return None
        self._workspace.events.add("user.signed-in", actor=f"user {user.id}")
        return self._start(user)

    def _start(self, user: User) -> str:
        return self.sessions.start(user.id, lifetime=self._session)[0]

    def sign_out(self, secret: str) -> None:
        """End a session."""
        self.sessions.end(secret)

    def any_credentials(self) -> bool:
        """Whether somebody can sign in, or a token exists."""
        person = exists().where(USERS.c.password_hash.is_not(None), USERS.c.disabled_at.is_(None))
        token = exists().where(TOKENS.c.once == "", TOKENS.c.revoked_at.is_(None))
        with self._workspace.database.read() as connection:
            return bool(connection.scalar(select(or_(person, token))))

    def invite(self, name: str, role: Role, *, actor: str) -> tuple[int, str]:
        """Add a user; returns the number and the secret of a one-time link.

        Raises
        ------
        UsageError
            The name is taken or no name.
        """
        user = self.users.create(name, role.word, actor=actor)
        return user, self.new_link(user, actor=actor)

    def new_link(self, user: int, *, actor: str) -> str:
        """Make a one-time link for a user; earlier ones end, a password stays until the link is used.

        Raises
        ------
        UnknownIdError
            There is no such user.
        """
        earlier = TOKENS.c.user_id == user, TOKENS.c.once == WELCOME, TOKENS.c.revoked_at.is_(None)
        with self._workspace.database.write() as connection:
            connection.execute(update(TOKENS).where(*earlier).values(revoked_at=self._workspace.clock()))
        lifetime = LINK_LIFE.total_seconds()
        return self.tokens.create(user, "one-time link", actor=actor, lifetime=lifetime, once=WELCOME)

    def first_link(self) -> str | None:
        """Make the one-time link of the first admin; None if somebody has a password already."""
        if any(user.password for user in self.users.all()):
            return None
        return self.new_link(self._named(FIRST_ADMIN), actor="accord serve")

    def server_token(self, label: str) -> str:
        """Make a token of an admin that is a program; those it had end."""
        user = self._named(label)
        for token in self.tokens.all(user):
            if not token.revoked:
                self.tokens.revoke(token.id, actor=label)
        return self.tokens.create(user, label, actor=label)

    def _named(self, name: str) -> int:
        """Number of the admin of a name, made if there is none."""
        known = next((user.id for user in self.users.all() if user.name == name), None)
        return known or self.users.create(name, Role.ADMIN.word, actor="accord serve")

    def offered(self, secret: str) -> Account | None:
        """Whom a one-time link lets in; None if it was used or is too old."""
        here = TOKENS.c.digest == secret_digest(secret), TOKENS.c.once == WELCOME, TOKENS.c.revoked_at.is_(None)
        lasting = TOKENS.c.expires_at >= self._workspace.clock()
        with self._workspace.database.read() as connection:
            number = connection.scalar(select(TOKENS.c.user_id).where(*here, lasting))
        user = None if number is None else self.users.get(number)
        return None if user is None or user.disabled else user

    def redeem(self, secret: str, password: str) -> str:
        """Use a one-time link: set a password; returns the secret of a session.

        Raises
        ------
        Failure
            404 if the link was used or is too old, 422 if the password will not do.
        """
        offered = self.offered(secret)
        if offered is None:
            raise Failure(404, "This link was used already, or it is too old.")
        _check_password(offered.name, password)
        user = self.tokens.redeem(secret, WELCOME)
        if user is None:
            raise Failure(404, "This link was used already, or it is too old.")
        with self._hashing:
            self.users.change(user.id, actor=f"user {user.id}", password=password)
        return self._start(user)

    def new_token(self, label: str, role: Role, life: timedelta | None, *, actor: str) -> tuple[int, str]:
        """Make a token for a program that has a role of its own; returns its number and secret.

        Raises
        ------
        UsageError
            The label is taken or no name.
        """
        user = self.users.create(label, role.word, actor=actor)
        lifetime = None if life is None else life.total_seconds()
        secret = self.tokens.create(user, label, actor=actor, lifetime=lifetime)
        return self.tokens.all(user)[0].id, secret


def _check_password(name: str, password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD or password.casefold() == name.casefold():
        raise Failure(
            422,
            f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD:,} characters and is not the name.",
            code="password",
        )
