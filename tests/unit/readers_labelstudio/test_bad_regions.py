"""Damaged regions of every kind, read and measured: repaired or left out, counted, never fatal; errors where strict."""

import base64
import io
import json
import math

import pytest
from PIL import Image

import accord
from accord.errors import DataError
from accord.values import EMPTY

SIZE = {"original_width": 640, "original_height": 480}
PNG = "data:image/png;base64,"


def picture():
    """Four pixels in a row, of which the middle two are painted."""
    image = Image.new("RGBA", (4, 1))
    image.putdata([(0, 0, 0, alpha) for alpha in (0, 255, 255, 0)])
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return PNG + base64.b64encode(buffer.getvalue()).decode()


def key(frame, **change):
    return {"frame": frame, "time": 1.0, "enabled": True, "x": 10, "y": 10, "width": 20, "height": 20, **change}


def keys(*frames):
    return {"sequence": list(frames)}


#: Tag and kind of object of every region, and a value as the editor writes it.
REGIONS = {
    "rectanglelabels": ("RectangleLabels", "Image", {"x": 10, "y": 10, "width": 20, "height": 20, "rotation": 0}),
    "ellipselabels": ("EllipseLabels", "Image", {"x": 50, "y": 50, "radiusX": 10, "radiusY": 5, "rotation": 0}),
    "polygonlabels": ("PolygonLabels", "Image", {"points": [[1, 1], [9, 1], [9, 9]], "closed": True}),
    "keypointlabels": ("KeyPointLabels", "Image", {"x": 10, "y": 10, "width": 1}),
    "brushlabels": (
        "BrushLabels",
        "Image",
        {"format": "rle", "rle": [0, 0, 0, 16, 57, 27, 252, 96, 19, 255, 198, 0]},
    ),
    "bitmasklabels": ("BitmaskLabels", "Image", {"imageDataURL": picture()}),
    "vectorlabels": (
        "VectorLabels",
        "Image",
        {"vertices": [{"id": "a", "x": 0, "y": 0}, {"id": "b", "x": 9, "y": 9}]},
    ),
    "ocrlabels": ("OcrLabels", "Pdf", {"x": 0.1, "y": 0.1, "width": 0.2, "height": 0.2, "rotation": 0, "pageIndex": 1}),
    "videorectangle": ("VideoRectangle", "Video", {"framesCount": 10, "duration": 1, **keys(key(1), key(5))}),
    "timelinelabels": ("TimelineLabels", "Video", {"ranges": [{"start": 3, "end": 5}]}),
    "labels": ("Labels", "Text", {"start": 0, "end": 3, "text": "abc"}),
    "audio": ("Labels", "Audio", {"start": 0.5, "end": 3.5, "channel": 0}),
    "paragraphlabels": (
        "ParagraphLabels",
        "Paragraphs",
        {"start": "0", "end": "0", "startOffset": 0, "endOffset": 2, "text": "hi"},
    ),
    "hypertextlabels": (
        "HyperTextLabels",
        "HyperText",
        {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "globalOffsets": {"start": 0, "end": 3}},
    ),
    "timeserieslabels": ("TimeSeriesLabels", "TimeSeries", {"start": 1, "end": 5, "instant": False}),
}
DATA = {"Text": "abcdefghij", "Paragraphs": [{"text": "hi there"}], "HyperText": "<p>abcdef</p>"}

GONE = ...
"""Stands for a key that is not there."""


def unusable(kind, *names):
    """Every name of a region's value once missing, once null, a word, infinite, beyond measure, and NaN."""
    wrong = (GONE, None, "left", math.inf, 1e300, [], {}, math.nan)
    return [(kind, {name: value}, {}, "bad-geometry", False) for name in names for value in wrong]


#: Kind, change of its value, change of its item, code, whether the region is kept.
CASES = [
    *unusable("rectanglelabels", "width", "height"),
    *unusable("ellipselabels", "radiusX", "radiusY"),
    *unusable("ocrlabels", "width", "height"),
    *[(k, {n: v}, {}, "bad-geometry", False)
      for k, names in (("rectanglelabels", ("x", "y", "rotation")), ("ellipselabels", ("x", "y", "rotation")),
                       ("keypointlabels", ("x", "y")), ("ocrlabels", ("x", "y")))
      for n in names for v in ("left", math.inf, math.nan, []) if not (n == "rotation" and v is math.nan)],
    ("rectanglelabels", {"x": GONE}, {}, "bad-geometry", False),
    ("rectanglelabels", {"x": -3}, {}, "outside-image", True),
    ("rectanglelabels", {"x": 90}, {}, "outside-image", True),
    ("rectanglelabels", {"x": 5, "rotation": 45}, SIZE, "outside-image", True),
    ("rectanglelabels", {"width": -20, "x": 40}, {}, "negative-size", True),
    ("rectanglelabels", {"height": -20, "y": 40, "rotation": 30}, SIZE, "negative-size", True),
    ("rectanglelabels", {"width": 0}, {}, "zero-area", True),
    ("rectanglelabels", {"x": 200, "y": 200, "width": 400, "height": 300}, {}, "box-scale", True),
    ("rectanglelabels", {"x": "12"}, {}, "number-as-text", True),
    ("rectanglelabels", {"x": 40, "rotation": 30}, {"original_width": GONE}, "size-missing", True),
    ("rectanglelabels", {"x": 40, "rotation": 30}, {"original_width": 0, "original_height": -3}, "size-missing", True),
    ("rectanglelabels", {"x": 40, "rotation": 30}, {"original_width": "640"}, "size-missing", True),
    ("rectanglelabels", {"x": 40}, {"original_width": 480, "original_height": 640}, "size-differs", True),
    ("rectanglelabels", {"x": 40}, {"image_rotation": 90}, "image-rotation", True),
    ("ellipselabels", {"x": GONE}, {}, "bad-geometry", False),
    ("ellipselabels", {"x": 95}, {}, "outside-image", True),
    ("ellipselabels", {"y": 8, "rotation": 90}, SIZE, "outside-image", True),
    ("ellipselabels", {"radiusX": -7}, {}, "negative-size", True),
    ("ellipselabels", {"radiusY": 0}, {}, "zero-area", True),
    ("ellipselabels", {"rotation": 30}, {"original_width": GONE}, "size-missing", True),
    *[("polygonlabels", {"points": points}, {}, "bad-geometry", False)
      for points in (GONE, None, "ring", 3, {}, [[1, 1], [2], [3, 3]], [[1, 1], [None, 2], [3, 3]],
                     [[1, 1], [math.inf, 2], [3, 3]], [[1, 1], [math.nan, 2], [3, 3]], [[1, 1], "22", [3, 3]])],
    *[("polygonlabels", {"points": points}, {}, "polygon-points", True)
      for points in ([], [[5, 5]], [[5, 5], [6, 6]], [[5, 5], [6, 6], [5, 5]])],
    ("polygonlabels", {"points": [[5, 5], [6, 6], [7, 7]]}, {}, "zero-area", True),
    ("polygonlabels", {"points": [[0, 0], [40, 40], [40, 0], [0, 40]]}, {}, "polygon-crossed", True),
    ("polygonlabels", {"points": [[-50, 0], [400, 4], [4, 1e15]]}, {}, "outside-image", True),
    ("polygonlabels", {"points": [[2, 1], [9, 1], [9, 9]], "closed": False}, {}, "polygon-open", True),
    ("keypointlabels", {"x": GONE}, {}, "wrong-type", False),
    ("keypointlabels", {"x": 101}, {}, "outside-image", True),
    ("keypointlabels", {"x": 40}, {"original_height": GONE}, "size-missing", True),
    *[("brushlabels", {"rle": data}, {}, "bad-geometry", False)
      for data in (GONE, None, "AAAA", [300], [-1], ["a"], {})],
    ("brushlabels", {"rle": []}, {}, "mask-empty", False),
    ("brushlabels", {"rle": [255, 255, 255, 255, 57, 27, 252, 96]}, {}, "mask-length", True),
    ("brushlabels", {"rle": [0, 0]}, {}, "mask-length", True),
    ("brushlabels", {"rle": [0, 0, 0, 16, 57, 27, 252, 96, 19, 255, 198, 9]}, {"original_width": GONE}, "size-missing",
     True),
    *[("bitmasklabels", {"imageDataURL": address}, {}, "bad-geometry", False)
      for address in (None, 3, "http://example.org/a.png", PNG + "%", PNG + "AAAA", PNG,
                      "data:image/jpeg;base64,AAAA")],
    ("bitmasklabels", {}, {"original_width": 5}, "mask-length", True),
    *[("vectorlabels", {"vertices": vertices}, {}, "bad-geometry", False)
      for vertices in (GONE, None, [], "line", [3], [{"x": 1}], [{"x": 1, "y": math.nan}],
                       [{"id": "a", "x": 1, "y": 2, "prevPointId": "z"}])],
    ("vectorlabels", {"vertices": [{"x": 1, "y": 2}]}, {}, "vector-points", True),
    ("vectorlabels", {"vertices": [{"x": -1, "y": 2}, {"x": 3, "y": 3}]}, {}, "outside-image", True),
    ("ocrlabels", {"x": 99.9}, {}, "outside-image", True),
    ("ocrlabels", {"x": -0.1}, {}, "outside-image", True),
    *[("videorectangle", change, {}, "bad-geometry", False)
      for change in ({"sequence": GONE}, {"sequence": None}, {"sequence": "keys"}, {"sequence": [3]},
                     keys(key(1, x=None)), keys(key(1, height=math.inf)), keys(key(0)), keys(key(-7)), keys(key(10**9)),
                     keys(key(1e15)),
                     keys(key(1.5)), keys(key(None)), keys(key(1, rotation="a bit")))],
    ("videorectangle", keys(), {}, "track-empty", True),
    ("videorectangle", keys(key(1), key(2, y=math.inf), key(3)), {}, "bad-geometry", True),
    ("videorectangle", keys(key(5), key(1)), {}, "track-unsorted", True),
    ("videorectangle", keys(key(5), key(5, x=3)), {}, "track-repeated", True),
    ("videorectangle", keys(key(2, width=-5)), {}, "negative-size", True),
    ("videorectangle", keys(key(2, x=90)), {}, "outside-image", True),
    *[("videorectangle", {"framesCount": count, **keys(key(2), key(6))}, {}, "frames-count", True)
      for count in (GONE, None, "many", 0, -5, 5, math.inf, 1e12, [])],
    ("videorectangle", {"framesCount": 20}, {}, "frames-differ", True),
    *[("timelinelabels", {"ranges": ranges}, {}, "bad-geometry", False)
      for ranges in (None, [], "all", 3, {}, [3], [{}], [{"start": None, "end": None}], [{"start": 0, "end": 4}],
                     [{"start": 1, "end": 10**15}], [{"start": math.nan, "end": None}])],
    ("timelinelabels", {"ranges": GONE}, {}, "wrong-type", False),
    ("timelinelabels", {"ranges": [{"start": 1, "end": 2}, {"start": None}]}, {}, "bad-geometry", True),
    ("timelinelabels", {"ranges": [{"start": 4, "end": None}]}, {}, "range-open", True),
    ("timelinelabels", {"ranges": [{"start": 9, "end": 7}]}, {}, "span-range", True),
    *[(kind, {name: value}, {}, "bad-geometry", False)
      for kind in ("labels", "audio") for name in ("start", "end") for value in (None, "there", math.inf, math.nan, [])
      if not (kind == "audio" and value == "there")],
    *[(kind, {"end": GONE}, {}, "wrong-type", False) for kind in ("labels", "audio")],
    ("labels", {"start": 5, "end": 2, "text": "cde"}, {}, "span-range", True),
    ("labels", {"start": 5, "end": 200, "text": "fghij"}, {}, "span-range", True),
    ("labels", {"start": 1.5, "end": 4, "text": "bcd"}, {}, "span-range", True),
    ("audio", {"start": "there"}, {}, "number-as-text", False),
    ("audio", {"start": 5, "end": 2}, {}, "span-range", True),
    ("audio", {"start": -5}, {}, "outside-image", True),
    *[("paragraphlabels", {name: value}, {}, "bad-geometry", False)
      for name in ("start", "end", "startOffset", "endOffset") for value in (GONE, None, math.nan, [])],
    ("paragraphlabels", {"start": "7", "end": "7"}, {}, "paragraph-no-text", True),
    ("paragraphlabels", {"startOffset": 6, "endOffset": 3}, {}, "span-range", True),
    *[("hypertextlabels", {"globalOffsets": offsets}, {}, "bad-geometry", False)
      for offsets in ({}, None, {"start": None, "end": 3}, {"start": 1, "end": math.nan})],
    ("hypertextlabels", {"globalOffsets": {"start": 6, "end": 3}}, {}, "span-range", True),
    ("hypertextlabels", {"globalOffsets": {}, "startOffset": 1, "endOffset": 2}, {}, "html-global-offsets", True),
    *[("timeserieslabels", {name: value}, {}, "bad-geometry", False)
      for name in ("start", "end") for value in (None, [], math.nan)],
    ("timeserieslabels", {"start": "then"}, {}, "time-format", True),
    ("timeserieslabels", {"start": 9, "end": 7}, {}, "span-range", True),
]  # fmt: skip
#: Facts of a good export: no errors where strict.
ALLOWED = {"html-global-offsets"}


def changed(given, change):
    return {name: value for name, value in {**given, **change}.items() if value is not GONE}


def config_of(kind):
    tag, about, _ = REGIONS[kind]
    label = "<Label value='A'/>"
    more = f"<Labels name='names' toName='o'>{label}</Labels>" if kind == "videorectangle" else ""
    return f"<View><{about} name='o' value='${about}'/><{tag} name='c' toName='o'>{label}</{tag}>{more}</View>"


def tasks_of(kind, change, more):
    """Three tasks: one rater marks a good region and the damaged one, the other the good one, or nothing."""
    _, _, value = REGIONS[kind]
    size = {"original_width": 4, "original_height": 1} if kind in ("brushlabels", "bitmasklabels") else SIZE
    labels = {("labels" if kind in ("audio", "videorectangle") else kind): ["A"]}
    about = {"from_name": "c", "to_name": "o", "type": "labels" if kind == "audio" else kind}
    good = {"id": "good", **about, "image_rotation": 0, **size, "value": value | labels}
    bad = {
        "id": "bad",
        **about,
        **changed({"image_rotation": 0, **size}, more),
        "value": changed(value, change) | labels,
    }
    return [
        {"id": 7 + n, "data": DATA, "annotations": [
            {"id": 10 * n + 1, "completed_by": 1, "result": [good, bad]},
            {"id": 10 * n + 2, "completed_by": 2, "result": [good] if n != 1 else []}]}
        for n in range(3)
    ]  # fmt: skip


def written(kind, change, more):
    """Text of the export; infinity as a number that no float holds, NaN as Python writes it."""
    return json.dumps(tasks_of(kind, change, more)).replace("Infinity", "1e999")


def name_of(case):
    kind, change, more, code, _ = case
    return f"{kind} {code} {change or more}".replace("Ellipsis", "missing")


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_damaged_region_is_counted_and_the_rest_is_measured(load, case):
    kind, change, more, code, kept = case
    dataset = load(written(kind, change, more), config=config_of(kind))
    assert dataset.report.codes[code] >= 3
    notice = next(notice for notice in dataset.report.notices if notice.code == code)
    assert "task 7" in notice.examples[0]
    column = dataset["c"]
    sizes = [0 if column.values[value] is EMPTY else len(column.values[value]) for value in column.code.tolist()]
    assert sorted(sizes)[-3:] == ([2, 2, 2] if kept else [1, 1, 1])
    measured(accord.measure(dataset, accord.Plan(ci=None)), kept)


def measured(report, kept):
    """A region that is left out changes nothing; one that is kept counts as found by one rater only, or not at all."""
    control = report["c"]
    assert control.main.undefined is not None or -1 <= control.main.value <= 1
    if kept:
        assert control.pairwise.undefined is not None or 0 <= control.pairwise.value <= 0.7
    else:
        assert control.pairwise.value == pytest.approx(2 / 3)


@pytest.mark.parametrize("case", [case for case in CASES if case[3] not in ALLOWED], ids=name_of)
def test_it_is_an_error_where_strict(load, case):
    kind, change, more, _, _ = case
    with pytest.raises(DataError, match=r"task 7|NaN is not JSON") as caught:
        load(written(kind, change, more), config=config_of(kind), strict=True)
    assert caught.value.exit_code == 3


def test_nan_in_an_export_is_counted_by_object(load):
    text = json.dumps(tasks_of("rectanglelabels", {"x": math.nan, "y": -math.inf}, {}))
    assert text.count("NaN") == text.count("-Infinity") == 3
    dataset = load(text, config=config_of("rectanglelabels"))
    assert dataset.report.codes["not-a-number"] == 3
    assert dataset.report.codes["bad-geometry"] == 3
    with pytest.raises(DataError, match=r"export0\.json, line 1: NaN is not JSON"):
        load(text, config=config_of("rectanglelabels"), strict=True)


@pytest.mark.parametrize("kind", REGIONS)
def test_good_regions_leave_nothing_to_count(load, kind):
    tasks = tasks_of(kind, {}, {})
    for task in tasks:
        task["annotations"][0]["result"].pop()
    codes = load(tasks, config=config_of(kind), strict=True).report.codes
    assert set(codes) <= {"empty-result"}


def test_only_damaged_regions_are_a_missing_answer(load):
    tasks = tasks_of("timelinelabels", {"ranges": []}, {})
    for task in tasks:
        del task["annotations"][0]["result"][0]
    dataset = load(tasks, config=config_of("timelinelabels"))
    assert dataset["c"].missing == 3
    assert accord.measure(dataset)["c"].main.undefined == "one_rater"


def test_masks_that_cannot_be_decoded_are_counted_in_the_report(load):
    """Their head is right, so that only decoding tells."""
    cut = [0, 0, 0, 16, 57, 27, 252, 96]
    dataset = load(tasks_of("brushlabels", {"rle": cut}, {}), config=config_of("brushlabels"))
    control = accord.measure(dataset, page=True)["c"]
    (found,) = [diagnostic for diagnostic in control.diagnostics if diagnostic.title == "Masks"]
    assert found.text.startswith("3 masks cannot be decoded")
    assert control.pairwise.value == pytest.approx((1 / 2 + 0 + 1 / 2) / 3)
    good = accord.measure(load(tasks_of("brushlabels", {}, {}), config=config_of("brushlabels")), page=True)["c"]
    assert "Masks" not in {diagnostic.title for diagnostic in good.diagnostics}
