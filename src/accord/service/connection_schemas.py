"""What the API says of connections to other servers; tokens go in and never come out."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from accord.service.schemas import Answer, Body

Url = Annotated[str, StringConstraints(min_length=1, max_length=2000)]


class NewConnection(Body):
    """A Label Studio server to pull from; without ``token`` the one there is stays.

    ``minutes`` between pulls; 0 = only when a webhook or a person asks.
    """

    url: Url
    remote: Annotated[int, Field(ge=1, le=2**31 - 1, description="Number of the project on that server")]
    token: Annotated[str, StringConstraints(max_length=4000)] | None = None
    minutes: Annotated[int, Field(ge=0, le=1440)] = 5


class ConnectionItem(Answer):
    """A connection; ``webhook`` is the address that Label Studio has to call. Null where there is none."""

    url: str
    remote: int | None
    minutes: int
    has_token: bool
    due_at: float | None
    done_at: float | None
    error: str | None
    webhook: str | None


class SecretItem(Answer):
    """A secret that is shown once; null where it stays as it was."""

    secret: str | None


class NewNotice(Body):
    """An address that is told about suspensions."""

    url: Url


class HostsBody(Body):
    """Allowed hosts by name; true where they may lie at loopback or link-local addresses."""

    hosts: Annotated[dict[Annotated[str, StringConstraints(max_length=255)], bool], Field(max_length=200)]


class HostsItem(Answer):
    """Allowed hosts by name."""

    hosts: dict[str, bool]


class Taken(Answer):
    """A delivery that was taken."""

    taken: bool
