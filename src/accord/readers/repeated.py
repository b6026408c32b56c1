"""Several annotations by one rater on one task: which one counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from accord.errors import DataError
from accord.values import BoolArray, IntArray

if TYPE_CHECKING:
    from accord.readers.builder import DatasetBuilder


def count_once(
    builder: DatasetBuilder, task: IntArray, rater: IntArray, names: list[str]
) -> tuple[IntArray, list[str], BoolArray]:
    """Rater of each annotation, names, and which annotations (A,) are superseded by another of their rater."""
    superseded = np.zeros(len(task), dtype=np.bool_)
    if len(np.unique(task.astype(np.int64) * len(names) + rater)) == len(task):
        return rater, names, superseded
    order, when = _by_age(builder, task, rater)
    same = np.zeros(len(order), dtype=np.bool_)
    same[1:] = (task[order][1:] == task[order][:-1]) & (rater[order][1:] == rater[order][:-1])
    if builder.duplicates == "error":
        row = int(order[int(np.flatnonzero(same)[0])])
        raise DataError.at(
            f"{names[rater[row]]} has several annotations on this task.",
            file=builder.files[builder.annotations.row(row)[1]],
            task=builder.tasks.name[task[row]],
            hint="Choose which one counts: newest, first or all.",
        )
    _check_order(builder, order, same, when, task, rater, names)
    later = np.flatnonzero(same)
    if builder.duplicates == "all":
        rater, names = _as_raters(order, same, rater, names)
    elif builder.duplicates == "first":
        superseded[order[later]] = True
    else:
        superseded[order[later - 1]] = True
    _tell(builder, order[later], task, rater, names)
    return rater, names, superseded


def _by_age(
    builder: DatasetBuilder, task: IntArray, rater: IntArray
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Order of annotations by task, rater, time of the last change, id; and the sort keys (2, A)."""
    table = builder.annotations
    updated = table.column("updated")
    created = table.column("created")
    time = np.where(np.isnan(updated), created, updated)
    number = np.array([float(i) if i.isdecimal() and len(i) < 18 else -1.0 for i in table.ids])
    rank = np.empty(len(table), dtype=np.float64)
    rank[np.array(sorted(range(len(table)), key=table.ids.__getitem__), dtype=np.int64)] = np.arange(len(table))
    when = np.stack([np.where(np.isnan(time), -np.inf, time), number]) if len(table) else np.empty((2, 0))
    return np.lexsort((rank, when[1], when[0], rater, task)), when


def _check_order(
    builder: DatasetBuilder,
    order: np.ndarray[tuple[int], np.dtype[np.int64]],
    same: BoolArray,
    when: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    task: IntArray,
    rater: IntArray,
    names: Sequence[str],
) -> None:
    """Refuse to let the order of the file decide."""
    ids = builder.annotations.ids
    for position in np.flatnonzero(same).tolist():
        one, other = int(order[position - 1]), int(order[position])
        if (when[:, one] == when[:, other]).all() and ids[one] == ids[other]:
            raise DataError.at(
                f"{names[rater[other]]} has several annotations on this task, and neither time nor id tells "
                "which one counts.",
                file=builder.files[builder.annotations.row(other)[1]],
                task=builder.tasks.name[task[other]],
                hint="Add updated_at or id to the annotations, or read all of them (duplicates='all').",
            )


def _as_raters(
    order: np.ndarray[tuple[int], np.dtype[np.int64]], same: BoolArray, rater: IntArray, names: list[str]
) -> tuple[IntArray, list[str]]:
    """Give each further annotation a rater of its own: NAME #2, NAME #3."""
    rater, names = rater.copy(), list(names)
    number = {name: i for i, name in enumerate(names)}
    turn = 1
    for position in range(len(order)):
        turn = turn + 1 if same[position] else 1
        if turn > 1:
            first = int(order[position - turn + 1])
            name = f"{names[rater[first]]} #{turn}"
            rater[order[position]] = number.setdefault(name, len(number))
            if len(number) > len(names):
                names.append(name)
    return rater, names


def _tell(
    builder: DatasetBuilder,
    rows: np.ndarray[tuple[int], np.dtype[np.int64]],
    task: IntArray,
    rater: IntArray,
    names: Sequence[str],
) -> None:
    notices = builder.notices
    for row in rows.tolist():
        notices.file = builder.files[builder.annotations.row(row)[1]]
        notices.task = builder.tasks.name[task[row]]
        notices.add("same-annotator-twice", names[rater[row]])
