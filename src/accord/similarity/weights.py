"""Weight schemes by name: how much a near miss on a scale counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from accord.errors import UnknownNameError, UsageError
from accord.similarity.core import Dense, Identity, Quadratic, Similarity
from accord.similarity.kernel import Circular, Linear, bipolar, pairs_between, radical
from accord.similarity.ratio import Ratio
from accord.similarity.scale import On, empty_code, positions
from accord.similarity.unfit import Unfit
from accord.study import Study
from accord.values import FloatArray

SCHEMES: Final[dict[str, Callable[[FloatArray, str], Similarity]]] = {
    "linear": Linear,
    "quadratic": Quadratic,
    "radical": radical,
    "ordinal": pairs_between,
    "bipolar": bipolar,
    "ratio": Ratio,
}

ALIASES: Final = {"unweighted": "identity", "nominal": "identity", "equal": "linear", "squared": "quadratic"}

NAMES: Final = ("identity", *SCHEMES, "circular")


def weighted(study: Study, name: str, on: On) -> Similarity:
    """Build the similarity of a named scheme; ratio always uses the numbers themselves."""
    key = ALIASES.get(name, name)
    if key == "identity":
        return Identity(study.V)
    if key not in NAMES:
        raise UnknownNameError.among("weights", name, [*NAMES, *ALIASES])
    label = key if on == "rank" or key == "ratio" else f"{key}(on=value)"
    found = positions(study, "value" if key == "ratio" else on)
    if found.reason:
        return Unfit(study.V, label, f"{key} weights do not apply: {found.reason}")
    if key == "circular":
        return circular(study, found.x, label)
    if key == "ratio" and (found.x < 0.0).any():
        return Unfit(study.V, label, "ratio weights do not apply: they need numbers that are not negative")
    return SCHEMES[key](found.x, label)


def circular(study: Study, x: FloatArray, name: str) -> Similarity:
    """Positions on a circle whose period is one step more than the declared scale is long."""
    if study.domain is None:
        return Unfit(study.V, name, "a circular scale needs a declared domain: its length is the period")
    steps = len(np.unique(x))
    period = float(np.ptp(x)) * steps / (steps - 1) if steps > 1 else 1.0
    return Circular(x, period, name)


def from_matrix(study: Study, matrix: FloatArray, name: str | None) -> Similarity:
    """Take a weight matrix (V, V), or scores (V,) for a linear or quadratic scheme, in the order of the values."""
    given = np.asarray(matrix, dtype=np.float64)
    empty = empty_code(study)
    size = study.V - (empty is not None)
    if given.ndim not in (1, 2) or any(length != size for length in given.shape):
        raise UsageError(f"The weights have shape {given.shape}; there are {size} values: {_listed(study)}.")
    if given.ndim == 1:
        return _scored(_insert(given, empty), name)
    if name is not None:
        raise UsageError("A weight matrix and a named scheme contradict each other; give one.")
    if not np.allclose(np.diag(given), 1.0) or np.nanmin(given) < 0.0 or np.nanmax(given) > 1.0:
        raise UsageError("A weight matrix holds similarities from 0 to 1, with 1 on the diagonal.")
    symmetric = np.array_equal(given, given.T, equal_nan=True)
    full = _insert((given + given.T) / 2.0, empty)
    return Dense(full, "matrix" if symmetric else "matrix(averaged over both directions)")


def _scored(scores: FloatArray, name: str | None) -> Similarity:
    key = ALIASES.get(name or "quadratic", name or "quadratic")
    if key not in ("linear", "quadratic"):
        raise UsageError(f"Scores go with linear or quadratic weights, not with {name!r}.")
    return SCHEMES[key](scores, f"{key}(scores)")


def _insert(given: FloatArray, empty: int | None) -> FloatArray:
    """Make room for EMPTY."""
    if empty is None:
        return given
    for axis in range(given.ndim):
        given = np.insert(given, empty, 0.0, axis=axis)
    if given.ndim == 2:
        given[empty, empty] = 1.0
    return given


def _listed(study: Study) -> str:
    shown = ", ".join(repr(value) for value in study.values[:8])
    return f"{shown}, ..." if study.V > 8 else shown
