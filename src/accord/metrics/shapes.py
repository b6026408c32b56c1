"""Polygons: exact overlap of areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import numpy as np

from accord.metrics.outlines import OVERLAP, in_form, meet, polygon_outline, share
from accord.metrics.ragged import Geometry, Pool
from accord.metrics.regions import answers_of, region_metrics
from accord.values import FloatArray, Index, Kind, Polygon, Region

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Outlines:
    """N polygons: areas as shapely objects, the points they were drawn with, bounds (4, N), sizes of the areas."""

    shapes: Any
    points: tuple[Points, ...]
    bounds: FloatArray
    area: FloatArray


def drawn(regions: tuple[Region, ...]) -> tuple[tuple[Any, Points], ...]:
    """Outline of every polygon of one answer, and the points it was drawn with."""
    polygons = [cast("Polygon", region.geometry) for region in regions]
    return tuple((polygon_outline(polygon), polygon.points) for polygon in polygons)


def outlines(shapes: Sequence[tuple[tuple[Any, Points], ...]]) -> Outlines:
    """Lay the polygons of several answers out flat."""
    import shapely

    every = tuple(chain.from_iterable(shapes))
    areas = np.empty(len(every), dtype=object)
    areas[:] = [area for area, _ in every]
    bounds = np.ascontiguousarray(shapely.bounds(areas).reshape(-1, 4).T)
    return Outlines(areas, tuple(points for _, points in every), bounds, shapely.area(areas))


def polygon_overlap(pool: Pool, left: Index, right: Index, /, *, overlap: str = "iou") -> FloatArray:
    """Overlap of areas in pairs, (N,); two equal polygons without area score 1, others without area NaN."""
    import shapely

    polygons: Outlines = pool.shapes
    common = np.zeros(len(left))
    near = np.flatnonzero(meet(polygons.bounds[:, left], polygons.bounds[:, right]))
    a, b = polygons.shapes[left[near]], polygons.shapes[right[near]]
    common[near] = shapely.area(shapely.intersection(a, b))
    score = share(common, polygons.area[left] + polygons.area[right] - common)
    points = polygons.points
    for k in np.flatnonzero(np.isnan(score)).tolist():
        score[k] = 1.0 if points[left[k]] == points[right[k]] else np.nan
    return in_form(score, overlap)


region_metrics(
    "polygon_iou",
    "polygon",
    geometry=Geometry(outlines, polygon_overlap, lambda polygons: polygons.bounds, effort=20.0),
    prepare=answers_of(Polygon, shapes=drawn),
    kinds=(Kind.POLYGONS,),
    reference="Jaccard index of areas, exact for concave rings; crossed rings by the even-odd rule",
    about="Area two polygons share over the area they cover",
    options={"overlap": OVERLAP},
)
