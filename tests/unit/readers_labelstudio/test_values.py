"""Every type of answer as the value that stands for it."""

import base64
import math

import pytest

from accord.values import (
    Box,
    Ellipse,
    Frames,
    KeyFrame,
    KeyPoint,
    Kind,
    Link,
    Mask,
    Polygon,
    Ranking,
    Raw,
    Region,
    Span,
    Track,
    Vector,
)

#: What a picture of 4 x 1 pixels begins with.
PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x04\x00\x00\x00\x01"


def item(value, type_="", name="c", to="o", **more):
    return {"id": "r1", "from_name": name, "to_name": to, "type": type_, "value": value, **more}


@pytest.mark.parametrize(
    ("value", "type_", "expected"),
    [
        ({"choices": ["A"]}, "choices", "A"),
        ({"choices": "A"}, "choices", "A"),
        ({"choices": ["A", "B"]}, "choices", frozenset("AB")),
        ({"choices": [["A", "B"], ["A", "C"]]}, "choices", frozenset({("A", "B"), ("A", "C")})),
        ({"taxonomy": [["A", "B"], ["C"]]}, "taxonomy", frozenset({("A", "B"), ("C",)})),
        ({"taxonomy": ["A"]}, "taxonomy", frozenset({("A",)})),
        ({"rating": 4}, "rating", 4),
        ({"rating": 3.5}, "rating", 3.5),
        ({"rating": "4"}, "rating", 4),
        ({"number": 12.5}, "number", 12.5),
        ({"number": "7"}, "number", 7.0),
        ({"datetime": "1991-05-22T09:17"}, "datetime", "1991-05-22T09:17:00"),
        ({"datetime": "1991-05-22"}, "datetime", "1991-05-22"),
        ({"datetime": "09:17"}, "datetime", "09:17:00"),
        ({"datetime": "2024"}, "datetime", "2024"),
        ({"datetime": "2024-03-01T10:00:00+02:00"}, "datetime", "2024-03-01T08:00:00+00:00"),
        ({"datetime": "soon"}, "datetime", "soon"),
        ({"text": ["line"]}, "textarea", "line"),
        ({"text": "bare"}, "textarea", "bare"),
        ({"text": ["one", "", "two"]}, "textarea", ("one", "two")),
        ({"selected": "left"}, "pairwise", "left"),
        ({"ranker": {"rank": ["b", "a"]}}, "ranker", Ranking((("rank", ("b", "a")),))),
        ({"ranker": {"best": ["a"], "_": ["b"]}}, "ranker", Ranking((("_", ("b",)), ("best", ("a",))))),
        ({"ranker": ["b", "a"]}, "ranker", Ranking((("c", ("b", "a")),))),
        ({"chatmessage": {"role": "u", "content": "x"}}, "chatmessage", Raw('{"content":"x","role":"u"}')),
        ({"reactcode": {"b": 1, "a": [2]}}, "reactcode", Raw('{"a":[2],"b":1}')),
        ({"weird": 1}, "custom", Raw('{"weird":1}')),
    ],
)
def test_answer(answer, value, type_, expected):
    assert answer(item(value, type_)) == expected


def region(geometry, *labels, **more):
    return Region(geometry, frozenset(labels), **more)


@pytest.mark.parametrize(
    ("value", "type_", "more", "expected"),
    [
        ({"start": 3, "end": 5, "text": "ab", "labels": ["P"]}, "labels", {}, region(Span(3, 5), "P")),
        ({"start": 1.5, "end": 2.5, "channel": 0, "labels": ["P"]}, "labels", {}, region(Span(1.5, 2.5), "P")),
        ({"start": 1.5, "end": 2.5, "labels": ["P"]}, "labels", {"original_length": 9}, region(Span(1.5, 2.5), "P")),
        ({"start": 1.5, "end": 2.5, "channel": 1, "labels": ["P"]}, "labels", {}, region(Span(1.5, 2.5, "1"), "P")),
        (
            {"start": "/p[1]/text()[1]", "end": "/p[2]/text()[1]", "startOffset": 1, "endOffset": 2,
             "globalOffsets": {"start": 7, "end": 9}, "hypertextlabels": ["P"]},
            "hypertextlabels", {}, region(Span(7, 9), "P"),
        ),
        (
            {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 1, "endOffset": 4, "labels": ["P"]},
            "labels", {}, region(Span(1, 4, "/p[1]/text()[1]"), "P"),
        ),
        (
            {"start": 10, "end": 10, "instant": True, "timeserieslabels": ["P"]},
            "timeserieslabels", {}, region(Span(10, 10), "P"),
        ),
        (
            {"start": "2020-01-01T00:00:00", "end": "2020-01-01T00:00:01", "instant": False, "timeserieslabels": ["P"]},
            "timeserieslabels", {}, region(Span(1577836800000, 1577836801000), "P"),
        ),
        (
            {"ranges": [{"start": 3, "end": 5}, {"start": 7, "end": None}], "timelinelabels": ["P"]},
            "timelinelabels", {}, region(Frames(((3, 5), (7, 7))), "P"),
        ),
        (
            {"x": 1, "y": 2, "width": 3, "height": 4, "rectanglelabels": ["P"]},
            "rectanglelabels", {"original_width": 100, "original_height": 50},
            region(Box(1, 2, 3, 4, 0, (100, 50)), "P"),
        ),
        ({"x": 1, "y": 2, "width": 3, "height": 4, "rotation": 30}, "rectangle", {}, region(Box(1, 2, 3, 4, 30))),
        (
            {"x": 9, "y": 2, "width": -3, "height": 4, "rectanglelabels": ["P"]},
            "rectanglelabels", {}, region(Box(6, 2, 3, 4), "P"),
        ),
        (
            {"x": 1, "y": 2, "radiusX": 3, "radiusY": 4, "rotation": 5, "ellipselabels": ["P"]},
            "ellipselabels", {}, region(Ellipse(1, 2, 3, 4, 5), "P"),
        ),
        (
            {"points": [[0, 0], [1, 0], [1, 1]], "closed": False, "polygonlabels": ["P"]},
            "polygonlabels", {}, region(Polygon(((0, 0), (1, 0), (1, 1)), False), "P"),
        ),
        (
            {"x": 1, "y": 2, "width": 0.5, "keypointlabels": ["P"]},
            "keypointlabels", {}, region(KeyPoint(1, 2, 0.5), "P"),
        ),
        (
            {"format": "rle", "rle": [0, 0, 0, 16, 57], "brushlabels": ["P"]},
            "brushlabels", {"original_width": 2, "original_height": 2},
            region(Mask("rle", bytes([0, 0, 0, 16, 57]), (2, 2)), "P"),
        ),
        (
            {"imageDataURL": "data:image/png;base64," + base64.b64encode(PICTURE).decode(), "bitmasklabels": ["P"]},
            "bitmasklabels", {}, region(Mask("png", PICTURE), "P"),
        ),
        (
            {"framesCount": 9, "sequence": [
                {"frame": 5, "x": 1, "y": 2, "width": 3, "height": 4, "enabled": False},
                {"frame": 1, "x": 1, "y": 2, "width": 3, "height": 4, "rotation": 7},
                {"frame": 5, "x": 2, "y": 2, "width": 3, "height": 4, "enabled": False}], "labels": ["P"]},
            "videorectangle", {},
            region(Track(9, (KeyFrame(1, Box(1, 2, 3, 4, 7)), KeyFrame(5, Box(2, 2, 3, 4), False))), "P"),
        ),
        (
            {"vertices": [{"id": "a", "x": 1, "y": 2}], "closed": True, "vectorlabels": ["P"]},
            "vectorlabels", {}, region(Vector((((1, 2),),)), "P"),
        ),
        ({"start": 0, "end": 2, "text": "ab", "labels": []}, "labels", {}, region(Span(0, 2))),
    ],
)  # fmt: skip
def test_region(answer, value, type_, more, expected):
    found = answer(item(value, type_, **more))
    assert found == (expected,)
    assert found[0].id == "r1"


@pytest.mark.parametrize(
    ("value", "type_", "kind"),
    [
        ({"start": 0, "end": 1, "text": "a", "labels": ["P"]}, "labels", Kind.SPANS),
        ({"x": 1, "y": 2, "width": 3, "height": 4, "labels": ["P"]}, "labels", Kind.BOXES),
        ({"x": 1, "y": 2, "labels": ["P"]}, "labels", Kind.KEYPOINTS),
        ({"sequence": [], "framesCount": 3, "labels": ["P"]}, "videorectangle", Kind.TRACKS),
        ({"rle": [0, 0, 0, 4, 1], "format": "rle"}, "labels", Kind.MASKS),
    ],
)
def test_kind_is_told_by_the_keys_not_by_the_type(load, value, type_, kind):
    tasks = [{"id": 1, "annotations": [{"id": 1, "completed_by": 1, "result": [item(value, type_)]}]}]
    assert load(tasks)["c"].control.kind is kind


def test_two_items_of_one_region_are_two_controls_with_one_geometry(load):
    geometry = {"x": 1, "y": 2, "width": 3, "height": 4}
    result = [
        item(geometry, "rectangle", name="box"),
        item({**geometry, "labels": ["P"]}, "labels", name="label"),
    ]
    dataset = load([{"id": 1, "annotations": [{"id": 1, "completed_by": 1, "result": result}]}])
    assert dataset["box"].values[0] == (region(Box(1, 2, 3, 4)),)
    assert dataset["label"].values[0] == (region(Box(1, 2, 3, 4), "P"),)


def test_answers_about_a_region_go_into_the_region(load):
    span = {"start": 0, "end": 5, "text": "Acme "}
    result = [
        item({**span, "labels": ["ORG"]}, "labels", name="ner"),
        item({**span, "choices": ["firm"]}, "choices", name="type"),
        item({"start": 0, "end": 5, "text": ["note", "more"]}, "textarea", name="note"),
        item({**span, "rating": 4}, "rating", name="sure"),
        item({**span, "choices": ["x"]}, "choices", name="second"),
    ]
    dataset = load([{"id": 1, "annotations": [{"id": 1, "completed_by": 1, "result": result}]}])
    assert list(dataset.columns) == ["ner"]
    expected = region(
        Span(0, 5),
        "ORG",
        choices=frozenset({"firm"}),
        text="note more",
        attributes=(("second", '["x"]'), ("sure", "4")),
    )
    assert dataset["ner"].values[0] == (expected,)
    assert dataset.report.codes["per-region"] == 4


def test_per_region_by_config_without_geometry_in_the_value(answer):
    xml = (
        "<View><Text name='t' value='$t'/><Labels name='ner' toName='t'><Label value='A'/></Labels>"
        "<Choices name='q' toName='t' perRegion='true'><Choice value='x'/></Choices></View>"
    )
    found = answer(
        item({"start": 0, "end": 5, "labels": ["A"]}, "labels", name="ner", to="t"),
        item({"choices": ["x"]}, "choices", name="q", to="t"),
        config=xml,
        control="ner",
    )
    assert found == (region(Span(0, 5), "A", choices=frozenset("x")),)


def test_answer_about_a_region_that_is_not_there_is_counted(load):
    lost = {**item({"start": 0, "end": 5, "choices": ["x"]}, "choices"), "id": "gone"}
    dataset = load([{"id": 1, "annotations": [{"id": 1, "completed_by": 1, "result": [lost]}]}])
    assert dataset.report.codes["orphan-per-region"] == 1


def test_relations_name_regions_by_control_and_place(load):
    result = [
        {**item({"start": 0, "end": 1, "labels": ["P"]}, "labels", name="ner"), "id": "x"},
        {**item({"start": 2, "end": 3, "labels": ["P"]}, "labels", name="ner"), "id": "y"},
        {"type": "relation", "from_id": "y", "to_id": "x", "direction": "left", "labels": ["of"]},
        {"type": "relation", "from_id": "y", "to_id": "lost"},
    ]
    dataset = load([{"id": 1, "annotations": [{"id": 1, "completed_by": 1, "result": result}]}])
    assert dataset["relations"].control.kind is Kind.RELATIONS
    first, second = region(Span(0, 1), "P"), region(Span(2, 3), "P")
    assert dataset["relations"].values[0] == (
        region(Link("ner#1", "ner#0", "left", (second, first)), "of"),
        region(Link("ner#1", "lost", "right", (second, None))),
    )
    assert dataset.report.codes["dangling-relation"] == 1


def test_taxonomy_that_labels_spans(answer):
    xml = (
        "<View><Text name='t' value='$t'/><Taxonomy name='c' toName='t' labeling='true'>"
        "<Choice value='A'><Choice value='B'/></Choice></Taxonomy></View>"
    )
    value = {"start": 0, "end": 3, "text": "abc", "taxonomy": [["A", "B"]]}
    assert answer(item(value, "taxonomy", to="t"), config=xml) == (region(Span(0, 3), "A/B"),)


def test_date_in_the_format_of_the_config(answer):
    xml = "<View><Text name='t' value='$t'/><DateTime name='c' toName='t' format='%d.%m.%Y'/></View>"
    assert answer(item({"datetime": "02.03.2024"}, "datetime", to="t"), config=xml) == "2024-03-02"


def test_time_series_in_the_format_of_the_config(answer):
    xml = (
        "<View><TimeSeries name='t' value='$csv' timeFormat='%d/%m/%Y %H:%M'/>"
        "<TimeSeriesLabels name='c' toName='t'><Label value='P'/></TimeSeriesLabels></View>"
    )
    value = {"start": "01/01/2020 00:00", "end": "01/01/2020 00:02", "instant": False, "timeserieslabels": ["P"]}
    found = answer(item(value, "timeserieslabels", to="t"), config=xml)
    assert found == (region(Span(1577836800000, 1577836920000), "P"),)


def test_a_box_drawn_upwards_while_rotated_keeps_its_corners(answer):
    turned = {"x": 50, "y": 50, "width": -20, "height": -10, "rotation": 90, "rectanglelabels": ["P"]}
    box = answer(item(turned, "rectanglelabels", original_width=200, original_height=100))[0].geometry
    # In pixels the corner (100, 50) moves by -40 along the turned x axis (down) and -10 along the turned y axis
    # (left).
    assert math.isclose(box.x, (100 + 10) / 2)
    assert math.isclose(box.y, 50 - 40)
    assert (box.width, box.height) == (20, 10)


def test_items_of_a_list_are_units_of_their_own(load):
    def page(index, rater):
        value = {"x": rater, "y": 1, "width": 2, "height": 2, "rectanglelabels": ["P"]}
        return item(value, "rectanglelabels", item_index=index)

    annotations = [
        {"id": 1, "completed_by": 1, "result": [page(0, 1), page(1, 1)]},
        {"id": 2, "completed_by": 2, "result": [page(0, 2)]},
    ]
    dataset = load([{"id": 7, "annotations": annotations}])
    assert list(dataset.units) == ["7[0]", "7[1]"]
    assert len(dataset["c"].code) == 4
    assert dataset.clusters["task"].tolist() == [0, 0]


def test_item_list_length_comes_from_the_data_with_a_config(load):
    xml = (
        "<View><Image name='o' valueList='$pages'/><RectangleLabels name='c' toName='o'><Label value='P'/>"
        "</RectangleLabels></View>"
    )
    tasks = [{"id": 7, "data": {"pages": ["a", "b", "c"]}, "annotations": [{"id": 1, "completed_by": 1, "result": []}]}]
    dataset = load(tasks, config=xml)
    assert list(dataset.units) == ["7[0]", "7[1]", "7[2]"]
    assert len(dataset["c"].code) == 3


def test_repeated_questions_are_units_of_their_own(load):
    xml = (
        "<View><Text name='o' value='$t'/><Repeater on='$turns' indexFlag='{{idx}}'>"
        "<Choices name='act_{{idx}}' toName='o'><Choice value='A'/><Choice value='B'/></Choices></Repeater></View>"
    )
    results = [
        [item({"choices": ["A"]}, "choices", name="act_0"), item({"choices": ["B"]}, "choices", name="act_1")],
        [item({"choices": ["A"]}, "choices", name="act_0")],
    ]
    annotations = [{"id": n, "completed_by": n, "result": r} for n, r in enumerate(results, 1)]
    dataset = load([{"id": 7, "data": {"turns": [1, 2, 3]}, "annotations": annotations}], config=xml)
    assert list(dataset.units) == ["7[0]", "7[1]", "7[2]"]
    column = dataset["act_{{idx}}"]
    assert len(column.code) == 3
    assert column.missing == 3
    assert dataset.clusters["task"].tolist() == [0, 0, 0]
