"""Who may do what: four roles, each allowed everything the lower ones are."""

from __future__ import annotations

from enum import IntEnum

from accord.errors import UnknownNameError


class Role(IntEnum):
    """Roles of users and tokens, lowest first.

    A viewer sees numbers, tasks and answers; a reviewer also decides; a manager also imports and sets a project up; an
    admin also manages users, tokens and the server.
    """

    VIEWER = 1
    REVIEWER = 2
    MANAGER = 3
    ADMIN = 4

    @property
    def word(self) -> str:
        """Name used in the API and on pages."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> Role:
        """Role of a name.

        Raises
        ------
        UnknownNameError
            If there is no such role.

        Examples
        --------
        >>> Role.of("manager") > Role.of("reviewer")
        True
        """
        try:
            return cls[word.upper()]
        except KeyError:
            raise UnknownNameError.among("role", word, (role.word for role in cls)) from None
