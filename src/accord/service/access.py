"""Who is asking, and whether they may: every route names the role it needs."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool

from accord.service.failures import Failure
from accord.service.roles import Role
from accord.workspace.users import User

if TYPE_CHECKING:
    from accord.service.accounts import Accounts

COOKIE = "accord_session"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
FORM_HEADER = "x-csrf-token"
FORM_FIELD = "csrf"

_BEARER = HTTPBearer(auto_error=False, description="Token made by an admin, or by `accord serve --token-out`.")
_SESSION = APIKeyCookie(name=COOKIE, auto_error=False, description="Session of a person signed in to the pages.")


@dataclass(frozen=True, slots=True)
class Identity:
    """The person or program behind a request; ``session`` and ``csrf`` are the secrets of a browser's session."""

    user: User
    role: Role
    session: str | None = None
    csrf: str = ""

    @property
    def name(self) -> str:
        """Name of the user."""
        return self.user.name

    @property
    def actor(self) -> str:
        """How events name the user."""
        return f"user {self.user.id}"


class Requires:
    """Dependency of a route: the identity behind the request, if its role is high enough.

    Requests that change something and come with a session must also prove that they come from one of our pages.
    """

    def __init__(self, role: Role) -> None:
        self.role = role

    async def __call__(
        self,
        request: Request,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)],
        session: Annotated[str | None, Security(_SESSION)],
    ) -> Identity:
        """Return the identity.

        Raises
        ------
        Failure
            401 without a known identity, 403 without the role or the form token.
        """
        accounts: Accounts = request.app.state.accounts
        identity = await run_in_threadpool(_identify, accounts, bearer, session)
        if identity is None:
            raise Failure(401, "Sign in, or send a token.", headers={"WWW-Authenticate": "Bearer"})
        request.scope["accord.user"] = identity.user.id
        if identity.session is not None and request.method not in SAFE:
            await check_form(request, identity.csrf)
        if identity.role < self.role:
            raise Failure(403, f"This needs the role {self.role.word}; {identity.name} is {identity.role.word}.")
        request.state.identity = identity
        return identity


def _identify(accounts: Accounts, bearer: HTTPAuthorizationCredentials | None, session: str | None) -> Identity | None:
    if bearer is not None:
        return accounts.of_token(bearer.credentials)
    return accounts.of_session(session) if session else None


async def check_form(request: Request, csrf: str) -> None:
    """Refuse a change that another site's page may have sent.

    Raises
    ------
    Failure
        403 if the request comes from elsewhere or carries no form token of this session.
    """
    if not same_origin(request.headers):
        raise Failure(403, "The request came from another site.", code="other_site")
    given = request.headers.get(FORM_HEADER)
    if given is None and request.headers.get("content-type", "").startswith(("multipart/", "application/x-www-form")):
        found = (await request.form(max_files=20, max_fields=1000)).get(FORM_FIELD)
        given = found if isinstance(found, str) else None
    if given is None or not hmac.compare_digest(given.encode("utf-8", "replace"), csrf.encode()):
        raise Failure(403, "The form is out of date. Load the page again.", code="form_out_of_date")


def same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a browser says that a request comes from our own pages; other clients say nothing and pass.

    Examples
    --------
    >>> same_origin({"origin": "http://127.0.0.1:8080", "host": "127.0.0.1:8080"}), same_origin({"origin": "null"})
    (True, False)
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[1:] == ("://", headers.get("host"))


Viewer = Annotated[Identity, Depends(Requires(Role.VIEWER))]
Reviewer = Annotated[Identity, Depends(Requires(Role.REVIEWER))]
Manager = Annotated[Identity, Depends(Requires(Role.MANAGER))]
Admin = Annotated[Identity, Depends(Requires(Role.ADMIN))]
