"""From what a reader collected to a Dataset: who is who, which annotation counts, one fixed order.

The order of files and records has no say: units and raters are sorted by name, values by first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.dataset import Annotations, Dataset, Flag, ImportReport, Rater
from accord.readers.builder import HIDDEN, DatasetBuilder
from accord.readers.columns import Layout, column_of
from accord.readers.raters import file_stems, resolve_raters
from accord.readers.repeated import count_once
from accord.values import BoolArray, Index, IntArray

_NUMBER = re.compile(r"[0-9]{1,18}")
_PLAIN_NUMBER = re.compile(r"[1-9][0-9]{0,17}")


def natural(text: str) -> tuple[int, int, str]:
    """Sort key: whole numbers by size, before all else."""
    return (0, int(text), text) if _NUMBER.fullmatch(text) else (1, 0, text)


def assemble(builder: DatasetBuilder, *, source_kind: str = "", **about: Any) -> Dataset:
    """Make the Dataset of everything collected."""
    task = builder.annotations.whole("task")
    rater, names = resolve_raters(builder)
    rater, names, superseded = count_once(builder, task, rater, names)
    rater, names = _sorted_raters(rater, names)
    unit_task = _ints(builder.unit_task)
    kept = _used_units(builder, task, unit_task)
    order, units = _sorted_units(builder, kept)
    rank = np.full(len(unit_task), -1, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    layout = Layout(
        task=task,
        rater=rater,
        scope=_ints(builder.tasks.scope)[task],
        counts=~superseded,
        unit_task=unit_task,
        base=_ints(builder.base),
        rank=rank,
    )
    columns = {
        name: column_of(answers, layout, unanswered=builder.unanswered, missing=builder.missing)
        for name, answers in builder.answers.items()
    }
    return Dataset(
        units=units,
        raters=tuple(Rater(name) for name in names),
        columns=columns,
        annotations=_annotations(builder, layout, _unit_of_tasks(unit_task, rank, len(builder.tasks)), superseded),
        clusters=_clusters(builder, unit_task[order]),
        context=_context(builder, unit_task[order]),
        report=ImportReport(
            sources=tuple(builder.files), notices=builder.notices.all(), annotations=len(builder.annotations), **about
        ),
        source_kind=source_kind,
        nested=builder.nested,
    )


def _ints(values: Any) -> IntArray:
    return np.array(values, dtype=np.int32)


def _sorted_raters(rater: IntArray, names: Sequence[str]) -> tuple[IntArray, list[str]]:
    """Raters that have annotations, by name."""
    used = sorted(np.unique(rater).tolist(), key=lambda i: natural(names[i]))
    table = np.zeros(len(names), dtype=np.int32)
    table[used] = np.arange(len(used), dtype=np.int32)
    return table[rater], [names[i] for i in used]


def _used_units(builder: DatasetBuilder, task: IntArray, unit_task: IntArray) -> BoolArray:
    """Units of annotated tasks; a task itself is none where every control asks, and is answered, about its parts."""
    annotated = np.zeros(len(builder.tasks), dtype=np.bool_)
    annotated[task] = True
    is_part = np.ones(len(unit_task), dtype=np.bool_)
    is_part[_ints(builder.base)] = False
    has_parts = np.zeros(len(builder.tasks), dtype=np.bool_)
    has_parts[unit_task[is_part]] = True
    about_whole = any(not is_part[_ints(a.unit)].any() and not a.asked for a in builder.answers.values())
    answered = np.zeros(len(unit_task), dtype=np.bool_)
    for answers in builder.answers.values():
        answered[_ints(answers.unit)[_ints(answers.code) != HIDDEN]] = True
    return annotated[unit_task] & (is_part | ~has_parts[unit_task] | about_whole | answered)


def _sorted_units(builder: DatasetBuilder, kept: BoolArray) -> tuple[Index, list[str]]:
    """Old numbers of the units in their final order, and their names."""
    rows = np.flatnonzero(kept)
    task = _ints(builder.unit_task)[rows].tolist()
    places = [builder.unit_place[row] for row in rows.tolist()]

    def sources() -> list[str]:
        named = _source_names(builder)
        return [named[builder.tasks.scope[t]] for t in task]

    order, names = ordered_units(task, [builder.tasks.name[t] for t in task], places, sources)
    return rows[order], names


def ordered_units(
    task: Sequence[int], names: Sequence[str], places: Sequence[tuple[int, ...]], sources: Callable[[], Sequence[str]]
) -> tuple[Index, list[str]]:
    """Order of units given by task, name of the task and place in it, and their names in that order.

    ``sources`` names where each comes from; that becomes part of the name if different tasks share one.
    """
    if len(set(names)) == len(names) and all(map(_PLAIN_NUMBER.fullmatch, names)):
        order = np.argsort(np.array(names, dtype=np.int64))
        return order, [_unit_name("", names[i], places[i]) for i in order.tolist()]
    clear = len(set(names)) == len(set(task))
    source = [""] * len(names) if clear else sources()
    order = np.array(sorted(range(len(names)), key=lambda i: (source[i], natural(names[i]), places[i])), dtype=np.int64)
    return order, [_unit_name(source[i], names[i], places[i]) for i in order.tolist()]


def _unit_name(source: str, name: str, place: tuple[int, ...]) -> str:
    name = f"{source}/{name}" if source else name
    return f"{name}[{'.'.join(map(str, place))}]" if place else name


def _source_names(builder: DatasetBuilder) -> list[str]:
    """Names of projects, and of the files that have none."""
    stems = dict(zip(builder.files, file_stems(builder.files), strict=True))
    return [f"project {name}" if kind == "project" else stems[name] for kind, name in builder.scopes]


def _unit_of_tasks(unit_task: IntArray, rank: IntArray, tasks: int) -> IntArray:
    """First kept unit of each task, (T,)."""
    found = np.full(tasks, np.iinfo(np.int32).max, dtype=np.int32)
    kept = rank >= 0
    np.minimum.at(found, unit_task[kept], rank[kept])
    return found


def _annotations(builder: DatasetBuilder, layout: Layout, unit_of_task: IntArray, superseded: BoolArray) -> Annotations:
    table = builder.annotations
    flags = table.whole("flags") | (superseded * np.int32(Flag.SUPERSEDED)).astype(np.int32)
    return Annotations(
        ids=tuple(table.ids),
        unit=unit_of_task[layout.task],
        rater=layout.rater,
        flags=flags,
        created=table.column("created"),
        updated=table.column("updated"),
        lead_time=table.column("lead_time"),
        results=tuple(table.results) if len(table.results) == len(table) else None,
    )


def _clusters(builder: DatasetBuilder, task: IntArray) -> dict[str, IntArray]:
    """Cluster numbers of the units, in the order of first use; units without a field are clusters of their own."""
    of_task: dict[str, Sequence[Any]] = {"task": range(len(builder.tasks)), "file": builder.tasks.file}
    for name, values in builder.tasks.fields.items():
        filled = [*values, *[None] * (len(builder.tasks) - len(values))]
        of_task[name] = [("", i) if value is None else value for i, value in enumerate(filled)]
    clusters = {}
    for name, keys in of_task.items():
        number: dict[Any, int] = {}
        numbers = (number.setdefault(keys[t], len(number)) for t in task.tolist())
        clusters[name] = np.fromiter(numbers, np.int32, len(task))
    return clusters


def _context(builder: DatasetBuilder, task: npt.NDArray[np.int32]) -> dict[str, Sequence[str | None]]:
    return {name: [texts.get(t) for t in task.tolist()] for name, texts in builder.context.items()}
