"""Polygons: exact overlap of areas, also with boxes and ellipses where raters used different tools."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias, cast

import numpy as np

from accord.metrics.areas import polygon_areas
from accord.metrics.boxes import shape_numbers
from accord.metrics.outlines import OVERLAP, box_rings, ellipse_rings, in_form, meet, share
from accord.metrics.ragged import Geometry, Pool
from accord.metrics.regions import answers_of, region_metrics
from accord.metrics.sizes import size_columns
from accord.values import Box, Ellipse, FloatArray, Index, Kind, Polygon, Region

Drawn: TypeAlias = tuple[Any, Hashable]
"""Area as a shapely object, and what tells whether two without area are equal."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """N outlines: areas as shapely objects, what they were drawn as, bounds (4, N), sizes of the areas."""

    shapes: Any
    drawn: tuple[Hashable, ...]
    bounds: FloatArray
    area: FloatArray


def drawn(regions: tuple[Region, ...]) -> tuple[Drawn, ...]:
    """Outline of every polygon, box or ellipse of one answer, and what it was drawn as."""
    shapes = [cast("Polygon | Box | Ellipse", region.geometry) for region in regions]
    areas = np.empty(len(shapes), dtype=object)
    polygons = [k for k, shape in enumerate(shapes) if isinstance(shape, Polygon)]
    areas[polygons] = polygon_areas([cast("Polygon", shapes[k]) for k in polygons])
    if len(polygons) < len(shapes):
        sizes = size_columns([shape.size for shape in shapes])
        for k, shape in enumerate(shapes):
            if not isinstance(shape, Polygon):
                areas[k] = _area(shape, sizes[k : k + 1])
    return tuple(zip(areas, map(_source, shapes), strict=True))


def _source(shape: Polygon | Box | Ellipse) -> Hashable:
    return (shape.points, shape.rings) if isinstance(shape, Polygon) else shape


def _area(shape: Box | Ellipse, size: FloatArray) -> Any:
    import shapely

    rings = box_rings if isinstance(shape, Box) else ellipse_rings
    numbers = np.array([shape_numbers(shape)[:5]], dtype=np.float64)
    return shapely.polygons(rings(numbers, size))[0]


def outlines(shapes: Sequence[tuple[Drawn, ...]]) -> Outlines:
    """Lay the polygons of several answers out flat."""
    import shapely

    every = tuple(chain.from_iterable(shapes))
    areas = np.empty(len(every), dtype=object)
    areas[:] = [area for area, _ in every]
    bounds = np.ascontiguousarray(shapely.bounds(areas).reshape(-1, 4).T)
    return Outlines(areas, tuple(source for _, source in every), bounds, shapely.area(areas))


def area_overlap(outlines: Outlines, left: Index, right: Index) -> FloatArray:
    """Overlap of areas in pairs, (N,); two equal polygons without area score 1, others without area NaN."""
    import shapely

    common = np.zeros(len(left))
    near = np.flatnonzero(meet(outlines.bounds[:, left], outlines.bounds[:, right]))
    common[near] = shapely.area(shapely.intersection(outlines.shapes[left[near]], outlines.shapes[right[near]]))
    score = share(common, outlines.area[left] + outlines.area[right] - common)
    sources = outlines.drawn
    for k in np.flatnonzero(np.isnan(score)).tolist():
        score[k] = 1.0 if sources[left[k]] == sources[right[k]] else np.nan
    return score


def polygon_overlap(pool: Pool, left: Index, right: Index, /, *, overlap: str = "iou") -> FloatArray:
    """Overlap of polygons in pairs, (N,)."""
    return in_form(area_overlap(pool.shapes, left, right), overlap)


region_metrics(
    "polygon_iou",
    "polygon",
    geometry=Geometry(outlines, polygon_overlap, lambda polygons: polygons.bounds, effort=20.0),
    prepare=answers_of(Polygon, Box, Ellipse, shapes=drawn),
    kinds=(Kind.POLYGONS,),
    reference="Jaccard index of areas, exact for concave rings; crossed rings by the even-odd rule",
    about="Area two polygons share over the area they cover",
    options={"overlap": OVERLAP},
)
