"""COCO's run lengths, down the columns of an image, as runs along its rows, without ever building the image."""

from __future__ import annotations

import json

import numpy as np

from accord.metrics.rle import MAX_PIXELS
from accord.metrics.runs import Runs, merged
from accord.metrics.sizes import Size
from accord.values import BoolArray, Index

MAX_RUNS = 1 << 24
_LONGEST = 7


def string_runs(data: bytes, size: Size | None) -> Runs | None:
    """Pixels of a compressed COCO string, row by row; None if it does not fit its image.

    Every number is written in groups of five bits, lowest first, plus 48; from the fourth on it is the difference to
    the number two places before.
    """
    numbers = _numbers(np.frombuffer(data, dtype=np.uint8).astype(np.int64) - 48)
    if numbers is None:
        return None
    numbers[1::2] = np.cumsum(numbers[1::2])
    numbers[2::2] = np.cumsum(numbers[2::2])
    return column_runs(numbers, size)


def list_runs(data: bytes, size: Size | None) -> Runs | None:
    """Pixels of a JSON list of run lengths, row by row; None if it does not fit its image."""
    try:
        counts = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(counts, list) or not all(type(n) is int and 0 <= n <= MAX_PIXELS for n in counts):
        return None
    return column_runs(np.array(counts, dtype=np.int64), size)


def _numbers(groups: Index) -> Index | None:
    if len(groups) == 0 or groups.min() < 0 or groups.max() > 63 or groups[-1] & 32:
        return None
    first = np.concatenate(([0], np.flatnonzero(~groups[:-1] & 32) + 1))
    length = np.diff(first, append=len(groups))
    if length.max() > _LONGEST:
        return None
    place = 5 * (np.arange(len(groups)) - np.repeat(first, length))
    negative = (groups[first + length - 1] & 16) > 0
    return np.add.reduceat((groups & 31) << place, first) - np.where(negative, 1 << 5 * length, 0)


def column_runs(counts: Index, size: Size | None) -> Runs | None:
    """Pixels of alternating run lengths, off first, down the columns; None if they do not fill the image."""
    if size is None or size[0] * size[1] > MAX_PIXELS or (counts < 0).any() or counts.sum() != size[0] * size[1]:
        return None
    ends = np.cumsum(counts)
    starts, stops = ends[:-1:2], ends[1::2]
    return turned(merged(np.column_stack((starts, stops))[stops > starts]), *size)


def turned(runs: Runs, width: int, height: int) -> Runs | None:
    """Runs down the columns as runs along the rows; None if there would be too many.

    A run along a row starts where a pixel is set and its left neighbour, one column height before, is not.
    """
    starts = _without(runs, Runs(runs.start + height, runs.stop + height))
    stops = _without(Runs(runs.start + height, runs.stop + height), runs)
    if starts.length > MAX_RUNS:
        return None
    first, last = (np.sort(_along_rows(_members(edge), width, height)) for edge in (starts, stops))
    return merged(np.column_stack((first, last)))


def _along_rows(places: Index, width: int, height: int) -> Index:
    return places % height * width + places // height


def _members(runs: Runs) -> Index:
    length = runs.stop - runs.start
    return np.arange(runs.length) + np.repeat(runs.start - (np.cumsum(length) - length), length)


def _without(a: Runs, b: Runs) -> Runs:
    """Numbers in ``a`` that are not in ``b``."""
    edges = np.sort(np.concatenate((a.start, a.stop, b.start, b.stop)))
    if len(edges) == 0:
        return a
    edges = edges[np.concatenate(([True], edges[1:] != edges[:-1]))]
    use = _inside(a, edges[:-1]) & ~_inside(b, edges[:-1])
    return Runs(edges[:-1][use], edges[1:][use])


def _inside(runs: Runs, places: Index) -> BoolArray:
    """Whether numbers are in a set."""
    before = np.searchsorted(runs.start, places, "right") - 1
    return np.asarray((before >= 0) & (places < runs.stop[np.maximum(before, 0)])) if len(runs.start) else places < 0
