"""Every route names the role it needs, and keeps to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute
from live_server import Server

from accord.service.access import Requires
from accord.service.openapi import routes as every_route
from accord.service.roles import Role

#: Routes for anybody: they carry no data, bring in who has a password or link, or ask for a secret of their own.
OPEN = {
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/static/{version}/{name:path}"),
    ("GET", "/login"),
    ("POST", "/login"),
    ("GET", "/welcome/{secret}"),
    ("POST", "/welcome"),
    ("POST", "/hooks/label-studio/{project}"),
}


def routes(server: Server) -> Iterator[tuple[str, APIRoute]]:
    for route in every_route(server.app):
        for method in sorted(route.methods or ()):
            yield method, route


def needed(dependant: Any) -> Role | None:
    """Role that a route, or what it depends on, asks for."""
    if isinstance(dependant.call, Requires):
        return dependant.call.role
    return max(filter(None, map(needed, dependant.dependencies)), default=None)


def test_every_route_asks_for_a_role(server: Server) -> None:
    without = {(method, route.path) for method, route in routes(server) if needed(route.dependant) is None}
    assert without == OPEN


def test_pages_have_twins(server: Server) -> None:
    paths = {route.path for method, route in routes(server) if method == "GET"}
    pages = {path.removesuffix(".json") for path in paths if path.endswith(".json") and not path.startswith("/api")}
    assert pages <= paths


@pytest.mark.parametrize("role", [None, *Role], ids=lambda role: role.word if role else "nobody")
def test_roles_are_kept_to_everywhere(server: Server, role: Role | None) -> None:
    client = server.client(role)
    for method, route in routes(server):
        asked = needed(route.dependant)
        if asked is None:
            continue
        path = route.path
        for name in route.param_convertors:
            path = path.replace(f"{{{name}}}", "999999")
        status = client.request(method, path).status_code
        if role is None:
            assert status == 401, (method, path)
        elif role < asked:
            assert status == 403, (method, path)
        else:
            assert status not in (401, 403), (method, path)
            assert status < 500, (method, path)
