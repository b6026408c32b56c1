"""Requirement C4: the parts of readiness, each worked out by hand."""

import json
import math

import pytest

import accord
from accord.errors import UsageError
from accord.pipeline.plan import Plan

CONFIG = """<View><Text name="t" value="$t"/><Choices name="tone" toName="t"><Choice value="good"/><Choice value="bad"/>
<Choice value="mixed"/></Choices></View>"""


def annotation(number, rater, label, **more):
    result = [{"id": "a", "from_name": "tone", "to_name": "t", "type": "choices", "value": {"choices": [label]}}]
    return {"id": number, "completed_by": rater, "result": result, **more}


@pytest.fixture
def readiness(tmp_path):
    def run(tasks, plan=None):
        export = [
            {"id": n, "project": 1, "data": {"t": "x"}, "annotations": annotations}
            for n, annotations in enumerate(tasks, 1)
        ]
        (tmp_path / "export.json").write_text(json.dumps(export))
        (tmp_path / "config.xml").write_text(CONFIG)
        data = accord.read(tmp_path / "export.json", config=tmp_path / "config.xml")
        found = accord.measure(data, plan, page=True).readiness
        return found.value, {name: value for name, _, value, _ in found.parts}

    return run


TASKS = [
    [annotation(1, 1, "good", ground_truth=True), annotation(2, 2, "good")],
    [annotation(3, 1, "good"), annotation(4, 2, "bad"), annotation(5, 3, "bad")],
    [annotation(6, 1, "good")],
    [annotation(7, 2, "bad"), annotation(8, 3, "good", was_cancelled=True)],
    [],
]
GOOD, BAD = 4 / 7, 3 / 7
BALANCE = -(GOOD * math.log(GOOD) + BAD * math.log(BAD)) / math.log(3)


def test_the_parts(readiness):
    value, parts = readiness(TASKS)
    expected = {"coverage": 2 / 5, "agreement": (1 + 1 / 3) / 2, "gold coverage": 1 / 5, "class balance": BALANCE}
    assert parts == pytest.approx(expected, abs=1e-12)
    total = 0.35 * expected["coverage"] + 0.35 * expected["agreement"] + 0.15 * (expected["gold coverage"] + BALANCE)
    assert value == pytest.approx(total, abs=1e-12)


def test_unknown_parts_leave_their_weight_to_the_others(readiness):
    value, parts = readiness([[annotation(1, 1, "good"), annotation(2, 2, "good")]])
    assert parts == {"coverage": 1.0, "agreement": 1.0, "gold coverage": None, "class balance": 0.0}
    assert value == pytest.approx((0.35 + 0.35) / 0.85, abs=1e-12)


def test_weights_required_answers_and_coefficient_can_be_set(readiness):
    settings = {"readiness.coverage": 1, "readiness.agreement": 3, "readiness.gold_coverage": 0}
    settings |= {"readiness.class_balance": 0, "readiness.answers": 3, "readiness.agreement_by": "krippendorff_alpha"}
    value, parts = readiness(TASKS, Plan(settings=settings))
    # good good | good bad bad: N = 5, D_o = 2/5, D_e = 12/20
    assert parts["agreement"] == pytest.approx(1 - (2 / 5) / (12 / 20), abs=1e-12)
    assert parts["coverage"] == pytest.approx(1 / 5, abs=1e-12)
    assert value == pytest.approx((1 / 5 + 3 * parts["agreement"]) / 4, abs=1e-12)


def test_a_negative_coefficient_counts_as_nothing(readiness):
    tasks = [[annotation(1, 1, "good"), annotation(2, 2, "bad")], [annotation(3, 1, "bad"), annotation(4, 2, "good")]]
    _, parts = readiness(tasks, Plan(settings={"readiness.agreement_by": "krippendorff_alpha"}))
    assert parts["agreement"] == 0.0


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"readiness.covrage": 1}, "readiness.coverage"),
        ({"readiness.coverage": -1}, "positive"),
        ({"readiness.agreement_by": "alfa"}, "coefficient"),
        ({"overall.levels": "both"}, "mixed"),
        ({"krippendorf_alpha.empty": "marked"}, "krippendorff_alpha"),
        ({"fleiss_kappa.margin": "shared"}, "marginals"),
        ({"fleiss_kappa": "shared"}, "KEY.OPTION"),
    ],
)
def test_settings_of_a_plan_are_checked(readiness, settings, words):
    with pytest.raises(UsageError, match=words):
        readiness(TASKS, Plan(settings=settings))
