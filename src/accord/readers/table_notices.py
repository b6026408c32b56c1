"""What looks odd about the labels of a table, in words for the import report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from accord.readers.codes import EXAMPLES, Notices
from accord.readers.table_values import MISSING_WORDS
from accord.values import Value


def tell(notices: Notices, code: str, control: str, found: Sequence[str], count: int | None = None) -> None:
    """Count ``found`` under a code, the first of them as examples."""
    for text in islice(found, EXAMPLES):
        notices.add(code, text, control=control)
    notices.add(code, control=control, count=(len(found) if count is None else count) - min(len(found), EXAMPLES))


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
