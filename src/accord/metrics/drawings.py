"""Boxes, ellipses, polygons and masks in one answer, as raters draw the same things with different tools.

Two outlines are compared as they are. As soon as one side is a mask, both are sets of pixels of its image: a pixel
belongs to an outline if its centre does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias, cast

import numpy as np

from accord.metrics.grids import pixels_inside
from accord.metrics.masks import Pixels, PixelSets, decode, pixel_sets
from accord.metrics.outlines import OVERLAP, in_form
from accord.metrics.ragged import Answer, Geometry, Pool
from accord.metrics.regions import region_metrics, regions_of
from accord.metrics.runs import Runs, RunSets
from accord.metrics.shapes import Drawn, Outlines, area_overlap, drawn, outlines
from accord.metrics.sizes import Size, distinct_on
from accord.values import BoolArray, Box, Ellipse, FloatArray, Index, Kind, Mask, Polygon, Region, Value

Drawing: TypeAlias = tuple[Drawn, Size | None] | Pixels | None
DRAWN_KINDS = (Kind.BOXES, Kind.ELLIPSES, Kind.POLYGONS, Kind.MASKS)


@dataclass(frozen=True, slots=True)
class Drawings:
    """N outlines and masks: outlines (empty for masks), masks (unusable for outlines), image sizes (NaN = unknown)."""

    outlines: Outlines
    pixels: PixelSets
    is_mask: BoolArray
    sizes: FloatArray

    def on_grid(self, number: int, size: Size) -> Runs | None:
        """Pixels of one drawing on an image; None if it is an unusable mask, or needs too many runs."""
        if not self.is_mask[number]:
            return pixels_inside(self.outlines.shapes[number], size)
        return self.pixels.runs.alone(number) if self.pixels.usable[number] else None


def drawings_of(value: Value) -> Answer | None:
    """Answer whose regions are boxes, ellipses, polygons or masks; None for any other."""
    regions = regions_of(Box, Ellipse, Polygon, Mask)(value)
    if regions is None:
        return None
    areas = iter(drawn(tuple(region for region in regions if not isinstance(region.geometry, Mask))))
    return Answer(regions, tuple(_drawing(region, areas) for region in regions))


def _drawing(region: Region, areas: Any) -> Drawing:
    shape = region.geometry
    return decode(shape) if isinstance(shape, Mask) else (next(areas), cast("Any", shape).size)


def drawing_columns(shapes: Sequence[tuple[Drawing, ...]]) -> Drawings:
    """Lay the drawings of several answers out flat."""
    import shapely

    every = tuple(chain.from_iterable(shapes))
    is_mask = np.array([not isinstance(one, tuple) for one in every], dtype=np.bool_)
    nothing: Drawn = (shapely.Polygon(), None)
    sizes = [one[1] if isinstance(one, tuple) else one.size if one else None for one in every]
    return Drawings(
        outlines([tuple(one[0] if isinstance(one, tuple) else nothing for one in every)]),
        pixel_sets([tuple(None if isinstance(one, tuple) else one for one in every)]),
        is_mask,
        np.array([size or (np.nan, np.nan) for size in sizes], dtype=np.float64).reshape(-1, 2),
    )


def grid_sizes(drawings: Drawings, left: Index, right: Index) -> FloatArray:
    """Size of the image of each pair in which a mask takes part, (n, 2); NaN if unknown, or if both sides differ."""
    a, b = drawings.sizes[left], drawings.sizes[right]
    sizes = np.where(np.isnan(a), b, a)
    masks_without = (drawings.is_mask[left] & np.isnan(a[:, 0])) | (drawings.is_mask[right] & np.isnan(b[:, 0]))
    sizes[(~np.isnan(b) & (sizes != b)).any(axis=1) | masks_without] = np.nan
    return sizes


def drawing_overlap(pool: Pool, left: Index, right: Index, /, *, overlap: str = "iou") -> FloatArray:
    """Overlap of drawings in pairs, (N,); NaN where a mask is unusable or images have different or unknown sizes."""
    drawings: Drawings = pool.shapes
    a, b = drawings.is_mask[left], drawings.is_mask[right]
    score = np.full(len(left), np.nan)
    for use, measure in (
        (np.flatnonzero(~a & ~b), lambda i, j: area_overlap(drawings.outlines, i, j)),
        (np.flatnonzero(a & b), drawings.pixels.iou),
        (np.flatnonzero(a != b), lambda i, j: _overlap_on_grid(drawings, i, j)),
    ):
        if len(use):
            score[use] = measure(left[use], right[use])
    return in_form(score, overlap)


def _overlap_on_grid(drawings: Drawings, left: Index, right: Index) -> FloatArray:
    """Overlap of a mask and an outline in pairs, (n,); NaN if neither holds a pixel."""
    sizes = grid_sizes(drawings, left, right)
    score = np.full(len(left), np.nan)
    use = np.flatnonzero(~np.isnan(sizes[:, 0]))
    numbers, grids, (i, j) = distinct_on(left[use], right[use], sizes[use])
    rows = zip(numbers.tolist(), grids.astype(np.int64).tolist(), strict=True)
    found = [drawings.on_grid(number, (width, height)) for number, (width, height) in rows]
    sets = RunSets([runs if runs is not None else NO_PIXELS for runs in found])
    known = np.array([runs is not None for runs in found], dtype=np.bool_)
    filled = (sets.length[i] + sets.length[j]) > 0
    score[use] = np.where(known[i] & known[j] & filled, sets.iou(i, j), np.nan)
    return score


NO_PIXELS = Runs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))

region_metrics(
    "shape_iou",
    "shape",
    geometry=Geometry(drawing_columns, drawing_overlap, effort=50.0),
    prepare=drawings_of,
    kinds=DRAWN_KINDS,
    reference="Jaccard index of areas; of pixels, by their centres, where one side is a mask",
    about="Area two shapes share over the area they cover, whatever tools they were drawn with",
    options={"overlap": OVERLAP},
)
