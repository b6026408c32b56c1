"""The application: routes, failures in one shape, and what stands around them."""

from __future__ import annotations

import errno
import logging
import threading
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp

from accord.errors import AccordError
from accord.service import api, pages
from accord.service.accounts import Accounts
from accord.service.bodies import BodyLimits
from accord.service.failures import Failure, ProblemBody, from_accord, from_http, from_validation, respond, wants_page
from accord.service.headers import SecureHeaders
from accord.service.hints import Hints
from accord.service.live_numbers import LiveNumbers
from accord.service.openapi import describe, methods_at
from accord.service.page_reports import PageReports
from accord.service.pages.frames import failure_page, sign_in_first
from accord.service.settings import Settings
from accord.service.telemetry import Telemetry, Watched
from accord.service.throttle import Throttle
from accord.version import __version__
from accord.workspace import Workspace
from accord.workspace.database import StoreError

LOGGER = logging.getLogger("accord.service")
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
DESCRIPTION = """Agreement between annotators: projects, scores, disagreed tasks, decisions.

Send `Authorization: Bearer TOKEN`. Every failure has the body `{"error": {"code", "message", "details"}}`. Lists come
as `{"items", "total", "offset", "limit"}`. What can be read again carries an `ETag`: send it as `If-None-Match`.
"""
FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemBody, "description": words}
    for status, words in (
        (400, "The request cannot be read"),
        (401, "No valid token or session"),
        (403, "The role is not allowed this"),
        (404, "No such thing"),
        (413, "Too large"),
        (415, "Wrong media type"),
        (422, "The request can be read and does not fit"),
        (503, "The database cannot be reached, or a package is missing"),
    )
}


def create_app(settings: Settings, workspace: Workspace) -> FastAPI:
    """Build the application on an open workspace."""
    app = FastAPI(
        title="Accord",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=FAILURES,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.workspace = workspace
    app.state.stopping = threading.Event()
    app.state.accounts = Accounts(workspace, settings.session)
    app.state.reports = PageReports(workspace, here=settings.workers == 0)
    app.state.live = LiveNumbers(workspace)
    app.state.hints = Hints(workspace)
    app.state.telemetry = Telemetry()
    app.state.throttle = Throttle(settings.attempts, settings.attempts_window)
    for kind in (Failure, AccordError, HTTPException, RequestValidationError, OSError):
        app.add_exception_handler(kind, _answer)
    app.add_exception_handler(Exception, _answer)
    api.mount(app)
    pages.mount(app)
    describe(app)
    return app


def guarded(app: FastAPI) -> ASGIApp:
    """Put limits, headers, counters and logs around an application."""
    limited = BodyLimits(app, app.state.settings)
    return Watched(SecureHeaders(limited), app.state.telemetry)


def as_failure(error: Exception) -> Failure:
    """Return what is told about any exception."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, StoreError):
        LOGGER.error("the database cannot be used", exc_info=error)
        return Failure(503, "The database cannot be used now. Try again in a moment.", headers={"Retry-After": "5"})
    if isinstance(error, AccordError):
        return from_accord(error)
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        LOGGER.error("there is no room left on the disk", exc_info=error)
        return Failure(
            503, "There is no room left on the server's disk; nothing was changed. Free some, then try again."
        )
    if isinstance(error, HTTPException):
        return from_http(error)
    if isinstance(error, RequestValidationError):
        return from_validation(error)
    return Failure(500, "Something went wrong on our side. The log has the place, under the X-Request-Id of this.")


async def _answer(request: Request, error: Exception) -> Response:
    failure = as_failure(error)
    if failure.status == 405:
        failure.headers["Allow"] = methods_at(request.app, request.url.path)
    if not wants_page(request):
        return respond(failure)
    if failure.status == 401 and request.method in ("GET", "HEAD"):
        return RedirectResponse(sign_in_first(request), 303)
    return await run_in_threadpool(failure_page, request, failure)
