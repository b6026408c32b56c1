"""Cases that other tools got wrong, from the file to the report: each with the report it comes from."""

import csv
import io
import json
import random

import pytest

import accord
from accord.pipeline.plan import ControlPlan, Plan


def near(expected):
    return pytest.approx(expected, abs=1e-9)


@pytest.fixture
def measured(tmp_path):
    def run(content, plan=None, config=None, name="table.csv", **options):
        (tmp_path / name).write_text(content, encoding="utf-8")
        if config:
            (tmp_path / "config.xml").write_text(config, encoding="utf-8")
        dataset = accord.read(tmp_path / name, config=tmp_path / "config.xml" if config else None, **options)
        return accord.measure(dataset, plan, tasks=True).controls[0]

    return run


@pytest.mark.parametrize(
    "metric, alpha, tasks",
    [
        ("masi", 4 / 7, [1, 1 / 3, 1, 0, 1]),
        ("jaccard", 13 / 22, [1, 1 / 2, 1, 0, 1]),
        ("exact_match", 7 / 13, [1, 0, 1, 0, 1]),
    ],
)
def test_b31_alpha_of_sets(measured, metric, alpha, tasks):
    """scipy 7317, nltk 1144, open-mds 75."""
    first = [["a", "b"], ["a"], [], ["c"], ["b"]]
    second = [["b", "a"], ["a", "b"], [], ["a"], ["b"]]
    text = io.StringIO()
    rows = [(i, json.dumps(a), json.dumps(b)) for i, (a, b) in enumerate(zip(first, second, strict=True))]
    csv.writer(text).writerows([("item", "r1", "r2"), *rows])
    name = measured(text.getvalue()).control.name
    plan = Plan(coefficients=("krippendorff_alpha",), controls={name: ControlPlan(metric=metric)})
    control = measured(text.getvalue(), plan)
    assert control.main.value == near(alpha)
    assert [row.value for row in control.tasks] == near(tasks)
    assert control.pairwise.value == near(sum(tasks) / 5)


VOTES = [("r1", "u1", "cat"), ("r2", "u1", "dog"), ("r3", "u1", "dog"), ("r4", "u1", "cat")]
VOTES += [("r1", "u2", "dog"), ("r2", "u2", "dog"), ("r3", "u2", "cat")]


@pytest.mark.parametrize("seed", range(5))
def test_b35_a_tie_is_told_in_any_order(measured, seed):
    """crowd-kit 108, fact-extractor 28, knodle 111."""
    rows = random.Random(seed).sample(VOTES, len(VOTES))
    content = "rater,item,label\n" + "".join(f"{','.join(row)}\n" for row in rows)
    control = measured(content, Plan(coefficients=("plurality",)))
    assert control.consensus.value == near((1 / 2 + 2 / 3) / 2)
    assert "tasks where several answers are supported best: 1" in control.consensus.notes
    assert control.main.value == near((1 / 2 + 2 / 3) / 2)
    assert control.main.details["ties"] == 1
    assert control.main.details["floor"] == near((1 / 4 + 1 / 3) / 2)


LABELS = '<View><Text name="t" value="$t"/><Labels name="l" toName="t"><Label value="P"/></Labels></View>'


def test_b55_spans_counted_in_two_units_are_the_same(measured):
    """label-studio 1347, 539 and 4988, label-studio-converter 254: what is stored tells the unit of each span."""
    annotations = [
        {"id": n, "completed_by": n, "result": [{"id": "s", "from_name": "l", "to_name": "t", "type": "labels",
            "value": {"start": start, "end": start + 3, "text": "red", "labels": ["P"]}}]}
        for n, start in ((1, 5), (2, 3))
    ]  # fmt: skip
    tasks = [{"id": 1, "data": {"t": "🙂🙂 red barn"}, "annotations": annotations}]
    control = measured(json.dumps(tasks), config=LABELS, name="export.json")
    assert control.pairwise.value == 1.0


CHOICES = (
    '<View><Text name="t" value="$t"/><Choices name="s" toName="t" choice="multiple"><Choice value="yes"/>'
    '<Choice value="no"/></Choices></View>'
)


@pytest.mark.parametrize("metric", ["exact_match", "jaccard"])
def test_b75_nothing_is_an_answer(measured, metric):
    """label-studio 1470 and 921, label-studio-sdk 662, label-studio-evalme 73."""
    yes = [{"from_name": "s", "to_name": "t", "type": "choices", "value": {"choices": ["yes"]}}]
    results = [([], []), ([], yes), (None, yes)]
    tasks = [
        {"id": task, "annotations": [{"id": 2 * task + n, "completed_by": n, "result": r} for n, r in enumerate(pair)]}
        for task, pair in enumerate(results, 1)
    ]
    plan = Plan(controls={"s": ControlPlan(metric=metric)})
    control = measured(json.dumps(tasks), plan, config=CHOICES, name="export.json")
    assert {row.unit: row.value for row in control.tasks} == {"1": 1.0, "2": 0.0, "3": 0.0}
    assert control.units == 3


def test_b68_missing_texts_are_counted_out(measured):
    """RapidFuzz 291, thefuzz 41, fuzzywuzzy 94."""
    rows = [{"item": 1, "rater": "r1", "note": "x y"}, {"item": 1, "rater": "r2", "note": "x y"}]
    rows += [{"item": 2, "rater": "r1", "note": None}, {"item": 2, "rater": "r2", "note": "q"}]
    lines = [*map(json.dumps, rows), '{"item": 3, "rater": "r1", "note": "z"}']
    control = measured("\n".join([*lines, '{"item": 3, "rater": "r2", "note": NaN}']), name="table.jsonl", text="note")
    assert (control.pairwise.value, control.pairwise.units, control.pairs) == (1.0, 1, 1)
    assert control.counts.one == 2
