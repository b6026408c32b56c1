"""Every region tag as the editor exports it: read with its config, scored, and reported in every form.

The scores follow by hand from the values: each control has one task on which the two raters differ as said in the
table, and one on which they give the same answer.
"""

import base64
import io
import json

import pytest
from PIL import Image
from typer.testing import CliRunner

import accord
from accord.cli.app import app
from accord.reporting import render_report

PICTURE = {"original_width": 800, "original_height": 600, "image_rotation": 0}
STROKES = {
    "a": [0, 0, 0, 140, 57, 27, 254, 31, 0, 191, 255, 108, 2, 255, 253, 176, 11, 255, 248, 140, 0],
    "b": [0, 0, 0, 140, 57, 27, 254, 63, 0, 194, 127, 243, 128, 97, 63, 249, 192, 48, 159, 248],
}
SHEET = {"original_width": 7, "original_height": 5, "image_rotation": 0}
TURNS = [{"author": "a", "text": "hi there"}, {"author": "b", "text": "yes please"}]
DATA = {
    "image": "picture.png",
    "pages": "pages.pdf",
    "film": "film.mp4",
    "sound": "sound.mp3",
    "series": "series.csv",
    "text": "Acme Corporation hired Ann Lee.",
    "talk": TURNS,
    "page": "<div><p>Acme Corporation</p><p>hired</p></div>",
}
OBJECTS = (
    "<Image name='image' value='$image'/><Image name='sheet' value='$image'/><Image name='strip' value='$image'/>"
    "<Pdf name='pages' value='$pages'/><Video name='film' value='$film'/>"
    "<Audio name='sound' value='$sound'/><TimeSeries name='series' value='$series' timeFormat='%Y-%m-%d %H:%M'/>"
    "<Text name='text' value='$text'/><HyperText name='page' value='$page'/>"
    "<Paragraphs name='talk' value='$talk' layout='dialogue' nameKey='author' textKey='text'/>"
)


def bitmap(*alphas):
    image = Image.new("RGBA", (len(alphas), 1))
    image.putdata([(0, 0, 0, alpha) for alpha in alphas])
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def box(x, **more):
    return {"x": x, "y": 20, "width": 20, "height": 10, "rotation": 0, **more}


def key(frame, x, enabled=True):
    return {"frame": frame, "time": frame / 24, "enabled": enabled, **box(x)}


def track(*keys):
    return {"framesCount": 10, "duration": 0.4, "sequence": list(keys)}


def xpath(node, start, end, **offsets):
    return {
        "start": f"/div[1]/p[{node}]/text()[1]",
        "end": f"/div[1]/p[{node}]/text()[1]",
        "startOffset": start,
        "endOffset": end,
        **offsets,
    }


def line(*points):
    names = "abcdef"
    return {
        "vertices": [
            {"id": names[n], "x": x, "y": y, "prevPointId": names[n - 1] if n else None, "isBezier": False}
            for n, (x, y) in enumerate(points)
        ],
        "closed": False,
    }


#: Tag, object, type of the item, value of one rater and of the other, keys of the item, score by the default metric.
TAGS = {
    "RectangleLabels": ("image", "rectanglelabels", box(10), box(20), PICTURE, 1 / 3),
    "Rectangle": ("image", "rectangle", box(10), box(10, height=5), PICTURE, 1 / 2),
    "EllipseLabels": (
        *("image", "ellipselabels", {"x": 50, "y": 50, "radiusX": 10, "radiusY": 6, "rotation": 0}),
        *({"x": 50, "y": 50, "radiusX": 5, "radiusY": 3, "rotation": 0}, PICTURE, 1 / 4),
    ),
    "PolygonLabels": (
        *("image", "polygonlabels", {"points": [[10, 10], [30, 10], [30, 30], [10, 30]], "closed": True}),
        *({"points": [[10, 10], [30, 10], [30, 30]], "closed": True}, PICTURE, 1 / 2),
    ),
    "KeyPointLabels": (
        *("image", "keypointlabels", {"x": 10, "y": 10, "width": 0.5}, {"x": 60, "y": 10, "width": 0.5}, PICTURE, 0.0),
    ),
    "BrushLabels": (
        *("sheet", "brushlabels", {"format": "rle", "rle": STROKES["a"]}),
        *({"format": "rle", "rle": STROKES["b"]}, SHEET, 6 / 21),
    ),
    "MagicWand": (
        *("sheet", "magicwand", {"format": "rle", "rle": STROKES["a"]}),
        *({"format": "rle", "rle": STROKES["a"]}, SHEET, 1.0),
    ),
    "BitmaskLabels": (
        *("strip", "bitmasklabels", {"imageDataURL": bitmap(0, 255, 255, 0)}, {"imageDataURL": bitmap(0, 0, 9, 0)}),
        *({"original_width": 4, "original_height": 1, "image_rotation": 0}, 1 / 2),
    ),
    "VectorLabels": ("image", "vectorlabels", line((10, 10), (50, 10)), line((10, 10), (50, 10)), PICTURE, 1.0),
    "OcrLabels": (
        *("pages", "ocrlabels", box(0.1, y=0.1, width=0.2, height=0.1, pageIndex=1, ocrtext="Acme")),
        *(box(0.2, y=0.1, width=0.2, height=0.1, pageIndex=1, ocrtext="Corp"), {}, 1 / 3),
    ),
    "VideoRectangle": (
        *("film", "videorectangle", track(key(1, 10), key(5, 50), key(8, 50, enabled=False))),
        *(track(key(1, 10), key(5, 50, enabled=False)), {}, 5 / 8),
    ),
    "VideoVector": (
        *("film", "videovector", {"framesCount": 10, "sequence": [{"frame": 1, **line((1, 1), (9, 9))}]}),
        *({"framesCount": 10, "sequence": [{"frame": 1, **line((1, 1), (9, 8))}]}, {}, 0.0),
    ),
    "TimelineLabels": (
        *("film", "timelinelabels", {"ranges": [{"start": 1, "end": 10}]}, {"ranges": [{"start": 6, "end": 15}]}),
        *({}, 5 / 15),
    ),
    "Labels": (
        *("text", "labels", {"start": 0, "end": 16, "text": "Acme Corporation"}),
        *({"start": 5, "end": 16, "text": "Corporation"}, {}, 11 / 16),
    ),
    "Labels on Audio": (
        *("sound", "labels", {"start": 0.5, "end": 1.5, "channel": 0}, {"start": 1.0, "end": 2.0, "channel": 0}),
        *({"original_length": 9.5}, 1 / 3),
    ),
    "ParagraphLabels": (
        *("talk", "paragraphlabels", {"start": "0", "end": "1", "startOffset": 3, "endOffset": 3, "text": "there yes"}),
        *({"start": "1", "end": "1", "startOffset": 0, "endOffset": 3, "text": "yes"}, {}, 3 / 9),
    ),
    "HyperTextLabels": (
        *("page", "hypertextlabels", xpath(1, 0, 16, globalOffsets={"start": 0, "end": 16}, text="Acme Corporation")),
        *(xpath(1, 5, 16, globalOffsets={"start": 5, "end": 16}, text="Corporation"), {}, 11 / 16),
    ),
    "HyperTextLabels by path": (
        *("page", "hypertextlabels", xpath(1, 0, 16, text="Acme Corporation")),
        *(xpath(1, 5, 16, text="Corporation"), {}, 11 / 16),
    ),
    "TimeSeriesLabels": (
        *("series", "timeserieslabels", {"start": 100, "end": 200, "instant": False}),
        *({"start": 150, "end": 250, "instant": False}, {}, 1 / 3),
    ),
    "TimeSeriesLabels by date": (
        *("series", "timeserieslabels", {"start": "2026-01-01 10:00", "end": "2026-01-01 12:00", "instant": False}),
        *({"start": "2026-01-01 11:00", "end": "2026-01-01 13:00", "instant": False}, {}, 1 / 3),
    ),
}  # fmt: skip
PLAIN = {"Rectangle", "MagicWand", "VideoVector"}


def name_of(tag):
    return tag.lower().replace(" ", "-")


def config():
    controls = []
    for tag, (to, *_) in TAGS.items():
        kind, name = tag.split(" ")[0], name_of(tag)
        inner = "" if tag in PLAIN | {"VideoRectangle"} else "<Label value='A'/><Label value='B'/>"
        controls.append(f"<{kind} name='{name}' toName='{to}'>{inner}</{kind}>")
    mixed = "<Labels name='mixed' toName='image'><Label value='A'/><Label value='B'/></Labels>"
    relations = "<Relations><Relation value='owns'/></Relations>"
    return f"<View>{OBJECTS}{''.join(controls)}{mixed}{relations}</View>"


def item(tag, value):
    to, kind, _, _, more, _ = TAGS[tag]
    names = {} if tag in PLAIN else {("labels" if kind in ("labels", "videorectangle") else kind): ["A"]}
    return {
        "id": f"r-{name_of(tag)}", "from_name": name_of(tag), "to_name": to, "type": kind, "origin": "manual", **more,
        "value": value | names,
    }  # fmt: skip


def separate(x):
    """Tool and labels apart: two items with one id."""
    about = {"id": "r-two", "to_name": "image", **PICTURE}
    return [
        {**about, "from_name": "rectangle", "type": "rectangle", "value": box(x)},
        {**about, "from_name": "mixed", "type": "labels", "value": box(x, labels=["B"])},
    ]


def relation(label):
    ends = {"from_id": "r-labels", "to_id": "r-hypertextlabels"}
    return {"type": "relation", **ends, "direction": "right", "labels": [label]}


def export():
    """Task 1: the raters differ as the table says. Task 2: both answer as the first did."""
    answers = []
    for side in (2, 3):
        items = [item(tag, row[side]) for tag, row in TAGS.items() if tag != "Rectangle"]
        answers.append([*items, *separate(10 if side == 2 else 20), relation("owns")])
    return [
        {"id": task, "data": DATA, "project": 5, "annotations": [
            {"id": 10 * task + n, "completed_by": {"email": f"{rater}@example.org"}, "result": result}
            for n, (rater, result) in enumerate(zip(("ann", "ben"), pair, strict=True))]}
        for task, pair in ((1, answers), (2, answers[:1] * 2))
    ]  # fmt: skip


EXPECTED = {name_of(tag): row[-1] for tag, row in TAGS.items()} | {
    "rectangle": 1 / 3,
    "mixed": 1 / 3,
    "relations": 1.0,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tags")
    (folder / "export.json").write_text(json.dumps(export()))
    (folder / "config.xml").write_text(config())
    return folder / "export.json", folder / "config.xml"


@pytest.fixture(scope="module")
def report(files):
    source, xml = files
    return accord.measure(accord.read(source, config=xml), tasks=True, page=True)


def test_every_region_tag_of_the_editor_is_here(report):
    from accord.readers.config_tags import KINDS
    from accord.values import Kind

    ours = {kind.lower() for _, kind, *_ in TAGS.values()} | {"rectangle"}
    same = {name.removesuffix("labels") for name in ours}
    regions = {name for name, kind in KINDS.items() if kind.is_region and kind is not Kind.RELATIONS}
    assert {name for name in regions if name.removesuffix("labels") not in same} == {"htmllabels"}
    assert {control.control.name for control in report.controls} == set(EXPECTED)


def test_boxes_on_pages_are_read_in_percent(files):
    """The editor gives shares of the page there."""
    source, xml = files
    column = accord.read(source, config=xml)["ocrlabels"]
    boxes = [column.values[code][0].geometry for code in column.code.tolist()]
    assert sorted({(box.x, box.y, box.width, box.height) for box in boxes}) == [(10, 10, 20, 10), (20, 10, 20, 10)]


def test_nothing_was_dropped(report):
    codes = set(report.dataset.report.codes)
    assert codes <= {"html-global-offsets"}


@pytest.mark.parametrize("name", EXPECTED)
def test_task_where_they_differ_and_task_where_they_agree(report, name):
    found = {row.unit: row.value for row in report[name].tasks}
    assert list(found.values()) == pytest.approx([EXPECTED[name], 1.0])


@pytest.mark.parametrize("form", ["html", "md", "csv", "json"])
def test_every_form_of_the_report_names_every_control(report, form):
    text = render_report(report, form)
    assert [name for name in EXPECTED if name not in text] == []


def test_the_command_line_gives_the_same_numbers(files, tmp_path):
    source, xml = files
    page = tmp_path / "report.html"
    scored = CliRunner().invoke(app, ["score", str(source), "--config", str(xml), "--json", "--tasks"])
    assert scored.exit_code == 0, scored.output
    controls = {control["name"]: control for control in json.loads(scored.stdout)["controls"]}
    values = {name: controls[name]["pairwise"]["value"] for name in EXPECTED}
    assert values == pytest.approx({name: (value + 1) / 2 for name, value in EXPECTED.items()})
    written = CliRunner().invoke(app, ["report", str(source), "--config", str(xml), "-o", str(page)])
    assert written.exit_code == 0, written.output
    assert "<svg" in page.read_text(encoding="utf-8")
