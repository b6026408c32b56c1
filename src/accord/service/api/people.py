"""Users and tokens, for admins."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from fastapi import APIRouter, Request
from starlette.responses import Response

from accord.service.access import Admin
from accord.service.accounts import Accounts
from accord.service.api.asked import Number
from accord.service.roles import Role
from accord.service.schemas import Listed, NewToken, NewUser, RoleName, Secret, TokenRow, UserChange, UserRow

router = APIRouter(prefix="/api", tags=["people"])


def accounts_of(request: Request) -> Accounts:
    """Accounts of the server."""
    found: Accounts = request.app.state.accounts
    return found


def role_name(role: str) -> RoleName:
    """Role as the API names it."""
    return cast(RoleName, Role.of(role).word)


def user_rows(request: Request) -> list[UserRow]:
    """Every user, by name."""
    return [
        UserRow(
            id=user.id,
            name=user.name,
            role=role_name(user.role),
            signs=sorted(user.identities - {user.name.lower()}),
            password=user.password,
            disabled=user.disabled,
        )
        for user in accounts_of(request).users.all()
    ]


def token_rows(request: Request) -> list[TokenRow]:
    """Every token that was not revoked, latest first."""
    accounts = accounts_of(request)
    roles = {user.id: role_name(user.role) for user in accounts.users.all()}
    return [
        TokenRow(
            id=token.id,
            label=token.label,
            user=token.user_id,
            role=roles[token.user_id],
            created_at=token.created_at,
            expires_at=token.expires_at,
            used_at=token.used_at,
        )
        for token in accounts.tokens.all()
        if not token.revoked
    ]


@router.get("/users")
def users(request: Request, who: Admin) -> Listed[UserRow]:
    """List all users."""
    del who
    rows = user_rows(request)
    return Listed(items=rows, total=len(rows), offset=0, limit=len(rows))


@router.post("/users", status_code=201)
def invite(request: Request, who: Admin, body: NewUser) -> Secret:
    """Add a user; the secret is the end of a one-time link, ``/welcome/SECRET``."""
    number, secret = accounts_of(request).invite(body.name, Role.of(body.role), actor=who.actor)
    return Secret(id=number, secret=secret)


@router.patch("/users/{user}", status_code=204, response_class=Response)
def change(request: Request, who: Admin, user: Number, body: UserChange) -> None:
    """Change the role of a user, shut the user out, or say under which names the user annotates."""
    accounts_of(request).users.change(
        user, actor=who.actor, role=body.role, disabled=body.disabled, identities=body.signs
    )


@router.post("/users/{user}/link", status_code=201)
def new_link(request: Request, who: Admin, user: Number) -> Secret:
    """Make a new one-time link for a user."""
    return Secret(id=user, secret=accounts_of(request).new_link(user, actor=who.actor))


@router.get("/tokens")
def tokens(request: Request, who: Admin) -> Listed[TokenRow]:
    """List tokens of programs."""
    del who
    rows = token_rows(request)
    return Listed(items=rows, total=len(rows), offset=0, limit=len(rows))


@router.post("/tokens", status_code=201)
def new_token(request: Request, who: Admin, body: NewToken) -> Secret:
    """Make a token; the secret is shown this once."""
    life = None if body.days is None else timedelta(days=body.days)
    number, secret = accounts_of(request).new_token(body.label, Role.of(body.role), life, actor=who.actor)
    return Secret(id=number, secret=secret)


@router.delete("/tokens/{token}", status_code=204, response_class=Response)
def revoke(request: Request, who: Admin, token: Number) -> None:
    """End a token."""
    accounts_of(request).tokens.revoke(token, actor=who.actor)
