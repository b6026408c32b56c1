"""How much of one line lies near another, in pixels of the image."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from accord.metrics.stretches import near_stretch
from accord.registry import Option
from accord.values import FloatArray, Index

TOLERANCE = Option(1.0, help="distance up to which two lines are one, in the unit", stated=True)
UNIT = Option(
    "diagonal",
    ("diagonal", "pixel"),
    "diagonal: percent of the image's diagonal (of a square where its size is unknown); pixel: needs the size",
    stated=True,
)
_SQUARE = 100.0
_SLACK = 1e-12
_AT_ONCE = 1 << 20
_MOST_PAIRS = 1 << 25


def shared_sizes(left: FloatArray, right: FloatArray, unit: str) -> FloatArray:
    """Size of the image of each pair, (n, 2): known to one side or both; NaN if they differ, or pixels need one.

    Parameters
    ----------
    left, right
        Width and height as either side knows them, (n, 2), NaN = unknown.
    """
    sizes = np.where(np.isnan(left), right, left)
    differ = (~np.isnan(left) & ~np.isnan(right) & (left != right)).any(axis=1)
    if unit == "diagonal":
        sizes = np.where(np.isnan(sizes), _SQUARE, sizes)
    sizes[differ] = np.nan
    return sizes


def radius_of(sizes: FloatArray, tolerance: float, unit: str) -> FloatArray:
    """Tolerance in pixels, (n,)."""
    whole = np.full(len(sizes), 1.0) if unit == "pixel" else np.hypot(*sizes.T) / 100.0
    return max(tolerance, 0.0) * whole


def sides_of(lines: Any, sizes: FloatArray) -> list[FloatArray]:
    """Straight sides, in pixels, of lines of shapely in percent of images of these sizes, (k, 2, 2) for each."""
    import shapely

    parts, owner = shapely.get_parts(lines, return_index=True)
    points, part = shapely.get_coordinates(parts, return_index=True)
    points = points * sizes[owner[part]] / 100.0
    first = np.flatnonzero(part[1:] == part[:-1])
    sides = np.stack((points[first], points[first + 1]), axis=1)
    return np.split(sides, np.searchsorted(owner[part[first]], np.arange(1, len(lines))))[: len(lines)]


def line_agreement(sides: Sequence[FloatArray], left: Index, right: Index, radius: FloatArray) -> FloatArray:
    """Harmonic mean of the share of each line that lies within a distance of the other, (n,); NaN if both are empty.

    Parameters
    ----------
    sides
        Straight sides of N lines in pixels, (k, 2, 2) each: two ends, x and y.
    left, right
        Which lines to compare, (n,).
    radius
        Distance for every line, (N,).

    Examples
    --------
    >>> lines = np.array([[[0.0, 0.0], [4.0, 0.0]]]), np.array([[[0.0, 1.0], [2.0, 1.0]]])
    >>> line_agreement(lines, np.array([0]), np.array([1]), np.array([1.0, 1.0])).round(3).tolist()
    [0.667]
    """
    scores = np.full(len(left), np.nan)
    lines = [_Line(part, reach) for part, reach in zip(sides, (radius * (1.0 + _SLACK)).tolist(), strict=True)]
    for k, (i, j) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        a, b = lines[i], lines[j]
        if len(a.sides) or len(b.sides):
            there, back = a.share_near(b), b.share_near(a)
            scores[k] = 2.0 * there * back / (there + back) if there + back else there + back
    return scores


class _Line:
    """Sides of a line, and the distance up to which something is near it."""

    def __init__(self, sides: FloatArray, radius: float) -> None:
        self.sides, self._radius = sides, radius
        length = np.hypot(*(sides[:, 1] - sides[:, 0]).T)
        self._weight = length if length.any() else np.ones(len(length))

    def share_near(self, other: _Line) -> float:
        """Share of the length near another line, of points if there is none; NaN if there is too much to compare."""
        if not len(self.sides) or not len(other.sides):
            return 0.0
        covered, step = 0.0, max(1, _AT_ONCE // len(other.sides))
        for first in range(0, len(self.sides), step):
            block = slice(first, first + step)
            i, j = other.near(self.sides[block])
            if len(i) > _MOST_PAIRS:
                return np.nan
            shares = _covered(self.sides[block], other.sides, i, j, other._radius)
            covered += float(shares @ self._weight[block])
        return min(covered / float(self._weight.sum()), 1.0)

    def near(self, sides: FloatArray) -> tuple[Index, Index]:
        """Numbers of sides, and of the own ones that can lie within the distance of them, two arrays (p,)."""
        import shapely

        low, high = sides.min(axis=1) - self._radius, sides.max(axis=1) + self._radius
        i, j = self._tree.query(shapely.box(*low.T, *high.T))
        return i, j

    @cached_property
    def _tree(self) -> Any:
        import shapely

        return shapely.STRtree(shapely.linestrings(self.sides))


def _covered(sides: FloatArray, others: FloatArray, i: Index, j: Index, radius: float) -> FloatArray:
    """Share of every side that is near any of the others paired with it, (n,); 1 for a point that is near."""
    low, high = near_stretch(sides[i], others[j], radius)
    use = np.flatnonzero(low <= high)
    low, high, i = low[use], high[use], i[use]
    order = np.lexsort((low, i))
    low, high, i = low[order] + 2.0 * i[order], high[order] + 2.0 * i[order], i[order]
    before = np.concatenate(([-np.inf], np.maximum.accumulate(high)[:-1])) if len(high) else high
    fresh = np.maximum(high - np.maximum(low, before), 0.0)
    return np.bincount(i, fresh, minlength=len(sides)).astype(np.float64, copy=False)


def harmonic_mean(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """Two shares in one, 0 where both are 0, (n,)."""
    total = precision + recall
    return 2.0 * precision * recall / np.where(total == 0.0, 1.0, total)
