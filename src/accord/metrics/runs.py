"""Sets of whole numbers as sorted runs: frames of a timeline, pixels of a mask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from accord.values import Index


@dataclass(frozen=True, slots=True)
class Runs:
    """Disjoint half-open runs, ascending; ``start`` and ``stop`` are arrays (n,)."""

    start: Index
    stop: Index

    @property
    def length(self) -> int:
        """How many numbers the set holds."""
        return int((self.stop - self.start).sum())


def runs_of(pairs: Iterable[tuple[int, int]]) -> Runs:
    """Build from half-open pairs in any order, overlapping or not; empty pairs are dropped."""
    return merged(np.array([pair for pair in pairs if pair[1] > pair[0]], dtype=np.int64).reshape(-1, 2))


def merged(pairs: Index) -> Runs:
    """Sort half-open pairs (n, 2) and join those that touch."""
    if len(pairs) == 0:
        return Runs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    reach = np.maximum.accumulate(pairs[:, 1])
    first = np.concatenate(([True], pairs[1:, 0] > reach[:-1]))
    last = np.concatenate((first[1:], [True]))
    return Runs(pairs[first, 0], reach[last])


def union(sets: Sequence[Runs]) -> Runs:
    """Unite several sets."""
    return merged(np.column_stack([np.concatenate([s.start for s in sets]), np.concatenate([s.stop for s in sets])]))


def shared(a: Runs, b: Runs) -> int:
    """Size of the intersection: the covered length of ``a`` is piecewise linear, read at the ends of ``b``."""
    if len(a.start) == 0 or len(b.start) == 0:
        return 0
    knots = np.column_stack([a.start, a.stop]).ravel()
    covered = np.concatenate(([0], np.cumsum(a.stop - a.start)))
    heights = np.column_stack([covered[:-1], covered[1:]]).ravel()
    return round(float((np.interp(b.stop, knots, heights) - np.interp(b.start, knots, heights)).sum()))


def iou(a: Runs, b: Runs) -> float:
    """Intersection over union; 1 for two empty sets."""
    common = shared(a, b)
    total = a.length + b.length - common
    return common / total if total else 1.0
