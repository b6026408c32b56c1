"""Other forms of overlap: Dice, generalised intersection over union, similarity of key points that falls smoothly."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.similarity.metric import similarity
from accord.values import Box, Ellipse, KeyPoint, Mask, Polygon, Region


def test_dice_is_twice_the_shared_over_both():
    a, b = Box(0, 0, 10, 10), Box(5, 0, 10, 10)
    assert similarity("box_iou", a, b, overlap="dice") == pytest.approx(2 * 50 / 200)
    ring, other = Polygon(((0, 0), (4, 0), (4, 4))), Polygon(((0, 0), (4, 0), (0, 4)))
    assert similarity("polygon_iou", ring, other, overlap="dice") == pytest.approx(2 * 4 / 16)
    four = Mask("rle", bytes([0, 0, 0, 16, 57, 27, 252, 96, 19, 255, 198, 0]), (4, 1))
    assert similarity("brush_iou", four, four, overlap="dice") == 1.0


def test_generalised_overlap_of_upright_boxes():
    """Rezatofighi et al. 2019, CVPR: overlap less the uncovered share of the enclosing box, by hand."""
    a, b = Box(0, 0, 10, 10), Box(5, 5, 10, 10)
    assert similarity("box_iou", a, b, overlap="giou") == pytest.approx(max(25 / 175 - 50 / 225, 0))
    assert similarity("box_iou", a, Box(2, 2, 10, 10), overlap="giou") == pytest.approx(64 / 136 - 8 / 144)
    assert similarity("box_iou", a, a, overlap="giou") == 1.0
    assert similarity("box_iou", a, Box(20, 0, 10, 10), overlap="giou") == 0.0


boxes = st.builds(Box, st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), st.integers(1, 9))


@given(boxes, boxes, st.sampled_from([0.0, 30.0, 90.0]), st.booleans())
def test_generalised_overlap_agrees_with_shapely_on_any_shape(a, b, turn, rounded):
    from shapely.affinity import rotate, scale
    from shapely.geometry import Point, box

    def shape(one, angle):
        if rounded:
            outline = scale(Point(one.x, one.y).buffer(1.0, 512), one.width, one.height)
            return Ellipse(one.x, one.y, one.width, one.height, angle), rotate(outline, angle, (one.x, one.y))
        outline = box(one.x, one.y, one.x + one.width, one.y + one.height)
        return Box(one.x, one.y, one.width, one.height, angle), rotate(outline, angle, (one.x, one.y))

    (left, x), (right, y) = shape(a, turn), shape(b, 0.0)
    common, covered = x.intersection(y).area, x.union(y).area
    low_x, low_y, high_x, high_y = x.union(y).bounds
    plain = turn == 0.0 and not rounded
    hull = (high_x - low_x) * (high_y - low_y) if plain else x.union(y).convex_hull.area
    expected = max(common / covered - (hull - covered) / hull, 0.0) if common > 1e-9 else 0.0
    assert similarity("box_iou", left, right, overlap="giou") == pytest.approx(expected, abs=2e-3 if rounded else 1e-9)


def point(x, y, label="Nose"):
    return Region(KeyPoint(x, y, size=(200, 100)), frozenset({label}))


def test_similarity_of_points_falls_with_the_distance():
    score = {"score": "oks", "sigma": 5}
    assert similarity("keypoint_distance", point(10, 10), point(13, 14), **score) == pytest.approx(math.exp(-0.5))
    assert similarity("keypoint_distance", point(10, 10), point(10, 10), **score) == 1.0
    assert similarity("keypoint_distance", point(10, 10), point(10, 10, "Eye"), **score) == 0.0
    pixels = similarity("keypoint_distance", point(10, 10), point(13, 10), unit="pixel", **score)
    assert pixels == pytest.approx(np.exp(-(6**2) / 50))


def test_polygons_meet_the_boxes_and_ellipses_of_other_tools():
    square = Polygon(((10, 10), (30, 10), (30, 30), (10, 30)))
    assert similarity("polygon_iou", square, Box(10, 10, 20, 20)) == pytest.approx(1.0)
    assert similarity("polygon_iou", square, Box(20, 10, 20, 20)) == pytest.approx(1 / 3)
    assert similarity("polygon_iou", square, Ellipse(20, 20, 10, 10)) == pytest.approx(math.pi / 4, abs=1e-4)
    turned = Polygon(((50, 25), (50, 85), (40, 85), (40, 25)))
    assert similarity("polygon_iou", turned, Box(50, 25, 30, 20, 90, (800, 400))) == pytest.approx(1.0)
    assert similarity("polygon_iou", Box(0, 0, 0, 0), Box(0, 0, 0, 0)) == 1.0
    assert similarity("polygon_iou", Box(0, 0, 0, 0), square) == 0.0
    assert similarity("box_iou", Box(10, 10, 20, 20), square) is None, "boxes are compared with boxes"
