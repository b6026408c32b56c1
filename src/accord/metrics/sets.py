"""Set overlaps of many pairs at once: a sparse membership matrix, one row per set."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from accord.metrics.spec import Codes
from accord.values import FloatArray

Set = frozenset[Hashable]


def membership(sets: Sequence[Set | None]) -> Any:
    """Rows of ones for the members of each set: sparse (V, L) float64; None counts as the empty set."""
    from scipy.sparse import csr_array

    index: dict[Hashable, int] = {}
    columns = [index.setdefault(item, len(index)) for members in sets for item in members or ()]
    lengths = np.fromiter((len(members or ()) for members in sets), dtype=np.int64, count=len(sets))
    pointers = np.concatenate(([0], np.cumsum(lengths)))
    data = np.ones(len(columns))
    return csr_array((data, np.array(columns, dtype=np.int64), pointers), shape=(len(sets), max(len(index), 1)))


def pair_overlaps(sets: Sequence[Set | None], i: Codes, j: Codes) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sizes of the intersection, of the left and of the right set for each pair, three arrays (n,)."""
    member = membership(sets)
    sizes = _row_sums(member)
    return _row_sums(member[i].multiply(member[j])), sizes[i], sizes[j]


def cross_overlaps(left: Sequence[Set], right: Sequence[Set]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sizes of intersections (n, m), of the left sets (n, 1) and of the right sets (1, m)."""
    member = membership([*left, *right])
    a, b = member[: len(left)], member[len(left) :]
    return (a @ b.T).toarray(), _row_sums(a)[:, None], _row_sums(b)[None, :]


def _row_sums(matrix: Any) -> FloatArray:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()
