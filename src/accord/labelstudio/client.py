"""Read a Label Studio server: one host, no redirects, patient with a busy server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from accord.errors import DataError, MissingExtraError, UsageError, shorten
from accord.labelstudio.address import checked_url

if TYPE_CHECKING:
    import httpx

SECONDS: Final = 60.0
MOST_BYTES: Final = 512 * 1024 * 1024
#: Waits before the second and later tries, in seconds.
WAITS: Final = (0.5, 1.0, 2.0, 4.0)
LONGEST_WAIT: Final = 30.0
BUSY: Final = frozenset({429, 502, 503, 504})
#: Pages asked for at a time: tasks with annotations, and tasks without.
PAGE: Final = 100


class Client:
    """One server with a token: a legacy token, or a personal access token that is exchanged for short-lived ones.

    Parameters
    ----------
    url
        Address of the server.
    token
        From the account page of Label Studio.
    seconds
        Longest time without an answer.
    wait
        How to wait between tries.

    Raises
    ------
    UsageError
        If the URL is none, or the token holds characters that no token has.
    MissingExtraError
        Without httpx.
    """

    def __init__(
        self, url: str, token: str, *, seconds: float = SECONDS, wait: Callable[[float], None] = time.sleep
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingExtraError.install("Reading a Label Studio server", "labelstudio") from None
        self.url = checked_url(url)
        if not token.isascii() or not token.isprintable() or not token.strip() or " " in token.strip():
            raise UsageError("The token is empty, or holds characters that no token of Label Studio has.")
        self._token, self._wait = token.strip(), wait
        self._access: str | None = None
        self._http = httpx.Client(timeout=seconds, follow_redirects=False, trust_env=False)
        self._broken = httpx.TransportError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    @property
    def _is_personal(self) -> bool:
        """Whether the token is to be exchanged: a JSON web token has three parts."""
        return self._token.count(".") == 2

    def project(self, project: int) -> Mapping[str, Any]:
        """Return what the server says of a project: ``title``, ``label_config``, ``task_number`` and more.

        Raises
        ------
        DataError
            If the server cannot be reached, refuses the token, or has no such project.
        """
        found = self.get(f"/api/projects/{project}/")
        if not isinstance(found, dict):
            raise self._strange(f"/api/projects/{project}/")
        return found

    def tasks(self, project: int, *, annotations: bool, only: tuple[int, ...] = ()) -> Iterator[Mapping[str, Any]]:
        """Yield the tasks of a project, or only some, with or without their annotations."""
        asked: dict[str, Any] = {"project": project, "page_size": PAGE if annotations else 10 * PAGE}
        if annotations:
            asked["fields"] = "all"
        if only:
            items = [
                {"filter": "filter:tasks:id", "operator": "equal", "type": "Number", "value": task} for task in only
            ]
            asked["query"] = json.dumps({"filters": {"conjunction": "or", "items": items}})
        seen, page = 0, 1
        while True:
            found = self.get("/api/tasks", {**asked, "page": page})
            if not isinstance(found, dict) or not isinstance(found.get("tasks"), list):
                raise self._strange("/api/tasks")
            if not all(isinstance(task, dict) and isinstance(task.get("id"), int) for task in found["tasks"]):
                raise self._strange("/api/tasks")
            yield from found["tasks"]
            seen, page = seen + len(found["tasks"]), page + 1
            if not found["tasks"] or seen >= int(found.get("total", 0)):
                return

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        """Ask for JSON; a busy or broken connection is tried again a few times.

        Raises
        ------
        DataError
            If that fails, or the answer is no JSON.
        """
        status, body = self._asked("GET", path, params=dict(query or {}))
        if status == 401 and self._is_personal:
            self._access = None
            status, body = self._asked("GET", path, params=dict(query or {}))
        self._check(status, body, path)
        return self._json(body, path)

    def _asked(self, method: str, path: str, **content: Any) -> tuple[int, bytes]:
        problem = ""
        for wait in (*WAITS, None):
            try:
                with self._http.stream(method, self.url + path, headers=self._headers(path), **content) as answer:
                    if answer.status_code not in BUSY or wait is None:
                        return self._read(answer, path)
                    problem, wait = f"HTTP {answer.status_code}", _asked_wait(answer, wait)
            except self._broken as error:
                problem = str(error) or type(error).__name__
            if wait is not None:
                self._wait(wait)
        raise DataError.at(f"cannot be reached: {shorten(problem)}.", file=self.url)

    def _read(self, answer: httpx.Response, path: str) -> tuple[int, bytes]:
        if answer.is_redirect:
            where = answer.headers.get("location", "")
            raise DataError.at(
                f"answers {path} with a redirect, which is not followed.",
                file=self.url,
                found=where,
                hint="Give the address that the server goes by.",
            )
        parts, size = [], 0
        for part in answer.iter_bytes():
            size += len(part)
            if size > MOST_BYTES:
                raise DataError.at(f"sends more than {MOST_BYTES >> 20} MB for {path}.", file=self.url)
            parts.append(part)
        return answer.status_code, b"".join(parts)

    def _headers(self, path: str) -> dict[str, str]:
        plain = {"Accept": "application/json"}
        if path == "/api/token/refresh/":
            return plain
        if not self._is_personal:
            return {**plain, "Authorization": f"Token {self._token}"}
        if self._access is None:
            self._access = self._exchanged()
        return {**plain, "Authorization": f"Bearer {self._access}"}

    def _exchanged(self) -> str:
        path = "/api/token/refresh/"
        status, body = self._asked("POST", path, json={"refresh": self._token})
        self._check(status, body, path)
        found = self._json(body, path)
        if not isinstance(found, dict) or not isinstance(found.get("access"), str):
            raise self._strange(path)
        return found["access"]

    def _check(self, status: int, body: bytes, path: str) -> None:
        if status == 200:
            return
        if status in (401, 403):
            raise DataError.at(
                "does not accept the token.",
                file=self.url,
                found=f"HTTP {status}",
                hint="Take one from the account page; legacy tokens may be switched off for the organisation.",
            )
        if status == 404:
            raise DataError.at(f"has nothing at {path}, or does not show it to this user.", file=self.url)
        text = body[:200].decode("utf-8", "replace")
        raise DataError.at(f"answers {path} with HTTP {status}.", file=self.url, found=text)

    def _json(self, body: bytes, path: str) -> Any:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise self._strange(path) from None

    def _strange(self, path: str) -> DataError:
        return DataError.at(f"does not answer {path} as Label Studio does.", file=self.url)


def _asked_wait(answer: httpx.Response, otherwise: float) -> float:
    """Seconds that the server asks to wait, within reason."""
    asked = answer.headers.get("retry-after", "")
    return min(float(asked), LONGEST_WAIT) if asked.isdecimal() and len(asked) < 6 else otherwise
