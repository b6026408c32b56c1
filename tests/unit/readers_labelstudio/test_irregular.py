"""Every irregularity has a code that is counted with the place, and is an error where strict."""

import pytest

from accord.errors import DataError
from accord.readers.codes import FACTS, IRREGULAR, MEANINGS

HEAD = "<View><Text name='t' value='$text'/><Image name='i' value='$image'/><Paragraphs name='d' value='$talk'/>"
CONFIG = (
    HEAD
    + "<Choices name='c' toName='t'><Choice value='A'/><Choice value='B'/></Choices>"
    + "<Choices name='m' toName='t' choice='multiple'><Choice value='A'/><Choice value='B'/></Choices>"
    + "<Taxonomy name='x' toName='t'><Choice value='A'><Choice value='B'/></Choice></Taxonomy>"
    + "<Rating name='r' toName='t'/><Number name='n' toName='t'/><DateTime name='w' toName='t'/>"
    + "<TextArea name='a' toName='t'/><Labels name='s' toName='t'><Label value='P'/></Labels>"
    + "<RectangleLabels name='b' toName='i'><Label value='P'/></RectangleLabels>"
    + "<Polygon name='p' toName='i'/><Brush name='k' toName='i'/><KeyPoint name='o' toName='i'/>"
    + "<Ellipse name='e' toName='i'/><VideoRectangle name='v' toName='i'/>"
    + "<ParagraphLabels name='g' toName='d'><Label value='P'/></ParagraphLabels>"
    + "<Choices name='h' toName='t' visibleWhen='choice-selected' whenTagName='c' whenChoiceValue='B'>"
    + "<Choice value='A'/></Choices><Choices name='y' toName='t' value='$options'/></View>"
)
DATA = {"text": "ab cd ef", "image": "http://x/y.png"}


def item(name, type_, value, to="t", **more):
    return {"id": "r", "from_name": name, "to_name": to, "type": type_, "value": value, **more}


def span(**value):
    return item("s", "labels", {"start": 0, "end": 2, "text": "ab", "labels": ["P"], **value})


def box(to="i", **value):
    return item(
        "b", "rectanglelabels", {"x": 1, "y": 1, "width": 2, "height": 2, "rectanglelabels": ["P"], **value}, to
    )


def keys(*frames):
    sequence = [{"frame": f, "x": 1, "y": 1, "width": 2, "height": 2} for f in frames]
    return item("v", "videorectangle", {"framesCount": 9, "sequence": sequence}, "i")


ITEMS = {
    "no-from-name": {"id": "r", "to_name": "t", "type": "choices", "value": {"choices": ["A"]}},
    "unknown-control": item("zz", "choices", {"choices": ["A"]}),
    "unknown-type": item("zz", "cube", {"depth": 3}),
    "wrong-type": item("c", "rating", {"rating": 3}),
    "unknown-value": item("c", "choices", {"choices": ["C"]}),
    "no-value": {"id": "r", "from_name": "c", "to_name": "t", "type": "choices"},
    "several-for-single": item("c", "choices", {"choices": ["A", "B"]}),
    "bad-value": item("c", "choices", {"choices": [{"a": 1}]}),
    "rating-zero": item("r", "rating", {"rating": 0}),
    "number-as-text": item("n", "number", {"number": "3"}),
    "value-as-scalar": item("c", "choices", {"choices": "A"}),
    "repeated-value": item("m", "choices", {"choices": ["A", "A"]}),
    "prefix-path": item("x", "taxonomy", {"taxonomy": [["A"], ["A", "B"]]}),
    "bad-date": item("w", "datetime", {"datetime": "soon"}),
    "nfc": item("m", "choices", {"choices": ["e\u0301"]}),
    "text-mismatch": span(text="xy"),
    "span-range": span(end=99),
    "html-xpath": item(
        "s", "hypertextlabels", {"start": "/a", "end": "/b", "startOffset": 1, "endOffset": 2, "hypertextlabels": ["P"]}
    ),
    "html-global-offsets": item(
        "s", "hypertextlabels", {"start": "/a", "end": "/a", "startOffset": 1, "endOffset": 2, "hypertextlabels": ["P"]}
    ),
    "paragraph-no-text": item(
        "g",
        "paragraphlabels",
        {"start": "0", "end": "0", "startOffset": 1, "endOffset": 2, "paragraphlabels": ["P"]},
        "d",
    ),
    "time-format": item(
        "s", "timeserieslabels", {"start": "?", "end": "!", "instant": True, "timeserieslabels": ["P"]}
    ),
    "item-index": {**item("c", "choices", {"choices": ["A"]}), "item_index": "first"},
    "bad-geometry": box(x="left"),
    "negative-size": box(width=-1),
    "zero-area": box(width=0),
    "outside-image": box(x=99.5),
    "box-scale": box(x=300, y=300, width=200, height=200),
    "size-missing": box(rotation=10),
    "polygon-points": item("p", "polygon", {"points": [[1, 1], [2, 2]]}, "i"),
    "polygon-crossed": item("p", "polygon", {"points": [[1, 1], [9, 9], [9, 1], [1, 9]]}, "i"),
    "polygon-tangled": item("p", "polygon", {"points": [[97 * k**2 % 101, 89 * k % 103] for k in range(450)]}, "i"),
    "polygon-open": item("p", "polygon", {"points": [[1, 1], [2, 2], [1, 2]], "closed": False}, "i"),
    "mask-empty": item("k", "brush", {"format": "rle", "rle": []}, "i", original_width=1, original_height=1),
    "mask-length": item("k", "brush", {"format": "rle", "rle": [0, 0, 0, 9]}, "i", original_width=1, original_height=1),
    "track-empty": keys(),
    "track-repeated": keys(1, 1),
    "track-unsorted": keys(2, 1),
    "orphan-per-region": item("c", "choices", {"start": 0, "end": 1, "choices": ["A"]}),
    "dangling-relation": {"type": "relation", "from_id": "p", "to_id": "q"},
    "dynamic-choices": item("y", "choices", {"choices": ["A"]}),
}


def one(*items, **more):
    return [{"id": 7, "data": DATA, "annotations": [{"id": 1, "completed_by": 1, "result": list(items), **more}]}]


@pytest.mark.parametrize("code", list(ITEMS))
def test_item_is_counted_with_its_place(load, code):
    report = load(one(ITEMS[code]), config=CONFIG).report
    assert report.codes[code] == 1
    notice = next(n for n in report.notices if n.code == code)
    assert notice.meaning == MEANINGS[code]
    if code != "dynamic-choices":
        assert "task 7" in notice.examples[0]
        assert "export0.json" in notice.examples[0]


@pytest.mark.parametrize("code", [code for code in ITEMS if code in IRREGULAR])
def test_item_is_an_error_where_strict(load, code):
    with pytest.raises(DataError, match=r"export0\.json, task 7.*: .*\w+-\w+|export0\.json, task 7") as caught:
        load(one(ITEMS[code]), config=CONFIG, strict=True)
    assert caught.value.exit_code == 3


def test_facts_are_no_errors_where_strict(load):
    rows = one(span(), updated_by=2, parent_annotation=3, parent_prediction=4, ground_truth=True)
    rows[0]["annotations"] += [
        {"id": 2, "completed_by": 2, "was_cancelled": True},
        {"id": 3, "completed_by": 3, "result": []},
    ]
    rows[0] |= {"drafts": [1], "predictions": [2]}
    codes = load(rows, config=CONFIG, strict=True).report.codes
    assert set(codes) == {
        "edited-by-other", "copied", "prediction-started", "ground-truth", "cancelled", "empty-result",
        "draft-left-out",
        "prediction-left-out", "dynamic-choices",
    }  # fmt: skip
    assert set(codes) <= set(FACTS)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"created_at": "yesterday"}, "bad-time"),
        ({"lead_time": -3}, "lead-time"),
        ({"lead_time": "long"}, "lead-time"),
    ],
)
def test_annotation_is_counted(load, change, code):
    assert load(one(span(), **change), config=CONFIG).report.codes[code] == 1
    with pytest.raises(DataError, match=code):
        load(one(span(), **change), config=CONFIG, strict=True)


def pair(first, second):
    return [
        {"id": 7, "data": DATA, "annotations": [
            {"id": 1, "completed_by": 1, "result": [first]}, {"id": 2, "completed_by": 2, "result": [second]}]}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ({"original_width": 10, "original_height": 20}, {"original_width": 20, "original_height": 10}, "size-differs"),
        ({"image_rotation": 0}, {"image_rotation": 90}, "image-rotation"),
    ],
)
def test_what_annotators_of_a_task_should_share(load, first, second, code):
    report = load(pair({**box(), **first}, {**box(), **second}), config=CONFIG).report
    assert report.codes[code] == 1


def test_length_of_a_video_differs(load):
    other = keys(1)
    other["value"]["framesCount"] = 12
    assert load(pair(keys(1), other), config=CONFIG).report.codes["frames-differ"] == 1


def test_near_equal_labels_are_kept_apart_and_warned_about(load):
    rows = pair(item("m", "choices", {"choices": ["a "]}), item("m", "choices", {"choices": ["A"]}))
    dataset = load(rows, config=CONFIG)
    assert dataset.report.codes["near-equal-label"] == 1
    assert set(dataset["m"].values) == {frozenset({"a "}), frozenset({"A"})}
    assert dataset["m"].outside == ("a ",)


def test_composed_and_decomposed_spelling_are_one_label(load):
    rows = pair(item("m", "choices", {"choices": ["café"]}), item("m", "choices", {"choices": ["cafe\u0301"]}))
    dataset = load(rows)
    assert dataset["m"].values == ("café",)
    assert dataset.report.codes["nfc"] == 1


def test_values_outside_the_domain_come_behind_it(load):
    rows = pair(item("c", "choices", {"choices": ["Z"]}), item("c", "choices", {"choices": ["A"]}))
    column = load(rows, config=CONFIG)["c"]
    assert column.values == ("A", "B", "Z")
    assert column.outside == ("Z",)


def test_several_items_of_one_control_are_taken_together(load):
    rows = one(item("m", "choices", {"choices": ["A"]}), item("m", "choices", {"choices": ["B"]}))
    dataset = load(rows, config=CONFIG)
    assert dataset["m"].values == (frozenset("AB"),)
    assert dataset.report.codes["repeated-item"] == 1


def test_regions_of_several_shapes(load):
    rows = one(item("z", "labels", {"x": 1, "y": 1, "width": 1, "height": 1, "labels": ["P"]}),
               item("z", "labels", {"x": 1, "y": 1, "labels": ["P"]}))  # fmt: skip
    assert load(rows).report.codes["several-types"] == 1


def test_task_without_id(load):
    rows = one(span())
    del rows[0]["id"]
    dataset = load(rows, config=CONFIG)
    assert list(dataset.units) == ["1"]
    assert dataset.report.codes["no-task-id"] == 1


def test_untouched_ranking_is_noted(load):
    xml = "<View><List name='l' value='$items'/><Ranker name='k' toName='l'/></View>"
    rows = [
        {"id": 7, "data": {"items": [{"id": "a"}, {"id": "b"}]}, "annotations": [
            {"id": n, "completed_by": n, "result": [
                {"id": "r", "from_name": "k", "to_name": "l", "type": "ranker", "value": {"ranker": {"k": order}}}]}
            for n, order in ((1, ["a", "b"]), (2, ["b", "a"]))]}
    ]  # fmt: skip
    assert load(rows, config=xml).report.codes["ranker-untouched"] == 1


def test_only_the_first_examples_are_kept(load):
    rows = [{**one(box(x="?"))[0], "id": n} for n in range(1, 9)]
    notice = next(n for n in load(rows, config=CONFIG).report.notices if n.code == "bad-geometry")
    assert notice.count == 8
    assert len(notice.examples) == 5


def test_no_code_is_both_a_fact_and_an_irregularity():
    assert not set(FACTS) & set(IRREGULAR)
