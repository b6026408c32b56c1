"""Pages from typed data: a template each, in a frame that says where one is and who one is."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader
from starlette.responses import HTMLResponse

from accord.reporting import words
from accord.reporting.html import environment
from accord.service.headers import policy
from accord.version import __version__

#: Where each static file lies; the editor and htmx keep their notices beside them.
STATIC: Mapping[str, tuple[str, str]] = {
    "report.css": ("accord.reporting", "text/css"),
    "report.js": ("accord.reporting", "text/javascript"),
    "service.css": ("accord.service", "text/css"),
    "service.js": ("accord.service", "text/javascript"),
    "vendor/htmx.min.js": ("accord.service", "text/javascript"),
    "vendor/editor.min.js": ("accord.service", "text/javascript"),
    "vendor/NOTICE.txt": ("accord.service", "text/plain"),
}


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the navigation; ``count`` says how much waits there."""

    title: str
    href: str
    current: bool = False
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What surrounds the content of a page."""

    name: str = ""
    admin: bool = False
    csrf: str = ""
    project: str = ""
    items: tuple[Item, ...] = ()
    said: str = ""
    twin: str = ""
    wide: bool = False
    nonce: str = ""
    version: str = __version__


@cache
def static_file(name: str) -> bytes:
    """Content of a static file."""
    return resources.files(STATIC[name][0]).joinpath("static", *name.split("/")).read_bytes()


@cache
def static(name: str) -> str:
    """Address of a static file, which changes with its content."""
    return f"/static/{hashlib.sha256(static_file(name)).hexdigest()[:12]}/{name}"


@cache
def templates() -> Environment:
    """Templates of the service, and those of the report under ``report/``."""
    own = PackageLoader("accord.service")
    report = PackageLoader("accord.reporting")
    found = environment().overlay(loader=ChoiceLoader([own, PrefixLoader({"report": report})]))
    found.globals["static"] = static
    found.globals["words"] = words
    return found


def html(template: str, data: Any, frame: Frame, status: int = 200, **more: Any) -> HTMLResponse:
    """Answer with a page; ``more`` are pictures and functions that the template draws with."""
    text = templates().get_template(f"{template}.html.j2").render(data=data, frame=frame, **more)
    headers = {"Content-Security-Policy": policy(frame.nonce or None)}
    return HTMLResponse(text, status, headers)
