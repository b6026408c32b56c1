"""Raters who drew the same things with different tools: one control out of several, or one that takes all tools."""

import json

import pytest

from accord import measure, read
from accord.errors import UsageError

CONFIG = """<View><Image name="i" value="$image"/>
<RectangleLabels name="box" toName="i"><Label value="car"/><Label value="dog"/></RectangleLabels>
<PolygonLabels name="poly" toName="i"><Label value="car"/><Label value="dog"/></PolygonLabels>
<BrushLabels name="brush" toName="i"><Label value="car"/></BrushLabels>
<Choices name="c" toName="i"><Choice value="x"/></Choices></View>"""
ANY_TOOL = """<View><Image name="i" value="$image"/><Labels name="any" toName="i"><Label value="car"/></Labels>
<Rectangle name="r" toName="i"/><Polygon name="p" toName="i"/></View>"""


def item(name, kind, number, **value):
    return {"id": f"{name}{number}", "from_name": name, "to_name": "i", "type": kind, "original_width": 200,
            "original_height": 100, "value": value}  # fmt: skip


def box(number, x, label="car", name="box"):
    key = "labels" if name == "any" else "rectanglelabels"
    return item(name, key, number, x=x, y=0, width=20, height=50, **{key: [label]})


def polygon(number, x, label="car", name="poly"):
    points = [[x, 0], [x + 20, 0], [x + 20, 50], [x, 50]]
    key = "labels" if name == "any" else "polygonlabels"
    return item(name, key, number, points=points, closed=True, **{key: [label]})


def tasks(*answers):
    return [
        {"id": n, "data": {"image": "a.png"}, "annotations": [
            {"id": 10 * n + k, "completed_by": k, "result": result} for k, result in enumerate(pair, 1)]}
        for n, pair in enumerate(answers, 1)
    ]  # fmt: skip


@pytest.fixture
def files(tmp_path):
    def write(content, config=CONFIG):
        (tmp_path / "config.xml").write_text(config)
        (tmp_path / "tasks.json").write_text(json.dumps(content))
        return str(tmp_path / "tasks.json"), str(tmp_path / "config.xml")

    return write


TASKS = tasks(
    ([box(1, 0)], [polygon(1, 0)]),
    ([box(1, 10)], [polygon(1, 20)]),
    ([box(1, 40), box(2, 70)], [polygon(1, 40), box(2, 70, "dog")]),
    ([], []),
)


def test_a_united_control_compares_across_tools(files):
    export, config = files(TASKS)
    report = measure(read(export, config=config), {"unite": {"car shapes": ["box", "poly"]}}, tasks=True)
    control = report["car shapes"]
    assert control.metric == "shape_labels"
    assert [round(task.value, 4) for task in control.tasks] == [1.0, round(1 / 3, 4), 0.5, 1.0]
    assert [round(task.value, 4) for task in report["box"].tasks][:2] == [0.0, 0.0]
    assert "shape_labels" in control.main.signature


def test_the_command_line_unites_too(files, accord):
    export, config = files(TASKS)
    found = accord("score", export, "--config", config, "--unite", "all=box,poly", "--control", "all", "--json")
    (control,) = json.loads(found.out)["controls"]
    assert (control["name"], control["metric"], control["units"]) == ("all", "shape_labels", 4)
    assert control["pairwise"]["value"] == pytest.approx((1 + 1 / 3 + 0.5 + 1) / 4)


def test_a_bundle_holds_the_united_answers(files, tmp_path, accord):
    export, config = files(TASKS)
    bundle = tmp_path / "bundle"
    assert accord("score", export, "--config", config, "--unite", "all=box,poly", "--bundle", bundle).code == 0
    assert accord("reproduce", bundle).code == 0
    assert accord("score", export, "--config", config, "--unite", "all").code == 2


@pytest.mark.parametrize(
    ("unite", "words"),
    [
        ({"box": ["box", "poly"]}, "a control of the data already"),
        ({"all": ["box"]}, "two controls or more"),
        ({"all": ["box", "box"]}, "two controls or more"),
        ({"all": ["box", "c"]}, "boxes, ellipses, polygons and masks only"),
        ({"all": ["box", "poli"]}, "poly"),
        ({"all": "box"}, "a list of controls"),
        ({"all": [1, 2]}, "a list of controls"),
    ],
)
def test_what_cannot_be_united(files, unite, words):
    export, config = files(tasks(([box(1, 0), item("c", "choices", 1, choices=["x"])], [polygon(1, 0)])))
    with pytest.raises(UsageError, match=words):
        measure(read(export, config=config), {"unite": unite})


def test_a_control_that_takes_every_tool_is_compared_across_them(files):
    export, config = files(tasks(([box(1, 0, name="any")], [polygon(1, 0, name="any")]), ([], [])), ANY_TOOL)
    dataset = read(export, config=config)
    assert dataset.report.codes["several-types"] == 1
    report = measure(dataset)
    assert report["any"].metric == "shape_labels"
    assert report["any"].pairwise.value == 1.0
