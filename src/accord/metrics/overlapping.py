"""Which of many rectangles on the left meet which on the right, in memory O(rectangles + pairs found)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.metrics.ragged import blocks, spread
from accord.values import FloatArray, Index

WINDOW = 1 << 18
MOST_STRIPS = 1 << 31


def overlapping(left: FloatArray, right: FloatArray) -> tuple[Index, Index]:
    """Pairs of rectangles that share a point, by position, ordered by left, then right.

    The plane is cut into strips about as high as a rectangle; within a strip rectangles are swept from left to right.

    Parameters
    ----------
    left, right
        Left, top, right, bottom of every rectangle, (4, n) and (4, m); NaN meets nothing.

    Examples
    --------
    >>> boxes = np.array([[0.0, 5.0], [0.0, 5.0], [2.0, 8.0], [2.0, 8.0]])
    >>> [side.tolist() for side in overlapping(boxes, boxes + 1.5)]
    [[0, 1], [0, 1]]
    """
    placed = [np.flatnonzero(~np.isnan(sides).any(axis=0)) for sides in (left, right)]
    if not len(placed[0]) or not len(placed[1]):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    every = np.concatenate((left[:, placed[0]], right[:, placed[1]]), axis=1)
    top, height = float(every[1].min()), float((every[3] - every[1]).mean()) or 1.0
    a, b = _in_strips(left, placed[0], top, height), _in_strips(right, placed[1], top, height)
    first, second = _starting_within(b, a, "left")
    third, fourth = _starting_within(a, b, "right")
    first, second = np.concatenate((second, third)), np.concatenate((first, fourth))
    order = np.lexsort((second, first))
    return first[order], second[order]


@dataclass(frozen=True, slots=True)
class _Strips:
    """Rectangles once for every strip they reach into: which rectangle, which strip; first strip and sides of each."""

    which: Index
    strip: Index
    first: Index
    sides: FloatArray


def _in_strips(sides: FloatArray, use: Index, top: float, height: float) -> _Strips:
    first, last = (np.minimum((sides[k, use] - top) / height, MOST_STRIPS).astype(np.int64) for k in (1, 3))
    reach = last - first + 1
    every = np.zeros(sides.shape[1], dtype=np.int64)
    every[use] = first
    return _Strips(np.repeat(use, reach), spread(first, reach), every, sides)


def _starting_within(wide: _Strips, starting: _Strips, side: str) -> tuple[Index, Index]:
    """Pairs of a rectangle of ``wide`` and one of ``starting`` whose left side lies within the former's width.

    ``side`` says where a common left side counts: ``left`` includes it, ``right`` does not.
    """
    places = np.sort(starting.sides[0][starting.which])
    step = len(places) + 1
    keys = starting.strip * step + np.searchsorted(places, starting.sides[0][starting.which])
    order = np.argsort(keys)
    keys, which = keys[order], starting.which[order]
    base, sides = wide.strip * step, wide.sides[:, wide.which]
    low = np.searchsorted(keys, base + np.searchsorted(places, sides[0], "left" if side == "left" else "right"))
    count = np.searchsorted(keys, base + np.searchsorted(places, sides[2], "right")) - low
    found = [_meeting(wide, starting, block, which, low, np.maximum(count, 0)) for block in blocks(count, WINDOW)]
    return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])


def _meeting(
    wide: _Strips, starting: _Strips, block: slice, which: Index, low: Index, count: Index
) -> tuple[Index, Index]:
    """Of the pairs in some windows those that meet, each in one strip only."""
    a = np.repeat(wide.which[block], count[block])
    b = which[spread(low[block], count[block])]
    here = np.repeat(wide.strip[block], count[block])
    x, y = wide.sides, starting.sides
    meet = (x[1][a] <= y[3][b]) & (y[1][b] <= x[3][a]) & (here == np.maximum(wide.first[a], starting.first[b]))
    return a[meet], b[meet]
