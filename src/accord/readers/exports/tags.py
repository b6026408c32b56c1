"""Spans of tokens in tag schemes: IOB1, IOB2, BIOES, BILOU, BMES, plain labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from accord.readers.codes import Notices

_TAG: Final = re.compile(r"([BIESLUM])[-_](.+)", re.DOTALL)
_OUTSIDE: Final = frozenset({"O", "_", "-"})
_BEGINS: Final = frozenset("BSU")
_ENDS: Final = frozenset("ESLU")


def marks_beginnings(sentences: Sequence[Sequence[str]]) -> bool:
    """Whether tags mark every beginning: a B stands where no span came before, which IOB1 never writes."""
    return any(
        tag[:2] in ("B-", "B_") and (not place or tags[place - 1] in _OUTSIDE)
        for tags in sentences
        for place, tag in enumerate(tags)
    )


def spans_of(tags: Sequence[str], notices: Notices, *, beginnings: bool) -> Iterator[tuple[int, int, str]]:
    """First and last token and label of every span.

    ``beginnings`` says that the tags mark every beginning, so that an I without one is counted as broken.
    """
    start, current = 0, ""
    for place, tag in enumerate(tags):
        found = _TAG.fullmatch(tag)
        prefix, label = (found[1], found[2]) if found else ("", "" if tag in _OUTSIDE else tag)
        goes_on = bool(current) and label == current and prefix not in _BEGINS
        if current and not goes_on:
            yield start, place - 1, current
            current = ""
        if label and not goes_on:
            if beginnings and prefix and prefix not in _BEGINS:
                notices.add("broken-tags", f"{tag} at token {place + 1}")
            start, current = place, label
        if current and prefix in _ENDS:
            yield start, place, current
            current = ""
    if current:
        yield start, len(tags) - 1, current
