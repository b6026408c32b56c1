"""Agreement with answers marked as ground truth, from an export."""

import json

import pytest

import accord
from accord.pipeline.contract import to_full_dict
from accord.reporting import csv_tables, render_report


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


def test_each_rater_against_the_gold_of_others(tmp_path):
    truth = [annotation(10 * i, 1, "good", gold=True) for i in range(20)]
    tasks = [
        [gold, annotation(10 * i + 1, 2, "good" if i < 15 else "bad"), *([annotation(10 * i + 2, 3, "good")] * (i < 5))]
        for i, gold in enumerate(truth)
    ]
    data = [{"id": i, "data": {}, "annotations": found} for i, found in enumerate(tasks)]
    (tmp_path / "export.json").write_text(json.dumps(data))
    report = accord.measure(accord.read(tmp_path / "export.json"))
    rows = {row.rater: row.score for row in report["tone"].gold_rows}
    assert {rater: (score.value, score.units) for rater, score in rows.items()} == {"2": (0.75, 20), "3": (1.0, 5)}
    assert all(0 < score.interval.low < score.interval.high <= 1 for score in rows.values())
    assert rows["2"].interval.low < 0.75 < rows["2"].interval.high < 1
    assert rows["3"].interval.low < rows["2"].interval.high
    page = render_report(report, "html")
    assert "Raters against ground truth" in page
    assert "all together 0.75 (" in page
    assert "### Against ground truth" in render_report(report, "md")
    listed = to_full_dict(report)["report"]["controls"]["tone"]["gold_raters"]
    assert [(row["rater"], row["score"]["units"]) for row in listed] == [("2", 20), ("3", 5)]
    table = csv_tables.tables(report)["gold.csv"].splitlines()
    assert table[0] == "control,rater,units,score,low,high"
    assert [line.split(",")[:4] for line in table[1:]] == [["tone", "2", "20", "0.75"], ["tone", "3", "5", "1.0"]]


def test_no_table_where_nothing_is_marked(tmp_path):
    data = [
        {"id": i, "data": {}, "annotations": [annotation(2 * i, 1, "good"), annotation(2 * i + 1, 2, "bad")]}
        for i in (0, 1)
    ]
    (tmp_path / "export.json").write_text(json.dumps(data))
    report = accord.measure(accord.read(tmp_path / "export.json"))
    assert report["tone"].gold_rows == ()
    assert "ground truth" not in render_report(report, "html")
    assert "ground truth" not in render_report(report, "md")


def test_nothing_marked_and_nothing_to_compare(gold):
    assert gold([annotation(1, 1, "good"), annotation(2, 2, "good")]) is None
    assert gold([annotation(1, 1, "good", gold=True)], [annotation(2, 2, "bad")]).undefined == "no_overlap"
