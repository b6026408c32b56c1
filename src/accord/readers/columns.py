"""From the collected answers to one control to its Column: what is empty, missing, or not asked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from accord.dataset import Column
from accord.readers.builder import HIDDEN, Answers
from accord.values import EMPTY, BoolArray, IntArray, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where answers lie: by annotation (A) task, rater, scope and whether it counts; by unit (N) its task.

    ``base`` is the unit that stands for the whole of a task, (T,); ``rank`` the final number of a unit, (N,).
    """

    task: IntArray
    rater: IntArray
    scope: IntArray
    counts: BoolArray
    unit_task: IntArray
    base: IntArray
    rank: IntArray


def column_of(answers: Answers, layout: Layout, *, unanswered: str, missing: Collection[Value]) -> Column:
    """Make the column of a control."""
    annotation = np.array(answers.annotation, dtype=np.int32)
    unit = np.array(answers.unit, dtype=np.int32)
    code = np.array(answers.code, dtype=np.int32)
    counted = layout.counts[annotation]
    annotation, unit, code = annotation[counted], unit[counted], code[counted]
    values, code = _final_values(answers, code)
    blank_annotation, blank_unit = _blank(answers, layout, annotation, unit)
    hidden = int((code == HIDDEN).sum())
    code = _without(code, values, missing)
    kept = code >= 0
    lost = int((~kept).sum()) - hidden
    annotation, unit, code = annotation[kept], unit[kept], code[kept]
    is_empty = answers.blank_is_empty or (unanswered == "empty" and not answers.control.kind.is_region)
    if is_empty and len(blank_annotation):
        empty = values.index(EMPTY) if EMPTY in values else len(values)
        values = values if empty < len(values) else [*values, EMPTY]
        annotation = np.concatenate((annotation, blank_annotation))
        unit = np.concatenate((unit, blank_unit))
        code = np.concatenate((code, np.full(len(blank_unit), empty, dtype=np.int32)))
    missed = lost + (0 if is_empty else len(blank_unit))
    column = _sorted(answers, layout, annotation, unit, code, values, missed, hidden)
    return replace(column, blanks=_blanks(answers, layout)) if answers.blanks else column


def _blanks(answers: Answers, layout: Layout) -> IntArray:
    """Answers without content: unit, rater and annotation, (B, 3)."""
    annotation, unit = np.array(answers.blanks, dtype=np.int32).reshape(-1, 2).T
    counted = layout.counts[annotation] & (layout.rank[unit] >= 0)
    annotation, unit = annotation[counted], unit[counted]
    return np.column_stack((layout.rank[unit], layout.rater[annotation], annotation)).astype(np.int32)


def _final_values(answers: Answers, code: IntArray) -> tuple[list[Value], IntArray]:
    values: list[Value] = list(answers.pool)
    if answers.values is None:
        return values, code
    final: dict[Value, int] = {}
    table = np.array([final.setdefault(v, len(final)) for v in answers.values(values)], dtype=np.int32)
    given = code >= 0
    code[given] = table[code[given]]
    return list(final), code


def _without(code: IntArray, values: list[Value], missing: Collection[Value]) -> IntArray:
    marks = [i for i, value in enumerate(values) if value is not EMPTY and value in missing] if missing else []
    return np.where(np.isin(code, marks), np.int32(-1), code).astype(np.int32) if marks else code


def _blank(answers: Answers, layout: Layout, annotation: IntArray, unit: IntArray) -> tuple[IntArray, IntArray]:
    """Annotations and units where the control was asked and nothing was said."""
    present = layout.counts.copy()
    if answers.scopes:
        present &= np.isin(layout.scope, list(answers.scopes))
    rows = np.flatnonzero(present).astype(np.int32)
    asked = np.unique(np.concatenate((unit, np.fromiter(answers.asked, np.int32, len(answers.asked)))))
    whole = np.isin(asked, layout.base)
    if whole.all():
        answered = np.zeros(len(layout.task), dtype=np.bool_)
        answered[annotation] = True
        rows = rows[~answered[rows]]
        where = layout.base[layout.task[rows]]
        is_unit = layout.rank[where] >= 0
        return rows[is_unit], where[is_unit]
    return _blank_places(layout, rows, asked, annotation, unit)


def _blank_places(
    layout: Layout, rows: IntArray, asked: IntArray, annotation: IntArray, unit: IntArray
) -> tuple[IntArray, IntArray]:
    """As above, for controls that repeat within a task: every place of the task was asked."""
    order = np.argsort(layout.unit_task[asked], kind="stable")
    asked = asked[order].astype(np.int32)
    task = layout.unit_task[asked]
    first = np.searchsorted(task, layout.task[rows], side="left")
    number = np.searchsorted(task, layout.task[rows], side="right") - first
    who = np.repeat(rows, number)
    offset = np.arange(len(who)) - np.repeat(np.cumsum(number) - number, number)
    where = asked[np.repeat(first, number) + offset]
    width = len(layout.unit_task)
    done = annotation.astype(np.int64) * width + unit
    absent = ~np.isin(who.astype(np.int64) * width + where, done)
    return who[absent], where[absent]


def _sorted(
    answers: Answers,
    layout: Layout,
    annotation: IntArray,
    unit: IntArray,
    code: IntArray,
    values: list[Value],
    missing: int,
    hidden: int,
) -> Column:
    """Cells by unit, then rater; values by first use behind the declared domain."""
    unit, rater = layout.rank[unit], layout.rater[annotation]
    order = np.lexsort((rater, unit))
    unit, rater, annotation, code = unit[order], rater[order], annotation[order], code[order]
    control = answers.control
    declared = len(control.domain) if control.domain is not None and not control.kind.is_set else 0
    used, first = np.unique(code, return_index=True)
    extra = used[np.argsort(first)]
    extra = extra[extra >= declared]
    table = np.arange(len(values), dtype=np.int32)
    table[extra] = np.arange(declared, declared + len(extra), dtype=np.int32)
    final = tuple(values[i] for i in (*range(declared), *extra.tolist()))
    return Column(
        control=control,
        unit=unit,
        rater=rater,
        code=table[code],
        values=tuple(final),
        annotation=annotation,
        missing=missing,
        not_applicable=hidden,
        outside=tuple(sorted(answers.outside, key=str)),
    )
