"""What counts as an answer under the platform's rules: items that were given, with or without content."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.dataset import Column, Dataset
from accord.values import EMPTY


def as_used(dataset: Dataset, name: str) -> Dataset:
    """Take a control as the platform sees it.

    Where no item was given the control was not used, so the answer EMPTY that stands for it goes. An item without
    content is an answer: EMPTY.
    """
    column = dataset[name]
    return replace(dataset, columns={**dataset.columns, name: _as_used(column)})


def _as_used(column: Column) -> Column:
    empty = column.values.index(EMPTY) if EMPTY in column.values else len(column.values)
    values = column.values if empty < len(column.values) else (*column.values, EMPTY)
    blanks = np.empty((0, 3), dtype=np.int32) if column.blanks is None else column.blanks
    used = column.code != empty
    if used.all() and not len(blanks):
        return column
    unit = np.concatenate((column.unit[used], blanks[:, 0]))
    rater = np.concatenate((column.rater[used], blanks[:, 1]))
    code = np.concatenate((column.code[used], np.full(len(blanks), empty, dtype=np.int32)))
    order = np.lexsort((rater, unit))
    annotation = column.annotation
    if annotation is not None:
        annotation = np.concatenate((annotation[used], blanks[:, 2]))[order]
    return replace(column, unit=unit[order], rater=rater[order], code=code[order], values=values, annotation=annotation)
