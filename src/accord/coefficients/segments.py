"""Spans and frame ranges of a study as arrays: the material of the unitizing coefficients."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from accord.coefficients.spec import Options
from accord.errors import UsageError
from accord.study import Study
from accord.values import EMPTY, FloatArray, Frames, Index, Region, Span, Value

Piece: TypeAlias = tuple[float, float, str, frozenset[str]]
"""Start, end, axis and labels of one marked stretch."""


class Lengths(dict[str, float]):
    """Length of the continuum of each unit, by name of the unit."""

    def __str__(self) -> str:
        return f"{len(self)} given, {sum(self.values()):g} together"


@dataclass(frozen=True, slots=True)
class Segments:
    """N marked stretches of the answers of a study; arrays (N,).

    ``cell`` is the answer each belongs to, ``track`` numbers the continua (a unit, or one axis of a unit), ``label``
    indexes ``labels``. Stretches without length are counted in ``instants`` and left out.
    """

    cell: Index
    track: Index
    start: FloatArray
    end: FloatArray
    label: Index
    labels: tuple[frozenset[str], ...]
    track_unit: Index
    instants: int

    def __len__(self) -> int:
        return len(self.cell)


def why_no_segments(study: Study) -> str | None:
    """Why the answers are not stretches of a continuum, or None."""
    for code in np.flatnonzero(study.counts).tolist():
        value = study.values[code]
        pieces = _pieces(value)
        if pieces is None:
            return "it compares stretches of a continuum (spans or frame ranges), and these answers are something else"
        for start, end, _, _ in pieces:
            if not (math.isfinite(start) and math.isfinite(end)) or end < start:
                return f"a stretch from {start:g} to {end:g} is not a range on a continuum"
    return None


def segments_of(study: Study) -> Segments:
    """Lay out every stretch of every answer; the values must have passed ``why_no_segments``."""
    labels: dict[frozenset[str], int] = {}
    axes: dict[str, int] = {}
    used = np.flatnonzero(study.counts).tolist()
    rows: list[tuple[float, float, int, int]] = []
    size = np.zeros(study.V, dtype=np.int64)
    for code in used:
        pieces = _pieces(study.values[code]) or []
        size[code] = len(pieces)
        rows.extend(
            (start, end, axes.setdefault(axis, len(axes)), labels.setdefault(names, len(labels)))
            for start, end, axis, names in pieces
        )
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    first = np.cumsum(size) - size
    each = size[study.code]
    cell = np.repeat(np.arange(study.C), each)
    place = first[study.code[cell]] + np.arange(len(cell)) - np.repeat(np.cumsum(each) - each, each)
    start, end, axis, label = table[place].T
    keys, track = np.unique(study.unit[cell] * max(1, len(axes)) + axis.astype(np.int64), return_inverse=True)
    long = end > start
    return Segments(
        cell=cell[long],
        track=track[long],
        start=start[long],
        end=end[long],
        label=label[long].astype(np.int64),
        labels=tuple(labels),
        track_unit=keys // max(1, len(axes)),
        instants=int((~long).sum()),
    )


def check_number(options: Options, name: str, *, low: float = -math.inf, optional: bool = False) -> None:
    """Refuse an option that is no finite number of ``low`` or more.

    Raises
    ------
    UsageError
        With what was given.
    """
    given = options[name]
    if optional and given is None:
        return
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given) or given < low:
        least = "" if low == -math.inf else f" of at least {low:g}"
        raise UsageError(f"{name} must be a number{least}; got {given!r}.")


def ends(study: Study, segments: Segments, start: float, length: float | Mapping[str, float] | None) -> FloatArray:
    """End of the continuum of each unit, (U,): as given, else where the last stretch of any rater ends."""
    if length is None:
        found = np.full(study.U, start)
        np.maximum.at(found, study.unit[segments.cell], segments.end)
        return found
    if isinstance(length, Mapping):
        return start + np.array([length[name] for name in study.unit_names], dtype=np.float64)
    return np.full(study.U, start + float(length))


def why_not_inside(study: Study, start: float, length: float | Mapping[str, float] | None) -> str | None:
    """Why stretches and the given continuum contradict each other, or None."""
    if isinstance(length, Mapping):
        unknown = [name for name in study.unit_names if name not in length]
        if unknown:
            return f"no length is given for unit {unknown[0]!r}"
    segments = segments_of(study)
    last = ends(study, segments, start, length)
    if not np.isfinite(last).all() or (last < start).any():
        return "the length of a continuum must be a positive number"
    unit = study.unit[segments.cell]
    outside = np.flatnonzero((segments.start < start) | (segments.end > last[unit]))
    if len(outside):
        i = int(outside[0])
        return (
            f"unit {study.unit_names[unit[i]]!r} has a stretch from {segments.start[i]:g} to {segments.end[i]:g}, "
            f"outside its continuum from {start:g} to {last[unit[i]]:g}"
        )
    return None


def _pieces(value: Value) -> list[Piece] | None:
    """Stretches of one answer, None if it holds anything else."""
    if value is EMPTY:
        return []
    if not isinstance(value, tuple) or not all(isinstance(region, Region) for region in value):
        return None
    found: list[Piece] = []
    for region in value:
        pieces = list(_stretches(region))
        if not pieces:
            return None
        found += pieces
    return found


def _stretches(region: Region) -> Iterator[Piece]:
    geometry = region.geometry
    if isinstance(geometry, Span):
        yield float(geometry.start), float(geometry.end), geometry.axis, region.labels
    elif isinstance(geometry, Frames):
        for first, last in geometry.ranges:
            yield float(first), float(last + 1), "", region.labels
