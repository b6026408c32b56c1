"""Brush strokes and bitmasks: true pixel overlap, computed on runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from accord.metrics.regions import region_metrics, regions_of
from accord.metrics.rle import alpha_runs, png_runs
from accord.metrics.runs import Runs, iou, union
from accord.registry import Option
from accord.values import FloatArray, Kind, Mask, Region, Value

DECODERS: dict[str, Callable[[bytes, tuple[int, int] | None], Runs | None]] = {"rle": alpha_runs, "png": png_runs}


@dataclass(frozen=True, slots=True)
class Pixels:
    """Decoded mask on a grid of a certain size."""

    runs: Runs
    size: tuple[int, int] | None


def decode(mask: Mask) -> Pixels | None:
    """Decode a mask; None if it cannot be decoded or does not fit its image."""
    decoder = DECODERS.get(mask.encoding)
    runs = decoder(mask.data, mask.size) if decoder else None
    return None if runs is None else Pixels(runs, mask.size)


def overlap(a: Pixels | None, b: Pixels | None) -> float:
    """Intersection over union of pixels; NaN if a mask is unusable or the images have different sizes."""
    if a is None or b is None or (a.size and b.size and a.size != b.size):
        return np.nan
    return iou(a.runs, b.runs)


def mask_regions(value: Value, *, merge: str = "none") -> tuple[Region, ...] | None:
    """Regions with decoded masks; ``merge="label"`` unites the strokes of one label first."""
    regions = regions_of(Mask)(value)
    if regions is None:
        return None
    decoded = [(region, decode(cast("Mask", region.geometry))) for region in regions]
    if merge == "label":
        decoded = _by_label(decoded)
    return tuple(replace(region, geometry=cast("Any", pixels)) for region, pixels in decoded)


def _by_label(decoded: Sequence[tuple[Region, Pixels | None]]) -> list[tuple[Region, Pixels | None]]:
    """One region per label set; a label with an unusable stroke is unusable."""
    groups: dict[frozenset[str], list[tuple[Region, Pixels | None]]] = {}
    for region, pixels in decoded:
        groups.setdefault(region.labels, []).append((region, pixels))
    return [(group[0][0], _united([pixels for _, pixels in group])) for group in groups.values()]


def _united(strokes: Sequence[Pixels | None]) -> Pixels | None:
    usable = [pixels for pixels in strokes if pixels is not None]
    sizes = {pixels.size for pixels in usable}
    if len(usable) < len(strokes) or len(sizes) > 1:
        return None
    return Pixels(union([pixels.runs for pixels in usable]), sizes.pop())


def mask_table(left: Sequence[Region], right: Sequence[Region]) -> FloatArray:
    """Overlap of decoded masks, (n, m); NaN where masks cannot be compared."""
    a, b = [cast("Any", region.geometry) for region in left], [cast("Any", region.geometry) for region in right]
    return np.array([[overlap(x, y) for y in b] for x in a])


region_metrics(
    "brush_iou",
    "brush",
    geometry=mask_table,
    prepare=mask_regions,
    kinds=(Kind.MASKS,),
    reference="Jaccard index of pixels with alpha above 0",
    about="Pixels two masks share over the pixels they cover",
    options={"merge": Option("none", ("none", "label"), "label unites a rater's strokes of one label first")},
)
