"""Shapes drawn with different tools, and their boundaries, against bitmaps and plain loops."""

import base64
import io
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from accord.metrics.areas import polygon_areas
from accord.metrics.grids import grown, in_rows, pixels_inside, rim
from accord.metrics.overlays import both, without
from accord.metrics.runs import runs_of
from accord.similarity.metric import similarity
from accord.values import Box, Ellipse, Mask, Polygon, Region

WIDTH, HEIGHT = 7, 5
bitmaps = st.lists(st.booleans(), min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT).map(
    lambda bits: np.array(bits).reshape(HEIGHT, WIDTH)
)
steps = st.integers(-3, 23)
#: Corners such that no side runs through the centre of a pixel, which would belong to either side.
corners = st.tuples(steps.map(lambda k: 5.03 * k + 0.3713), steps.map(lambda k: 4.97 * k + 0.1379))
rings = st.lists(corners, min_size=3, max_size=6).map(tuple)


def png(bitmap):
    """Bitmask as the editor stores it."""
    height, width = bitmap.shape
    picture = np.zeros((height, width, 4), dtype=np.uint8)
    picture[..., 3] = bitmap * 255
    stream = io.BytesIO()
    Image.fromarray(picture, "RGBA").save(stream, "PNG")
    return Mask("png", stream.getvalue(), (width, height))


def inside(polygon, width=WIDTH, height=HEIGHT):
    """Pixels whose centre lies in a polygon, one by one."""
    area = polygon_areas([polygon])[0]
    x, y = np.meshgrid((np.arange(width) + 0.5) * 100 / width, (np.arange(height) + 0.5) * 100 / height)
    return shapely.contains_xy(area, x, y)


def iou(a, b):
    return (a & b).sum() / (a | b).sum() if (a | b).any() else None


def edge(bitmap):
    """Pixels with a neighbour that is off or outside, one by one."""
    padded = np.pad(bitmap, 1)
    around = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    return np.argwhere(bitmap & ~around)


def boundary_f1(a, b, radius):
    one, other = edge(a), edge(b)
    if not len(one) or not len(other):
        return float(len(one) == len(other))
    apart = np.hypot(*(one[:, None] - other[None]).transpose(2, 0, 1))
    precision, recall = ((apart.min(axis=axis) <= radius).mean() for axis in (1, 0))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@given(st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_sets_of_runs_are_sets(a, b, c):
    runs = [runs_of((n, n + 1) for n in numbers) for numbers in (a, b, c)]
    for found, expected in ((both(runs), a & b & c), (without(runs[0], runs[1]), a - b)):
        assert {n for s, e in zip(found.start, found.stop, strict=True) for n in range(s, e)} == expected


@given(rings, st.lists(rings, max_size=2))
def test_a_pixel_belongs_to_an_outline_if_its_centre_does(ring, more):
    polygon = Polygon(ring, rings=tuple(more))
    runs = pixels_inside(polygon_areas([polygon])[0], (WIDTH, HEIGHT))
    found = np.zeros(WIDTH * HEIGHT, dtype=bool)
    for start, stop in zip(runs.start, runs.stop, strict=True):
        found[start:stop] = True
    assert (found.reshape(HEIGHT, WIDTH) == inside(polygon)).all()


@given(bitmaps, st.floats(0, 4))
def test_rims_and_what_lies_near_them(bitmap, radius):
    flat = np.diff(np.concatenate(([0], bitmap.ravel().astype(int), [0])))
    margin = max(1, int(radius))
    stride = WIDTH + 2 * margin
    rows = in_rows(runs_of(zip(np.flatnonzero(flat == 1), np.flatnonzero(flat == -1), strict=True)), WIDTH, margin)

    def pixels(runs):
        numbers = [n for s, e in zip(runs.start.tolist(), runs.stop.tolist(), strict=True) for n in range(s, e)]
        return {(n // stride, n % stride - margin) for n in numbers}

    on_edge = set(map(tuple, edge(bitmap).tolist()))
    assert pixels(rim(rows, stride)) == on_edge
    near = pixels(grown(rim(rows, stride), radius, stride))
    for row in range(HEIGHT):
        for column in range(WIDTH):
            distance = min((math.dist((row, column), place) for place in on_edge), default=math.inf)
            assert ((row, column) in near) == (distance <= radius)


@given(bitmaps, rings)
def test_a_polygon_meets_a_mask_on_its_pixels(bitmap, ring):
    polygon = Polygon(ring, size=(WIDTH, HEIGHT))
    expected = iou(bitmap, inside(polygon))
    for pair in ((png(bitmap), polygon), (polygon, png(bitmap))):
        found = similarity("shape_iou", *pair)
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-12))


@given(bitmaps, bitmaps, st.floats(0, 3))
def test_boundaries_of_masks(a, b, radius):
    found = similarity("boundary_f1", png(a), png(b), tolerance=radius, unit="pixel")
    assert found == pytest.approx(boundary_f1(a, b, radius), abs=1e-12)


@given(bitmaps, rings)
def test_the_boundary_of_a_polygon_beside_a_mask(bitmap, ring):
    shape = inside(Polygon(ring))
    found = similarity("boundary_f1", png(bitmap), Polygon(ring), tolerance=1.0, unit="pixel")
    if not bitmap.any() and not shape.any():
        assert found is None
    else:
        assert found == pytest.approx(boundary_f1(bitmap, shape, 1.0), abs=1e-12)


def test_boxes_and_ellipses_meet_polygons_and_masks():
    box = Box(20, 20, 40, 40, size=(10, 10))
    square = Polygon(((20.0, 20.0), (60.0, 20.0), (60.0, 60.0), (20.0, 60.0)), size=(10, 10))
    bitmap = np.zeros((10, 10), dtype=bool)
    bitmap[2:6, 2:6] = True
    for a in (box, square, png(bitmap)):
        for b in (box, square, png(bitmap)):
            for metric in ("shape_iou", "boundary_f1"):
                assert similarity(metric, a, b) == pytest.approx(1.0, abs=1e-12)
    circle = Ellipse(40, 40, 20, 20, size=(10, 10))
    assert similarity("shape_iou", box, circle) == pytest.approx(math.pi / 4, abs=1e-3)
    assert similarity("shape_iou", png(bitmap), circle) == pytest.approx(12 / 16)
    assert similarity("shape_iou", png(bitmap), circle, overlap="dice") == pytest.approx(24 / 28)


def test_boundaries_of_outlines_by_length():
    a = Box(0, 0, 40, 40, size=(100, 100))
    b = Box(0, 0, 40, 42, size=(100, 100))
    assert similarity("boundary_f1", a, b, tolerance=2, unit="pixel") == 1.0
    # the far side of a is near the last pixel of both long sides of b, and the other way round
    share_a, share_b = (40 + 80 + 2) / 160, (40 + 82) / 164
    expected = 2 * share_a * share_b / (share_a + share_b)
    assert similarity("boundary_f1", a, b, tolerance=1, unit="pixel") == pytest.approx(expected, abs=1e-6)
    assert similarity("boundary_f1", a, b, tolerance=1) == similarity(
        "boundary_f1", a, b, tolerance=math.hypot(100, 100) / 100, unit="pixel"
    )


def test_what_has_no_common_image_is_not_comparable():
    mask = png(np.ones((4, 3), dtype=bool))
    box = {"x": 0, "y": 0, "width": 100, "height": 100}
    assert similarity("shape_iou", mask, Box(0, 0, 100, 100)) == 1.0
    assert similarity("shape_iou", mask, Box(0, 0, 100, 100, size=(4, 3))) is None
    assert similarity("boundary_f1", mask, Box(0, 0, 100, 100, size=(4, 3))) is None
    assert similarity("shape_iou", Mask("rle", b"\x00", (3, 4)), box) is None
    assert similarity("boundary_f1", box, box, unit="pixel") is None
    assert similarity("boundary_f1", box, box) == 1.0
    assert similarity("boundary_f1", Box(0, 0, 9, 9, size=(9, 9)), Box(0, 0, 9, 9, size=(8, 9))) is None


def test_labels_and_tools_at_once():
    mask = png(np.ones((4, 4), dtype=bool))
    a = (Region(mask, frozenset("x")), Region(Box(0, 0, 50, 50), frozenset("y")))
    b = (Region(Polygon(((0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0))), frozenset("y")),)
    assert similarity("shape_labels", a, b) == pytest.approx(0.5)
    assert similarity("brush_labels", a[:1], (Region(mask, frozenset("z")),)) == 0.0
    assert similarity("brush_labels", a[:1], a[:1]) == 1.0


def test_holes_and_parts_of_geojson():
    square = [[0, 0], [40, 0], [40, 40], [0, 40], [0, 0]]
    hole = [[10, 10], [30, 10], [30, 30], [10, 30], [10, 10]]
    apart = [[60, 60], [80, 60], [80, 80], [60, 80], [60, 60]]
    whole = {"type": "Polygon", "coordinates": [square]}
    holed = {"type": "Polygon", "coordinates": [square, hole]}
    several = {"type": "MultiPolygon", "coordinates": [[square, hole], [apart]]}
    for metric in ("polygon_iou", "shape_iou"):
        assert similarity(metric, whole, holed) == pytest.approx(1200 / 1600)
        assert similarity(metric, holed, several) == pytest.approx(1200 / 1600)
        assert similarity(metric, several, several) == pytest.approx(1.0)


def test_a_stretch_of_blank_rows_costs_no_memory_of_pixels():
    """An image of 2^28 pixels of which one row is painted: nothing is laid out but its runs."""
    size = (1 << 14, 1 << 14)
    row = Polygon(((0.0, 50.0), (100.0, 50.0), (100.0, 50.01), (0.0, 50.01)), size=size)
    counts = [5 * size[0], size[0], size[0] ** 2 - 6 * size[0]]
    mask = Mask("coco_counts", str(counts).encode(), size)
    assert similarity("boundary_f1", mask, row, tolerance=2, unit="pixel") is not None


def test_bitmasks_of_an_export():
    bitmap = np.zeros((3, 4), dtype=bool)
    bitmap[1, 1:3] = True
    url = "data:image/png;base64," + base64.b64encode(png(bitmap).data).decode()
    item = {"original_width": 4, "original_height": 3, "value": {"imageDataURL": url, "bitmasklabels": ["P"]}}
    box = {"x": 25, "y": 100 / 3, "width": 25, "height": 100 / 3}
    assert similarity("brush_iou", item, item) == 1.0
    assert similarity("shape_iou", item, box) == pytest.approx(0.5)
