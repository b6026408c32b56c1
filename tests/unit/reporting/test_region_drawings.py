"""Pictures of regions: right shapes, bounded size, and nothing from the data that could act."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_reader import Page

from accord.dataset import Column, Control, Dataset, Rater
from accord.pipeline import detail, drawing
from accord.pipeline.measure import measure
from accord.reporting import render_report
from accord.reporting.drawings import canvas
from accord.reporting.drawings.paths import MOST_POINTS, Canvas, path_of
from accord.reporting.drawings.strips import pieces
from accord.values import (
    EMPTY,
    Box,
    Ellipse,
    Frames,
    KeyFrame,
    KeyPoint,
    Kind,
    Mask,
    Polygon,
    Raw,
    Region,
    Span,
    Track,
    Vector,
)

CANVAS = Canvas(520.0, 260.0)
SIZE = (200, 100)


def numbers(path):
    return [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", path.data)]


def test_a_turned_box_turns_about_its_corner_in_pixels():
    path = path_of(Box(50, 50, 10, 10, 90.0, SIZE), CANVAS)
    corners = np.array(numbers(path)).reshape(4, 2)
    assert corners.tolist() == [[260, 130], [260, 182], [234, 182], [234, 130]]
    assert (path.form, path.corner) == ("area", (234.0, 130.0))


def test_an_ellipse_keeps_its_radii_and_turn():
    path = path_of(Ellipse(50, 50, 10, 20, 30.0, SIZE), CANVAS)
    assert "A52.0 52.0 30.0" in path.data
    assert numbers(path)[:2] == pytest.approx([260 - 52 * math.cos(math.pi / 6), 130 - 26], abs=0.06)


def test_points_lines_and_rings():
    assert path_of(KeyPoint(50, 50), CANVAS).form == "dot"
    ring = path_of(Polygon(((0, 0), (10, 0), (0, 10))), CANVAS)
    assert (ring.data, ring.form) == ("M0 0 52 0 0 26Z", "area")
    assert path_of(Polygon(((0, 0), (10, 0), (0, 10)), closed=False), CANVAS).form == "line"
    holed = Polygon(((0, 0), (40, 0), (0, 40)), rings=(((5, 5), (9, 5), (5, 9)),))
    assert path_of(holed, CANVAS).data == "M0 0 208 0 0 104ZM26 13 46.8 13 26 23.4Z"
    tree = path_of(Vector((((0, 0), (50, 50)), ((0, 0), (10, 0)))), CANVAS)
    assert (tree.data, tree.form) == ("M0 0 260 130M0 0 52 0", "line")
    assert path_of(Vector(()), CANVAS) is None
    assert path_of(Raw("{}"), CANVAS) is None


def coco(mask):
    """COCO counts of a mask: columns first, zeros first."""
    flat = mask.T.ravel()
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flat, [False])).astype(np.int8)))
    counts = np.diff(np.concatenate(([0], edges, [len(flat)]))).tolist()
    return Mask("coco_counts", str(counts).encode(), (mask.shape[1], mask.shape[0]))


def area(path):
    """Area of all rings of a path, holes taken off by the direction in which they run."""
    total = 0.0
    for ring in path.data.removesuffix("Z").split("Z"):
        x, y = np.array([float(n) for n in ring.removeprefix("M").split()]).reshape(-1, 2).T
        total += float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2
    return abs(total)


@pytest.mark.parametrize("height", [50, 1000])
def test_the_outline_of_a_mask_covers_what_the_mask_covers(height):
    y, x = np.mgrid[:height, : 2 * height] / height
    ring = ((x - 1) ** 2 + (y - 0.5) ** 2 < 0.16) & ((x - 1) ** 2 + (y - 0.5) ** 2 > 0.01)
    path = path_of(coco(ring), CANVAS)
    assert path.data.count("Z") == 2, "an outer ring and a hole"
    share = area(path) / (CANVAS.width * CANVAS.height)
    assert share == pytest.approx(ring.mean(), rel=0.04)


def test_a_mask_of_noise_stays_short():
    noise = np.random.default_rng(0).random((400, 400)) < 0.5
    path = path_of(coco(noise), CANVAS)
    assert path is not None
    assert len(path.data) < 200_000
    assert path_of(Mask("rle", b"\x00\x01\x02", (10, 10)), CANVAS) is None
    assert path_of(coco(np.zeros((9, 9), dtype=bool)), CANVAS) is None


wild = st.floats(-1e60, 1e60)


@given(x=wild, y=wild, width=wild, height=wild, turn=wild, points=st.lists(st.tuples(wild, wild), max_size=300))
def test_wild_numbers_stay_near_the_picture(x, y, width, height, turn, points):
    shapes = (
        Box(x, y, width, height, turn, SIZE),
        Ellipse(x, y, width, height, turn),
        KeyPoint(x, y),
        Polygon(tuple(points)),
    )
    for shape in shapes:
        path = path_of(shape, CANVAS)
        if path is None:
            assert shape == Polygon(())
            continue
        assert max(map(abs, numbers(path))) <= 4 * CANVAS.width
        assert len(path.data) <= 20 * MOST_POINTS


def test_stretches_along_an_axis():
    assert pieces(Span(3, 9)) == ((3.0, 9.0),)
    assert pieces(Frames(((5, 6), (1, 2)))) == ((0.5, 2.5), (4.5, 6.5))
    box = Box(0, 0, 1, 1)
    keys = (KeyFrame(3, box), KeyFrame(5, box, False), KeyFrame(9, box))
    assert pieces(Track(20, keys)) == ((2.5, 5.5), (8.5, 20.5))
    assert pieces(Track(None, ())) == ()
    assert pieces(Span(-1e60, 1e60)) == ((-1e15, 1e15),)
    assert pieces(box) == ()


def dataset(kind, answers, tag="RectangleLabels", name="marks"):
    """Answers (units x raters) of one control; the last rater's name would act if it were not escaped."""
    raters = [f"rater {k}" for k in range(len(answers[0]) - 1)] + ["<script>alert(1)</script>"]
    cells = [(u, r, value) for u, row in enumerate(answers) for r, value in enumerate(row)]
    pool = {value: code for code, value in enumerate(dict.fromkeys(value for _, _, value in cells))}
    column = Column(
        control=Control(name=name, kind=kind, tag=tag),
        unit=np.array([u for u, _, _ in cells], dtype=np.int32),
        rater=np.array([r for _, r, _ in cells], dtype=np.int32),
        code=np.array([pool[value] for _, _, value in cells], dtype=np.int32),
        values=tuple(pool),
    )
    units = [f"unit {u}" for u in range(len(answers))]
    return Dataset(units=units, raters=tuple(map(Rater, raters)), columns={name: column})


def boxes(count, shift, *labels):
    return tuple(
        Region(Box(3.0 * (k % 30) + shift, 3.0 * (k // 30), 2.0, 2.0, 0.0, SIZE), frozenset(labels))
        for k in range(count)
    )


EVIL = "</text><script>alert(2)</script>"


def test_regions_are_drawn_listed_and_harmless():
    data = dataset(
        Kind.BOXES,
        [
            [boxes(2, 0.0, "car"), boxes(1, 0.5, EVIL)],
            [boxes(1, 0.0, "car"), EMPTY],
            [boxes(1, 0.0, "car"), boxes(1, 0.0, "car")],
        ],
    )
    html = render_report(measure(data, page=True), "html")
    page = Page(html)
    assert page.mismatched == []
    assert [element for element in page.elements if element.tag == "script" and "alert" in element.text] == []
    shapes = [
        element for element in page.elements if element.tag == "path" and "shape" in element.attributes.get("class", "")
    ]
    assert {element.attributes["class"] for element in shapes} == {
        "shape k-missing r1 area",
        "shape k-label r0 area",
        "shape k-label r1 area",
    }
    words = [element.text for element in page.elements if element.tag == "td"]
    assert "labels differ; overlap 0.60" in words
    assert "marked by 1 of 2" in words
    assert "not marked" in words


def test_a_page_without_content_draws_shapes_and_labels_only():
    secret = Region(Box(0, 0, 5, 5), frozenset(("car",)), text="my neighbour's car")
    other = Region(Box(0, 0, 5, 9), frozenset(("car",)), text="a red one")
    html = render_report(measure(dataset(Kind.BOXES, [[(secret,), (other,)]] * 3), page=True, content=False), "html")
    assert "neighbour" not in html
    assert "a red one" not in html
    assert 'class="shape k-boundary' in html
    assert "said about it: text" in html


def test_many_regions_raters_and_tasks_stay_bounded(monkeypatch):
    monkeypatch.setattr(detail, "DRAWN_TASKS", 4)
    monkeypatch.setattr(drawing, "DRAWN_GROUPS", 12)
    monkeypatch.setattr(drawing, "DRAWN_RATERS", 3)
    monkeypatch.setattr(canvas, "MOST_TEXT", 700)
    answers = [[boxes(20, 0.01 * u + 0.25 * r, "car") for r in range(5)] for u in range(8)]
    html = render_report(measure(dataset(Kind.BOXES, answers), page=True), "html")
    page = Page(html)
    pictures = [e for e in page.elements if e.tag == "svg" and "Regions of task" in e.attributes.get("aria-label", "")]
    assert len(pictures) == 4
    for drawn in pictures:
        shapes = [e for e in drawn.within() if e.tag == "path"]
        assert 0 < len(shapes) <= 12 * 3
        assert sum(len(e.attributes["d"]) for e in shapes) <= 700
    assert "more are not drawn" in html
    assert "2 more raters are not drawn" in html


def tracked(frame):
    return Track(50, (KeyFrame(frame, Box(0, 0, 9, 9)),))


@pytest.mark.parametrize(
    ("kind", "tag", "regions", "axis"),
    [
        (Kind.TIMELINE, "TimelineLabels", (Frames(((1, 9),)), Frames(((4, 12),))), "frame"),
        (Kind.TRACKS, "VideoRectangle", (tracked(3), tracked(9)), "frame"),
        (Kind.SPANS, "TimeSeriesLabels", (Span(1e12, 2e12), Span(1.5e12, 2e12)), "time or value, as in the data"),
        (Kind.SPANS, "HyperTextLabels", (Span(0, 0), Span(3, 3)), "character"),
        (Kind.SPANS, "Labels", (Span(0.25, 0.5, "1"), Span(0.25, 0.75, "1")), "character or second"),
    ],
)
def test_strips_have_a_row_for_each_rater(kind, tag, regions, axis):
    answers = [[(Region(shape, frozenset(("x",))),) for shape in regions], [(Region(regions[0]),), EMPTY]]
    html = render_report(measure(dataset(kind, answers, tag), page=True), "html")
    drawn = [
        e for e in Page(html).elements if e.tag == "svg" and "Regions of task" in e.attributes.get("aria-label", "")
    ]
    assert len(drawn) == 2
    words = [e.text for e in drawn[0].within() if e.tag == "text"]
    assert {"rater 0", axis} <= set(words)
    assert all(
        math.isfinite(n)
        for e in drawn[0].within()
        if e.tag == "path"
        for n in map(float, re.findall(r"[\d.]+", e.attributes["d"]))
    )


def test_kinds_without_a_place_keep_their_words():
    answers = [[(Region(Raw('{"odd": 1}'), frozenset(("x",))),), (Region(Raw('{"odd": 2}'), frozenset(("y",))),)]] * 2
    html = render_report(measure(dataset(Kind.VECTORS, answers), page=True), "html")
    assert "Regions of task" not in html
    assert Page(html).mismatched == []
