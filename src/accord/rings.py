"""Closed rings of points that cross themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

Points: TypeAlias = Sequence[tuple[float, float]]

#: A ring that crosses itself more often than this has no area that could be computed in reasonable time.
MOST_CROSSINGS: Final = 10_000
_AT_ONCE: Final = 16


def crosses_itself(points: Points) -> bool:
    """Whether a ring crosses or touches itself.

    Examples
    --------
    >>> crosses_itself([(0, 0), (1, 1), (1, 0), (0, 1)])
    True
    """
    import shapely

    return not shapely.is_simple(shapely.linestrings([*points, points[0]]))


def is_tangled(points: Points) -> bool:
    """Whether a ring crosses itself more than ``MOST_CROSSINGS`` times; stops counting there."""
    count = len(points)
    if count * (count - 3) // 2 <= MOST_CROSSINGS:
        return False
    import shapely

    ends = np.asarray(points, dtype=np.float64)
    sides = shapely.linestrings(np.stack((ends, np.roll(ends, -1, axis=0)), axis=1))
    tree, met = shapely.STRtree(sides), 0
    for first in range(0, count, _AT_ONCE):
        some = sides[first : first + _AT_ONCE]
        met += tree.query(some, predicate="intersects").shape[1] - 3 * len(some)  # itself and its two neighbours
        if met > 2 * MOST_CROSSINGS:
            return True
    return False
