"""The units of coded rows, in the order and under the names that a reader gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from accord.readers.assemble import ordered_units
from accord.values import Index, IntArray

#: A task that is one unit, by far the most frequent.
_WHOLE: Final = ("",)
_WHOLE_TEXT: Final = '[""]'
_PLACE: Final = re.compile(r"\[[0-9.]+\]$")


@dataclass(frozen=True, slots=True)
class CodedRows:
    """Coded rows of a project by column, in the order of their tasks."""

    tasks: Sequence[int] = ()
    names: Sequence[str] = ()
    scopes: Sequence[str] = ()
    clusters: Sequence[str | None] = ()
    units: Sequence[str] = ()
    cells: Sequence[bytes] = ()
    facts: Sequence[bytes] = ()


@dataclass(frozen=True, slots=True)
class CodedUnits:
    """Units in their final order: names, tasks and positions of their rows, (U,) each.

    ``grouped`` is what each row is grouped by. Of the rows in the order read ``first`` is where their units begin,
    ``rank`` (U,) the final position of each unit so numbered, and ``leading`` the first unit of each row in the final
    order.
    """

    grouped: Sequence[str | None]
    names: Sequence[str]
    tasks: Index
    row: Index
    first: Index
    rank: Index
    leading: Index

    @classmethod
    def of(cls, rows: CodedRows) -> CodedUnits:
        """Bring the units of rows into order."""
        found = [_WHOLE if text == _WHOLE_TEXT else json.loads(text) for text in rows.units]
        count = np.fromiter(map(len, found), np.int64, len(found))
        owner = np.repeat(np.arange(len(found)), count)
        which = owner.tolist()
        places = [_place(place) for some in found for place in some]
        order, names = ordered_units(
            which, [rows.names[i] for i in which], places, lambda: [_source(rows.scopes[i]) for i in which]
        )
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        first = np.cumsum(count) - count
        leading = np.minimum.reduceat(rank, first) if len(rank) else rank
        tasks = np.array(rows.tasks, dtype=np.int64)[owner[order]]
        return cls(rows.clusters, names, tasks, owner[order], first, rank, leading)

    def clusters(self, field: str | None) -> dict[str, IntArray]:
        """Cluster numbers (U,) by task, by file (there is one), and by a field of the data."""
        found = {"task": _numbered(self.tasks.tolist()), "file": np.zeros(len(self.tasks), dtype=np.int32)}
        if field is not None and field not in (*found, "unit"):
            values = [(self.grouped[i], i) for i in self.row.tolist()]
            found[field] = _numbered([("", i) if value is None else value for value, i in values])
        return found


def place_in(unit: str, task: str) -> str:
    """Place of a unit in its task, as it stands behind the name of the task.

    Examples
    --------
    >>> place_in("7[0.2]", "7"), place_in("7", "7"), place_in("project 1/7[3]", "7"), place_in("7[3]", "7[3]")
    ('[0.2]', '', '[3]', '')
    """
    found = None if task and unit.endswith(task) else _PLACE.search(unit)
    return found.group() if found else ""


def _numbered(keys: Sequence[Any]) -> IntArray:
    """Numbers in the order of first use."""
    number: dict[Any, int] = {}
    return np.fromiter((number.setdefault(key, len(number)) for key in keys), np.int32, len(keys))


def _source(scope: str) -> str:
    return f"project {scope}" if scope else "workspace"


def _place(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text[1:-1].split(".")) if text else ()
