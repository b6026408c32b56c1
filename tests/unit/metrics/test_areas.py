"""Areas of polygons against a sweep that knows no geometry library: strips between all corners and crossings."""

import math
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

import accord
from accord.metrics.areas import MOST_REPAIRED, polygon_areas
from accord.rings import MOST_CROSSINGS, crosses_itself, is_tangled
from accord.similarity.metric import compare_regions
from accord.values import Polygon


def apart(points):
    """Corners moved a little, each in its own way, so that no two sides lie on one another."""
    return tuple((x + 0.0137 * math.sin(7.3 * k + x), y + 0.0119 * math.cos(5.1 * k + y)) for k, (x, y) in points)


corners = st.tuples(st.integers(0, 40), st.integers(0, 40))
rings = st.lists(corners, min_size=3, max_size=9).map(lambda points: apart(enumerate(points)))


def sides(ring):
    return list(zip(ring, (*ring[1:], ring[0]), strict=True))


def heights(*outlines):
    """Heights of all corners, and of all places where two sides cross."""
    every = [side for outline in outlines for ring in outline for side in sides(ring)]
    found = {point[1] for side in every for point in side}
    for k, ((ax, ay), (bx, by)) in enumerate(every):
        for (cx, cy), (dx, dy) in every[:k]:
            turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
            if turn:
                along = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
                found |= {ay + along * (by - ay)} if 0 <= along <= 1 else set()
    return sorted(found)


def inside(outline, y):
    """Stretches of a line at height y that lie inside by the even-odd rule."""
    cuts = sorted(
        ax + (y - ay) * (bx - ax) / (by - ay)
        for ring in outline
        for (ax, ay), (bx, by) in sides(ring)
        if (ay > y) != (by > y)
    )
    return list(zip(cuts[::2], cuts[1::2], strict=True))


def swept(first, second=None):
    """Area inside one outline, or inside both."""
    total = 0.0
    edges = heights(first, *([second] if second else []))
    for low, high in pairwise(edges):
        y = (low + high) / 2
        width = sum(
            max(0.0, min(b, d) - max(a, c))
            for a, b in inside(first, y)
            for c, d in (inside(second, y) if second else [(-math.inf, math.inf)])
        )
        total += width * (high - low)
    return total


@given(st.lists(st.tuples(rings, st.lists(rings, max_size=2)), min_size=1, max_size=4))
def test_areas_are_those_of_the_even_odd_rule(polygons):
    areas = polygon_areas([Polygon(ring, rings=tuple(more)) for ring, more in polygons])
    assert shapely.is_valid(areas).all()
    expected = [swept((ring, *more)) for ring, more in polygons]
    np.testing.assert_allclose(shapely.area(areas), expected, rtol=1e-9, atol=1e-7)


@given(rings, rings)
def test_overlap_is_shared_over_covered_area(a, b):
    common, total = swept((a,), (b,)), swept((a,)) + swept((b,))
    assume(total > 1e-3)
    left, right = ({"points": [list(point) for point in ring], "closed": True} for ring in (a, b))
    found = accord.similarity("polygon_iou", [left], [right])
    assert found == pytest.approx(common / (total - common), abs=1e-6)


@given(st.lists(rings, min_size=1, max_size=3))
def test_a_ring_may_start_anywhere_and_run_either_way(many):
    turned = [ring[2:] + ring[:2] for ring in many]
    plain, other, back = (
        shapely.area(polygon_areas([Polygon(ring) for ring in version]))
        for version in (many, turned, [ring[::-1] for ring in many])
    )
    np.testing.assert_allclose(plain, other, atol=1e-9)
    np.testing.assert_allclose(plain, back, atol=1e-9)


def scribble(points, wobble, seed=1):
    angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
    circle = np.column_stack((50 + 40 * np.cos(angle), 50 + 40 * np.sin(angle)))
    return tuple(map(tuple, (circle + np.random.default_rng(seed).normal(0, wobble, circle.shape)).tolist()))


def test_a_freehand_line_of_many_points_has_its_area():
    ring = scribble(3_000, 0.3)
    assert crosses_itself(ring)
    (area,) = polygon_areas([Polygon(ring)])
    assert area.is_valid
    assert area.area == pytest.approx(math.pi * 40**2, rel=0.01)


def test_a_ring_traced_twice_keeps_its_area():
    ring = scribble(30, 0.0)
    once, twice = polygon_areas([Polygon(ring), Polygon(ring + ring)])
    assert twice.area == pytest.approx(once.area, rel=1e-12)


def test_sides_on_one_another_count_each_where_there_are_very_many_faces():
    ring = scribble(2_500, 0.4)
    assert len(shapely.get_parts(shapely.polygonize([shapely.node(shapely.linearrings(ring))]))) > MOST_REPAIRED
    (area,) = polygon_areas([Polygon(ring + ring)])
    assert area.area == pytest.approx(0.0, abs=1e-9)


def tangle(points):
    return tuple(map(tuple, (np.random.default_rng(0).random((points, 2)) * 100).tolist()))


@pytest.mark.parametrize("points", [400, 20_000])
def test_a_tangle_has_no_area_and_costs_no_time(points):
    ring = tangle(points)
    assert is_tangled(ring)
    assert polygon_areas([Polygon(ring)])[0].is_empty
    left, right = ({"points": [list(p) for p in r]} for r in (ring, ring[::-1]))
    assert compare_regions("polygon_iou", [left], [right]).score is None
    assert accord.similarity("polygon_iou", [left], [left]) == 1.0


def test_rings_below_the_limit_are_no_tangles():
    star = tuple((50 + 40 * math.cos(2.8 * k), 50 + 40 * math.sin(2.8 * k)) for k in range(140))
    assert crosses_itself(star)
    assert not is_tangled(star)
    assert MOST_CROSSINGS >= 140 * 137 / 2
    assert not is_tangled(scribble(5_000, 0.0))


def test_rings_without_three_different_points_are_empty():
    areas = polygon_areas([Polygon(()), Polygon(((1.0, 1.0),)), Polygon(((1.0, 1.0), (2.0, 2.0)) * 4)])
    assert shapely.is_empty(areas).all()
    assert len(polygon_areas([])) == 0
