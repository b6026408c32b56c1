"""Brush strokes and bitmasks: true pixel overlap, computed on runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

import numpy as np

from accord.metrics.coco import list_runs, string_runs
from accord.metrics.outlines import OVERLAP, in_form
from accord.metrics.ragged import Answer, Geometry, Pool
from accord.metrics.regions import region_metrics, regions_of
from accord.metrics.rle import alpha_runs, png_runs
from accord.metrics.runs import Runs, RunSets, runs_of, union
from accord.registry import Option
from accord.values import BoolArray, FloatArray, Index, Kind, Mask, Region, Value


def runs_mask(runs: Runs, size: tuple[int, int]) -> Mask:
    """Mask of decoded pixels, kept as it is."""
    return Mask("runs", np.concatenate((runs.start, runs.stop)).tobytes(), size)


def plain_runs(data: bytes, size: tuple[int, int] | None) -> Runs:
    """Pixels of ``runs_mask``."""
    del size
    start, stop = np.frombuffer(data, dtype=np.int64).reshape(2, -1)
    return Runs(start, stop)


DECODERS: dict[str, Callable[[bytes, tuple[int, int] | None], Runs | None]] = {
    "rle": alpha_runs,
    "png": png_runs,
    "coco": string_runs,
    "coco_counts": list_runs,
    "runs": plain_runs,
}


@dataclass(frozen=True, slots=True)
class Pixels:
    """Decoded mask on a grid of a certain size."""

    runs: Runs
    size: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class PixelSets:
    """N decoded masks: pixels, width and height of the image (0 = unknown), (N, 2), and whether they are usable."""

    runs: RunSets
    sizes: Index
    usable: BoolArray

    def iou(self, left: Index, right: Index) -> FloatArray:
        """Overlap of masks in pairs, (n,); NaN if one is unusable or the images have different sizes."""
        a, b = self.sizes[left], self.sizes[right]
        alike = (a == b).all(axis=1) | (a == 0).all(axis=1) | (b == 0).all(axis=1)
        use = np.flatnonzero(alike & self.usable[left] & self.usable[right])
        score = np.full(len(left), np.nan)
        score[use] = self.runs.iou(left[use], right[use])
        return score


_UNUSABLE = Pixels(runs_of(()), None)


def decode(mask: Mask) -> Pixels | None:
    """Decode a mask; None if it cannot be decoded or does not fit its image."""
    decoder = DECODERS.get(mask.encoding)
    runs = decoder(mask.data, mask.size) if decoder else None
    return None if runs is None else Pixels(runs, mask.size)


def mask_answer(value: Value, *, merge: str = "none") -> Answer | None:
    """Answer with decoded masks; ``merge="label"`` unites the strokes of one label first."""
    regions = regions_of(Mask)(value)
    if regions is None:
        return None
    decoded = [(region, decode(cast("Mask", region.geometry))) for region in regions]
    if merge == "label":
        decoded = _by_label(decoded)
    return Answer(tuple(region for region, _ in decoded), tuple(pixels for _, pixels in decoded))


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


def pixel_sets(shapes: Sequence[tuple[Pixels | None, ...]]) -> PixelSets:
    """Lay the masks of several answers out flat."""
    every = [pixels or _UNUSABLE for pixels in chain.from_iterable(shapes)]
    sizes = np.array([pixels.size or (0, 0) for pixels in every], dtype=np.int64).reshape(-1, 2)
    usable = np.array([pixels is not _UNUSABLE for pixels in every], dtype=np.bool_)
    return PixelSets(RunSets([pixels.runs for pixels in every]), sizes, usable)


def mask_overlap(pool: Pool, left: Index, right: Index, /, *, overlap: str = "iou") -> FloatArray:
    """Overlap of masks in pairs, (N,)."""
    masks: PixelSets = pool.shapes
    return in_form(masks.iou(left, right), overlap)


region_metrics(
    "brush_iou",
    "brush",
    geometry=Geometry(pixel_sets, mask_overlap, effort=50.0),
    prepare=mask_answer,
    kinds=(Kind.MASKS,),
    reference="Jaccard index of pixels with alpha above 0",
    about="Pixels two masks share over the pixels they cover",
    options={
        "overlap": OVERLAP,
        "merge": Option("none", ("none", "label"), "label unites a rater's strokes of one label first"),
    },
)
