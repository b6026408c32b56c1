"""Alpha without each unit in turn, without finishing the totals of all answers again for every one of them.

Chance is a quadratic form in the counts w of all values, and a unit has few values d of its own: of (w - d)' D (w - d)
only the parts with d change from one unit to the next.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.coefficients.chance import distances_to
from accord.coefficients.spec import Rows
from accord.similarity.core import Similarity
from accord.values import BoolArray, FloatArray, Index

_SAME = 1e-12


def chance_without(
    rows: Rows, totals: FloatArray, lead: int, similarity: Similarity
) -> tuple[Index, FloatArray, FloatArray] | None:
    """Sums over ordered pairs of answers without each row: which rows (n,), distances and comparable pairs (n,).

    None where nothing is gained, for dense rows, or where sums rest on a sample that cannot tell a row's own part.
    """
    if isinstance(rows, np.ndarray):
        return None
    counts = totals[0, lead:]
    known = _own(rows, lead, similarity)
    if known is None:
        return None
    use, own, own_pairs = known
    to_values, pairs_to = distances_to(similarity, counts)
    given = rows[use][:, lead:]
    among = float(to_values @ counts) - 2.0 * (given @ to_values) + own
    among_pairs = float(pairs_to @ counts) - 2.0 * (given @ pairs_to) + own_pairs
    return use, among, among_pairs


def _own(rows: Rows, lead: int, similarity: Similarity) -> tuple[Index, FloatArray, FloatArray] | None:
    """Rows whose own part is known, with its distances and comparable pairs, each ordered pair of answers once."""
    among: Any = getattr(similarity, "among", None)
    if among is not None:
        return np.arange(rows.shape[0]), *among(rows[:, lead:])
    if hasattr(similarity, "error") or not _equal_to_itself(similarity):
        return None
    _, m, apart, pairs = (np.asarray(column, dtype=np.float64).ravel() for column in rows[:, :lead].toarray().T)
    use = np.flatnonzero(_is_one_unit(m, pairs))
    return use, 2.0 * apart[use], (m * m)[use]


def _equal_to_itself(similarity: Similarity) -> bool:
    """Whether every value can be compared with itself, and is the same."""
    every = np.arange(similarity.size)
    return bool((np.abs(similarity.at(every, every) - 1.0) <= _SAME).all())


def _is_one_unit(m: FloatArray, pairs: FloatArray) -> BoolArray:
    """Rows in which every answer was compared with every other: neither several units nor pairs left out."""
    return np.asarray(m + 2.0 * pairs == m * m)
