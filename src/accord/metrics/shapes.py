"""Polygons: exact overlap of areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from accord.metrics.outlines import area_iou, polygon_outline
from accord.metrics.regions import region_metrics, regions_of
from accord.values import FloatArray, Kind, Polygon, Region, Value


@dataclass(frozen=True, slots=True)
class Outline:
    """Area of a polygon, and the points it was drawn with."""

    area: Any
    points: tuple[tuple[float, float], ...]


def polygon_regions(value: Value) -> tuple[Region, ...] | None:
    """Regions with their outlines built once."""
    regions = regions_of(Polygon)(value)
    if regions is None:
        return None
    polygons = [cast("Polygon", region.geometry) for region in regions]
    outlines = [Outline(polygon_outline(polygon), polygon.points) for polygon in polygons]
    return tuple(replace(r, geometry=cast("Any", outline)) for r, outline in zip(regions, outlines, strict=True))


def polygon_table(left: Sequence[Region], right: Sequence[Region]) -> FloatArray:
    """Overlap of outlines, (n, m)."""
    a, b = [cast("Any", region.geometry) for region in left], [cast("Any", region.geometry) for region in right]
    points = [outline.points for outline in a], [outline.points for outline in b]
    return area_iou([outline.area for outline in a], [outline.area for outline in b], points)


region_metrics(
    "polygon_iou",
    "polygon",
    geometry=polygon_table,
    prepare=polygon_regions,
    kinds=(Kind.POLYGONS,),
    reference="Jaccard index of areas, exact for concave rings; crossed rings by the even-odd rule",
    about="Area two polygons share over the area they cover",
)
