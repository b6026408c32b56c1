"""Answers about regions: controls of their own on matched regions, clustered by task."""

import json

import pytest

import accord
from accord.dataset import Nested
from accord.pipeline.bundle import reproduce_bundle, write_bundle
from accord.pipeline.contract import to_dict
from accord.pipeline.measure import measure
from accord.pipeline.plan import Plan
from accord.reporting import render_report
from accord.values import EMPTY

CONFIG = """<View><Image name="i" value="$i"/>
<RectangleLabels name="box" toName="i"><Label value="car"/><Label value="sign"/></RectangleLabels>
<PolygonLabels name="ring" toName="i"><Label value="car"/></PolygonLabels>
<Choices name="state" toName="i" perRegion="true">
<Choice value="new"/><Choice value="old"/><Choice value="burnt"/></Choices>
<Choices name="extras" toName="i" perRegion="true" choice="multiple">
<Choice value="bars"/><Choice value="hook"/></Choices>
<Taxonomy name="model" toName="i" perRegion="true">
<Choice value="A"><Choice value="A1"/></Choice><Choice value="B"/></Taxonomy>
<Number name="doors" toName="i" perRegion="true"/><Rating name="sure" toName="i" perRegion="true" maxRating="4"/>
<TextArea name="plate" toName="i" perRegion="true"/></View>"""
PAYLOADS = {
    "state": ("choices", "choices"),
    "extras": ("choices", "choices"),
    "model": ("taxonomy", "taxonomy"),
    "doors": ("number", "number"),
    "sure": ("rating", "rating"),
    "plate": ("textarea", "text"),
}


def box(identity, x, label="car", **said):
    """Items of a box, and what was answered about it."""
    place = {"x": x, "y": 0, "width": 10, "height": 10, "rotation": 0}
    head = {"id": identity, "to_name": "i", "original_width": 100, "original_height": 100}
    items = [head | {"from_name": "box", "type": "rectanglelabels", "value": place | {"rectanglelabels": [label]}}]
    for name, answer in said.items():
        type_, key = PAYLOADS[name]
        items.append(head | {"from_name": name, "type": type_, "value": place | {key: answer}})
    return items


def ring(identity, *said):
    place = {"points": [[0, 0], [10, 0], [0, 10]], "closed": True}
    head = {"id": identity, "to_name": "i", "original_width": 100, "original_height": 100}
    items = [head | {"from_name": "ring", "type": "polygonlabels", "value": place | {"polygonlabels": ["car"]}}]
    return [*items, head | {"from_name": "state", "type": "choices", "value": place | {"choices": list(said)}}]


TASKS = [
    (
        box("a", 0, state=["new"], doors=4, sure=3, plate=["X 1"], model=[["A", "A1"]])
        + box("b", 50, state=["old"], doors=2, sure=1, plate=["Y 2"], model=[["B"]])
        + box("s", 80, "sign"),
        box("q", 51, state=["old"], doors=3, sure=2, plate=["Y2"], model=[["A", "A1"]])
        + box("p", 1, state=["burnt"], doors=4, sure=3, plate=["X 1"], model=[["A", "A1"]])
        + box("t", 80, "sign"),
    ),
    (box("a", 20, state=["new"], doors=5), box("p", 20, state=["new"], sure=4, doors=5) + box("z", 70, state=["old"])),
    (box("a", 40, state=["old"], extras=["bars"]), box("p", 40, state=["old"])),
]


def read(folder, tasks=TASKS, config=CONFIG):
    (folder / "config.xml").write_text(CONFIG)
    data = [
        {
            "id": n,
            "data": {"i": "x.png"},
            "annotations": [{"id": 10 * n + k, "completed_by": k + 1, "result": r} for k, r in enumerate(results)],
        }
        for n, results in enumerate(tasks, start=1)
    ]
    (folder / "export.json").write_text(json.dumps(data))
    return accord.read(folder / "export.json", config=folder / "config.xml" if config else None)


@pytest.fixture
def report(tmp_path):
    return measure(read(tmp_path), tasks=True, page=True)


def test_every_question_is_a_control_on_matched_regions(report):
    found = {
        c.control.name: (str(c.control.kind), c.headline, c.units) for c in report.controls if c.control.per_region
    }
    assert found == {
        "state": ("label", "krippendorff_alpha", 4),
        "extras": ("labels", "krippendorff_alpha", 1),
        "model": ("paths", "krippendorff_alpha", 2),
        "doors": ("number", "krippendorff_alpha", 3),
        "sure": ("rating", "krippendorff_alpha", 2),
        "plate": ("text", "krippendorff_alpha", 2),
    }


def test_numbers_are_those_of_the_same_answers_in_a_table(report):
    state = report["state"]
    rows = [["new", "burnt"], ["old", "old"], ["new", "new"], ["old", "old"], [None, "old"]]
    plain = accord.krippendorff_alpha(rows, level="nominal", domain=["new", "old", "burnt"], cluster=[1, 1, 2, 3, 2])
    assert state.main.value == pytest.approx(plain.value)
    assert state.main.interval == plain.interval
    assert (state.main.clusters, state.counts.one) == (3, 1)
    doors = accord.krippendorff_alpha([[4, 4], [2, 3], [5, 5]], level="interval")
    assert report["doors"].main.value == pytest.approx(doors.value)
    sure = accord.krippendorff_alpha([[3, 3], [1, 2], [None, 4]], level="ordinal", domain=[1, 2, 3, 4])
    assert report["sure"].main.value == pytest.approx(sure.value)
    assert report["model"].pairwise.value == pytest.approx((1 + 0) / 2)
    assert [task.unit for task in state.tasks] == ["1 #1", "1 #2", "2 #1", "3 #1"]


def test_what_was_left_open_is_empty_for_several_choices_and_missing_for_all_else(tmp_path):
    from accord.pipeline.region_answers import question_for

    dataset = read(tmp_path)
    extras = question_for(dataset, "extras", Plan()).study
    assert {extras.values[code] for code in extras.code} == {frozenset({"bars"}), EMPTY}
    assert extras.kind.is_set
    doors = question_for(dataset, "doors", Plan())
    assert (doors.study.U, doors.column.missing) == (3, 0)
    assert (question_for(dataset, "sure", Plan()).column.missing) == 1, "rater 1 left it open in task 2"


def test_two_questions_of_one_sort_keep_their_answers_apart(tmp_path):
    """A Choices with one and one with several answers: neither writes over the other."""
    tasks = [(box("a", 0, state=["new"], extras=["bars"]), box("p", 0, extras=["hook"], state=["new"]))]
    dataset = read(tmp_path, tasks)
    assert [(nested.control.name, nested.place) for nested in dataset.nested][:2] == [
        ("state", "choices"),
        ("extras", "attributes"),
    ]
    report = measure(dataset)
    assert report["state"].pairwise.value == 1.0
    assert report["extras"].pairwise.value == 0.0


def test_a_question_about_boxes_and_rings_is_one_control(tmp_path):
    tasks = [(box("a", 0, state=["new"]) + ring("r", "old"), box("p", 0, state=["new"]) + ring("t", "new"))]
    report = measure(read(tmp_path, tasks), tasks=True)
    assert [(task.unit, task.value) for task in report["state"].tasks] == [("1 box #1", 1.0), ("1 ring #1", 0.0)]


def test_without_a_config_two_answers_make_it_several_choices(tmp_path):
    tasks = [(box("a", 0, state=["new"]), box("p", 0, state=["new", "old"]))]
    dataset = read(tmp_path, tasks, config=None)
    assert [type(nested) for nested in dataset.nested] == [Nested]
    control = measure(dataset)["state"]
    assert (str(control.control.kind), control.pairwise.value) == ("labels", 0.5)


def test_asked_for_alone(tmp_path):
    dataset = read(tmp_path)
    alone = measure(dataset, {"only": ["state"], "controls": {"state": {"coefficients": ["gwet_ac1"]}}})
    assert [control.control.name for control in alone.controls] == ["state"]
    assert alone["state"].headline == "gwet_ac1"
    assert [c.control.name for c in measure(dataset, {"only": ["box"]}).controls] == ["box"]
    with pytest.raises(accord.errors.UnknownNameError, match="state"):
        measure(dataset, {"only": ["stat"]})


def test_means_over_controls_leave_them_out(report, tmp_path):
    base = measure(read(tmp_path), {"only": ["box", "ring"]})
    assert report.overall_pairwise == base.overall_pairwise
    assert {key: mean.of for key, mean in report.overall.items()} == dict.fromkeys(report.overall, 2)


@pytest.mark.parametrize("plan", [{"compat": "platform"}, {"matching": "last"}])
def test_where_regions_are_not_matched_the_report_says_so(tmp_path, plan):
    report = measure(read(tmp_path), plan)
    assert [control.control.name for control in report.controls] == ["box", "ring"]
    assert report.notes[-1].startswith("Not scored on their own: state, extras, model")


def test_the_report_says_what_a_unit_is(report):
    html = render_report(report, "html")
    assert html.count("Asked about regions") == 6
    assert "4 regions · 2 raters" in html
    rows = {control["name"]: control.get("per_region") for control in to_dict(report)["controls"]}
    assert (rows["state"], rows["box"]) == (True, None)


def test_a_bundle_reproduces_them(tmp_path):
    dataset, plan = read(tmp_path), Plan()
    write_bundle(tmp_path / "bundle", dataset, plan, measure(dataset, plan, tasks=True))
    rows = reproduce_bundle(tmp_path / "bundle")
    assert {row.control for row in rows} >= {"box", "state", "model", "plate"}
    assert [row for row in rows if not row.same] == []
