"""Agreement against the threshold: every point is the number that the threshold form gives."""

import json
import math

import numpy as np
import pytest

import accord
from accord.errors import UsageError
from accord.pipeline.measure import measure
from accord.pipeline.plan import ControlPlan, Plan
from accord.pipeline.question import Question
from accord.pipeline.regions_found import RegionsFound, together
from accord.pipeline.scores import PairScores
from accord.pipeline.sweep import area, sweep
from accord.similarity.metric import from_metric


def item(start, end, label):
    value = {"start": start, "end": end, "labels": [label]}
    return {"from_name": "spans", "to_name": "text", "type": "labels", "value": value}


def dataset(tmp_path, tasks):
    """Tasks from a list of answers by rater; an answer is a list of result items."""
    data = [
        {
            "id": n,
            "data": {"text": "x" * 100},
            "annotations": [
                {"id": 100 * n + r, "completed_by": r, "result": result} for r, result in enumerate(answers)
            ],
        }
        for n, answers in enumerate(tasks)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(data))
    return accord.read(path)


@pytest.fixture
def spans(tmp_path):
    """Overlaps of rater 0 with rater 1: .8 and one alone; 1 with other labels; .5 and one extra; nothing at all."""
    return dataset(
        tmp_path,
        [
            [[item(0, 10, "a"), item(50, 60, "a")], [item(0, 8, "a")]],
            [[item(0, 10, "a")], [item(0, 10, "b")]],
            [[item(0, 10, "b")], [item(0, 5, "b"), item(70, 80, "b")]],
            [[], []],
        ],
    )


@pytest.mark.parametrize("control", ["entities", "topics", "minutes"])
def test_a_point_is_what_the_threshold_form_gives(control):
    data = accord.read("examples/support-export.json", config="examples/support-config.xml")
    plan = Plan(coefficients=("krippendorff_alpha",))
    found = sweep(data, control, plan, start=0.5, stop=0.8, steps=2)
    question = Question.of(data, control, plan)
    form = from_metric(question.study.values, found.metric, threshold=0.8)
    point = found.points[1]
    assert point.pairwise.value == pytest.approx(np.nanmean(PairScores(question.study, form).per_unit))
    again = question.estimate("krippendorff_alpha", similarity=form)
    assert point.coefficient.value == pytest.approx(again.value)
    assert point.coefficient.interval.low == pytest.approx(again.interval.low)
    assert point.coefficient.signature == again.signature


def test_precision_recall_and_f1_count_regions(spans):
    found = sweep(spans, "spans", steps=3)
    (none,), (half,), (whole,) = (point.regions for point in found.points)
    assert (none.a, none.b) == tuple(sorted((none.a, none.b)))
    assert none == RegionsFound(none.a, none.b, matched=3, missing=1, extra=1)
    assert half == RegionsFound(none.a, none.b, matched=2, missing=2, extra=2)
    assert whole == RegionsFound(none.a, none.b, matched=0, missing=4, extra=4)
    assert (half.precision, half.recall, half.f1, half.unmatched) == (0.5, 0.5, 0.5, 4)
    assert found.curves["f1"] == (0.75, 0.5, 0.0)


def test_labels_do_not_count_under_a_metric_without_them(spans):
    plan = Plan(controls={"spans": ControlPlan(metric="span_overlap")})
    assert sweep(spans, "spans", plan, steps=3).points[2].regions[0].matched == 1


def test_precision_and_recall_of_unequal_answers():
    found = RegionsFound("a", "b", matched=2, missing=6, extra=2)
    assert (found.precision, found.recall, found.f1) == (0.5, 0.25, pytest.approx(1 / 3))
    assert together([found, found]).f1 == found.f1
    assert math.isnan(RegionsFound("a", "b", 0, 0, 0).f1)


def test_pairwise_is_the_share_of_pairs_that_reach_the_threshold(spans):
    found = sweep(spans, "spans", start=0.4, stop=0.5, steps=2)
    assert found.curves["pairwise"] == (0.5, 0.25)
    assert found.points[0].pairwise.interval is not None
    assert found.points[0].coefficient.similarity.startswith("span_labels")


def test_area_is_the_mean_height_where_the_curve_is_defined():
    assert area((0.0, 0.5, 1.0), (math.nan, 1.0, 0.5)).to_dict() == {"value": 0.75, "covered": 0.5}
    nothing = area((0.0, 1.0), (math.nan, 1.0))
    assert (nothing.to_dict(), nothing.covered) == ({"value": None, "covered": 0.0}, 0.0)


def test_area_under_the_pairwise_score_is_the_mean_similarity(spans):
    found = sweep(spans, "spans", steps=1001)
    assert found.areas["pairwise"].value == pytest.approx(found.mean.value, abs=1e-3)


def test_no_variation_is_a_gap_with_its_reason(tmp_path):
    rows = "unit,rater,value\n" + "".join(
        f"{u},{r},{'cat' if (u + r) % 2 else 'cats'}\n" for u in range(4) for r in (1, 2)
    )
    path = tmp_path / "t.csv"
    path.write_text(rows)
    data = accord.read(path, text="value")
    found = sweep(data, "value", start=0.0, stop=0.5, steps=2)
    assert found.points[0].coefficient.undefined == "no_variation"
    assert found.to_dict()["points"][0]["coefficient"]["value"] is None
    assert found.to_dict()["area"]["coefficient"] == {"value": None, "covered": 0.0}
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_distance_is_swept_over_itself(tmp_path):
    point = {"from_name": "k", "to_name": "i", "type": "keypointlabels", "original_width": 100, "original_height": 100}

    def answer(x):
        return [point | {"value": {"x": x, "y": 50.0, "width": 1, "keypointlabels": ["eye"]}}]

    data = dataset(tmp_path, [[answer(10.0), answer(10.0 + shift)] for shift in (0.0, 3.0, 7.0)])
    found = sweep(data, "k", start=0.0, stop=8.0, steps=5)
    assert found.curves["pairwise"] == pytest.approx((1 / 3, 1 / 3, 2 / 3, 2 / 3, 1.0))
    assert [point.regions[0].matched for point in found.points] == [1, 1, 2, 2, 3]
    assert sweep(data, "k", steps=3).thresholds == (0.0, 5.0, 10.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"start": 0.5, "stop": 0.5}, "ascending"),
        ({"stop": 1.5}, "0 to 1"),
        ({"start": math.nan}, "0 to 1"),
        ({"steps": 1}, "2 to 1001"),
    ],
)
def test_thresholds_out_of_range_are_refused(spans, options, words):
    with pytest.raises(UsageError, match=words):
        sweep(spans, "spans", **options)


def test_a_coefficient_without_similarity_is_refused(spans):
    with pytest.raises(UsageError, match="icc"):
        sweep(spans, "spans", Plan(coefficients=("icc",)))


def test_half_is_the_threshold_entry(spans):
    plan = Plan(
        coefficients=("krippendorff_alpha",), controls={"spans": ControlPlan(metric="span_labels_similarity_threshold")}
    )
    (control,) = measure(spans, plan).controls
    point = sweep(spans, "spans", Plan(coefficients=("krippendorff_alpha",)), start=0.5, stop=1.0, steps=2).points[0]
    assert point.pairwise.value == control.pairwise.value
    assert point.pairwise.interval == control.pairwise.interval
    assert point.consensus.value == control.consensus.value
