"""The terminologies of a benchmark, as the command line names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.errors import UsageError
from accord.terminology.concepts import Terminology
from accord.terminology.reading import read_terminology


@dataclass(frozen=True, slots=True)
class Chosen:
    """A terminology without ambiguous names, and how many names that cost."""

    table: Terminology
    dropped: int


def chosen(sources: Sequence[str], below: Sequence[str] = ()) -> list[Chosen]:
    """Read terminologies; where concepts are given, keep only what is below them in the terminology they belong to.

    Names that more than one concept of a terminology has are dropped, because no measure could tell which is meant.

    Raises
    ------
    UsageError
        If a concept is in none of them, or a terminology cannot be found.
    """
    found = [_prepared(read_terminology(source), below) for source in sources]
    known = {root for root in below for one in found if root in one.table.concepts}
    if lost := [root for root in below if root not in known]:
        raise UsageError(f"--below {lost[0]}: no terminology has a concept of this identifier.")
    return found


def _prepared(table: Terminology, below: Sequence[str]) -> Chosen:
    plain = table.unambiguous()
    dropped = table.strings - plain.strings
    roots = [root for root in below if root in plain.concepts]
    if roots:
        kept = plain.below(roots)
        plain = plain.select(f"{plain.name} below {', '.join(roots)}", lambda c: c in kept)
    return Chosen(plain, dropped)
