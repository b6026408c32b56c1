"""What was repaired, dropped or looks ambiguous in a table, by code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from accord.dataset import Notice
from accord.errors import DataError
from accord.readers.table_values import MISSING_WORDS
from accord.values import Value

MEANINGS: Final = {
    "duplicate-answer": "a rater answered the same item again; one answer counts",
    "nfc": "spellings that differ only in the Unicode form of their letters count as one label",
    "near-equal-label": "labels that differ only in case or spaces are kept apart",
    "looks-missing": "a label looks like a mark for missing answers but is kept as a label (--missing takes it out)",
    "unknown-value": "an answer is not in the declared domain; it is added to it",
}


class Notices:
    """Collects notices; in strict mode the first one is an error."""

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[str]] = {}

    def add(self, code: str, count: int, examples: Sequence[str], *, file: str | None = None) -> None:
        """Count something under a code, with examples that name where."""
        if not count:
            return
        if self._strict:
            raise DataError.at(
                f"{code}: {MEANINGS[code]}.",
                file=file,
                found="; ".join(examples[:5]) or None,
                hint="Correct the data, or read it without --strict.",
            )
        self._counts[code] = self._counts.get(code, 0) + count
        known = self._examples.setdefault(code, [])
        known.extend(examples[: max(0, 5 - len(known))])

    def notices(self) -> tuple[Notice, ...]:
        """Return all notices, by code."""
        return tuple(
            Notice(code, count, MEANINGS[code], tuple(self._examples[code]))
            for code, count in sorted(self._counts.items())
        )


def near_equal(values: Iterable[Value]) -> list[str]:
    """Groups of labels that differ only in case or spaces, in words."""
    groups: dict[str, list[str]] = {}
    for value in values:
        if isinstance(value, str):
            groups.setdefault(" ".join(value.casefold().split()), []).append(value)
    return [" / ".join(map(repr, group)) for group in groups.values() if len(group) > 1]


def looks_missing(values: Iterable[Value]) -> list[str]:
    """Labels that look like marks for missing answers."""
    return [repr(value) for value in values if isinstance(value, str) and value.strip().casefold() in MISSING_WORDS]
