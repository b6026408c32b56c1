"""Drawn lines: how much of each lies near the other, and how far two lines are apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

import numpy as np

from accord.metrics.frechet import continuous_frechet, discrete_frechet, frechet_within
from accord.metrics.nearness import TOLERANCE, UNIT, line_agreement, radius_of, shared_sizes, sides_of
from accord.metrics.ragged import Geometry, Pool
from accord.metrics.regions import answers_of, region_metrics
from accord.metrics.sizes import distinct_on, size_columns
from accord.registry import Option
from accord.values import FloatArray, Index, Kind, Region, Vector

_DENSE = 0.02
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Vectors:
    """N vectors: as lines of shapely in percent, and their image sizes, (N, 2)."""

    lines: Any
    sizes: FloatArray


def vector_lines(regions: tuple[Region, ...]) -> tuple[tuple[Any, ...], FloatArray]:
    """Lines and image sizes of the vectors of one answer."""
    vectors = [cast("Vector", region.geometry) for region in regions]
    return tuple(map(_as_lines, vectors)), size_columns([vector.size for vector in vectors])


def _as_lines(vector: Vector) -> Any:
    import shapely

    return shapely.multilinestrings(
        [shapely.linestrings(line * 2 if len(line) == 1 else line) for line in vector.lines]
    )


def vector_columns(shapes: Sequence[tuple[tuple[Any, ...], FloatArray]]) -> Vectors:
    """Lay the vectors of several answers out flat."""
    every = tuple(chain.from_iterable(lines for lines, _ in shapes))
    lines = np.empty(len(every), dtype=object)
    lines[:] = every
    return Vectors(lines, np.concatenate([np.empty((0, 2)), *(sizes for _, sizes in shapes)]))


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Sides of vectors in pixels of a common image, numbers of those to compare, a distance for each, which pairs."""

    sides: list[FloatArray]
    parts: Index
    left: Index
    right: Index
    radius: FloatArray
    use: Index

    @classmethod
    def of(cls, vectors: Vectors, left: Index, right: Index, distance: float, unit: str) -> _Pairs:
        import shapely

        sizes = shared_sizes(vectors.sizes[left], vectors.sizes[right], unit)
        use = np.flatnonzero(~np.isnan(sizes[:, 0]))
        numbers, images, (i, j) = distinct_on(left[use], right[use], sizes[use])
        lines = vectors.lines[numbers]
        sides = sides_of(lines, images)
        return cls(sides, shapely.get_num_geometries(lines), i, j, radius_of(images, distance, unit), use)


def vector_overlap(pool: Pool, left: Index, right: Index, /, *, tolerance: float, unit: str) -> FloatArray:
    """Agreement of lines in pairs, (N,); NaN where image sizes are unknown or differ."""
    pairs = _Pairs.of(pool.shapes, left, right, tolerance, unit)
    score = np.full(len(left), np.nan)
    score[pairs.use] = line_agreement(pairs.sides, pairs.left, pairs.right, pairs.radius)
    return score


def vector_distance(
    pool: Pool, left: Index, right: Index, /, *, threshold: float, unit: str, distance: str, score: str
) -> FloatArray:
    """1 where two lines are within a distance, else 0, or 1 less the share of it, (N,).

    NaN where image sizes are unknown or differ, and for Fréchet distances of closed or forked lines.
    """
    pairs = _Pairs.of(pool.shapes, left, right, threshold, unit)
    found = np.full(len(left), np.nan)
    if distance == "frechet" and score == "within":
        found[pairs.use] = _each(pairs, _is_within, equal=1.0)
        return found
    apart, radius = _distances(pairs, distance), pairs.radius[pairs.left]
    if score == "within":
        near = (apart <= radius + _SLACK).astype(np.float64)
    else:
        near = np.clip(1.0 - apart / np.maximum(radius, _SLACK), 0.0, 1.0)
    found[pairs.use] = np.where(np.isnan(apart), np.nan, near)
    return found


def _distances(pairs: _Pairs, distance: str) -> FloatArray:
    """Distance of every pair in pixels, (n,); of Fréchet's the smaller over both directions."""
    if distance == "hausdorff":
        import shapely

        lines = np.array([shapely.multilinestrings(sides) for sides in pairs.sides], dtype=object)
        return np.asarray(shapely.hausdorff_distance(lines[pairs.left], lines[pairs.right], densify=_DENSE))
    measure = continuous_frechet if distance == "frechet" else discrete_frechet
    return _each(pairs, lambda a, b, _: min(measure(a, b), measure(a, b[::-1])), equal=0.0)


def _is_within(a: FloatArray, b: FloatArray, radius: float) -> float:
    reach = np.array([radius + _SLACK])
    return float(frechet_within(a, b, reach)[0] or frechet_within(a, b[::-1], reach)[0])


def _each(pairs: _Pairs, measure: Callable[[FloatArray, FloatArray, float], float], *, equal: float) -> FloatArray:
    """Measure open lines without forks pair by pair, (n,); of others only equal ones can be compared."""
    paths = [_path(sides, parts) for sides, parts in zip(pairs.sides, pairs.parts.tolist(), strict=True)]
    found = np.full(len(pairs.left), np.nan)
    for k, (i, j) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        a, b = paths[i], paths[j]
        if np.array_equal(pairs.sides[i], pairs.sides[j]):
            found[k] = equal
        elif a is not None and b is not None:
            found[k] = measure(a, b, float(pairs.radius[i]))
    return found


def _path(sides: FloatArray, parts: int) -> FloatArray | None:
    """Points of an open line; None if it is closed or forked."""
    closed = len(sides) > 1 and bool((sides[0, 0] == sides[-1, 1]).all())
    return None if closed or parts != 1 else np.concatenate((sides[:1, 0], sides[:, 1]))


VECTORS = Geometry(vector_columns, vector_overlap, effort=1000.0)

region_metrics(
    "vector_overlap",
    "vector",
    geometry=VECTORS,
    prepare=answers_of(Vector, shapes=vector_lines),
    kinds=(Kind.VECTORS,),
    reference="Harmonic mean of the buffered overlaps of two lines (Goodchild and Hunter 1997)",
    about="Harmonic mean of the shares of two lines that lie near each other",
    options={"tolerance": TOLERANCE, "unit": UNIT},
)
region_metrics(
    "vector_distance",
    "vector_distance",
    geometry=Geometry(vector_columns, vector_distance, effort=5000.0),
    prepare=answers_of(Vector, shapes=vector_lines),
    kinds=(Kind.VECTORS,),
    reference="Alt and Godau 1995; Eiter and Mannila 1994 (discrete); whichever end either line was begun at",
    about="Share of lines with a partner within a distance",
    options={
        "threshold": Option(5.0, help="largest distance that still counts as the same line, in the unit", stated=True),
        "unit": UNIT,
        "distance": Option(
            "frechet",
            ("frechet", "discrete", "hausdorff"),
            "frechet: walking along both lines; discrete: from point to point; hausdorff: farthest from the other "
            "line, looked at every 2 % of each side",
            stated=True,
        ),
        "score": Option("within", ("within", "linear"), "linear: 1 less the share of the threshold, not below 0"),
    },
)
