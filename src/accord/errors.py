"""Everything Accord raises on purpose. Each class knows its exit code and builds its own hint."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Self
from unicodedata import category


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
        """Build the error for ``name``, with the closest known names or, if none is close, the first ones."""
        names = sorted(known)
        close = difflib.get_close_matches(name[:100], names, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"Known: {listed(names)}."
        return cls(f"Unknown {what} {shorten(repr(name))}. {hint}")


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
    ) -> Self:
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


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names for a message, the first ones where there are many."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(shorten, names[:most])) + more if names else "none"


def shorten(text: str, limit: int = 120) -> str:
    """Cut ``text`` for a message, on one line and with control characters visible."""
    clean = printable(text[: limit + 1]).replace("\n", "\\n")
    return clean if len(clean) <= limit else f"{clean[: limit - 1]}…"


def printable(text: str) -> str:
    """Make control characters from data visible, so that nothing can steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" or category(c) == "Zs" else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
