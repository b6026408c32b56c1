"""Answers with regions laid out flat: every region of every answer in one row of numbers after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from accord.metrics.contents import Contents
from accord.metrics.spec import Codes
from accord.values import FloatArray, Index, Region

REGION_PAIRS = 1 << 16
"""Pairs of regions worked on at once: a dozen arrays of this length stay in the processor's cache."""
_PER_PAIR = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One prepared answer: its regions, and their geometry in the form in which it is compared."""

    regions: tuple[Region, ...]
    shapes: Any


@dataclass(frozen=True, slots=True)
class Geometry:
    """How the geometry of regions is compared.

    Attributes
    ----------
    pack
        Shapes of every answer -> one object with a row for each region of all answers.
    score
        (pool, left, right, **options) -> (N,) similarities of regions in pairs; NaN = not comparable.
    bounds
        Packed shapes -> left, top, right, bottom of every region, (4, N): regions that share no point score 0 (or
        are not comparable). None where distance says nothing.
    effort
        What comparing two regions takes, in units of 100 ns.
    """

    pack: Callable[[Sequence[Any]], Any]
    score: Callable[..., FloatArray]
    bounds: Callable[[Any], FloatArray] | None = None
    effort: float = 1.0

    def cost(self, answers: Sequence[Answer]) -> float:
        """What scoring a pair of answers takes, in units of 100 ns."""
        mean = sum(len(answer.regions) for answer in answers) / max(len(answers), 1)
        return _PER_PAIR + self.effort * mean**2


class Pool:
    """Regions of V answers, N in all, numbered through."""

    def __init__(self, answers: Sequence[Answer], geometry: Geometry) -> None:
        self.answers = answers
        self.count: Index = np.fromiter((len(answer.regions) for answer in answers), np.int64, len(answers))
        self.start: Index = np.cumsum(self.count) - self.count
        self.shapes = geometry.pack([answer.shapes for answer in answers])

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """All regions, (N,)."""
        return tuple(chain.from_iterable(answer.regions for answer in self.answers))

    @cached_property
    def contents(self) -> Contents:
        """What the regions say beside their place."""
        return Contents(self.regions)


@dataclass(frozen=True, slots=True)
class RegionPairs:
    """Regions to compare: numbers of the pairs of answers they belong to, and of the regions, three arrays (N,)."""

    answers: Index
    left: Index
    right: Index


def every_pair(pool: Pool, i: Codes, j: Codes) -> RegionPairs:
    """All regions on the left with all on the right, row by row, for every pair of answers."""
    n, m = pool.count[i], pool.count[j]
    rows = np.repeat(np.arange(len(i)), n)
    left = spread(pool.start[i], n)
    wide = m[rows]
    return RegionPairs(np.repeat(rows, wide), np.repeat(left, wide), spread(pool.start[j][rows], wide))


def last_pair(pool: Pool, i: Codes, j: Codes) -> RegionPairs:
    """The last region on either side, where both sides hold any."""
    rows = np.flatnonzero((pool.count[i] > 0) & (pool.count[j] > 0))
    ends = pool.start + pool.count - 1
    return RegionPairs(rows, ends[i[rows]], ends[j[rows]])


def spread(start: Index, count: Index) -> Index:
    """Count on from every start: 3, 4, 5 for start 3 and count 3; one after the other."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(start - (ends - count), count)


def blocks(sizes: Index, limit: int = REGION_PAIRS) -> Iterator[slice]:
    """Cut into runs whose sizes sum up to at most ``limit``; an item that exceeds it is alone."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + limit, "right")), start + 1)
        yield slice(start, stop)
        start = stop
