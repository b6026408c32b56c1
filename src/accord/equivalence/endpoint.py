"""JSON over HTTP to a model server: only to hosts that were allowed, no redirects, bounded in time and size."""

from __future__ import annotations

import ipaddress
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from accord.errors import DataError, UsageError, shorten

#: Times a request is sent before it counts as failed, and the longest wait in between, in seconds.
TRIES, LONGEST_WAIT = 3, 8.0
#: Answers longer than this are refused.
LARGEST = 64 << 20
#: Answers that may be different a moment later.
TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})


class NoAnswerError(DataError):
    """The server gave no answer although it was asked several times; it may do so later."""


@dataclass(frozen=True, kw_only=True)
class Access:
    """What a model may reach.

    Parameters
    ----------
    hosts
        Hosts beside this machine that texts may be sent to.
    token
        Sent as ``Authorization: Bearer``; never shown, stored or hashed.
    """

    hosts: tuple[str, ...] = ()
    token: str | None = None

    def __repr__(self) -> str:
        return f"Access(hosts={self.hosts!r}, token={'set' if self.token else None})"


class Endpoint:
    """A server at a base address.

    Raises
    ------
    UsageError
        If the address is none, or its host was not allowed.
    """

    def __init__(
        self, url: str, access: Access, *, timeout: float = 60.0, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._token = access.token
        self._sleep = sleep
        host = _host(url)
        local = is_loopback(host)
        if not local and host not in {name.lower() for name in access.hosts}:
            raise UsageError(
                f"{host} is another machine, and texts are sent nowhere unasked. To send them there: "
                f"--allow-remote {host}"
            )
        self.remote = None if local else host
        # What is meant for this machine must not go through a proxy.
        proxies = urllib.request.ProxyHandler({}) if local else urllib.request.ProxyHandler()
        self._opener = urllib.request.build_opener(proxies, _NoRedirect)

    def post(self, path: str, body: Any) -> Any:
        """Send JSON and return the JSON that comes back.

        Raises
        ------
        NoAnswerError
            After several timeouts, broken connections or answers that the server is busy.
        DataError
            For everything that would come out the same again: a refusal, a redirect, an answer that is no JSON.
        """
        return self._tried(path, json.dumps(body, ensure_ascii=True, allow_nan=False).encode("ascii"))

    def ready(self, path: str = "/health") -> None:
        """Ask whether the server is up.

        Raises
        ------
        DataError
            If it is not, or answers anything else than success.
        """
        self._tried(path, None)

    def _tried(self, path: str, data: bytes | None) -> Any:
        wait, why = 0.5, ""
        for attempt in range(TRIES):
            if attempt:
                self._sleep(wait)
                wait = min(2.0 * wait, LONGEST_WAIT)
            try:
                return self._once(path, data)
            except urllib.error.HTTPError as problem:
                if problem.code not in TRANSIENT:
                    raise self._failed(_status(problem)) from None
                why = _status(problem)
            except (TimeoutError, urllib.error.URLError, HTTPException, OSError) as problem:
                why = shorten(str(getattr(problem, "reason", problem)) or type(problem).__name__)
        raise NoAnswerError.at(
            f"gave no answer to {TRIES} tries: {why}.", file=self.url + path, hint="Is the server running?"
        )

    def _once(self, path: str, data: bytes | None) -> Any:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self.url + path, data=data, headers=headers)  # noqa: S310 - scheme checked
        with self._opener.open(request, timeout=self.timeout) as answer:
            raw = answer.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise self._failed(f"sent more than {LARGEST >> 20} MB")
        try:
            return json.loads(raw)
        except ValueError:
            text = raw[:200].decode("utf-8", "replace").strip()
            what = "a web page" if text[:1] == "<" else "something that is no JSON"
            raise self._failed(f"sent {what}: {shorten(text, 80)}") from None

    def _failed(self, why: str) -> DataError:
        return DataError.at(f"{why}.", file=self.url, hint="Check the address, the model's name and the token.")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could lead to a host that nobody allowed."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


def _status(problem: urllib.error.HTTPError) -> str:
    try:
        said = problem.read(2000).decode("utf-8", "replace").strip()
    except (OSError, HTTPException):
        said = ""
    if 300 <= problem.code < 400:
        return f"redirects to {shorten(problem.headers.get('Location') or 'nowhere', 80)}, which is not followed"
    return f"answers {problem.code}" + (f": {shorten(said, 160)}" if said and said[:1] != "<" else "")


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, None
    if parts is None or parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"{shorten(url)!r} is no address of a server. Write it as http://127.0.0.1:8080.")
    if parts.username or parts.password:
        raise UsageError("An address must not hold a password; give a token in the environment (ACCORD_TOKEN).")
    return host.lower()


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def at(answer: Any, *path: str | int) -> Any:
    """Part of a JSON answer; None where there is nothing like it."""
    for step in path:
        if isinstance(step, int) and isinstance(answer, Sequence) and not isinstance(answer, str):
            answer = answer[step] if step < len(answer) else None
        elif isinstance(step, str) and isinstance(answer, dict):
            answer = answer.get(step)
        else:
            return None
    return answer
