"""News about suspensions, told to an address by signed deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection

from accord.errors import AccordError, DataError, MissingExtraError, UsageError
from accord.workspace.connections import row_of
from accord.workspace.database import StoreError
from accord.workspace.jobs import LostLeaseError, enqueue

if TYPE_CHECKING:
    from accord.workspace.worker import Work

SECONDS: Final = 10.0
#: Seconds before the second and later tries.
WAITS: Final = (1.0, 4.0)


def queue_notice(connection: Connection, project_id: int, news: Mapping[str, Any], at: float) -> None:
    """Queue a delivery within the transaction of what it tells, where somebody is to be told."""
    if row_of(connection, project_id, "notify") is not None:
        enqueue(connection, "notify", project_id, at=at, payload=dict(news))


def signature(body: bytes, secret: str) -> str:
    """Value of the header ``X-Accord-Signature``.

    Examples
    --------
    >>> signature(b"{}", "secret")[:20]
    'sha256=77325902caca8'
    """
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def send_notice(work: Work) -> None:
    """Deliver one piece of news; a receiver that does not answer is tried again a few times."""
    workspace = work.workspace
    try:
        status = _sent(work)
    except (StoreError, LostLeaseError):
        raise
    except AccordError as error:
        workspace.connections.note(work.project_id, "notify", str(error))
        raise
    workspace.connections.note(work.project_id, "notify", None)
    with workspace.database.write() as connection:
        work.finish(connection, {"status": status})


def _sent(work: Work) -> int:
    workspace, job = work.workspace, work.claim.job
    with workspace.database.read() as connection:
        row = row_of(connection, work.project_id, "notify")
    if row is None:
        raise UsageError("Nobody is to be told any more.")
    if not row.token:
        raise UsageError("The secret for signatures is gone: save the address again.")
    url = workspace.hosts.checked(row.url)
    body = json.dumps({"delivery": job.id, **job.payload}, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "X-Accord-Delivery": str(job.id),
        "X-Accord-Signature": signature(body, row.token),
    }
    why = ""
    for tried in range(len(WAITS) + 1):
        if tried and work.stop.wait(WAITS[tried - 1]):
            break
        work.step(tried, len(WAITS) + 1)
        status, why = _post(url, body, headers)
        if 200 <= status < 300:
            return status
    work.step(len(WAITS), len(WAITS) + 1)
    raise DataError.at(f"did not take the delivery: {why}.", file=url)


def _post(url: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
    """Send once; returns the status, 0 without an answer, and what was wrong."""
    try:
        import httpx
    except ImportError:
        raise MissingExtraError.install("Telling others", "serve") from None
    try:
        with (
            httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=False) as client,
            client.stream("POST", url, content=body, headers=dict(headers)) as answer,
        ):
            return answer.status_code, f"HTTP {answer.status_code}"
    except httpx.TransportError as error:
        return 0, str(error) or type(error).__name__
