"""Pairs of equal answers in each unit, without a table of units by values."""

from __future__ import annotations

import numpy as np

from accord.study import Study
from accord.values import FloatArray

#: Up to this many raters a table is compared column by column.
WIDE = 16

#: Answers sorted at once: a block of keys stays in the cache.
BLOCK = 1 << 16


def equal_pairs(study: Study) -> FloatArray:
    """Number of unordered pairs of equal answers in each unit, (U,)."""
    if study.matrix is not None and study.R <= WIDE:
        return _by_columns(study)
    return _by_runs(study)


def _by_columns(study: Study) -> FloatArray:
    table = study.matrix
    if table is None:
        raise TypeError("the study has no table")
    columns = [np.ascontiguousarray(table[:, rater]) for rater in range(table.shape[1])]
    total = np.zeros(len(table), dtype=np.int32)
    for i, left in enumerate(columns):
        given = left >= 0
        for right in columns[i + 1 :]:
            total += (left == right) & given
    return total.astype(np.float64)


def _by_runs(study: Study) -> FloatArray:
    """Sort the codes of some units at a time; a run of c equal ones holds c (c - 1) / 2 pairs."""
    total = np.zeros(study.U)
    first = 0
    while first < study.U:
        last = max(first + 1, int(np.searchsorted(study.start, study.start[first] + BLOCK, side="right")) - 1)
        cells = slice(study.start[first], study.start[last])
        key = (study.unit[cells].astype(np.int64) - first) * study.V + study.code[cells]
        key.sort()
        head = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.empty(0, np.int64)
        run = np.diff(np.append(head, len(key)))
        total[first:last] = np.bincount(key[head] // study.V, weights=run * (run - 1) / 2, minlength=last - first)
        first = last
    return total
