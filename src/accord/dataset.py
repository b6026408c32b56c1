"""What was read: units, raters, controls with coded answers, and an account of everything dropped or repaired.

Arrays are read-only. A Dataset never changes; readers make it with a DatasetBuilder (``accord.readers``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from functools import cached_property
from itertools import islice
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.errors import UnknownNameError
from accord.values import FloatArray, IntArray, Kind, Level, Value, canonical

#: Cells hashed at a time.
BLOCK: Final = 1 << 18


class Role(StrEnum):
    """What a rater is; only raters enter agreement unless asked otherwise."""

    RATER = "rater"
    REFERENCE = "reference"
    MODEL = "model"
    REVIEWER = "reviewer"
    SOURCE = "source"


class Flag(IntFlag):
    """Facts about one annotation that decide whether it counts."""

    NONE = 0
    EDITED_BY_OTHER = 1
    COPIED = 2
    FROM_PREDICTION = 4
    GROUND_TRUTH = 8
    SUPERSEDED = 16


@dataclass(frozen=True, slots=True)
class Condition:
    """The control is asked only if ``parent`` was answered with one of ``values`` (empty = any answer)."""

    parent: str
    values: frozenset[str] = frozenset()
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One question put to raters.

    ``domain`` is what could have been said, in order, from the label config; None = open. Chance terms that
    need a number of categories, and ranks of weights, come from it and never from what was observed.
    """

    name: str
    kind: Kind
    tag: str = ""
    level: Level = Level.NOMINAL
    domain: tuple[Value, ...] | None = None
    objects: tuple[str, ...] = ()
    condition: Condition | None = None
    per_region: bool = False
    required: bool = False
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Nested:
    """A question about regions, and where a region keeps the answer: ``choices``, ``text`` or its ``attributes``."""

    control: Control
    place: Literal["choices", "text", "attributes"] = "attributes"


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody, or some model, who answers."""

    name: str
    role: Role = Role.RATER


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Answers to one control: C cells sorted by unit, then rater.

    ``unit`` and ``rater`` index the dataset's units and raters, ``code`` indexes ``values`` (the declared
    domain first, except for sets and regions, which are made of the domain), ``annotation`` indexes the dataset's
    annotations (-1 where there is none). Missing answers have no cell; ``missing`` and ``not_applicable`` count them.
    ``slots`` says that raters are interchangeable, as in a table of counts. ``blanks`` are answers that were given
    without content, (unit, rater, annotation) each, (B, 3): to the platform's rules they differ from no answer.
    """

    control: Control
    unit: IntArray
    rater: IntArray
    code: IntArray
    values: tuple[Value, ...]
    annotation: IntArray | None = None
    missing: int = 0
    not_applicable: int = 0
    outside: tuple[Value, ...] = ()
    slots: bool = False
    blanks: IntArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotations:
    """One row for each annotation that was kept, parallel arrays of length A.

    Times are seconds since 1970 UTC, NaN where unknown; ``lead_time`` in seconds. ``results`` are whole annotations,
    ``{"id": …, "result": […]}`` as JSON each, where the reader was asked to keep them.
    """

    ids: Sequence[str]
    unit: IntArray
    rater: IntArray
    flags: IntArray
    created: FloatArray
    updated: FloatArray
    lead_time: FloatArray
    results: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Notice:
    """One code of the import report."""

    code: str
    count: int
    meaning: str
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What was read, in words, and everything dropped, repaired or ambiguous, by code."""

    sources: tuple[str, ...] = ()
    shape: str = ""
    notices: tuple[Notice, ...] = ()
    tasks: int = 0
    annotations: int = 0
    cancelled: int = 0

    @property
    def codes(self) -> Mapping[str, int]:
        """Counts by code, as in the JSON contract."""
        return {notice.code: notice.count for notice in self.notices}


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Everything read from one or more sources.

    ``clusters`` maps a name (``task``, ``file``, a data field) to an array (U,) of cluster numbers;
    ``context`` maps an object name to its text per unit, for showing answers on their text; ``nested`` are the
    questions about regions.
    """

    units: Sequence[str]
    raters: tuple[Rater, ...]
    columns: Mapping[str, Column]
    annotations: Annotations | None = None
    clusters: Mapping[str, IntArray] = field(default_factory=dict)
    context: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    report: ImportReport = field(default_factory=ImportReport)
    source_kind: str = ""
    nested: tuple[Nested, ...] = ()

    def __getitem__(self, name: str) -> Column:
        try:
            return self.columns[name]
        except KeyError:
            raise UnknownNameError.among("control", name, self.columns) from None

    def control(self, name: str) -> Control:
        """Control of this name, or one that asks about regions.

        Raises
        ------
        UnknownNameError
            If there is none; with the closest names.
        """
        known = {control.name: control for control in (*self.controls, *(nested.control for nested in self.nested))}
        if name not in known:
            raise UnknownNameError.among("control", name, known)
        return known[name]

    @property
    def controls(self) -> tuple[Control, ...]:
        """All controls, in the order of the label config."""
        return tuple(column.control for column in self.columns.values())

    @property
    def answers(self) -> int:
        """Number of answers over all controls."""
        return sum(len(column.code) for column in self.columns.values())

    @cached_property
    def fingerprint(self) -> str:
        """Hash of what was measured: who answered what to which unit, in whatever order of files, rows and columns."""
        units = _hashes(self.units)
        raters = _hashes(rater.name for rater in self.raters)
        digest = hashlib.sha256()
        for name in sorted(self.columns):
            column = self.columns[name]
            digest.update(f"control:{name}".encode("utf-8", "surrogatepass"))
            parts = (
                (units, column.unit),
                (raters, column.rater),
                (_hashes(map(canonical, column.values)), column.code),
            )
            digest.update(_sum_of_cells(parts))
        return digest.hexdigest()[:16]


Hashes: TypeAlias = npt.NDArray[np.uint64]


def _hashes(texts: Iterable[str]) -> Hashes:
    """64 bits for each text: every byte at its place adds a number of its own."""
    left, found = iter(texts), [np.empty(0, dtype=np.uint64)]
    while some := [text.encode("utf-8", "surrogatepass") for text in islice(left, 65536)]:
        size = np.fromiter(map(len, some), dtype=np.int64, count=len(some))
        begin = np.cumsum(size) - size
        letters = np.frombuffer(b"".join(some), dtype=np.uint8).astype(np.uint64)
        place = (np.arange(len(letters)) - np.repeat(begin, size)).astype(np.uint64)
        sums = np.concatenate(([np.uint64(0)], np.cumsum(_mixed(place * np.uint64(256) + letters + np.uint64(1)))))
        found.append(_mixed(sums[begin + size] - sums[begin] + size.astype(np.uint64)))
    return np.concatenate(found)


def _sum_of_cells(parts: Sequence[tuple[Hashes, IntArray]]) -> bytes:
    """Add up a hash of every cell, made of the hashes of its parts: a sum has no order."""
    total, count = 0, len(parts[0][1])
    for begin in range(0, count, BLOCK):
        cell = np.zeros(min(BLOCK, count - begin), dtype=np.uint64)
        for hashes, index in parts:
            cell = _mixed(cell ^ hashes[index[begin : begin + BLOCK]])
        total += int(np.add.reduce(cell))
    return (total % 2**64).to_bytes(8, "little") + count.to_bytes(8, "little")


def _mixed(numbers: Hashes) -> Hashes:
    """Spread every bit over the whole number (the last step of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
