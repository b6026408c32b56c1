"""Similarities that are a function of two positions on a scale."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accord.similarity.core import Codes
from accord.values import FloatArray

Distance = Callable[[FloatArray, FloatArray], FloatArray]

#: Numbers in one block of distances.
BLOCK = 1 << 20


class Kernel:
    """1 - d(x_i, x_j) / d_max for a distance d of positions x (V,); d_max is the largest over the values.

    Subclasses replace ``apart`` where a formula gives all sums in O(V).
    """

    def __init__(self, positions: FloatArray, distance: Distance, name: str, scale: float) -> None:
        self.positions = positions
        self.name = name
        self.size = len(positions)
        self.scale = scale or 1.0
        self._distance = distance

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Similarities of value pairs, (n,)."""
        return 1.0 - self._distance(self.positions[i], self.positions[j]) / self.scale

    def apart(self, p: FloatArray) -> FloatArray:
        """Sum_v d(u, v) p(..., v), in blocks of rows, shape (..., V)."""
        out = np.empty(p.shape)
        step = max(1, BLOCK // max(1, self.size))
        for first in range(0, self.size, step):
            rows = self._distance(self.positions[first : first + step, None], self.positions[None, :])
            out[..., first : first + step] = p @ rows.T
        return out

    def times(self, p: FloatArray, /) -> FloatArray:
        """Sum_v s(u, v) p(..., v), shape (..., V)."""
        return p.sum(axis=-1, keepdims=True) - self.apart(p) / self.scale

    def spread(self, p: FloatArray, q: FloatArray, /) -> FloatArray:
        """Sum_uv p(..., u) q(..., v) (1 - s(u, v)), shape (...)."""
        return (self.apart(p) * q).sum(axis=-1) / self.scale

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V)."""
        return 1.0 - self._distance(self.positions[:, None], self.positions[None, :]) / self.scale


class Linear(Kernel):
    """Absolute difference; all sums by sorting and cumulating."""

    def __init__(self, positions: FloatArray, name: str = "linear") -> None:
        super().__init__(positions, lambda a, b: np.abs(a - b), name, _width(positions))
        self._order = np.argsort(positions, kind="stable")

    def apart(self, p: FloatArray) -> FloatArray:
        """Sum_v |x_u - x_v| p(..., v), shape (..., V)."""
        x = self.positions[self._order]
        x = x - x[len(x) // 2] if len(x) else x
        weight = p[..., self._order]
        below, moment = np.cumsum(weight, axis=-1), np.cumsum(weight * x, axis=-1)
        total, mean = below[..., -1:], moment[..., -1:]
        out = np.empty(p.shape)
        out[..., self._order] = x * (2.0 * below - total) + (mean - 2.0 * moment)
        return out


class Circular(Kernel):
    """sin^2 of half the angle between positions on a circle of a given period; all sums by two moments."""

    def __init__(self, positions: FloatArray, period: float, name: str = "circular") -> None:
        self._angle = 2.0 * np.pi * positions / period
        super().__init__(
            positions,
            lambda a, b: np.sin(np.pi * (a - b) / period) ** 2,
            name,
            _farthest(positions, period),
        )

    def apart(self, p: FloatArray) -> FloatArray:
        """Sum_v (1 - cos(angle_u - angle_v)) / 2 p(..., v), shape (..., V)."""
        cos, sin = np.cos(self._angle), np.sin(self._angle)
        real, imaginary = (p @ cos)[..., None], (p @ sin)[..., None]
        return (p.sum(axis=-1, keepdims=True) - cos * real - sin * imaginary) / 2.0


def radical(positions: FloatArray, name: str) -> Kernel:
    """Square root of the difference."""
    return Kernel(positions, lambda a, b: np.sqrt(np.abs(a - b)), name, float(np.sqrt(_width(positions))))


def pairs_between(positions: FloatArray, name: str) -> Kernel:
    """Gwet's ordinal weights: how many pairs of ranks lie within the difference."""
    width = _width(positions)
    return Kernel(positions, lambda a, b: np.abs(a - b) * (np.abs(a - b) + 1.0) / 2.0, name, width * (width + 1.0) / 2)


def bipolar(positions: FloatArray, name: str) -> Kernel:
    """Squared difference, counted more towards either end of the scale."""
    low, high = (float(positions.min()), float(positions.max())) if len(positions) else (0.0, 0.0)

    def distance(a: FloatArray, b: FloatArray) -> FloatArray:
        room = (a + b - 2.0 * low) * (2.0 * high - a - b)
        apart = (a - b) ** 2
        return np.divide(apart, room, out=np.zeros(np.broadcast(a, b).shape), where=apart > 0.0)

    return Kernel(positions, distance, name, 1.0)


def _width(positions: FloatArray) -> float:
    return float(np.ptp(positions)) if len(positions) else 0.0


def _farthest(positions: FloatArray, period: float) -> float:
    """Largest distance on the circle: for every position the neighbours of the opposite point."""
    if len(positions) == 0:
        return 0.0
    ring = np.sort(positions % period)
    place = np.searchsorted(ring, (ring + period / 2.0) % period)
    near = np.concatenate((ring[place % len(ring)], ring[place - 1]))
    return float((np.sin(np.pi * (np.tile(ring, 2) - near) / period) ** 2).max())
