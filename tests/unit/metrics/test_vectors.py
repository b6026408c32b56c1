"""Drawn lines: read as the editor shows them, compared by nearness and by distance."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.metrics.frechet import continuous_frechet, discrete_frechet, frechet_within
from accord.metrics.nearness import line_agreement
from accord.readers.vertices import CURVE_STEPS, vector_lines
from accord.similarity.metric import similarity
from accord.values import Region, Vector

points = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda p: (float(p[0]), float(p[1])))
paths = st.lists(points, min_size=2, max_size=5).map(np.array)


def vector(*places, closed=False, size=(100, 100)):
    return Vector(vector_lines([{"x": x, "y": y} for x, y in places], closed=closed), size)


def test_vertices_follow_each_other():
    assert vector((0, 0), (4, 0), (4, 4)).lines == (((0, 0), (4, 0), (4, 4)),)
    assert vector((0, 0), (4, 0), (4, 4), closed=True).lines[0][-1] == (0, 0)
    assert vector((1, 2)).lines == (((1, 2),),)


def test_a_skeleton_is_cut_at_its_forks():
    names = [("a", None), ("b", "a"), ("c", "b"), ("d", "b"), ("e", "d"), ("z", None)]
    vertices = [
        {"id": name, "x": k, "y": 0, **({"prevPointId": before} if before else {})}
        for k, (name, before) in enumerate(names)
    ]
    lines = vector_lines(vertices, closed=False)
    assert sorted(tuple(x for x, _ in line) for line in lines) == [(0, 1), (1, 2), (1, 3, 4), (5,)]


def test_curves_go_through_their_ends_and_bend_towards_their_handles():
    a = {"x": 0, "y": 0, "isBezier": True, "controlPoint2": {"x": 0, "y": 10}}
    b = {"x": 10, "y": 0, "isBezier": True, "controlPoint1": {"x": 10, "y": 10}}
    (line,) = vector_lines([a, b], closed=False)
    assert len(line) == CURVE_STEPS + 1
    assert line[0] == (0, 0)
    assert line[-1] == (10, 0)
    assert line[CURVE_STEPS // 2] == pytest.approx((5, 7.5))
    (half,) = vector_lines([a, {"x": 10, "y": 0}], closed=False)
    assert half[CURVE_STEPS // 2] == pytest.approx((0.375 * 7 + 0.125 * 10, 3.75))
    assert len(vector_lines([{**a, "isBezier": False}, {"x": 10, "y": 0}], closed=False)[0]) == 2


@pytest.mark.parametrize(
    "vertices",
    [
        None,
        [],
        "x",
        [1],
        [{"x": 1}],
        [{"x": 1, "y": math.nan}],
        [{"id": "a", "x": 1, "y": 1, "prevPointId": "lost"}],
        [{"id": "a", "x": 1, "y": 1, "prevPointId": "b"}, {"id": "b", "x": 2, "y": 1, "prevPointId": "a"}],
    ],
)
def test_broken_vertices_are_no_lines(vertices):
    assert vector_lines(vertices, closed=True) is None


@given(paths, paths, st.floats(0, 5))
@settings(max_examples=40)
def test_nearness_is_that_of_many_points(a, b, radius):
    def share(one, other):
        sides = np.stack((one[:-1], one[1:]), axis=1)
        t = (np.arange(400) + 0.5) / 400
        lengths = np.hypot(*(one[1:] - one[:-1]).T)
        weights = lengths if lengths.any() else np.ones(len(lengths))
        near = []
        for start, stop in sides:
            places = start + (stop - start) * t[:, None]
            apart = np.full(len(t), np.inf)
            for p, q in pairwise(other):
                square = ((q - p) ** 2).sum()
                u = np.clip(((places - p) @ (q - p)) / square, 0, 1) if square else np.zeros(len(t))
                apart = np.minimum(apart, np.hypot(*(places - p - u[:, None] * (q - p)).T))
            near.append((apart <= radius + 1e-9).mean())
        return float(np.array(near) @ weights / weights.sum())

    precision, recall = share(a, b), share(b, a)
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    sides = [np.stack((path[:-1], path[1:]), axis=1) for path in (a, b)]
    found = line_agreement(sides, np.array([0]), np.array([1]), np.array([radius, radius]))[0]
    assert found == pytest.approx(expected, abs=0.01)


@given(paths, paths)
def test_the_discrete_distance_is_its_recursion(a, b):
    @cache
    def apart(i, j):
        before = [(k, m) for k, m in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if k >= 0 and m >= 0]
        return max(math.dist(a[i], b[j]), min((apart(*place) for place in before), default=0.0))

    assert discrete_frechet(a, b) == pytest.approx(apart(len(a) - 1, len(b) - 1))


@given(paths, paths)
@settings(max_examples=40)
def test_the_continuous_distance_is_the_limit_of_the_discrete_one(a, b):
    def dense(path):
        steps = np.linspace(0, 1, 60, endpoint=False)[:, None]
        return np.concatenate([p + (q - p) * steps for p, q in pairwise(path)] + [path[-1:]])

    found = continuous_frechet(a, b)
    limit = discrete_frechet(dense(a), dense(b))
    assert found <= discrete_frechet(a, b) + 1e-9
    assert found - 1e-7 <= limit <= found + 0.2
    if found > 1e-3:
        assert frechet_within(a, b, np.array([found + 1e-6, found - 1e-3])).tolist() == [True, False]


def test_distances_of_lines():
    long = vector((0, 0), (50, 0), (100, 0))
    beside = vector((100, 3), (0, 3))
    for distance in ("frechet", "hausdorff"):
        options = {"distance": distance, "unit": "pixel"}
        assert similarity("vector_distance", long, beside, threshold=3, **options) == 1.0
        assert similarity("vector_distance", long, beside, threshold=2.9, **options) == 0.0
        assert similarity("vector_distance", long, beside, threshold=6, score="linear", **options) == pytest.approx(0.5)
    options = {"distance": "discrete", "unit": "pixel", "score": "linear"}
    assert similarity("vector_distance", long, beside, threshold=100, **options) == pytest.approx(
        1 - math.hypot(50, 3) / 100
    )


def test_closed_and_forked_lines_have_no_walk_from_end_to_end():
    ring = vector((0, 0), (50, 0), (50, 50), closed=True)
    other = vector((0, 1), (50, 0), (50, 50), closed=True)
    assert similarity("vector_distance", ring, other) is None
    assert similarity("vector_distance", ring, ring) == 1.0
    assert similarity("vector_distance", ring, other, distance="hausdorff") == 1.0
    assert similarity("vector_overlap", ring, other) == pytest.approx(1.0)


def test_nearness_of_lines_with_labels():
    a, b = vector((0, 0), (100, 0)), vector((0, 1), (50, 1))
    assert similarity("vector_overlap", a, b, tolerance=1, unit="pixel") == pytest.approx(2 / 3)
    assert similarity("vector_labels", (Region(a, frozenset("x")),), (Region(b, frozenset("y")),)) == 0.0
    assert similarity("vector_overlap", vector((5, 5)), vector((5, 6)), tolerance=1, unit="pixel") == 1.0
    assert similarity("vector_overlap", a, vector((0, 0), (9, 9), size=(50, 50))) is None
    assert similarity("vector_overlap", vector((0, 0), (1, 1), size=None), a, unit="pixel") is not None


def test_result_items_are_read():
    value = {"vertices": [{"x": 0, "y": 0}, {"x": 10, "y": 0}], "closed": False, "vectorlabels": ["a"]}
    assert similarity("vector_labels", {"value": value}, {"value": {**value, "vectorlabels": ["a"]}}) == 1.0
