"""People with a login, as decisions know them: what they may do, and the names under which they annotate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, select

from accord.workspace.projects import UnknownIdError
from accord.workspace.tables import IDENTITIES, USERS

#: Each may do what those before it may.
ROLES: Final = ("viewer", "reviewer", "manager", "admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Somebody with a login; ``identities`` are the names under which they annotate."""

    id: int
    name: str
    role: str
    identities: frozenset[str] = frozenset()

    def may(self, role: str) -> bool:
        """Whether this user has a role or one above it.

        Examples
        --------
        >>> User(id=1, name="Ann", role="manager").may("reviewer")
        True
        """
        return ROLES.index(self.role) >= ROLES.index(role)


def user_of(connection: Connection, user_id: int) -> User:
    """User of a number; the login name is an identity too.

    Raises
    ------
    UnknownIdError
        There is no such user, or the account is disabled.
    """
    wanted = select(USERS.c.name, USERS.c.role).where(USERS.c.id == user_id, USERS.c.disabled_at.is_(None))
    row = connection.execute(wanted).one_or_none()
    if row is None:
        raise UnknownIdError.of("user", user_id)
    names = connection.scalars(select(IDENTITIES.c.name).where(IDENTITIES.c.user_id == user_id))
    return User(id=user_id, name=row.name, role=row.role, identities=frozenset((row.name, *names)))
