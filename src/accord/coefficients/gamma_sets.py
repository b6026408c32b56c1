"""Sets of units worth uniting: candidates for the unitary alignments of three raters or more."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from accord.errors import DataError
from accord.values import BoolArray, FloatArray, Index

#: Share of the empty element's cost below which two alignments count as equal.
TIE = 1e-8
#: More sets of units than this are not looked through.
MOST = 2_000_000


def sets_worth_uniting(saving: FloatArray, rater: Index, raters: int, empty: float) -> Index:
    """Sets (S, ``raters``) of two units or more, -1 = none, that no split into two parts would improve.

    Uniting two parts saves ``empty`` and the ``saving`` (N, N) of every pair across them.

    Raises
    ------
    DataError
        There are more than two million.
    """
    if not len(rater):
        return np.empty((0, raters), dtype=np.int64)
    bounds = np.searchsorted(rater, np.arange(raters + 1))
    sets = np.full((1, 0), -1, dtype=np.int64)
    for now, (low, high) in enumerate(pairwise(bounds.tolist())):
        units = np.append(np.arange(low, high), -1)
        if len(sets) * len(units) > MOST:
            raise DataError.at(
                "stretches of different raters lie too close together for an exact alignment.",
                found=f"more than {MOST:,} sets of stretches",
                hint="Measure fewer raters at once, or shorter documents.",
            )
        grown = np.empty((len(sets) * len(units), now + 1), dtype=np.int64)
        grown[:, :now] = np.repeat(sets, len(units), axis=0)
        grown[:, now] = np.tile(units, len(sets))
        sets = grown[_may_be_best(grown, saving, empty, raters - now - 1)]
    return sets[(sets >= 0).sum(axis=1) > 1]


def gains(sets: Index, saving: FloatArray, empty: float) -> FloatArray:
    """What uniting each set saves against leaving its units alone, (S,); a little more the larger the set."""
    size = (sets >= 0).sum(axis=1)
    return (size - 1) * empty * (1.0 + TIE) + _pair_savings(sets, saving).sum(axis=1)


def _pair_savings(sets: Index, saving: FloatArray) -> FloatArray:
    """Saving of each pair of raters in each set, 0 with an empty element, (S, pairs)."""
    left, right = np.triu_indices(sets.shape[1], 1)
    a, b = sets[:, left], sets[:, right]
    return np.where((a >= 0) & (b >= 0), saving[a, b], 0.0)


def _may_be_best(sets: Index, saving: FloatArray, empty: float, to_come: int) -> BoolArray:
    """Whether some completion of each set by ``to_come`` more raters could beat its split into two parts, (S,)."""
    size = sets.shape[1]
    if size < 2:
        return np.ones(len(sets), dtype=np.bool_)
    left, right = np.triu_indices(size, 1)
    parts = np.arange(1, 2 ** (size - 1)) if size <= 7 else 2 ** np.arange(size)
    side = (parts[:, None] >> np.arange(size)) & 1
    cross = (side[:, left] != side[:, right]).T.astype(np.float64)
    smaller = np.minimum(side.sum(axis=1), size - side.sum(axis=1))
    hope = to_come * smaller * max(0.0, float(saving.max(initial=0.0)))
    return np.asarray((_pair_savings(sets, saving) @ cross + empty * (1.0 + TIE) + hope >= 0).all(axis=1))
