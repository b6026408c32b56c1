"""The frame around pages, and how a page and its twin are made from one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from accord.service.access import Identity
from accord.service.failures import Failure, Problem
from accord.service.plain import plain
from accord.service.render import Frame, Item, html
from accord.service.roles import Role

SECTIONS = (
    ("Overview", "", Role.VIEWER),
    ("Tasks", "/tasks", Role.VIEWER),
    ("Review", "/review", Role.REVIEWER),
    ("Annotators", "/raters", Role.VIEWER),
    ("Insights", "/insights", Role.VIEWER),
    ("Sign-off", "/signoff", Role.VIEWER),
    ("Settings", "/settings", Role.MANAGER),
)
#: What a page may say after something was done; a link cannot put other words on it.
SAID: Mapping[str, str] = {
    "signed-out": "You are signed out.",
    "imported": "The file was imported.",
    "saved": "Saved.",
    "started": "Started; this page follows it.",
    "decided": "Decision recorded. Agreement has not changed.",
    "undone": "Undone.",
    "created": "Created.",
    "removed": "Removed.",
}


def frame(request: Request, who: Identity | None, *, project: Any = None, wide: bool = False, nonce: str = "") -> Frame:
    """Build the frame of a page for a person."""
    path = request.url.path
    return Frame(
        name=who.name if who else "",
        admin=who is not None and who.role >= Role.ADMIN,
        csrf=who.csrf if who else "",
        project=project.name if project else "",
        items=_items(path, project, who.role) if project and who else (),
        said=SAID.get(request.query_params.get("said", ""), ""),
        twin=("/projects" if path == "/" else path) + ".json" if who else "",
        wide=wide,
        nonce=nonce,
    )


def _items(path: str, project: Any, role: Role) -> tuple[Item, ...]:
    root = f"/projects/{project.id}"
    tail = path.removeprefix(root)
    here = max((end for _, end, _ in SECTIONS if tail.startswith(end)), key=len, default="")
    return tuple(Item(title, root + end, current=end == here) for title, end, needed in SECTIONS if role >= needed)


def local(target: str | None) -> str:
    """Return a target within this site, the start page for anything else.

    Examples
    --------
    >>> local("/projects/1?sort=value"), local("//elsewhere.example"), local("https://elsewhere.example")
    ('/projects/1?sort=value', '/', '/')
    """
    if not target or not target.startswith("/") or "\\" in target or not target.isprintable():
        return "/"
    parts = urlsplit(target)
    return "/" if parts.scheme or parts.netloc or target.startswith("//") else target


def sign_in_first(request: Request) -> str:
    """Address of the sign-in page that comes back to what was asked for."""
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return "/login" if path == "/" else f"/login?next={quote(path, safe='')}"


def failure_page(request: Request, failure: Failure) -> Response:
    """Return the page that says what went wrong."""
    who = getattr(request.state, "identity", None)
    titles = {404: "Not found", 403: "Not allowed", 503: "Not available now"}
    data = {"title": titles.get(failure.status, "This did not work"), "problem": failure.body.error}
    answer = html("failure", data, frame(request, who), failure.status)
    answer.headers.update(failure.headers)
    return answer


def page(
    router: APIRouter, path: str, show: Callable[..., Response]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function that builds page data: ``path`` shows it, ``path.json`` gives it as it is.

    The function takes ``request`` and ``who`` among its parameters; ``show`` turns (request, who, data) into the page.
    """

    def register(build: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(build)
        def shown(**given: Any) -> Response:
            return show(given["request"], given["who"], build(**given))

        @wraps(build)
        def twin(**given: Any) -> Response:
            return JSONResponse(plain(build(**given)))

        router.add_api_route(f"{path}.json", twin, methods=["GET"], name=f"{build.__name__}_json")
        router.add_api_route(path, shown, methods=["GET"], name=build.__name__)
        return build

    return register


def problem_of(failure: Failure) -> Problem:
    """Return what a form shows of a failure."""
    return failure.body.error
