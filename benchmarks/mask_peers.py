"""Boxes and masks against the packages that are used for them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from accord.metrics.boxes import box_columns, upright_iou
from accord.metrics.overlapping import overlapping
from accord.metrics.ragged import REGION_PAIRS
from accord.metrics.rle import alpha_runs
from accord.metrics.runs import RunSets
from benchmarks.comparison import Comparison, Measure
from benchmarks.geometry import blob, pixel_runs

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from harbour_masks import brush

SIDE = 512
BOXES, BRUSH = ("pycocotools boxes",), ("label-studio-sdk brush",)


def all_pairs(first: int, second: int) -> tuple[np.ndarray, np.ndarray]:
    """Each of the first with each of the second."""
    return np.repeat(np.arange(first), second), np.tile(np.arange(first, first + second), first)


def boxes(count: int) -> Callable[[], np.ndarray]:
    """``count`` boxes of each of two raters, (2, count, 4)."""

    def data() -> np.ndarray:
        random = np.random.default_rng(5)
        return np.concatenate((random.random((2, count, 2)) * 90, random.random((2, count, 2)) * 10 + 1), axis=2)

    return data


def box_overlaps(made: np.ndarray) -> Measure:
    """All overlaps that are not 0, found as in matching: among every pair of few boxes, among those near of many."""
    count = made.shape[1]
    sides = box_columns([np.pad(table, ((0, 0), (0, 4))) for table in made]).sides

    def measure() -> float:
        if count * count > REGION_PAIRS:
            first, second = overlapping(sides[:, :count], sides[:, count:])
            return float(upright_iou(sides, first, second + count).sum())
        return float(upright_iou(sides, *all_pairs(count, count)).sum())

    return measure


def masks() -> np.ndarray:
    """50 masks of each of two raters, (100, 512, 512)."""
    random = np.random.default_rng(0)
    return np.array([blob(random, SIDE) for _ in range(100)])


def mask_table(made: np.ndarray) -> Measure:
    sets = RunSets([pixel_runs(mask) for mask in made])
    return lambda: float(sets.iou(*all_pairs(50, 50)).sum())


def strokes(side: int) -> Callable[[], np.ndarray]:
    """The bytes of a brush on a square image."""
    return lambda: np.array(brush(blob(np.random.default_rng(1), side)), dtype=np.uint8)


def decoded(side: int) -> Callable[[np.ndarray], Measure]:
    def prepare(made: np.ndarray) -> Measure:
        data = made.tobytes()

        def measure() -> float:
            runs = alpha_runs(data, (side, side))
            assert runs is not None
            return float(runs.length)

        return measure

    return prepare


COMPARISONS = (
    *(
        Comparison(f"T16: IoU of {count:,} with {count:,} boxes (1/1.7)", box_overlaps, boxes(count), BOXES)
        for count in (100, 1_000, 5_000)
    ),
    Comparison("T15: IoU of 50 with 50 masks of 512 x 512, on runs (1/2.5)", mask_table, masks, ("pycocotools masks",)),
    *(
        Comparison(f"a brush of {side:,} x {side:,} decoded (20)", decoded(side), strokes(side), BRUSH)
        for side in (512, 2_048)
    ),
)
