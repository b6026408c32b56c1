"""Users and tokens, for admins."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Admin
from accord.service.api.asked import Number, workspace_of
from accord.service.people import People
from accord.service.plain import plain
from accord.service.roles import Role
from accord.service.schemas import Listed, NewToken, NewUser, Secret, TokenRow, UserChange, UserRow

router = APIRouter(prefix="/api", tags=["people"])


def people_of(request: Request) -> People:
    """Users and tokens of the server."""
    return People(workspace_of(request).database, request.app.state.accounts)


@router.get("/users")
def users(request: Request, who: Admin) -> Listed[UserRow]:
    """List all users."""
    del who
    rows = [UserRow.model_validate(plain(person)) for person in people_of(request).all()]
    return Listed(items=rows, total=len(rows), offset=0, limit=len(rows))


@router.post("/users", status_code=201)
def invite(request: Request, who: Admin, body: NewUser) -> Secret:
    """Add a user; the secret is the end of a one-time link, ``/welcome/SECRET``."""
    number, secret = people_of(request).invite(body.name, Role.of(body.role), actor=who.name)
    return Secret(id=number, secret=secret)


@router.patch("/users/{user}", status_code=204, response_class=Response)
def change(request: Request, who: Admin, user: Number, body: UserChange) -> None:
    """Change the role of a user, shut the user out, or say under which names the user annotates."""
    role = None if body.role is None else Role.of(body.role)
    people_of(request).change(user, actor=who.name, role=role, disabled=body.disabled, signs=body.signs)


@router.post("/users/{user}/link", status_code=201)
def new_link(request: Request, who: Admin, user: Number) -> Secret:
    """Make a new one-time link for a user."""
    return Secret(id=user, secret=people_of(request).new_link(user, actor=who.name))


@router.get("/tokens")
def tokens(request: Request, who: Admin) -> Listed[TokenRow]:
    """List tokens of programs."""
    del who
    rows = [TokenRow.model_validate(plain(token)) for token in people_of(request).tokens()]
    return Listed(items=rows, total=len(rows), offset=0, limit=len(rows))


@router.post("/tokens", status_code=201)
def new_token(request: Request, who: Admin, body: NewToken) -> Secret:
    """Make a token; the secret is shown this once."""
    life = None if body.days is None else timedelta(days=body.days)
    number, secret = people_of(request).new_token(body.label, Role.of(body.role), life, actor=who.name)
    return Secret(id=number, secret=secret)


@router.delete("/tokens/{token}", status_code=204, response_class=Response)
def revoke(request: Request, who: Admin, token: Number) -> None:
    """End a token."""
    people_of(request).revoke(token, actor=who.name)
