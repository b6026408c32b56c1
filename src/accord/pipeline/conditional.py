"""Controls asked only after a parent answer: agreement given parent agreement, and jointly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord.dataset import Column, Condition, Dataset
from accord.pipeline.question import Question
from accord.pipeline.words import show
from accord.study import Study, study_of
from accord.values import EMPTY, BoolArray, Index, IntArray, Value


def given_parent(question: Question) -> Mapping[str, Any] | None:
    """Return both forms of the headline for a conditional control; None for all others.

    ``given``: on the units whose parent answers agree (``units`` of them, ``share`` of those with two). ``joint``: "not
    asked" is an answer of its own, so that parent disagreement counts as disagreement.
    """
    condition = question.column.control.condition
    if condition is None or condition.parent not in question.dataset.columns:
        return None
    parent = study_of(question.dataset, condition.parent)
    if not parent.P:
        return None
    agree = _agreeing(parent)
    names = {str(parent.unit_names[i]) for i in agree.tolist()}
    mask = np.array([str(name) in names for name in question.study.unit_names], dtype=np.bool_)
    given = question.study.where(mask)
    joint = Question.of(with_not_asked(question.dataset, question.name, condition), question.name, question.plan)
    return {
        "parent": condition.parent,
        "values": sorted(condition.values),
        "units": int(np.count_nonzero(given.m >= 2)),
        "share": len(agree) / int(np.count_nonzero(parent.m >= 2)),
        "given": question.estimate(question.headline, given),
        "joint": joint.estimate(question.headline),
    }


def _agreeing(study: Study) -> Index:
    """Units with two answers or more, all of them equal."""
    first = study.code[study.start[:-1]]
    differ = np.bincount(study.unit, study.code != first[study.unit], study.U) > 0
    return np.flatnonzero((study.m >= 2) & ~differ)


def with_not_asked(dataset: Dataset, name: str, condition: Condition) -> Dataset:
    """Give every rater whose parent answer hid the control the answer EMPTY."""
    child, parent = dataset[name], dataset[condition.parent]
    hidden = np.array([not fulfilled(value, condition) for value in parent.values], dtype=np.bool_)[parent.code]
    size = len(dataset.raters)
    asked = child.unit.astype(np.int64) * size + child.rater
    extra = parent.unit.astype(np.int64) * size + parent.rater
    fresh = hidden & ~np.isin(extra, asked)
    values = child.values if EMPTY in child.values else (*child.values, EMPTY)
    code = np.full(int(fresh.sum()), values.index(EMPTY), dtype=np.int32)
    joined = _joined(child, parent, fresh, code, values)
    return replace(dataset, columns={**dataset.columns, name: joined})


def _joined(child: Column, parent: Column, fresh: BoolArray, code: IntArray, values: tuple[Value, ...]) -> Column:
    unit = np.concatenate([child.unit, parent.unit[fresh]])
    rater = np.concatenate([child.rater, parent.rater[fresh]])
    order = np.lexsort((rater, unit))
    source = None
    if child.annotation is not None and parent.annotation is not None:
        source = np.concatenate([child.annotation, parent.annotation[fresh]])[order]
    return replace(
        child,
        unit=unit[order],
        rater=rater[order],
        code=np.concatenate([child.code, code])[order],
        values=values,
        annotation=source,
    )


def fulfilled(value: Value, condition: Condition) -> bool:
    """Whether a parent's answer shows the control."""
    if value is EMPTY:
        return condition.negated
    labels = {show(item) for item in value} if isinstance(value, frozenset) else {show(value)}
    paths = (
        {str(part) for item in value if isinstance(item, tuple) for part in item}
        if isinstance(value, frozenset)
        else set()
    )
    met = not condition.values or bool((labels | paths) & condition.values)
    return met != condition.negated
