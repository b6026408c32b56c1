"""Sets of whole numbers as sorted runs: frames of a timeline, pixels of a mask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from accord.metrics.ragged import blocks, spread
from accord.values import FloatArray, Index

_EXACT = 2**53
_RUNS = 1 << 17


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


class RunSets:
    """N sets of runs, one after the other."""

    def __init__(self, sets: Sequence[Runs]) -> None:
        self.start = np.concatenate([np.empty(0, dtype=np.int64), *(runs.start for runs in sets)])
        self.stop = np.concatenate([np.empty(0, dtype=np.int64), *(runs.stop for runs in sets)])
        self.count: Index = np.fromiter((len(runs.start) for runs in sets), np.int64, len(sets))
        self.first: Index = np.cumsum(self.count) - self.count
        ends = np.concatenate(([0], np.cumsum(self.stop - self.start)))
        self.length = ends[self.first + self.count] - ends[self.first]
        self._low = int(self.start.min(initial=0))
        self._reach = int(self.stop.max(initial=0)) - self._low + 1

    def alone(self, number: int) -> Runs:
        """One of the sets."""
        part = slice(self.first[number], self.first[number] + self.count[number])
        return Runs(self.start[part], self.stop[part])

    def shared(self, left: Index, right: Index) -> Index:
        """Sizes of intersections of pairs, (n,).

        The sets on the left lie end to end on one line; how much of the line they cover up to a point is piecewise
        linear, read at the ends of the runs on the right.
        """
        common = np.zeros(len(left), dtype=np.int64)
        for block in blocks(self.count[right], _RUNS):
            most = max(1, _EXACT // self._reach)
            for start in range(block.start, block.stop, most):
                part = slice(start, min(block.stop, start + most))
                common[part] = self._shared(left[part], right[part])
        return common

    def _shared(self, left: Index, right: Index) -> Index:
        used = np.zeros(len(self.count), dtype=np.bool_)
        used[left] = True
        sets = np.flatnonzero(used)
        offset = np.zeros(len(self.count))
        offset[sets] = np.arange(len(sets)) * float(self._reach) - self._low
        runs = spread(self.first[sets], self.count[sets])
        count = self.count[right]
        if len(runs) == 0 or not count.any():
            return np.zeros(len(left), dtype=np.int64)
        shift = np.repeat(offset[sets], self.count[sets])
        knots = np.column_stack((self.start[runs] + shift, self.stop[runs] + shift)).ravel()
        covered = np.concatenate(([0], np.cumsum(self.stop[runs] - self.start[runs])))
        heights = np.column_stack((covered[:-1], covered[1:])).ravel()
        asked = spread(self.first[right], count)
        shift = np.repeat(offset[left], count)
        inside = np.interp(self.stop[asked] + shift, knots, heights)
        inside -= np.interp(self.start[asked] + shift, knots, heights)
        total = np.concatenate(([0.0], np.cumsum(inside)))
        ends = np.cumsum(count)
        return np.rint(total[ends] - total[ends - count]).astype(np.int64)

    def iou(self, left: Index, right: Index) -> FloatArray:
        """Intersection over union of pairs, (n,); 1 for two empty sets."""
        common = self.shared(left, right)
        total = self.length[left] + self.length[right] - common
        return np.where(total > 0, common / np.maximum(total, 1), 1.0)


def shared(a: Runs, b: Runs) -> int:
    """Size of the intersection of two sets."""
    return int(RunSets((a, b)).shared(np.array([0]), np.array([1]))[0])


def iou(a: Runs, b: Runs) -> float:
    """Intersection over union; 1 for two empty sets."""
    return float(RunSets((a, b)).iou(np.array([0]), np.array([1]))[0])
