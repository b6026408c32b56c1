import math

import pytest

from accord.similarity.metric import similarity
from accord.similarity.native import instant, native
from accord.values import EMPTY, Box, Ellipse, KeyPoint, Polygon, Ranking, Raw, Region, Span


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, None),
        (math.nan, None),
        ("NA", "NA"),
        ({"choices": ["a", "b"]}, frozenset({"a", "b"})),
        ({"choices": "a"}, frozenset({"a"})),
        ({"choices": []}, EMPTY),
        ({"choices": [["r", "s"]]}, frozenset({("r", "s")})),
        ({"taxonomy": [["r", "s"], ["t"]]}, frozenset({("r", "s"), ("t",)})),
        ({"rating": 4}, 4.0),
        ({"number": "12.5"}, 12.5),
        ({"number": "many"}, None),
        ({"number": math.inf}, None),
        ({"selected": "left"}, "left"),
        ({"text": ["a", "b"]}, ("a", "b")),
        ({"datetime": "1991-05-22T09:17"}, "1991-05-22T09:17:00+00:00"),
        ({"ranker": ["b", "a"]}, Ranking((("rank", ("b", "a")),))),
        ({"type": "choices", "value": {"choices": ["a"]}}, frozenset({"a"})),
        ([{"choices": ["a"]}, {"choices": ["b"]}], frozenset({"a", "b"})),
        ([["r", "s"]], frozenset({("r", "s")})),
        ([], EMPTY),
        ({"unknown": 1}, None),
        ({"value": 3}, None),
    ],
)
def test_answers_without_regions(answer, expected):
    assert native(answer) == expected


@pytest.mark.parametrize(
    ("value", "geometry"),
    [
        ({"x": 1, "y": 2, "width": 3, "height": 4}, Box(1, 2, 3, 4)),
        ({"x": 1, "y": 2, "radiusX": 3, "radiusY": 4}, Ellipse(1, 2, 3, 4)),
        ({"x": 1, "y": 2, "width": 3}, KeyPoint(1, 2, 3)),
        ({"points": [[0, 0], [1, 0], [0, 1]]}, Polygon(((0, 0), (1, 0), (0, 1)))),
        ({"start": 3, "end": 15}, Span(3, 15)),
    ],
)
def test_geometry_is_recognised_by_its_keys(value, geometry):
    assert native({"value": value | {"labels": ["A"]}}) == (Region(geometry, frozenset({"A"})),)
    assert native(geometry) == (Region(geometry),)


@pytest.mark.parametrize(
    "value",
    [
        {"x": math.nan, "y": 2, "width": 3, "height": 4},
        {"x": "?", "y": 2, "width": 3},
        {"points": [[1], [2]]},
        {"ranges": [{"start": None, "end": None}]},
        {"vertices": []},
        {"rle": [300]},
        {"imageDataURL": "data:image/png;base64,?"},
        {"sequence": [{"x": 1}]},
        {"globalOffsets": None},
    ],
)
def test_broken_geometry_is_kept_whole_and_not_comparable(value):
    (region,) = native(value)
    assert isinstance(region.geometry, Raw)
    for metric in ("box_iou", "polygon_iou", "span_overlap", "keypoint_distance", "brush_iou", "video_frames"):
        assert similarity(metric, value, value) is None
    assert similarity("exact_match", value, value) == 1.0


def test_items_of_one_region_are_joined_by_id():
    items = [
        {"id": "r1", "value": {"start": 0, "end": 4, "labels": ["A"]}},
        {"id": "r1", "value": {"start": 0, "end": 4, "choices": ["yes"]}},
        {"id": "r1", "value": {"start": 0, "end": 4, "text": ["note"]}},
        {"id": "r2", "value": {"start": 5, "end": 9, "text": "what it covers", "labels": ["B"]}},
    ]
    first, second = native(items)
    assert (first.labels, first.choices, first.text) == (frozenset("A"), frozenset({"yes"}), "note")
    assert second.text is None


def test_one_spelling_for_one_moment():
    assert instant("2025-03-19T11:00+01:00") == instant("2025-03-19T10:00Z")
    assert instant("next week") == "next week"
