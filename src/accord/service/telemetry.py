"""What is counted about requests, in the text form Prometheus reads, and one log line for each of them."""

from __future__ import annotations

import logging
import secrets
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from accord.service.logs import milliseconds
from accord.version import __version__

LOGGER = logging.getLogger("accord.service")
QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Telemetry:
    """Counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "accord_requests", "Requests answered", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "accord_request_seconds", "Time to answer a request", ("method", "route"), registry=self.registry
        )
        self.running = Gauge("accord_requests_running", "Requests being answered", registry=self.registry)
        self.jobs = Gauge("accord_jobs", "Jobs by state", ("state",), registry=self.registry)
        version = Gauge("accord_info", "Version of the service", ("version",), registry=self.registry)
        version.labels(__version__).set(1)

    def text(self) -> bytes:
        """All counters."""
        return generate_latest(self.registry)


class Watched:
    """Middleware that counts and logs every request by the route it took, never by its address or content."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500
        request = secrets.token_hex(8)

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request
            await send(message)

        self._telemetry.running.inc()
        try:
            await self._app(scope, receive, noted)
        finally:
            self._telemetry.running.dec()
            self._note(scope, status, started, request)

    def _note(self, scope: Scope, status: int, started: float, request: str) -> None:
        route = getattr(scope.get("route"), "path", "none")
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._telemetry.requests.labels(method, route, str(status)).inc()
        self._telemetry.seconds.labels(method, route).observe(time.perf_counter() - started)
        if route in QUIET and status < 400:
            return
        facts = {
            "event": "request",
            "method": method,
            "route": route,
            "status": status,
            "milliseconds": milliseconds(started),
            "user": scope.get("accord.user"),
            "request": request,
        }
        LOGGER.log(logging.ERROR if status >= 500 else logging.INFO, "request", extra=facts)
