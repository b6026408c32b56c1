"""Decision 17: what is not asked, not found and not shown where answers are regions."""

import json
from itertools import chain

import pytest

import accord
from accord.pipeline import detection_scores, sweep
from accord.pipeline.question import Question

CONFIG = """<View><Image name="i" value="$i"/>
<RectangleLabels name="boxes" toName="i"><Label value="A"/></RectangleLabels>
<Choices name="state" toName="i" perRegion="true"><Choice value="new"/><Choice value="old"/></Choices>
<Choices name="signs" toName="i" perRegion="true" choice="multiple"><Choice value="x"/><Choice value="y"/></Choices>
</View>"""


def box(x, width=10, **said):
    place = {"x": x, "y": 0, "width": width, "height": 10, "rotation": 0}
    about = {"id": f"b{x}", "to_name": "i", "original_width": 100, "original_height": 100}
    items = [{**about, "from_name": "boxes", "type": "rectanglelabels", "value": place | {"rectanglelabels": ["A"]}}]
    return items + [
        {**about, "from_name": name, "type": "choices", "value": place | {"choices": list(chosen)}}
        for name, chosen in said.items()
    ]


def read(folder, *tasks):
    export = [
        {"id": task, "data": {"i": "x.png"}, "annotations": [
            {"id": 10 * task + n, "completed_by": {"email": rater}, "result": [*chain(*boxes)]}
            for n, (rater, boxes) in enumerate(answers.items())]}
        for task, answers in enumerate(tasks, 1)
    ]  # fmt: skip
    (folder / "export.json").write_text(json.dumps(export))
    return accord.read(folder / "export.json", config=CONFIG)


def test_a_region_about_which_nobody_answered_is_not_asked(tmp_path):
    """Of three matched boxes two were asked about: one by both, one by ann alone."""
    dataset = read(
        tmp_path,
        {
            "ann": [box(0, state=["new"], signs=["x"]), box(30, state=["old"], signs=["x", "y"]), box(60)],
            "ben": [box(0, state=["new"], signs=["x"]), box(30), box(60)],
        },
    )
    report = accord.measure(dataset)
    state, signs = report["state"], report["signs"]
    assert (state.units, state.answers, state.pairs) == (1, 3, 1)
    assert (signs.units, signs.answers, signs.counts.empty) == (2, 4, 1)
    assert signs.pairwise.value == pytest.approx(1 / 2), "the second was left open by ben: nothing against x and y"


def test_found_must_exceed_and_swept_must_reach(tmp_path):
    """Two boxes that overlap by exactly one half."""
    dataset = read(tmp_path, {"ann": [box(0, 10)], "ben": [box(0, 5)]}, {"ann": [box(0)], "ben": [box(0)]})
    regions = accord.measure(dataset)["boxes"].regions
    assert regions.threshold == 0.5
    assert (regions.total.found, regions.f1.value) == (1, pytest.approx(1 / 2))
    at_half = next(
        point for point in sweep.sweep(dataset, "boxes", steps=3).points if point.threshold == pytest.approx(0.5)
    )
    assert sweep.together(at_half.regions).f1 == 1.0


@pytest.mark.parametrize(
    "plan",
    [accord.Plan(compat="platform"), accord.Plan(matching="last"),
     accord.Plan(settings={"box_labels.matching": "last"}),
     accord.Plan(controls={"boxes": accord.ControlPlan(metric="exact_match")})],
    ids=["platform", "last", "last by setting", "whole answers"],
)  # fmt: skip
def test_without_matching_there_are_no_scores_of_regions(tmp_path, plan):
    dataset = read(tmp_path, {"ann": [box(0)], "ben": [box(0, 5)]})
    control = accord.measure(dataset, plan, page=True)["boxes"]
    assert control.regions is None
    assert accord.measure(dataset)["boxes"].regions is not None


def test_too_many_pairs_are_not_matched_again(tmp_path, monkeypatch):
    dataset = read(tmp_path, {"ann": [box(0)], "ben": [box(0, 5)]})
    assert detection_scores.MOST_MATCHED == 20_000_000
    monkeypatch.setattr(detection_scores, "MOST_MATCHED", 0)
    assert accord.measure(dataset)["boxes"].regions is None


def test_a_curve_that_takes_long_is_drawn_only_when_asked_for(tmp_path, monkeypatch):
    dataset = read(tmp_path, {"ann": [box(0)], "ben": [box(0, 5)]})
    question = Question.of(dataset, "boxes", accord.Plan())
    assert sweep.thresholds_of(question) is not None
    monkeypatch.setattr(sweep, "AFFORDABLE", 0)
    assert sweep.thresholds_of(question) is None
    assert len(sweep.sweep(dataset, "boxes", steps=3).points) == 3
