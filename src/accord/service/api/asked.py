"""What routes ask of a request: numbers in the path, parts of a list, and whether the client has the answer already."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from fastapi import Path, Query, Request
from starlette.responses import Response

from accord.service.failures import Failure
from accord.workspace import Workspace

LARGEST = 2**31 - 1
Number = Annotated[int, Path(ge=1, le=LARGEST)]
Offset = Annotated[int, Query(ge=0, le=LARGEST, description="Rows to leave out")]
Limit = Annotated[int, Query(ge=1, le=1000, description="Rows at most")]


def workspace_of(request: Request) -> Workspace:
    """Workspace of the server."""
    found: Workspace = request.app.state.workspace
    return found


def tagged(request: Request, data: Any, tag: str | None = None, status: int = 200) -> Response:
    """JSON with an ETag; 304 without a body where the client has just this already.

    ``tag`` is what identifies the content, where that is known without looking at it.
    """
    body = as_bytes(data)
    return answered(request, body, tag or hashlib.sha256(body).hexdigest()[:32], status)


def as_bytes(data: Any) -> bytes:
    """JSON as it is sent."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def answered(request: Request, body: bytes, tag: str, status: int = 200) -> Response:
    """JSON that was written before, with its tag; 304 without a body where the client has just this already."""
    etag = f'"{tag}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if matches(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    return Response(body, status, media_type="application/json", headers=headers)


def matches(header: str, etag: str) -> bool:
    """Whether a list of tags holds one.

    Examples
    --------
    >>> matches('W/"1", "2"', '"2"'), matches("*", '"2"'), matches('"3"', '"2"')
    (True, True, False)
    """
    wanted = [one.strip().removeprefix("W/") for one in header.split(",")]
    return "*" in wanted or etag in wanted


def version_wanted(request: Request) -> int | None:
    """Version that a change is meant for, from ``If-Match``; None = whatever is there.

    Raises
    ------
    Failure
        412 if it is no version of ours.
    """
    given = request.headers.get("if-match")
    if given is None or given.strip() == "*":
        return None
    text = given.strip().removeprefix("W/").strip('"')
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Failure(412, "If-Match names no version of these settings. Read them again.")
    return int(text)
