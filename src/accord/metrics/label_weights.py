"""Label and control weights: they change averages of scores, never the scores.

The weight of a pair is the control's weight times the mean weight of the labels either rater used; the weight of a
unit is the control's weight times the mean weight of the distinct labels used in it. ``*`` stands for labels that
are not named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.errors import UsageError
from accord.metrics.sets import membership
from accord.metrics.spec import Codes
from accord.study import Study
from accord.values import FloatArray, Region, Value

REST = "*"


def labels_in(value: Value) -> frozenset[str]:
    """Names a weight can be given to: labels, taxonomy paths written ``A / B``, labels of regions, numbers."""
    if isinstance(value, str):
        return frozenset({value})
    if isinstance(value, frozenset):
        return frozenset(" / ".join(item) if isinstance(item, tuple) else str(item) for item in value)
    if isinstance(value, tuple):
        return frozenset(name for item in value if isinstance(item, Region) for name in item.labels)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return frozenset({f"{value:g}"})
    return frozenset()


def checked_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights as numbers.

    Raises
    ------
    UsageError
        If a weight is negative or not finite.
    """
    for name, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight) or weight < 0:
            raise UsageError(f"weight of {name!r} is {weight!r}. Allowed: 0 or a positive number.")
    return {name: float(weight) for name, weight in weights.items()}


def pair_weights(
    values: Sequence[Value], i: Codes, j: Codes, weights: Mapping[str, float], control: float = 1.0
) -> FloatArray:
    """Weight of each pair of values, (n,).

    Examples
    --------
    >>> pair_weights(["spam", "ham"], np.array([0, 0]), np.array([0, 1]), {"spam": 3.0}).tolist()
    [3.0, 2.0]
    """
    used, weight = _used(values, weights)
    either = used[i].maximum(used[j])
    return control * _means(either, weight, weights)


def unit_weights(study: Study, weights: Mapping[str, float], control: float = 1.0) -> FloatArray:
    """Weight of each unit of a study, (U,)."""
    from scipy.sparse import csr_array

    used, weight = _used(study.values, weights)
    said = csr_array((np.ones(study.C), (study.unit, study.code)), shape=(study.U, study.V))
    return control * _means((said @ used).sign(), weight, weights)


def _used(values: Sequence[Value], weights: Mapping[str, float]) -> tuple[Any, FloatArray]:
    """Which labels each value holds, sparse (V, L), and the weight of each label, (L,)."""
    sets = [labels_in(value) for value in values]
    names = list(dict.fromkeys(name for members in sets for name in members)) or [REST]
    rest = weights.get(REST, 1.0)
    return membership(sets), np.array([weights.get(name, rest) for name in names], dtype=np.float64)


def _means(used: Any, weight: FloatArray, weights: Mapping[str, float]) -> FloatArray:
    """Mean weight of the labels of each row; rows without labels have the weight of the rest."""
    count = np.asarray(used.sum(axis=1), dtype=np.float64).ravel()
    total = np.asarray(used @ weight, dtype=np.float64).ravel()
    return np.where(count > 0, total / np.maximum(count, 1.0), weights.get(REST, 1.0))
