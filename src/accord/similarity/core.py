"""The contract between metrics and coefficients, and the similarities that have a closed form.

A similarity is a matrix s (V, V) over the values of a study, 1 on the diagonal, in [0, 1], symmetric. It is used
through three operations, so that no V x V table is needed where a formula does the same in O(V).
NaN marks a pair of values that cannot be compared; it never enters a sum and is counted by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from accord.values import FloatArray

Codes = npt.NDArray[np.integer]


class Similarity(Protocol):
    """Similarity of V values.

    ``name`` is its part of the signature (options and hashes included). ``scale`` converts to the distance in
    the coefficient's own units: distance = (1 - s) * scale.

    More is used where a similarity has it: ``known(p)``, the sum of p(..., v) over the values v that u can be compared
    with, by similarities with pairs that cannot be compared; ``spread(p, q)``, the sum of p(..., u) q(..., v)
    (1 - s(u, v)), where a formula gives it without cancellation; and where sums rest on a sample of value pairs
    ``error(p, q, weight)``, the standard error of sum_k weight_k p_k S q_k, ``limits``, how far below and above its
    estimate it may lie, ``drawn()``, the pairs, ``among(rows)``, both sums of ``spread`` for sparse rows with
    themselves, and ``smooth``, the same similarity without the noise of single draws. ``placed`` says what to expect of
    regions at random places; ``incomplete``, that too many scores failed; ``costly``, that single pairs cost so much
    that only those that answers make are ever asked for.
    """

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def scale(self) -> float: ...

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Similarities of value pairs, (n,); NaN = not comparable."""
        ...

    def times(self, p: FloatArray, /) -> FloatArray:
        """Product sum_v s(u, v) p(..., v), shape (..., V); pairs that cannot be compared count as 0."""
        ...

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V); only for small V."""
        ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """Pairs of values (n,), and how many pairs of answers each stands for, in units of its own number of them."""

    left: Codes
    right: Codes
    weight: FloatArray


def skips(similarity: Similarity) -> bool:
    """Whether some values may be incomparable: the similarity then has ``known`` beside the contract."""
    return hasattr(similarity, "known")


def costly(similarity: Similarity) -> bool:
    """Whether only pairs of values that meet may be scored."""
    return bool(getattr(similarity, "costly", False))


def comparable(similarity: Similarity, p: FloatArray) -> FloatArray:
    """Sum of p(..., v) over the values v that u can be compared with; broadcasts to (..., V)."""
    known = getattr(similarity, "known", None)
    return p.sum(axis=-1, keepdims=True) if known is None else known(p)


def spread(similarity: Similarity, p: FloatArray, q: FloatArray) -> FloatArray:
    """Sum over comparable pairs of p(..., u) q(..., v) (1 - s(u, v)), shape (...)."""
    exact = getattr(similarity, "spread", None)
    if exact is not None:
        return exact(p, q)
    return ((comparable(similarity, p) - similarity.times(p)) * q).sum(axis=-1)


class Identity:
    """1 for equal values, else 0 (nominal)."""

    name = "nominal"
    scale = 1.0

    def __init__(self, size: int) -> None:
        self.size = size

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Compare codes."""
        return (i == j).astype(np.float64)

    def times(self, p: FloatArray, /) -> FloatArray:
        """Return ``p`` itself."""
        return p

    def spread(self, p: FloatArray, q: FloatArray, /) -> FloatArray:
        """All pairs but those of equal values."""
        return p.sum(axis=-1) * q.sum(axis=-1) - (p * q).sum(axis=-1)

    def dense(self) -> FloatArray:
        """Return the unit matrix."""
        return np.eye(self.size)


class Quadratic:
    """1 - (x_i - x_j)^2 / range^2 on positions x (V,): interval differences, quadratic weights."""

    def __init__(self, positions: FloatArray, name: str = "interval", span: float | None = None) -> None:
        self.positions = positions
        self._x = positions - positions.mean() if len(positions) else positions
        width = float(np.ptp(positions)) if len(positions) else 0.0
        self.scale = (span if span is not None else width) ** 2 or 1.0
        self.name = name
        self.size = len(positions)

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Similarities of value pairs, (n,)."""
        difference = self._x[i] - self._x[j]
        return 1.0 - difference * difference / self.scale

    def times(self, p: FloatArray, /) -> FloatArray:
        """Use moments: sum_v p_v (x_u - x_v)^2 = x_u^2 P - 2 x_u M1 + M2."""
        x = self._x
        total = p.sum(axis=-1, keepdims=True)
        first = (p @ x)[..., None]
        second = (p @ (x * x))[..., None]
        return total - (x * x * total - 2.0 * x * first + second) / self.scale

    def spread(self, p: FloatArray, q: FloatArray, /) -> FloatArray:
        """Use moments about the common mean, so that a far-off centre costs no digits."""
        both = p + q
        mean = (both @ self._x) / np.maximum(both.sum(axis=-1), np.finfo(float).tiny)
        x = self._x - mean[..., None]
        first = (p * x).sum(axis=-1) * (q * x).sum(axis=-1)
        second = p.sum(axis=-1) * (q * x * x).sum(axis=-1) + q.sum(axis=-1) * (p * x * x).sum(axis=-1)
        return (second - 2.0 * first) / self.scale

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V)."""
        difference = self._x[:, None] - self._x[None, :]
        return 1.0 - difference * difference / self.scale


class Dense:
    """Any similarity given as a matrix (V, V), NaN = not comparable."""

    def __init__(self, matrix: FloatArray, name: str, scale: float = 1.0) -> None:
        self._s = matrix
        self._zeroed = np.nan_to_num(matrix, nan=0.0)
        self._known = ~np.isnan(matrix)
        self._total = bool(self._known.all())
        self.name = name
        self.scale = scale
        self.size = len(matrix)

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Look the pairs up."""
        return self._s[i, j]

    def times(self, p: FloatArray, /) -> FloatArray:
        """Multiply by the symmetric matrix."""
        return p @ self._zeroed

    def known(self, p: FloatArray, /) -> FloatArray:
        """Leave out the pairs that are NaN."""
        return p.sum(axis=-1, keepdims=True) if self._total else p @ self._known

    def dense(self) -> FloatArray:
        """Return the matrix itself."""
        return self._s
