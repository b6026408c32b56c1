"""Detection scores and losses of region controls: against plain counting, and by hand."""

import json
import math
from itertools import combinations

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.metrics.clusters import region_clusters
from accord.metrics.detection import detection, losses
from accord.pipeline import detection_scores, region_matches, region_units
from accord.pipeline.contract import schema, to_dict
from accord.pipeline.label_agreement import label_study
from accord.pipeline.measure import measure
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.pipeline.region_matches import RegionMatches
from accord.similarity.metric import compare_regions
from accord.values import EMPTY


def box(identity, x, y, width, height, *labels):
    value = {"x": x, "y": y, "width": width, "height": height, "rotation": 0, "rectanglelabels": list(labels)}
    sizes = {"original_width": 200, "original_height": 100}
    return {"id": identity, "from_name": "box", "to_name": "image", "type": "rectanglelabels", "value": value, **sizes}


def written(path, tasks):
    """Export with one list of items a rater for every task; None = not annotated."""
    data = [
        {
            "id": n,
            "data": {"image": f"{n}.png"},
            "annotations": [
                {"id": 100 * n + k, "completed_by": k + 1, "result": result}
                for k, result in enumerate(results)
                if result is not None
            ],
        }
        for n, results in enumerate(tasks, start=1)
    ]
    path.write_text(json.dumps(data))
    return accord.read(path)


@pytest.fixture
def dataset(tmp_path):
    """Two raters: a boundary (overlap .5), another label, one region each that nobody else marked, one empty answer."""
    return written(
        tmp_path / "export.json",
        [
            ([box("a", 0, 0, 20, 20, "car")], [box("b", 0, 0, 20, 10, "car")]),
            ([box("a", 0, 0, 10, 10, "car")], [box("b", 0, 0, 10, 10, "bus")]),
            (
                [box("a", 0, 0, 10, 10, "car"), box("c", 50, 50, 10, 10, "bus")],
                [box("b", 0, 0, 10, 10, "car"), box("d", 80, 80, 10, 10, "car")],
            ),
            ([box("a", 0, 0, 10, 10, "car")], []),
        ],
    )


def test_scores_by_hand(dataset):
    found = measure(dataset)["box"].regions
    assert found.threshold == 0.5
    assert (found.total.found, found.total.left, found.total.right) == (1, 5, 4), "an overlap of .5 does not exceed .5"
    assert found.f1.value == pytest.approx(2 / 9)
    assert found.f1.interval.low < found.f1.value < found.f1.interval.high
    assert found.mean_overlap.value == 1.0
    assert found.panoptic_quality.value == pytest.approx(1 / (1 + (4 + 3) / 2))
    pair = found.rater_pairs[0]
    assert (pair.found.precision, pair.found.recall) == pytest.approx((1 / 4, 1 / 5))
    assert found.losses == pytest.approx(
        {"missing": (1 / 3 + 1) / 4, "extra": 1 / 12, "boundary": 0.5 / 4, "label": 1 / 4, "attribute": 0.0}
    )
    lower = measure(dataset, {"set": {"detection.threshold": 0.4}})["box"].regions
    assert lower.f1.value == pytest.approx(4 / 9)
    assert lower.mean_overlap.value == pytest.approx(0.75)


def test_labels_count_the_regions_that_carry_them(dataset):
    rows = {row.label: row.found for row in measure(dataset)["box"].regions.labels}
    assert {label: (found.found, found.left + found.right) for label, found in rows.items()} == {
        "car": (1, 7),
        "bus": (0, 2),
    }
    assert rows["car"].f1 == pytest.approx(2 / 7)
    assert rows["bus"].f1 == 0.0
    assert math.isnan(rows["bus"].mean_overlap)


def test_labels_of_matched_regions_have_a_coefficient_of_their_own(dataset):
    found = measure(dataset)["box"].regions.label_agreement
    plain = accord.krippendorff_alpha([["car", "car"], ["car", "bus"], ["car", "car"]], level="nominal")
    assert found.value == pytest.approx(plain.value)
    assert (found.units, found.clusters) == (3, 3)


def test_matches_are_returned_for_audit(dataset):
    report = measure(dataset, tasks=True)
    ((a, b, comparison),) = report["box"].regions.audit("3")
    assert (a, b) == ("1", "2")
    assert [(pair.left, pair.right, pair.difference) for pair in comparison.matched] == [(0, 0, "same")]
    assert (comparison.missing, comparison.extra) == ((1,), (1,))
    with pytest.raises(accord.errors.UnknownNameError, match="unit"):
        report["box"].regions.audit("99")
    document = json.loads(json.dumps(to_dict(report, tasks=True), allow_nan=False))
    jsonschema.Draft202012Validator(schema()).validate(document)
    task = document["controls"][0]["tasks"][2]["regions"]
    assert task["matches"][0]["matched"] == [
        {"left": 0, "right": 0, "geometry": 1.0, "similarity": 1.0, "difference": "same"}
    ]
    assert (task["f1"], task["losses"]["missing"]) == (0.5, pytest.approx(1 / 3))
    assert "regions" not in to_dict(report)["controls"][0].get("tasks", [{}])[0]


def test_wrong_thresholds_are_refused(dataset):
    for wrong in (1, -0.1, "high"):
        with pytest.raises(accord.errors.UsageError, match="detection"):
            measure(dataset, {"set": {"detection.threshold": wrong}})


def test_only_the_last_region_is_no_basis_for_detection(dataset):
    assert measure(dataset, {"matching": "last"})["box"].regions is None
    assert measure(dataset, {"compat": "platform"})["box"].regions is None
    assert "regions" not in to_dict(measure(dataset, {"compat": "platform"}))["controls"][0]


spans = st.lists(
    st.builds(
        lambda start, length, labels: {"value": {"start": start, "end": start + length, "text": "", "labels": labels}},
        st.integers(0, 12),
        st.integers(1, 6),
        st.lists(st.sampled_from("ab"), max_size=2, unique=True),
    ),
    max_size=4,
)
studies = st.lists(st.lists(st.none() | spans, min_size=4, max_size=4), min_size=1, max_size=5)


def question(folder, tasks, **plan):
    items = [
        [
            None
            if answer is None
            else [
                {"id": f"r{k}", "from_name": "s", "to_name": "t", "type": "labels", **item}
                for k, item in enumerate(answer)
            ]
            for answer in task
        ]
        for task in tasks
    ]
    dataset = written(folder / "random.json", items)
    return Question.of(dataset, "s", Plan.from_dict(plan)) if "s" in dataset.columns else None


def answers_of(study, cell):
    value = study.values[study.code[cell]]
    return () if value is EMPTY else value


def compared(study):
    """Every pair of answers of every unit, compared on its own."""
    return {
        (unit, a, b): compare_regions("span_labels", answers_of(study, a), answers_of(study, b))
        for unit in range(study.U)
        for a, b in combinations(range(int(study.start[unit]), int(study.start[unit + 1])), 2)
    }


@given(tasks=studies, at_once=st.sampled_from([1, 4, 1 << 15]))
def test_as_counted_one_answer_after_the_other(tmp_path_factory, tasks, at_once):
    asked = question(tmp_path_factory.mktemp("spans"), tasks)
    if asked is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region_matches, "AT_ONCE", at_once)
        patch.setattr(detection_scores, "MOST_WAITING", at_once)
        found = detection_scores.region_scores(asked)
    per_pair = compared(asked.study)
    plain = detection(per_pair.values())
    assert (found.total.found, found.total.left, found.total.right) == (plain.found, plain.left, plain.right)
    assert found.f1.value == pytest.approx(plain.f1, nan_ok=True)
    assert found.panoptic_quality.value == pytest.approx(plain.panoptic_quality, nan_ok=True)
    assert sum(pair.units for pair in found.rater_pairs) == len(per_pair)
    for unit in range(asked.study.U):
        mine = [losses(comparison) for (u, _, _), comparison in per_pair.items() if u == unit]
        if mine:
            expected = {kind: np.mean([loss[kind] for loss in mine]) for kind in mine[0]}
            assert dict(zip(expected, found.units.losses[unit], strict=True)) == pytest.approx(expected, abs=1e-12)


PLANS = (
    {},
    {"set": {"span_labels.min_overlap": 0.3}},
    {"controls": {"s": {"metric": "span_labels_similarity_threshold"}}},
    {"controls": {"s": {"label_weights": {"a": 2.0, "*": 0.5}}}},
)


@given(tasks=studies, plan=st.sampled_from(PLANS))
def test_losses_add_up_to_what_the_score_lacks(tmp_path_factory, tasks, plan):
    asked = question(tmp_path_factory.mktemp("spans"), tasks, **plan)
    if asked is None:
        return
    report = measure(asked.dataset, asked.plan)["s"]
    assert sum(report.regions.losses.values()) == pytest.approx(1 - report.pairwise.value, abs=1e-12, nan_ok=True)
    lost = report.regions.units.losses.sum(axis=1)
    assert lost == pytest.approx(1 - asked.scores.per_unit, abs=1e-12, nan_ok=True)


@given(
    tasks=studies, few=st.sampled_from([0, 16]), bits=st.sampled_from([1, 62]), at_once=st.sampled_from([1, 1 << 15])
)
def test_clusters_are_those_of_each_unit_alone(tmp_path_factory, tasks, few, bits, at_once):
    asked = question(tmp_path_factory.mktemp("spans"), tasks)
    if asked is None:
        return
    study, matches = asked.study, RegionMatches.of(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region_units, "FEW", few)
        patch.setattr(region_units, "MOST_BITS", bits)
        patch.setattr(region_units, "AT_ONCE", at_once)
        units = region_units.region_units(matches)
    per_pair = compared(study)
    expected = []
    for unit in range(study.U):
        first, stop = int(study.start[unit]), int(study.start[unit + 1])
        counts = [len(answers_of(study, cell)) for cell in range(first, stop)]
        mine = {(a - first, b - first): found for (u, a, b), found in per_pair.items() if u == unit}
        expected += [
            tuple((first + answer, region) for answer, region in cluster) for cluster in region_clusters(counts, mine)
        ]
    place = list(zip(units.cell.tolist(), units.position.tolist(), strict=True))
    found = [tuple(place[k] for k in np.flatnonzero(units.cluster == c)) for c in range(len(units.unit))]
    assert found == expected
    assert units.unit.tolist() == [int(study.unit[cluster[0][0]]) for cluster in found]


def test_several_labels_are_compared_as_sets(tmp_path):
    asked = question(tmp_path, [[[item(0, 4, "a", "b")], [item(0, 4, "a")], None, None]])
    study = label_study(RegionMatches.of(asked), region_units.region_units(RegionMatches.of(asked)))
    assert (str(study.kind), study.U, study.C) == ("labels", 1, 2)
    assert {study.values[code] for code in study.code} == {frozenset("ab"), frozenset("a")}


def item(start, end, *labels):
    return {"value": {"start": start, "end": end, "text": "", "labels": list(labels)}}
