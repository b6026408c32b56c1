"""Polygons: exact overlap of areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from accord.metrics.outlines import area_iou, polygon_outline
from accord.metrics.regions import region_metrics, regions_of
from accord.values import FloatArray, Kind, Polygon, Region, Value


def polygon_regions(value: Value) -> tuple[Region, ...] | None:
    """Regions with their outlines built once."""
    regions = regions_of(Polygon)(value)
    if regions is None:
        return None
    return tuple(
        replace(region, geometry=cast("Any", polygon_outline(cast("Polygon", region.geometry)))) for region in regions
    )


def polygon_table(left: Sequence[Region], right: Sequence[Region]) -> FloatArray:
    """Overlap of outlines, (n, m)."""
    return area_iou([region.geometry for region in left], [region.geometry for region in right])


region_metrics(
    "polygon_iou",
    "polygon",
    geometry=polygon_table,
    prepare=polygon_regions,
    kinds=(Kind.POLYGONS,),
    reference="Jaccard index of areas, exact for concave rings; crossed rings by the even-odd rule",
    about="Area two polygons share over the area they cover",
)
