"""What can go wrong with custom code, by kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from accord.errors import UsageError, shorten


class FailureKind(StrEnum):
    """Why a pair has no score, or code cannot run at all."""

    SYNTAX = "syntax"
    SANDBOX = "sandbox"
    MISSING_KEY = "missing key"
    TYPE = "type"
    TIMEOUT = "timeout"
    RUN_TIME = "run time"


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure: its kind, what the interpreter said, and the line of the code where that is known."""

    kind: FailureKind
    message: str
    line: int | None = None

    def __str__(self) -> str:
        place = f", line {self.line}" if self.line is not None else ""
        return f"{self.kind} error{place}: {self.message}"


class CustomCodeError(UsageError):
    """Custom code that cannot run; ``failure`` says why."""

    def __init__(self, failure: Failure, name: str = "custom metric") -> None:
        super().__init__(f"{shorten(name)}: {failure}")
        self.failure = failure


_OF_TYPES = {
    "KeyError": FailureKind.MISSING_KEY,
    "TypeError": FailureKind.TYPE,
    "TimeoutError": FailureKind.TIMEOUT,
    "SyntaxError": FailureKind.SYNTAX,
    "MemoryError": FailureKind.SANDBOX,
    "PermissionError": FailureKind.SANDBOX,
    "ImportError": FailureKind.SANDBOX,
    "ModuleNotFoundError": FailureKind.SANDBOX,
}


def kind_of(type_name: str, message: str) -> FailureKind:
    """Kind of an exception raised in the sandbox, by the name of its type and its message.

    Examples
    --------
    >>> kind_of("KeyError", "'result'").value
    'missing key'
    """
    if "backtracking" in message and type_name.endswith(("PatternError", "error")):
        return FailureKind.TIMEOUT
    if message.endswith("is not supported in this environment"):
        return FailureKind.SANDBOX
    return _OF_TYPES.get(type_name.rpartition(".")[2], FailureKind.RUN_TIME)
