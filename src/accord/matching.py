"""One-to-one matching of two small sets of things from a table of similarities."""

from __future__ import annotations

from typing import Literal

import numpy as np

from accord.values import BoolArray, FloatArray, Index

Matching = Literal["optimal", "greedy", "last"]

_SECOND = 1e-9
_THIRD = 1e-13


def match(
    similarity: FloatArray, geometry: FloatArray, allowed: BoolArray, how: Matching = "optimal"
) -> tuple[Index, Index]:
    """Pair rows with columns one to one, only where ``allowed``.

    ``optimal`` maximises the total similarity, then total geometry, then the number of pairs; ``greedy`` takes the
    best remaining pair again and again; ``last`` pairs the last row with the last column.

    Parameters
    ----------
    similarity, geometry, allowed
        Tables (n, m), finite where allowed.

    Returns
    -------
    rows, columns
        Two arrays (k,), rows ascending.

    Examples
    --------
    >>> s = np.array([[0.9, 0.8], [0.8, 0.1]])
    >>> rows, columns = match(s, s, s > 0)
    >>> columns.tolist()
    [1, 0]
    """
    if how == "last":
        rows, columns = np.array([len(similarity) - 1]), np.array([similarity.shape[1] - 1])
    elif similarity.size == 1:
        rows = columns = np.zeros(1, dtype=np.int64)
    else:
        weight = np.where(allowed, similarity + _SECOND * geometry + _THIRD, 0.0)
        rows, columns = _assign(weight) if how == "optimal" else _greedy(weight)
    kept = allowed[rows, columns]
    return rows[kept], columns[kept]


def _assign(weight: FloatArray) -> tuple[Index, Index]:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(weight, maximize=True)
    return rows, columns


def _greedy(weight: FloatArray) -> tuple[Index, Index]:
    left = weight.copy()
    rows, columns = [], []
    for _ in range(min(weight.shape)):
        row, column = np.unravel_index(np.argmax(left), left.shape)
        if left[row, column] <= 0:
            break
        rows.append(int(row))
        columns.append(int(column))
        left[row, :] = left[:, column] = 0.0
    order = np.argsort(rows)
    return np.array(rows, dtype=np.int64)[order], np.array(columns, dtype=np.int64)[order]
