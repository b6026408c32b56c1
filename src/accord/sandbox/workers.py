"""Worker processes of the sandbox: a separate interpreter without files and network, with limits on memory and time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from accord.errors import MissingExtraError
from accord.sandbox import driver, library
from accord.sandbox.code import CustomCode
from accord.sandbox.failures import Failure, FailureKind, kind_of
from accord.sandbox.rewriting import LINES_BEFORE

#: Time stands still for custom code, so that a score does not depend on when it was computed.
NOW: Final = dt.datetime(2000, 1, 1)  # noqa: DTZ001 - the sandbox's own clock has no zone
#: Pairs run one by one before batches are tried, and after a batch broke a limit.
WATCHED_PAIRS: Final = 8
#: Most calls from a session to this process: names that the code does not define are asked for here, too.
MOST_CALLS: Final = 4000


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one pair may take: seconds of execution, bytes of memory."""

    seconds: float = 2.0
    memory: int = 256 * 1024 * 1024


class Stopped(Exception):  # noqa: N818 - an outcome rather than an error
    """The sandbox ended the run; the session is of no more use."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Session:
    """A worker with custom code loaded.

    Where pairs are watched, the time between two calls from the sandbox is limited (one pair each) and that of a run
    as well; otherwise the time of a whole run only.
    """

    def __init__(
        self, code: CustomCode, session: Any, limits: Limits, errors: tuple[type[Exception], type[Exception]]
    ) -> None:
        self._session, self._limits = session, limits
        self._error, self._crash = errors
        self._calls = 0
        #: Why the worker has ended; nothing runs in it any more.
        self._over: Failure | None = None
        self.run(library.program())
        self.run(driver.SOURCE, {"__keep": False})
        self.run(code.program)

    def run(
        self, source: str, inputs: Mapping[str, Any] | None = None, tick: Callable[[Any], None] | None = None
    ) -> Any:
        """Run a source.

        Raises
        ------
        Stopped
            If it fails, or breaks a limit.
        """
        if self._over is not None:
            raise Stopped(self._over)
        lookup = {} if tick is None else {"__tick": self._counted(tick)}
        try:
            return self._session.feed_run(
                source, inputs=dict(inputs or {}), external_lookup=lookup, print_callback=_ignore
            )
        except self._crash as error:
            self._over = self._crashed(error)
            raise Stopped(self._over) from None
        except self._error as error:
            raise Stopped(self._failed(error)) from None

    @property
    def is_used_up(self) -> bool:
        """Whether the next pairs had better go to a fresh session: calls are limited."""
        return self._calls > MOST_CALLS // 4

    def _counted(self, tick: Callable[[Any], None]) -> Callable[[Any], None]:
        def counted(found: Any) -> None:
            self._calls += 1
            tick(found)

        return counted

    def _crashed(self, error: Any) -> Failure:
        if error.timed_out:
            return self._too_slow()
        return Failure(FailureKind.SANDBOX, "the worker of the sandbox broke down")

    def _too_slow(self) -> Failure:
        return Failure(FailureKind.TIMEOUT, f"stopped after {self._limits.seconds:g} seconds")

    def _failed(self, error: Any) -> Failure:
        inner = error.exception()
        name = type(inner).__name__
        message = str(inner)
        if name == "TimeoutError":
            return self._too_slow()
        if name == "MemoryError":
            return Failure(FailureKind.SANDBOX, f"it needs more than {self._limits.memory >> 20:,} MB of memory")
        frames = [frame.line for frame in getattr(error, "traceback", list)() if frame.filename == _LAST_SOURCE]
        line = frames[-1] - LINES_BEFORE if frames and frames[-1] > LINES_BEFORE else None
        if message.startswith("The monty syntax parser does not yet support"):
            message = f"the sandbox's Python lacks {message.rpartition('yet support ')[2]}"
            return Failure(FailureKind.SANDBOX, message, line)
        return Failure(kind_of(name, message), f"{name}: {message}"[:500], line)


#: Name of the code's own source, the third of a session.
_LAST_SOURCE: Final = "<python-input-2>"


def _ignore(*_: Any) -> None:
    """Let go of what reaches the output: custom code prints through its own function."""


@contextmanager
def sessions(code: CustomCode, limits: Limits) -> Iterator[Callable[[bool], Session]]:
    """Processes for one code: gives a function that opens a fresh session, watched or not.

    Raises
    ------
    MissingExtraError
        Without pydantic-monty.
    """
    try:
        from pydantic_monty import Monty, MontyCrashedError, MontyError
    except ImportError:
        raise MissingExtraError.install("A custom metric", "custom") from None
    opened: list[Any] = []

    def fresh(watched: bool) -> Session:
        while opened:
            opened.pop().__exit__(None, None, None)
        checkout = pool.checkout(
            script_name="custom.py",
            limits={
                "max_feed_duration_secs": limits.seconds * (WATCHED_PAIRS if watched else 1),
                "max_turn_duration_secs": limits.seconds if watched else None,
                "max_memory": limits.memory,
                "max_suspensions": MOST_CALLS,
            },
            os_policy={"datetime": NOW, "sleep": "zero", "random_start": {"seed": 0}},
        )
        opened.append(checkout)
        return Session(code, checkout.__enter__(), limits, (MontyError, MontyCrashedError))

    with Monty(max_processes=1) as pool:
        try:
            yield fresh
        finally:
            while opened:
                opened.pop().__exit__(None, None, None)
