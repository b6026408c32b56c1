"""Units with many answers: each is compared with the values of the others and how often they were given."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.coefficients.blocks import Codes, blocks
from accord.similarity.core import Similarity, comparable, costly
from accord.study import Study
from accord.values import FloatArray

#: From this many answers on a unit counts as a crowd.
CROWD = 32
MOST_VALUES = 2048
BLOCK = 1 << 20


def is_crowd(study: Study, similarity: Similarity) -> bool:
    """Whether the answers are better compared by value than pair by pair."""
    if costly(similarity):
        return False
    return study.V <= MOST_VALUES and similarity.size == study.V and max(CROWD, study.V) * study.C < study.P


def of_crowds(study: Study, similarity: Similarity) -> tuple[FloatArray, FloatArray]:
    """Sum and number of the comparable scores of each answer with the others of its unit, (C,) each."""
    total, count = np.zeros(study.C), np.zeros(study.C)
    for block in blocks(study, kind=np.intp):
        cells = study.start[:-1][block.units] + np.arange(len(block.codes))[:, None]
        total[cells], count[cells] = _of_crowd(block.codes, similarity)
    return total, count


def _of_crowd(codes: Codes, similarity: Similarity) -> tuple[FloatArray, FloatArray]:
    values = np.arange(similarity.size)
    own = similarity.at(values, values)
    total, count = np.empty(codes.shape), np.empty(codes.shape)
    for some, counts in _counted(codes, similarity.size):
        part = codes[:, some]
        unit = np.arange(part.shape[1])
        near = similarity.times(counts)
        known = np.broadcast_to(comparable(similarity, counts), counts.shape)
        total[:, some] = near[unit, part] - np.nan_to_num(own)[part]
        count[:, some] = known[unit, part] - np.isfinite(own)[part]
    return total, count


def _counted(codes: Codes, values: int) -> Iterator[tuple[slice, FloatArray]]:
    """Yield some units at a time and how often each value was given in them, (n, V)."""
    step = max(1, BLOCK // values)
    for first in range(0, codes.shape[1], step):
        some = slice(first, min(first + step, codes.shape[1]))
        place = np.arange(some.stop - first) * values + codes[:, some]
        counts = np.bincount(place.ravel(), minlength=(some.stop - first) * values)
        yield some, counts.reshape(-1, values).astype(np.float64)
