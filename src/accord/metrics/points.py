"""Key points: within a distance and of one label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from accord.metrics.regions import content_labels, region_metrics, regions_of
from accord.registry import Option
from accord.values import FloatArray, KeyPoint, Kind, Region


def point_table(left: Sequence[Region], right: Sequence[Region], *, threshold: float, unit: str) -> FloatArray:
    """1 where two points carry one label and lie within the distance, else 0, (n, m).

    NaN in pixels if no image size is known.
    """
    points = [cast("KeyPoint", region.geometry) for region in (*left, *right)]
    known = next((point.size for point in points if point.size), None)
    if unit == "pixel" and known is None:
        return np.full((len(left), len(right)), np.nan)
    places = np.array([_place(point, known if unit == "pixel" else None) for point in points])
    gap = places[: len(left), None, :] - places[None, len(left) :, :]
    near = np.hypot(gap[..., 0], gap[..., 1]) <= threshold + 1e-9
    alike = np.array([[content_labels(a) == content_labels(b) for b in right] for a in left])
    return (near & alike).astype(np.float64)


def _place(point: KeyPoint, size: tuple[int, int] | None) -> tuple[float, float]:
    if size is None:
        return point.x, point.y
    width, height = point.size or size
    return point.x * width / 100.0, point.y * height / 100.0


region_metrics(
    "keypoint_distance",
    geometry=point_table,
    prepare=regions_of(KeyPoint),
    kinds=(Kind.KEYPOINTS,),
    reference="Share of matched points of one label within a distance",
    about="Share of key points with a partner of the same label within a distance",
    options={
        "threshold": Option(5.0, help="largest distance that still counts as the same point"),
        "unit": Option("percent", ("percent", "pixel"), "percent of width and height, or pixels of the image"),
    },
)
