"""Everything Accord raises on purpose. Each class knows its exit code and builds its own hint."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class AccordError(Exception):
    """Base of all deliberate errors; the text says what, where, what is allowed and what to do."""

    exit_code = 3


class UsageError(AccordError):
    """The call was wrong: an option, a name, an argument."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name that is not in a catalogue."""

    @classmethod
    def among(cls, what: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """Build the error for ``name``, with the closest known names or, if none is close, all of them."""
        names = sorted(known)
        close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"Known: {', '.join(names) or 'none'}."
        return cls(f"Unknown {what} {name!r}. {hint}")


class MissingExtraError(UsageError):
    """A feature whose optional packages are not installed."""

    @classmethod
    def install(cls, feature: str, extra: str) -> MissingExtraError:
        """Build the error with the install line for ``extra``."""
        return cls(f"{feature} needs packages that are not installed. Run: pip install 'accord[{extra}]'")


class DataError(AccordError):
    """The data cannot be read or measured as asked."""

    exit_code = 3

    @classmethod
    def at(
        cls,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        task: str | None = None,
        control: str | None = None,
        found: str | None = None,
        allowed: str | None = None,
        hint: str | None = None,
    ) -> DataError:
        """Build a message from its parts: place first, then what was found, what is allowed, what to do."""
        place = [
            text
            for text in (
                file,
                f"line {line}" if line is not None else None,
                f"task {task}" if task is not None else None,
                f"control {control}" if control is not None else None,
            )
            if text
        ]
        parts = [f"{', '.join(place)}: {message}" if place else message]
        if found is not None:
            parts.append(f"Found: {shorten(found)}.")
        if allowed is not None:
            parts.append(f"Allowed: {allowed}.")
        if hint is not None:
            parts.append(hint)
        return cls(" ".join(parts))


def shorten(text: str, limit: int = 120) -> str:
    """Cut ``text`` for a message and make control characters visible."""
    clean = text.encode("unicode_escape").decode("ascii") if any(ord(c) < 32 for c in text) else text
    return clean if len(clean) <= limit else f"{clean[: limit - 1]}…"
