"""The page on which an admin manages people and tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from accord.errors import AccordError
from accord.service.access import Admin, Identity
from accord.service.api.asked import Number
from accord.service.api.people import accounts_of, token_rows, user_rows
from accord.service.failures import Failure, Problem, from_accord
from accord.service.pages.frames import frame, page
from accord.service.render import html
from accord.service.roles import Role

router = APIRouter()
Text = Annotated[str, Form(max_length=2000)]
ROLES = tuple(role.word for role in Role)


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One user on the page."""

    id: int
    name: str
    role: str
    signs: tuple[str, ...]
    password: bool
    disabled: bool


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token on the page, with its times in words."""

    id: int
    label: str
    role: str
    used: str
    ends: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage:
    """Everyone who may come in; ``link`` and ``secret`` are shown once, to who made them."""

    people: tuple[PersonRow, ...]
    tokens: tuple[TokenRow, ...]
    roles: tuple[str, ...] = ROLES
    link: str = ""
    link_for: str = ""
    secret: str = ""
    problem: Problem | None = None

    @property
    def role_words(self) -> tuple[tuple[str, str], ...]:
        """Roles for a choice."""
        return tuple((role, role) for role in self.roles)


def _show(request: Request, who: Identity, data: PeoplePage, status: int = 200) -> Response:
    return html("people", data, frame(request, who), status)


@page(router, "/people", _show)
def people(request: Request, who: Admin) -> PeoplePage:
    """Build the page."""
    del who
    rows = [
        PersonRow(one.id, one.name, one.role, tuple(one.signs), one.password, one.disabled)
        for one in user_rows(request)
    ]
    tokens = [
        TokenRow(one.id, one.label, one.role, day(one.used_at, "never"), day(one.expires_at, "when revoked"))
        for one in token_rows(request)
    ]
    return PeoplePage(people=tuple(rows), tokens=tuple(tokens))


def day(moment: float | None, otherwise: str) -> str:
    """Date of a point in time (UTC)."""
    return otherwise if moment is None else datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


def _after(request: Request, who: Identity, change: Callable[[], PeoplePage | None]) -> Response:
    """Make a change and show the page, with what went wrong where it did."""
    try:
        data = change()
    except (AccordError, Failure) as error:
        failure = error if isinstance(error, Failure) else from_accord(error)
        data = replace(people(request=request, who=who), problem=failure.body.error)
        return _show(request, who, data, failure.status)
    return RedirectResponse("/people?said=saved", 303) if data is None else _show(request, who, data)


@router.post("/people")
def invite(request: Request, who: Admin, name: Text = "", role: Text = "viewer") -> Response:
    """Invite somebody and show the link."""

    def change() -> PeoplePage:
        _, secret = accounts_of(request).invite(name, Role.of(role), actor=who.actor)
        return replace(people(request=request, who=who), link=_link(request, secret), link_for=name.strip())

    return _after(request, who, change)


@router.post("/people/tokens")
def new_token(request: Request, who: Admin, label: Text = "", role: Text = "viewer", days: Text = "") -> Response:
    """Make a token and show it."""

    def change() -> PeoplePage:
        _, secret = accounts_of(request).new_token(label, Role.of(role), _life(days), actor=who.actor)
        return replace(people(request=request, who=who), secret=secret)

    return _after(request, who, change)


@router.post("/people/tokens/{token}/revoke")
def revoke(request: Request, who: Admin, token: Number) -> Response:
    """End a token."""
    return _after(request, who, lambda: accounts_of(request).tokens.revoke(token, actor=who.actor))


@router.post("/people/{user}")
def change_user(
    request: Request,
    who: Admin,
    user: Number,
    role: Text | None = None,
    signs: Text | None = None,
    disabled: Text | None = None,
) -> Response:
    """Change role, names or state of a user."""
    names = None if signs is None else [name for part in signs.split(",") if (name := part.strip())]
    shut = None if disabled is None else disabled == "yes"
    users = accounts_of(request).users
    return _after(request, who, lambda: users.change(user, actor=who.actor, role=role, disabled=shut, identities=names))


@router.post("/people/{user}/link")
def new_link(request: Request, who: Admin, user: Number) -> Response:
    """Make a new link and show it."""

    def change() -> PeoplePage:
        secret = accounts_of(request).new_link(user, actor=who.actor)
        name = accounts_of(request).users.get(user).name
        return replace(people(request=request, who=who), link=_link(request, secret), link_for=name)

    return _after(request, who, change)


def _link(request: Request, secret: str) -> str:
    return f"{str(request.base_url).rstrip('/')}/welcome/{secret}"


def _life(days: str) -> timedelta | None:
    if not days.strip():
        return None
    if not (days.isascii() and days.isdigit() and 1 <= int(days[:5]) <= 3650):
        raise Failure(422, "A token lasts 1 to 3,650 days, or until it is revoked.", code="days")
    return timedelta(days=int(days))
