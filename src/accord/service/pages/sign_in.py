"""Coming in and going out: password, one-time link, sessions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from accord.service.access import COOKIE, Viewer, same_origin
from accord.service.accounts import Accounts
from accord.service.failures import Failure, Problem
from accord.service.pages.frames import frame, local
from accord.service.render import html
from accord.service.users import LONGEST_PASSWORD

router = APIRouter()
Text = Annotated[str, Form(max_length=2000)]
Password = Annotated[str, Form(max_length=LONGEST_PASSWORD)]


@dataclass(frozen=True, slots=True)
class SignIn:
    """What the sign-in page shows."""

    next: str
    name: str = ""
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Welcome:
    """What the page behind a one-time link shows."""

    secret: str
    role: str
    name: str
    problem: Problem | None = None


@router.get("/login")
def ask(request: Request, next: str = "/") -> Response:  # noqa: A002 - the name in the address
    """Ask for name and password."""
    return html("login", SignIn(local(next)), frame(request, None))


@router.post("/login")
def sign_in(request: Request, name: Text = "", password: Password = "", next: Text = "/") -> Response:  # noqa: A002
    """Start a session, unless there were too many failures."""
    refuse_other_sites(request)
    accounts: Accounts = request.app.state.accounts
    throttle = request.app.state.throttle
    keys = (f"address {address(request)}", f"name {name.casefold()}")
    wait = throttle.wait(*keys)
    if wait:
        failure = Failure(
            429, f"Too many failed attempts. Try again in {wait} seconds.", headers={"Retry-After": str(wait)}
        )
        return _again(request, failure, name, next)
    session = accounts.sign_in(name, password)
    if session is None:
        throttle.fail(*keys)
        return _again(request, Failure(401, "Name or password is wrong.", code="wrong_password"), name, next)
    throttle.succeed(*keys)
    return with_session(request, RedirectResponse(local(next), 303), session)


def _again(request: Request, failure: Failure, name: str, next: str) -> Response:  # noqa: A002
    answer = html("login", SignIn(local(next), name, failure.body.error), frame(request, None), failure.status)
    answer.headers.update(failure.headers)
    return answer


@router.post("/logout")
def sign_out(request: Request, who: Viewer) -> Response:
    """End the session."""
    if who.session is not None:
        request.app.state.accounts.sign_out(who.session)
    answer = RedirectResponse("/login?said=signed-out", 303)
    answer.delete_cookie(COOKIE, path="/")
    return answer


@router.get("/welcome/{secret}")
def welcome(request: Request, secret: str) -> Response:
    """Show what a one-time link offers; looking does not use it up."""
    accounts: Accounts = request.app.state.accounts
    offered = accounts.offered(secret)
    if offered is None:
        raise Failure(404, "This link was used already, or it is too old. Sign in, or ask an admin for a new one.")
    return html("welcome", Welcome(secret, offered.role, offered.name), frame(request, None))


@router.post("/welcome")
def accept(request: Request, secret: Text, password: Password = "") -> Response:
    """Use a one-time link: set a password, start a session."""
    refuse_other_sites(request)
    accounts: Accounts = request.app.state.accounts
    try:
        session = accounts.redeem(secret, password)
    except Failure as failure:
        offered = accounts.offered(secret)
        if offered is None:
            raise
        data = Welcome(secret, offered.role, offered.name, failure.body.error)
        return html("welcome", data, frame(request, None), failure.status)
    return with_session(request, RedirectResponse("/", 303), session)


def with_session(request: Request, answer: Response, session: str) -> Response:
    """Add the session's cookie, which scripts cannot read and other sites' forms do not carry."""
    settings = request.app.state.settings
    answer.set_cookie(
        COOKIE,
        session,
        max_age=int(settings.session.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        path="/",
    )
    return answer


def refuse_other_sites(request: Request) -> None:
    """Let no other site's page sign somebody in.

    Raises
    ------
    Failure
        403 if a browser says that the request comes from elsewhere.
    """
    if not same_origin(request.headers):
        raise Failure(403, "The request came from another site.", code="other_site")


def address(request: Request) -> str:
    """Address the request came from."""
    return request.client.host if request.client else "unknown"
