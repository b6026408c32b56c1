"""Areas inside rings of points, by the even-odd rule: a place is inside if an odd number of turns surrounds it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Final

import numpy as np

from accord.rings import Points, is_tangled
from accord.values import BoolArray, FloatArray, Polygon

#: Faces up to which sides that lie on one another count once, as ``shapely.make_valid`` has it.
MOST_REPAIRED: Final = 1_000
_RETRACED: Final = 1e-9
_AT_ONCE: Final = 1 << 18


def polygon_areas(polygons: Sequence[Polygon]) -> Any:
    """Area inside the rings of every polygon as shapely objects, (n,); of rings with fewer than three points none."""
    rings: list[Points] = [ring for polygon in polygons for ring in (polygon.points, *polygon.rings)]
    areas = ring_areas(rings)
    if len(rings) == len(polygons):
        return areas
    import shapely

    ends = np.cumsum([1 + len(polygon.rings) for polygon in polygons])
    found = np.empty(len(polygons), dtype=object)
    for k, parts in enumerate(np.split(areas, ends[:-1])):
        found[k] = parts[0] if len(parts) == 1 else _faces(reduce(shapely.symmetric_difference, parts))
    return found


def ring_areas(rings: Sequence[Points]) -> Any:
    """Area inside every ring, (n,); empty where there are fewer than three points, or far too many crossings."""
    import shapely

    areas = np.empty(len(rings), dtype=object)
    areas[:] = [shapely.Polygon()] * len(rings)
    use = np.array([k for k, ring in enumerate(rings) if len(set(ring)) >= 3], dtype=np.int64)
    if not len(use):
        return areas
    points = [rings[k] for k in use.tolist()]
    flat = np.array([point for ring in points for point in ring], dtype=np.float64)
    owner = np.repeat(np.arange(len(points)), [len(ring) for ring in points])
    made = shapely.polygons(shapely.linearrings(flat, indices=owner))
    for k in np.flatnonzero(~shapely.is_valid(made)).tolist():
        made[k] = shapely.Polygon() if is_tangled(points[k]) else _even_odd(points[k])
    areas[use] = made
    return areas


def _even_odd(points: Points) -> Any:
    """Area of a ring that crosses itself, put together from the faces between its sides.

    Where sides lie on one another they count once, up to a limit: so a ring traced twice keeps its area.
    """
    import shapely

    line = shapely.linestrings([*points, points[0]])
    sides = shapely.unary_union(line)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(sides)))
    retraced = shapely.length(sides) < (1.0 - _RETRACED) * shapely.length(line)
    if retraced and len(faces) <= MOST_REPAIRED:
        return _faces(shapely.make_valid(shapely.Polygon(points)))
    places = shapely.get_coordinates(shapely.point_on_surface(faces))
    return shapely.coverage_union_all(faces[surrounded(places, np.asarray(points, dtype=np.float64))])


def surrounded(places: FloatArray, ring: FloatArray) -> BoolArray:
    """Whether a ring (k, 2) goes round each place (n, 2) an odd number of times, (n,): sides on a ray to the right.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> surrounded(np.array([[1.0, 1.0], [3.0, 1.0]]), square).tolist()
    [True, False]
    """
    (x, y), (to_x, to_y) = ring.T, np.roll(ring, -1, axis=0).T
    inside = np.empty(len(places), dtype=np.bool_)
    step = max(1, _AT_ONCE // len(ring))
    rise = np.where(to_y == y, 1.0, to_y - y)
    for first in range(0, len(places), step):
        px, py = places[first : first + step].T[..., None]
        straddles = (y > py) != (to_y > py)
        left = px < x + (py - y) * (to_x - x) / rise
        inside[first : first + step] = np.count_nonzero(straddles & left, axis=1) % 2 == 1
    return inside


def _faces(shape: Any) -> Any:
    """Keep the parts that have an area: a repaired ring may also hold lines and points."""
    import shapely

    parts = shapely.get_parts(shapely.get_parts(shape))
    return shapely.multipolygons(parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON])
