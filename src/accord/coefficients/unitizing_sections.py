"""Observed and expected squared differences between sections of a continuum, category by category.

A group is one category on one continuum. Each rater cuts the continuum of a group into units and gaps; together the
sections of one rater form a line.

References
----------
Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological Methodology 25, 47-76.
Krippendorff, K. (2004). Content analysis, 2nd edition, pages 251-256.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.values import BoolArray, FloatArray, Index


@dataclass(frozen=True, slots=True)
class Lines:
    """N units of G groups, sorted by line and start.

    ``group``, ``line``, ``start`` and ``end`` are arrays (N,); ``raters``, ``origin`` and ``stop`` (the ends of the
    continuum) are arrays (G,). The lines of a group are numbered on from ``first`` (G,).
    """

    group: Index
    line: Index
    start: FloatArray
    end: FloatArray
    raters: Index
    origin: FloatArray
    stop: FloatArray

    @property
    def first(self) -> Index:
        """First line of each group, (G,)."""
        return np.cumsum(self.raters) - self.raters

    @property
    def overlapping(self) -> BoolArray:
        """Units that begin before an earlier unit of their line has ended, (N,)."""
        return self._reach() > 0

    def _reach(self) -> Index:
        """How far, in ranks of places, earlier units of the line reach beyond the start of each unit, (N,)."""
        start, end, size = _keys(self)
        reached = np.concatenate(([0], np.maximum.accumulate(end)[:-1])) if len(end) else end
        return np.where(reached // size == self.line, reached - start, 0)

    def merged(self) -> Lines:
        """Unite units of one line that overlap; units that only touch stay apart."""
        head = ~self.overlapping
        if head.all():
            return self
        place = np.flatnonzero(head)
        return Lines(
            self.group[head],
            self.line[head],
            self.start[head],
            np.maximum.reduceat(self.end, place),
            self.raters,
            self.origin,
            self.stop,
        )


def _keys(lines: Lines) -> tuple[Index, Index, int]:
    """Integers that sort starts and ends within lines, and how many each line has."""
    places, rank = np.unique(np.concatenate((lines.start, lines.end)), return_inverse=True)
    size = len(places) + 1
    count = len(lines.start)
    return lines.line * size + rank[:count], lines.line * size + rank[count:], size


def observed(lines: Lines) -> FloatArray:
    """Mean over ordered pairs of raters of the squared differences, (G,).

    Two units that overlap differ by the squared distances between their starts and between their ends; a unit that
    falls wholly in a gap of another rater differs by its squared length.
    """
    start, end, size = _keys(lines)
    others = lines.raters[lines.group] - 1
    unit = np.repeat(np.arange(len(lines.group)), others)
    step = np.arange(len(unit)) - np.repeat(np.cumsum(others) - others, others)
    own = lines.line[unit] - lines.first[lines.group[unit]]
    other = lines.first[lines.group[unit]] + step + (step >= own)
    low = np.searchsorted(end, other * size + start[unit] % size, side="right")
    high = np.searchsorted(start, other * size + end[unit] % size, side="left")
    alone = high == low
    lonely = unit[alone]
    total = np.zeros(len(lines.raters))
    total += np.bincount(lines.group[lonely], 2.0 * (lines.end - lines.start)[lonely] ** 2, len(total))
    met = high - low
    left = np.repeat(unit, met)
    right = np.repeat(low, met) + np.arange(len(left)) - np.repeat(np.cumsum(met) - met, met)
    squares = (lines.start[left] - lines.start[right]) ** 2 + (lines.end[left] - lines.end[right]) ** 2
    total += np.bincount(lines.group[left], squares, len(total))
    return total / (lines.raters * (lines.raters - 1.0))


def expected(lines: Lines, step: float) -> FloatArray:
    """Mean squared differences if units and gaps were put together at random, times the squared length, (G,).

    ``step`` is the smallest distance on the continuum, 0 for one without steps.
    """
    length = lines.end - lines.start
    groups = len(lines.raters)
    units = np.bincount(lines.group, minlength=groups)
    total = (lines.stop - lines.origin) * lines.raters
    overlaps = (units[lines.group] - 1) / 3.0 * (2.0 * length**3 - 3.0 * length**2 * step + length * step**2)
    inside = length**2 * _room(lines, length, step)
    chance = 2.0 * np.bincount(lines.group, overlaps + inside, groups) * (lines.stop - lines.origin)
    ways = total * (total - step) - np.bincount(lines.group, length * (length - step), groups)
    return np.divide(chance, ways, out=np.zeros(groups), where=ways > 0)


def _room(lines: Lines, length: FloatArray, step: float) -> FloatArray:
    """Number of places (times ``step``) where each unit fits wholly into a gap of its group, (N,)."""
    gap, group = _gaps(lines)
    sizes, rank = np.unique(np.concatenate((gap, length)), return_inverse=True)
    key = group * len(sizes) + rank[: len(gap)]
    order = np.argsort(key, kind="stable")
    key, gap = key[order], gap[order]
    low = np.searchsorted(key, lines.group * len(sizes) + rank[len(gap) :], side="left")
    high = np.searchsorted(key, (lines.group + 1) * len(sizes), side="left")
    below = np.concatenate(([0.0], np.cumsum(gap)))
    return below[high] - below[low] - (high - low) * (length - step)


def _gaps(lines: Lines) -> tuple[FloatArray, Index]:
    """Lengths of the gaps of every line, and their groups."""
    owner = np.repeat(np.arange(len(lines.raters)), lines.raters)
    last = lines.origin[owner]
    head = np.concatenate(([True], lines.line[1:] != lines.line[:-1])) if len(lines.line) else np.empty(0, np.bool_)
    before = np.where(head, lines.origin[lines.group], np.concatenate(([0.0], lines.end[:-1])) if len(head) else 0.0)
    tail = np.append(head[1:], True)[: len(head)]
    last[lines.line[tail]] = lines.end[tail]
    gap = np.concatenate((lines.start - before, lines.stop[owner] - last))
    group = np.concatenate((lines.group, owner))
    return gap[gap > 0], group[gap > 0]
