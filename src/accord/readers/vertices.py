"""Lines through the vertices of a drawn vector: chains and trees, straight or curved as the editor shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeAlias

from accord.values import finite

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]

CURVE_STEPS: Final = 16
#: A handle that is not there stands three tenths of the way along the straight side.
_HANDLE: Final = 0.3


def vector_lines(vertices: Any, *, closed: bool) -> tuple[Line, ...] | None:
    """Lines through vertices, curves in 16 straight steps; None if there are no usable vertices.

    Parameters
    ----------
    vertices
        Objects with ``x``, ``y`` and maybe ``id``, ``prevPointId`` (else the one before), ``isBezier`` and the
        handles ``controlPoint1`` (towards the vertex before) and ``controlPoint2`` (towards the next one).
    closed
        Whether the last vertex is joined to the first.

    Examples
    --------
    >>> vector_lines([{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 1, "y": 1}], closed=True)
    (((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)),)
    """
    if not isinstance(vertices, list | tuple) or not all(isinstance(vertex, Mapping) for vertex in vertices):
        return None
    places = [place for place in map(_point, vertices) if place is not None]
    before = _before(vertices)
    if not vertices or len(places) < len(vertices) or before is None:
        return None
    chains = _chains(before)
    if closed and len(chains) == 1 and len(vertices) > 1:
        chains[0].append(chains[0][0])
    if {k for chain in chains for k in chain} != set(range(len(vertices))):
        return None
    return tuple(_line([(vertices[k], places[k]) for k in chain]) for chain in chains)


def _before(vertices: Sequence[Mapping[str, Any]]) -> list[int | None] | None:
    """Number of the vertex that each one is joined to, None for those that start a line; None if ids do not fit."""
    if not any(vertex.get("prevPointId") for vertex in vertices):
        return [k - 1 if k else None for k in range(len(vertices))]
    numbers = {str(vertex["id"]): k for k, vertex in enumerate(vertices) if vertex.get("id") is not None}
    named = [vertex.get("prevPointId") for vertex in vertices]
    if any(name and str(name) not in numbers for name in named):
        return None
    return [numbers[str(name)] if name else None for name in named]


def _chains(before: Sequence[int | None]) -> list[list[int]]:
    """Cut a tree at its forks: every side once."""
    following: dict[int, list[int]] = {}
    for k, previous in enumerate(before):
        if previous is not None:
            following.setdefault(previous, []).append(k)
    starts = [k for k, previous in enumerate(before) if previous is None or len(following.get(k, ())) > 1]
    return [
        _chain(start, child, following)
        for start in starts
        for child in following.get(start, () if before[start] is not None else (None,))
    ]


def _chain(start: int, child: int | None, following: Mapping[int, Sequence[int]]) -> list[int]:
    """Vertices from a start or fork to the next fork or end."""
    chain = [start]
    while child is not None:
        chain.append(child)
        children = following.get(child, ())
        child = children[0] if len(children) == 1 else None
    return chain


def _line(chain: Sequence[tuple[Mapping[str, Any], Point]]) -> Line:
    line = [chain[0][1]]
    for (previous, a), (vertex, b) in pairwise(chain):
        leaving, arriving = _handle(previous, "controlPoint2"), _handle(vertex, "controlPoint1")
        if leaving or arriving:
            line += _curve(a, leaving, arriving, b)
        line.append(b)
    return tuple(line)


def _curve(a: Point, leaving: Point | None, arriving: Point | None, b: Point) -> list[Point]:
    """Points between the ends of a cubic Bézier curve."""
    along = ((b[0] - a[0]) * _HANDLE, (b[1] - a[1]) * _HANDLE)
    c = leaving or (a[0] + along[0], a[1] + along[1])
    d = arriving or (b[0] - along[0], b[1] - along[1])
    points = []
    for step in range(1, CURVE_STEPS):
        t, u = step / CURVE_STEPS, 1.0 - step / CURVE_STEPS
        parts = (u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t)
        x, y = (sum(part * point[k] for part, point in zip(parts, (a, c, d, b), strict=True)) for k in (0, 1))
        points.append((x, y))
    return points


def _handle(vertex: Mapping[str, Any], key: str) -> Point | None:
    handle = vertex.get(key)
    return _point(handle) if vertex.get("isBezier") is True and isinstance(handle, Mapping) else None


def _point(given: Mapping[str, Any]) -> Point | None:
    x, y = finite(given.get("x")), finite(given.get("y"))
    return None if x is None or y is None else (x, y)
