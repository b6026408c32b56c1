"""Agreement with answers marked as ground truth, from an export."""

import json

import pytest

import accord


def annotation(number, rater, label, gold=False):
    result = [{"id": "a", "from_name": "tone", "to_name": "t", "type": "choices", "value": {"choices": [label]}}]
    return {"id": number, "completed_by": rater, "result": result, "ground_truth": gold}


@pytest.fixture
def gold(tmp_path):
    def run(*tasks):
        export = [{"id": n, "data": {"t": "x"}, "annotations": found} for n, found in enumerate(tasks, 1)]
        (tmp_path / "export.json").write_text(json.dumps(export))
        return accord.measure(accord.read(tmp_path / "export.json"))["tone"].gold

    return run


def test_mean_over_units_of_the_others_against_the_gold_answer(gold):
    found = gold(
        [annotation(1, 1, "good", gold=True), annotation(2, 2, "good"), annotation(3, 3, "bad")],
        [annotation(4, 1, "bad"), annotation(5, 2, "bad", gold=True)],
        [annotation(6, 1, "bad"), annotation(7, 2, "good")],
        [annotation(8, 3, "good", gold=True)],
    )
    assert found.value == pytest.approx((1 / 2 + 1) / 2)
    assert found.units == 2
    assert found.interval.low < found.value < found.interval.high


def test_of_several_gold_answers_the_best_match_counts(gold):
    found = gold(
        [annotation(1, 1, "good", gold=True), annotation(2, 2, "bad", gold=True), annotation(3, 3, "bad")],
        [annotation(4, 1, "good", gold=True), annotation(5, 2, "bad")],
    )
    assert found.value == pytest.approx((1 + 0) / 2)


def test_nothing_marked_and_nothing_to_compare(gold):
    assert gold([annotation(1, 1, "good"), annotation(2, 2, "good")]) is None
    assert gold([annotation(1, 1, "good", gold=True)], [annotation(2, 2, "bad")]).undefined == "no_overlap"
