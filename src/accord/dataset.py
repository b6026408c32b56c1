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
from typing import Any

import numpy as np

from accord.errors import UnknownNameError
from accord.values import FloatArray, IntArray, Kind, Level, Value, canonical


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
    ``slots`` says that raters are interchangeable, as in a table of counts.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotations:
    """One row for each annotation that was kept, parallel arrays of length A.

    Times are seconds since 1970 UTC, NaN where unknown; ``lead_time`` in seconds.
    """

    ids: Sequence[str]
    unit: IntArray
    rater: IntArray
    flags: IntArray
    created: FloatArray
    updated: FloatArray
    lead_time: FloatArray

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
    ``context`` maps an object name to its text per unit, for showing answers on their text.
    """

    units: Sequence[str]
    raters: tuple[Rater, ...]
    columns: Mapping[str, Column]
    annotations: Annotations | None = None
    clusters: Mapping[str, IntArray] = field(default_factory=dict)
    context: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    report: ImportReport = field(default_factory=ImportReport)
    source_kind: str = ""

    def __getitem__(self, name: str) -> Column:
        try:
            return self.columns[name]
        except KeyError:
            raise UnknownNameError.among("control", name, self.columns) from None

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
        """Hash of what was measured: units, raters, codes and values, independent of the order of the files."""
        digest = hashlib.sha256()
        for name in sorted(self.columns):
            column = self.columns[name]
            digest.update(f"control:{name}".encode())
            asked = np.flatnonzero(np.bincount(column.unit, minlength=len(self.units))).tolist()
            _update(digest, self.units if len(asked) == len(self.units) else (self.units[i] for i in asked))
            _update(digest, (rater.name for rater in self.raters))
            _update(digest, map(canonical, column.values))
            for array in (column.unit, column.rater, column.code):
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


def _update(digest: Any, texts: Iterable[str]) -> None:
    left = iter(texts)
    while some := list(islice(left, 65536)):
        digest.update(("\0".join(some) + "\0").encode("utf-8", "surrogatepass"))
