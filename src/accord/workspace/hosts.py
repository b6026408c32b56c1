"""Hosts that requests may go to. Nothing is asked that an admin has not named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import delete, insert, select

from accord.errors import UsageError, shorten
from accord.labelstudio.address import checked_url
from accord.workspace.database import Database
from accord.workspace.events import Clock, record
from accord.workspace.tables import HOSTS

_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:]*:[0-9a-f:.]*")
MOST: Final = 200


class Hosts:
    """The hosts of a workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def all(self) -> dict[str, bool]:
        """Allowed hosts by name; True where they may lie at loopback or link-local addresses."""
        with self._database.read() as connection:
            return {row.name: row.local for row in connection.execute(select(HOSTS).order_by(HOSTS.c.name))}

    def put(self, hosts: Mapping[str, bool], *, actor: str) -> None:
        """Allow these hosts and no others.

        Raises
        ------
        UsageError
            One of them is no name of a host.
        """
        wanted = {host_name(name): local for name, local in hosts.items()}
        if len(wanted) > MOST:
            raise UsageError(f"{len(wanted)} hosts are too many. Allowed: {MOST}.")
        with self._database.write() as connection:
            connection.execute(delete(HOSTS))
            if wanted:
                connection.execute(insert(HOSTS), [{"name": name, "local": local} for name, local in wanted.items()])
            record(connection, "hosts.changed", at=self._clock(), actor=actor, payload={"hosts": wanted})

    def checked(self, url: str) -> str:
        """Return a URL that may be asked, without a slash at its end.

        Raises
        ------
        UsageError
            It is none, its host is not allowed, or lies at a loopback or link-local address without leave.
        """
        allowed = self.all()
        plain = checked_url(url)
        host = urlsplit(plain).hostname or ""
        if host not in allowed:
            raise UsageError(f"Host {shorten(host)} is not allowed. An admin can add it under People, Allowed hosts.")
        return checked_url(plain, local=allowed[host])


def host_name(name: str) -> str:
    """Name of a host as it is kept.

    Examples
    --------
    >>> host_name(" Label-Studio.example.org ")
    'label-studio.example.org'
    """
    found = name.strip().lower().strip("[]")
    if not _NAME.fullmatch(found):
        raise UsageError(f"{shorten(repr(name))} is no name of a host. Example: label-studio.example.org.")
    return found
