"""Regions of all raters joined to clusters that mean the same thing: units for what was said about each of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.metrics.ragged import blocks, spread
from accord.pipeline.region_matches import AT_ONCE, RegionMatches
from accord.values import Index

#: Raters of one unit that fit into the bits of a number.
MOST_BITS = 62
#: Units joined at once; fewer are joined one edge after the other.
FEW = 16


@dataclass(frozen=True, slots=True)
class RegionUnits:
    """Every region of every answer: its cell, its position in the answer and its cluster, (N,) each.

    A cluster holds at most one region of an answer. Clusters are numbered by unit, then by their first region;
    ``unit`` (K,) is the unit of each.
    """

    cell: Index
    position: Index
    cluster: Index
    unit: Index


def region_units(matches: RegionMatches) -> RegionUnits:
    """Join matched regions, the most similar first, as ``accord.metrics.clusters`` does for one unit."""
    study = matches.study
    found = [_joined(matches, part.start, part.stop) for part in blocks(study.m * (study.m - 1) // 2 + 1, AT_ONCE)]
    none = np.empty(0, dtype=np.int64)
    cell = np.concatenate([none, *(part[0] for part in found)])
    root = np.concatenate([none, *(part[1] for part in found)])
    count = matches.count[study.code.astype(np.int64)]
    _, first, cluster = np.unique(root, return_index=True, return_inverse=True)
    return RegionUnits(cell, spread(np.zeros(study.C, dtype=np.int64), count), cluster, study.unit[cell[first]])


def _joined(matches: RegionMatches, first: int, stop: int) -> tuple[Index, Index]:
    """Cell of every region of some units, and the first region of its cluster, numbered through the whole study."""
    study = matches.study
    begin, end = int(study.start[first]), int(study.start[stop])
    count = matches.count[study.code[begin:end].astype(np.int64)]
    base = np.cumsum(count) - count
    part = matches.within(first, stop)
    a = base[part.cells[0][part.pair] - begin] + part.left
    b = base[part.cells[1][part.pair] - begin] + part.right
    cell = np.repeat(np.arange(begin, end), count)
    unit = study.unit[cell].astype(np.int64)
    order = np.lexsort((b, a, -part.geometry, -part.similarity, unit[a]))
    joining = _Joining(cell - study.start[unit])
    joining.join(a[order], b[order], unit[a[order]])
    offset = int(matches.count[study.code[:begin].astype(np.int64)].sum())
    return cell, joining.roots(np.arange(len(cell))) + offset


class _Joining:
    """N regions on their way into clusters; ``slot`` (N,) numbers the raters of each unit from 0."""

    def __init__(self, slot: Index) -> None:
        self._slot = slot
        self._parent = np.arange(len(slot))
        self._raters = np.left_shift(1, np.minimum(slot, MOST_BITS))

    def join(self, a: Index, b: Index, unit: Index) -> None:
        """Join the ends of edges in their order unless their clusters share a rater; units do not touch each other."""
        if not len(a):
            return
        heads = np.flatnonzero(np.concatenate(([True], unit[1:] != unit[:-1])))
        sizes = np.diff(np.append(heads, len(unit)))
        crowded = np.maximum.reduceat(np.maximum(self._slot[a], self._slot[b]), heads) >= MOST_BITS
        rank = np.arange(len(unit)) - np.repeat(heads, sizes)
        rank[np.repeat(crowded, sizes)] = len(unit)
        by_rank = np.argsort(rank, kind="stable")
        start = 0
        for size in np.bincount(rank[rank < len(unit)]).tolist():
            if size <= FEW:
                break
            some = by_rank[start : start + size]
            self._join_apart(a[some], b[some])
            start += size
        rest = np.sort(by_rank[start:])
        self._join_in_turn(a[rest].tolist(), b[rest].tolist())

    def _join_apart(self, a: Index, b: Index) -> None:
        """Join the ends of edges of different units, all at once."""
        one, other = self.roots(a), self.roots(b)
        fits = (self._raters[one] & self._raters[other]) == 0
        low, high = np.minimum(one, other)[fits], np.maximum(one, other)[fits]
        self._parent[high] = low
        self._raters[low] |= self._raters[high]

    def _join_in_turn(self, a: list[int], b: list[int]) -> None:
        """Join the ends of edges one after the other; any number of raters."""
        parent = self._parent
        raters: dict[int, int] = {}
        for ends in zip(a, b, strict=True):
            low, high = sorted(int(self.roots(np.array([end]))[0]) for end in ends)
            both = [raters.get(root) or self._raters_of(root) for root in (low, high)]
            if low != high and not both[0] & both[1]:
                parent[high] = low
                raters[low] = both[0] | both[1]

    def _raters_of(self, root: int) -> int:
        """Raters of a cluster as bits: those joined at once, or the one of a region that stands alone."""
        slot = int(self._slot[root])
        return 1 << slot if slot >= MOST_BITS else int(self._raters[root])

    def roots(self, nodes: Index) -> Index:
        """First region of the cluster of each region."""
        found = self._parent[nodes]
        while (self._parent[found] != found).any():
            found = self._parent[found]
        return found
