"""Krippendorff's ratio metric: squared difference relative to the sum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.similarity.kernel import Kernel
from accord.values import FloatArray

#: Up to this many values the sums are taken pair by pair.
DIRECT = 256

#: Step and reach of the quadrature in log t; its error is below 1e-13.
STEP = 0.28
NEAR_ZERO = 3e-9
FAR = 42.0

#: Numbers in one block of nodes.
BLOCK = 1 << 18


class Ratio(Kernel):
    """((a - b) / (a + b))^2 for numbers a, b >= 0, and 0 for two zeros.

    With many values the sums use 1 - ((a - b) / (a + b))^2 = 4 a b / (a + b)^2 and
    a b / (a + b)^2 = integral of f_a f_b over s, f_a(s) = a e^s exp(-a e^s): O(V) per node of a trapezoid rule.
    """

    def __init__(self, positions: FloatArray, name: str = "ratio") -> None:
        low, high = (float(positions.min()), float(positions.max())) if len(positions) else (0.0, 0.0)
        scale = float(_ratio(np.array(low), np.array(high)))
        super().__init__(positions, _ratio, name, scale)

    def apart(self, p: FloatArray) -> FloatArray:
        """Sum_v d(u, v) p(..., v), shape (..., V)."""
        if self.size <= DIRECT:
            return super().apart(p)
        near = np.zeros(p.shape)
        for nodes in self._nodes():
            near += (p @ nodes.T) @ nodes
        return p.sum(axis=-1, keepdims=True) - 4.0 * STEP * near - self._zeros(p)

    def spread(self, p: FloatArray, q: FloatArray, /) -> FloatArray:
        """Sum_uv p(..., u) q(..., v) (1 - s(u, v)), shape (...)."""
        if self.size <= DIRECT:
            return super().spread(p, q)
        near = np.zeros(np.broadcast_shapes(p.shape[:-1], q.shape[:-1]))
        for nodes in self._nodes():
            left = p @ nodes.T
            near += (left * (left if p is q else q @ nodes.T)).sum(axis=-1)
        total = p.sum(axis=-1) * q.sum(axis=-1)
        return (total - 4.0 * STEP * near - (self._zeros(p) * q).sum(axis=-1)) / self.scale

    def _zeros(self, p: FloatArray) -> FloatArray:
        """Two zeros do not differ: what the product form misses."""
        zero = self.positions == 0.0
        return np.where(zero, p[..., zero].sum(axis=-1, keepdims=True), 0.0)

    def _nodes(self) -> Iterator[FloatArray]:
        """Values of f at some nodes of the trapezoid rule, blocks (T, V)."""
        x = self.positions
        positive = x[x > 0.0]
        first, last = np.log(NEAR_ZERO / (2.0 * positive.max())), np.log(FAR / (2.0 * positive.min()))
        t = np.exp(np.arange(first, last + STEP, STEP))
        step = max(1, BLOCK // self.size)
        for start in range(0, len(t), step):
            scaled = t[start : start + step, None] * x
            nodes = np.negative(scaled)
            np.exp(nodes, out=nodes)
            nodes *= scaled
            yield nodes


def _ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    total = a + b
    share = np.divide(a - b, total, out=np.zeros(np.broadcast(a, b).shape), where=total != 0.0)
    return share * share
