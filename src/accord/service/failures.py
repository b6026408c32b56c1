"""One shape for every failure: ``{"error": {"code", "message", "details"}}``, on pages a page that says the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from accord.errors import AccordError, DataError, MissingExtraError, UsageError, shorten
from accord.workspace.projects import UnknownIdError
from accord.workspace.reviews import OwnAnswerError

CODES: Mapping[int, str] = {
    400: "bad_request",
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    411: "length_required",
    412: "changed_meanwhile",
    413: "too_large",
    415: "media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "internal",
    503: "unavailable",
}
MOST_DETAILS = 20


class Detail(BaseModel):
    """One thing wrong with a request, and where."""

    model_config = ConfigDict(extra="forbid")

    where: str
    message: str


class Problem(BaseModel):
    """What went wrong."""

    model_config = ConfigDict(extra="forbid")

    code: str
    message: str
    details: list[Detail] = []


class ProblemBody(BaseModel):
    """Body of every answer that is not a success."""

    model_config = ConfigDict(extra="forbid")

    error: Problem


class Failure(Exception):  # noqa: N818 - a response, not a defect
    """A response other than success, with a sentence for people and a code for programs."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        details: Sequence[Detail] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code or CODES[status]
        self.details = list(details)[:MOST_DETAILS]
        self.headers = dict(headers or {})

    @property
    def body(self) -> ProblemBody:
        """The JSON body."""
        return ProblemBody(error=Problem(code=self.code, message=str(self), details=self.details))


def not_found(what: str) -> Failure:
    """Build the answer for something that does not exist."""
    return Failure(404, f"There is no {what}.")


def from_accord(error: AccordError) -> Failure:
    """Turn a deliberate error of the library into an answer: the call was wrong, or the data are."""
    if isinstance(error, MissingExtraError):
        return Failure(503, str(error), code="missing_extra")
    if isinstance(error, OwnAnswerError):
        return Failure(403, str(error), code="own_answer")
    if isinstance(error, UnknownIdError):
        return Failure(404, str(error))
    if isinstance(error, DataError):
        return Failure(422, str(error), code="data")
    if isinstance(error, UsageError):
        return Failure(422, str(error), code="usage")
    return Failure(422, str(error), code="error")


def from_http(error: HTTPException) -> Failure:
    """Turn what the framework raises into our shape."""
    status = error.status_code
    message = error.detail if isinstance(error.detail, str) else HTTPStatus(status).phrase
    code = CODES.get(status, "error")
    return Failure(status, shorten(message, 500), code=code, headers=error.headers)


def from_validation(error: RequestValidationError) -> Failure:
    """Say what is wrong with a request, without repeating what was sent."""
    found = error.errors()
    if any(item.get("type") == "json_invalid" for item in found):
        return Failure(400, "The body is not JSON.", code="not_json")
    details = [
        Detail(where=shorten(".".join(map(str, item["loc"]))), message=shorten(str(item["msg"]), 300))
        for item in found[:MOST_DETAILS]
    ]
    return Failure(422, "The request does not have the expected form.", details=details)


def respond(failure: Failure) -> Response:
    """JSON answer of a failure."""
    return JSONResponse(failure.body.model_dump(), failure.status, failure.headers)


def wants_page(request: Request) -> bool:
    """Whether a browser asked for a page: failures of the API and of ``.json`` twins are JSON."""
    path = request.url.path
    machine = path.startswith(("/api/", "/hooks/", "/healthz", "/readyz", "/metrics")) or path.endswith(".json")
    return not machine and "text/html" in request.headers.get("accept", "")
