"""Regions: matching of large answers, masks on runs, whole studies of boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import accord
from accord.metrics.runs import Runs, RunSets
from accord.metrics.spec import METRICS
from accord.study import Study
from accord.values import Box, Kind, Region, Span
from benchmarks.timing import Call, Case

FIRST, SECOND = np.array([0]), np.array([1])


def boxes(columns: Any, labels: Any = None) -> tuple[Region, ...]:
    """One answer from x, y, width, height, (n, 4)."""
    names = labels if labels is not None else [()] * len(columns)
    return tuple(Region(Box(*box), frozenset(name)) for box, name in zip(columns.tolist(), names, strict=True))


def prepared(key: str, answers: Any) -> Any:
    """Function that scores pairs of prepared answers."""
    spec = METRICS.catalog()[key]
    options = spec.checked({})
    pool = spec.prepared(answers, options)
    return lambda i, j: spec.pairs(pool, i, j, options)


def large_answers(count: int) -> Any:
    """One image marked by two raters with ``count`` boxes each."""

    def build(scale: float) -> Mapping[str, Call]:
        n = int(count * scale)
        rng = np.random.default_rng(2)
        truth = np.column_stack((rng.random((n, 2)) * 100, (rng.random((n, 2)) * 2 + 0.1) * 100 / np.sqrt(n)))
        other = truth + np.column_stack((rng.normal(0, 20 / np.sqrt(n), (n, 2)), np.zeros((n, 2))))
        score = prepared("box_iou", [boxes(truth), boxes(other)])
        return {"accord": lambda: score(FIRST, SECOND)}

    return build


def many_pairs(key: str, regions: int) -> Any:
    """80,200 pairs of answers with a few regions each."""

    def build(scale: float) -> Mapping[str, Call]:
        rng = np.random.default_rng(3)
        answers = []
        for _ in range(max(2, int(400 * scale**0.5))):
            place, size = rng.random((regions, 2)) * 90, rng.random((regions, 2)) * 10 + 1
            names = rng.choice(list("abc"), regions).tolist()
            if key == "span_labels":
                spans = zip((2 * place[:, 0]).tolist(), (5 * size[:, 0]).tolist(), names, strict=True)
                answers.append(tuple(Region(Span(s, s + w), frozenset(name)) for s, w, name in spans))
            else:
                answers.append(boxes(np.column_stack((place, size)), names))
        score = prepared(key, answers)
        i, j = np.triu_indices(len(answers))
        return {"accord": lambda: score(i, j)}

    return build


def blob(rng: np.random.Generator, side: int = 512) -> Any:
    """Mask of three wavy discs."""
    y, x = np.mgrid[:side, :side]
    pixels = np.zeros((side, side), dtype=np.bool_)
    for _ in range(3):
        (cx, cy), radius = rng.random(2) * side, rng.random() * side / 4 + 10
        wave = 1 + 0.2 * np.sin(9 * np.arctan2(y - cy, x - cx))
        pixels |= (x - cx) ** 2 + (y - cy) ** 2 < radius**2 * wave
    return pixels


def pixel_runs(mask: Any) -> Runs:
    """Runs of a bitmap, row by row."""
    edge = np.flatnonzero(np.diff(mask.ravel(), prepend=False, append=False))
    return Runs(edge[::2], edge[1::2])


def masks(_scale: float) -> Mapping[str, Call]:
    """50 masks with 50 masks of 512 x 512 pixels, against products of the full bitmaps."""
    rng = np.random.default_rng(0)
    pixels = [blob(rng) for _ in range(100)]
    sets = RunSets([pixel_runs(mask) for mask in pixels])
    i, j = np.repeat(np.arange(50), 50), np.tile(np.arange(50, 100), 50)
    flat = np.array([mask.ravel() for mask in pixels])

    def bitmaps() -> Any:
        common = np.array([[np.count_nonzero(a & b) for b in flat[50:]] for a in flat[:50]])
        area = np.count_nonzero(flat, axis=1)
        return common / (area[:50, None] + area[50:] - common)

    return {"bitmaps": bitmaps, "accord": lambda: sets.iou(i, j)}


def whole_study(scale: float) -> Mapping[str, Call]:
    """α with its interval: images with ten boxes by each of three raters."""
    n = int(100_000 * scale)
    rng = np.random.default_rng(4)
    truth = np.concatenate((rng.random((n, 10, 2)) * 90, rng.random((n, 10, 2)) * 10 + 2), axis=2)
    labels = rng.choice(list("abcde"), (n, 10))
    values = []
    for unit in range(n):
        for _ in range(3):
            values.append(boxes(truth[unit] + rng.normal(0, 0.5, (10, 4)), labels[unit].tolist()))
    study = Study(
        unit=np.repeat(np.arange(n, dtype=np.int32), 3),
        rater=np.tile(np.arange(3, dtype=np.int32), n),
        code=np.arange(3 * n, dtype=np.int32),
        values=tuple(values),
        domain=0,
        unit_names=range(n),
        rater_names=["a", "b", "c"],
        kind=Kind.BOXES,
    )
    return {"accord": lambda: accord.krippendorff_alpha(study, similarity="box_labels")}


CASES = (
    Case("T15", "IoU of 50 with 50 masks of 512 x 512, on runs", masks, 1),
    Case("T16s", "80,200 pairs of answers with three spans each", many_pairs("span_labels", 3), seconds=0.4),
    Case("T16b", "80,200 pairs of answers with ten boxes each", many_pairs("box_labels", 10), seconds=0.8),
    Case("T17", "10⁴ boxes matched with 10⁴", large_answers(10_000), seconds=0.05),
    Case("T17l", "10⁵ boxes matched with 10⁵", large_answers(100_000), seconds=2),
    Case("T17e", "α with its interval, 10⁵ images, 3 raters, 10 boxes", whole_study, seconds=60),
)
