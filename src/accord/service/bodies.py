"""Limits on what a request may send, before anything is read."""

from __future__ import annotations

import re

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from accord.service.failures import Failure, respond
from accord.service.settings import Settings

#: Imports, and deliveries of webhooks, which carry whole annotations.
LARGE = re.compile(r"/(?:api/)?projects/\d+/import|/hooks/label-studio/\d+")


class BodyLimits:
    """Middleware that refuses bodies that are too large, counted as they arrive, or compressed."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        upload = LARGE.fullmatch(scope["path"]) is not None
        limit = self._settings.upload_bytes if upload else self._settings.body_bytes
        refused = _refusal(Headers(scope=scope), limit)
        if refused is not None:
            await respond(refused)(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise HTTPException(413, _too_large(limit))
            return message

        await self._app(scope, counted, send)


def _refusal(headers: Headers, limit: int) -> Failure | None:
    if headers.get("content-encoding", "identity").lower() != "identity":
        return Failure(415, "Compressed bodies are not accepted. Send the data as it is.")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return Failure(400, "Content-Length is not a number.")
    if len(length) > 18 or int(length) > limit:
        return Failure(413, _too_large(limit), headers={"Connection": "close"})
    return None


def _too_large(limit: int) -> str:
    return f"The body is too large. Allowed: {limit:,} bytes."
