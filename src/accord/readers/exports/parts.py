"""Outlines of several parts, and masks given within a box: brought to one outline or one mask of the image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from accord.readers.codes import Notices
from accord.readers.exports.export import Item

#: Larger masks are no work of a hand, and would fill the memory.
MOST_PIXELS: Final = 1 << 26

Ring = Sequence[Sequence[float | None]]


def joined(rings: Sequence[Ring], notices: Notices) -> Item:
    """Value of an outline of several parts, of which each adds its area.

    Inside is what an odd number of rings surrounds, so parts that overlap are joined first.
    """
    if len(rings) > 1 and all(len(ring) > 2 and None not in (x for point in ring for x in point) for ring in rings):
        import shapely

        parts = [shapely.make_valid(shapely.Polygon(ring)) for ring in rings]
        whole = shapely.union_all(parts)
        if whole.area < sum(part.area for part in parts) * (1 - 1e-12):
            notices.add("parts-overlap", f"{len(rings)} parts")
            rings = [list(map(list, line.coords[:-1])) for line in _boundaries(whole)]
    first, *others = rings or [[[None, None]]]
    return {"points": list(first), "rings": others} if others else {"points": list(first)}


def _boundaries(shape: Any) -> list[Any]:
    import shapely

    areas = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]
    return [line for area in areas for line in (area.exterior, *area.interiors)]


def column_counts(rows: Sequence[int], corner: tuple[int, int], box: tuple[int, int], size: tuple[int, int]) -> Item:
    """Value of a mask of run lengths along the rows of a box, off first, as run lengths down the image's columns.

    Raises
    ------
    ValueError
        The run lengths do not fill the box, or the box leaves the image.
    """
    (left, top), (wide, high), (width, height) = corner, box, size
    lengths = np.asarray(rows, dtype=np.int64)
    fits = min(left, top) >= 0 and left + wide <= width and top + high <= height and min(wide, high) > 0
    if not fits or wide * high > MOST_PIXELS or (lengths < 0).any() or lengths.sum() != wide * high:
        raise ValueError(f"{lengths.sum()} pixels in a box of {wide} x {high}, image {width} x {height}")
    on = np.repeat(np.arange(len(lengths)) % 2 == 1, lengths).reshape(high, wide)
    column, row = np.nonzero(on.T)
    at = (column + left) * height + row + top
    begins = at[np.flatnonzero(np.diff(at, prepend=-2) != 1)]
    ends = at[np.flatnonzero(np.diff(at, append=width * height + 2) != 1)] + 1
    edges = np.concatenate(([0], np.column_stack((begins, ends)).ravel(), [width * height]))
    return {"counts": np.diff(edges).tolist(), "size": [height, width]}
