"""The influence of tasks and raters in a report is on the number that heads it, by that number's own rule."""

import json

import pytest

import accord
from accord.pipeline.plan import ControlPlan

CONFIG = """<View><Text name="t" value="$t"/>
<Labels name="c" toName="t"><Label value="a"/><Label value="b"/></Labels></View>"""
RATERS = ("ann", "ben", "cyd")
#: Spans (start, end, label) of three raters by task; on two of seven tasks nobody marked anything.
TASKS = [
    [[(0, 10, "a")], [(0, 10, "a")], []],
    [[(0, 8, "a")], [(0, 10, "a")], [(20, 30, "b")]],
    [[(5, 9, "b")], [], [(5, 9, "b")]],
    [[], [], []],
    [[(30, 40, "b")], [(30, 40, "a")], [(30, 40, "b")]],
    [[], [], []],
    [[(3, 9, "a"), (12, 15, "b")], [(3, 9, "a")], [(3, 8, "a")]],
]


def item(number, start, end, label):
    value = {"start": start, "end": end, "labels": [label]}
    return {"id": f"r{number}", "from_name": "c", "to_name": "t", "type": "labels", "value": value}


def measured(folder, tasks, raters=RATERS, **plan):
    export = [
        {"id": task, "data": {"t": "x" * 50}, "annotations": [
            {"id": 10 * task + n, "completed_by": {"email": rater}, "result": [
                item(k, *span) for k, span in enumerate(answers[RATERS.index(rater)])]}
            for n, rater in enumerate(raters)]}
        for task, answers in enumerate(tasks, 1)
    ]  # fmt: skip
    (folder / "export.json").write_text(json.dumps(export))
    dataset = accord.read(folder / "export.json", config=CONFIG)
    return accord.measure(dataset, accord.Plan(**plan), page=True)["c"]


@pytest.mark.parametrize(
    ("headline", "plan"),
    [
        ("krippendorff_alpha_marked", {}),
        ("krippendorff_alpha", {"coefficients": ("krippendorff_alpha",)}),
        (
            "krippendorff_alpha",
            {"settings": {"krippendorff_alpha.empty": "marked"}, "coefficients": ("krippendorff_alpha",)},
        ),
    ],
    ids=["marked", "joint", "marked by setting"],
)
def test_influence_is_the_value_minus_the_value_without(tmp_path, headline, plan):
    whole = measured(tmp_path, TASKS, **plan)
    assert whole.headline == headline
    assert len(whole.disagreed) == 5
    for row in whole.disagreed:
        rest = [task for number, task in enumerate(TASKS, 1) if str(number) != row.unit]
        without = measured(tmp_path, rest, **plan).coefficients[headline].value
        assert row.influence == pytest.approx(whole.main.value - without, abs=1e-9), row.unit
    raters_move(tmp_path, whole, headline, plan)


def raters_move(folder, whole, headline, plan):
    for row in whole.rater_rows:
        without = measured(folder, TASKS, [rater for rater in RATERS if rater != row.rater], **plan)
        assert row.influence == pytest.approx(whole.main.value - without.coefficients[headline].value, abs=1e-9)


def test_weights_of_labels_count(tmp_path):
    plan = {"controls": {"c": ControlPlan(label_weights={"b": 3.0})}}
    whole, plain = measured(tmp_path, TASKS, **plan), measured(tmp_path, TASKS)
    raters_move(tmp_path, whole, whole.headline, plan)
    moved = {row.unit: row.influence for row in plain.disagreed}
    assert all(row.influence != pytest.approx(moved[row.unit], abs=1e-3) for row in whole.disagreed)
