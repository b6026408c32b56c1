"""Key points: within a distance and of one label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from accord.metrics.ragged import Geometry, Pool
from accord.metrics.regions import answers_of, region_metrics
from accord.metrics.sizes import borrowed, size_columns
from accord.registry import Option
from accord.values import FloatArray, Index, KeyPoint, Kind, Region

_TINY = 1e-9


def places(regions: tuple[Region, ...]) -> FloatArray:
    """Points of one answer: x and y in percent, width and height of the image in pixels, (n, 4)."""
    points = [cast("KeyPoint", region.geometry) for region in regions]
    percent = np.array([(point.x, point.y) for point in points], dtype=np.float64).reshape(-1, 2)
    return np.column_stack((percent, size_columns([point.size for point in points])))


def point_columns(shapes: Sequence[FloatArray]) -> FloatArray:
    """Points of several answers, (N, 4)."""
    return np.concatenate([np.empty((0, 4)), *shapes])


def point_similarity(
    pool: Pool, left: Index, right: Index, /, *, threshold: float, unit: str, score: str, sigma: float
) -> FloatArray:
    """1 where two points carry one label and lie within the distance, else 0, or exp(-d² / 2 sigma²), (N,).

    NaN in pixels if no image size is known.
    """
    a, b = pool.shapes[left], pool.shapes[right]
    x, y = a[:, :2], b[:, :2]
    if unit == "pixel":
        x, y = x * borrowed(a[:, 2:], b[:, 2:]) / 100.0, y * borrowed(b[:, 2:], a[:, 2:]) / 100.0
    distance = np.hypot(*(x - y).T)
    labels = pool.contents.labels
    if score == "oks":
        near = np.exp(-(distance**2) / (2.0 * max(sigma, _TINY) ** 2))
    else:
        near = (distance <= threshold + 1e-9).astype(np.float64)
    return np.where(np.isnan(distance), np.nan, near * (labels[left] == labels[right]))


region_metrics(
    "keypoint_distance",
    geometry=Geometry(point_columns, point_similarity),
    prepare=answers_of(KeyPoint, shapes=places),
    kinds=(Kind.KEYPOINTS,),
    reference="Share of matched points of one label within a distance",
    about="Share of key points with a partner of the same label within a distance",
    options={
        "threshold": Option(5.0, help="largest distance that still counts as the same point", stated=True),
        "unit": Option(
            "percent", ("percent", "pixel"), "percent of width and height, or pixels of the image", stated=True
        ),
        "score": Option("within", ("within", "oks"), "oks: similarity falls with the distance, exp(-d² / 2 sigma²)"),
        "sigma": Option(2.0, help="distance at which the similarity has fallen to .61 (with score=oks)"),
    },
)
