"""Custom code in plans, reports, bundles and on the command line."""

import json
import subprocess
import sys

import jsonschema
import pytest

import accord
from accord.errors import UsageError
from accord.pipeline.contract import schema, to_dict, to_full_dict
from accord.pipeline.plan import Plan
from accord.pipeline.sweep import sweep

EXPORT, CONFIG = "examples/support-export.json", "examples/support-config.xml"
JACCARD = """
symmetric = True

def chosen(annotation):
    return {c for item in annotation["result"] for c in item["value"].get("choices", [])}

def agreement(annotation_1, annotation_2, per_label=False):
    one, two = chosen(annotation_1), chosen(annotation_2)
    if not one and not two:
        return 1.0
    if per_label:
        return {label: float((label in one) == (label in two)) for label in one | two}
    return len(one & two) / len(one | two)
"""


@pytest.fixture(scope="module")
def dataset():
    return accord.read(EXPORT, config=CONFIG, results=True)


def plan(code=JACCARD, control="*", **wish):
    return {"ci": None, "controls": {control: {"metric": "custom:mine.py", "code": code, **wish}}}


def test_a_control_gets_the_numbers_of_the_same_metric(dataset):
    """Custom code that is the Jaccard index scores every task as the metric of that name does."""
    plain = accord.measure(dataset, {"ci": None}, tasks=True)["topics"]
    custom = accord.measure(dataset, plan(control="topics"), tasks=True)["topics"]
    assert custom.pairwise.value == pytest.approx(plain.pairwise.value, abs=1e-12)
    assert [(t.unit, pytest.approx(t.value)) for t in custom.tasks] == [(t.unit, t.value) for t in plain.tasks]
    assert custom.headline == "percent_agreement"
    assert custom.main.value == pytest.approx(plain.coefficients["percent_agreement"].value, abs=1e-12)
    assert (custom.custom.scope, custom.custom.code, custom.custom.pairs) == ("control", "mine.py", custom.pairs)
    assert custom.custom.version in custom.main.signature


def test_chance_comes_with_the_declaration(dataset):
    """The coefficient is that of the metric of the same name, up to the sample of pairs between tasks."""
    code = "comparable_across_units = True\n" + JACCARD
    found = accord.measure(dataset, plan(code, "topics"))["topics"].main
    plain = accord.measure(dataset, {"ci": None})["topics"].main
    assert found.name == plain.name == "krippendorff_alpha"
    assert found.observed == pytest.approx(plain.observed, abs=1e-12)
    assert found.value == pytest.approx(plain.value, abs=0.03)


def test_without_it_nothing_is_said_about_chance(dataset):
    report = accord.measure(dataset, plan(control="topics"), page=True)["topics"]
    kappas = {pair.cohen_kappa.undefined for pair in report.rater_pairs}
    assert kappas == {"not_applicable"}
    assert list(report.coefficients) == ["percent_agreement"]
    assert report.labels == ()
    with pytest.raises(UsageError, match="comparable_across_units"):
        accord.measure(dataset, plan(control="topics", coefficients=["krippendorff_alpha"]))


def test_the_whole_annotation_is_a_control_of_its_own(dataset):
    report = accord.measure(dataset, plan())
    whole = report["*"]
    assert (str(whole.control.kind), whole.custom.scope) == ("annotation", "annotation")
    assert whole.pairs > 500
    plain = accord.measure(dataset, {"ci": None})
    assert report.overall_pairwise.value == plain.overall_pairwise.value
    assert report.dataset.fingerprint == plain.dataset.fingerprint


def test_failures_are_counted_and_told_without_content(dataset):
    code = (
        "def agreement(a, b):\n    if a['id'] % 2:\n        raise ValueError(str(a['result']))\n    return b['secret']"
    )
    report = accord.measure(dataset, plan(code))
    found = report["*"].custom
    assert set(found.failed) == {"missing key", "run time"}
    assert sum(found.failed.values()) == found.pairs == report["*"].pairs
    assert report["*"].pairwise.undefined == "nothing_comparable"
    text = json.dumps(to_full_dict(report)["controls"][-1])
    assert "choices" not in text
    assert "ValueError, line 3" in text


def test_both_directions_count_unless_the_code_is_symmetric(dataset):
    code = "def agreement(a, b):\n    return float(a['id'] < b['id'])"
    values = {task.value for task in accord.measure(dataset, plan(code), tasks=True)["*"].tasks}
    assert values == {0.5}
    one_way = accord.measure(dataset, plan("symmetric = True\n" + code), tasks=True)["*"]
    assert {task.value for task in one_way.tasks} != {0.5}


def test_scores_by_label_reach_the_report(dataset):
    found = accord.measure(dataset, plan(control="topics", options={"per_label": True}))["topics"].custom
    assert set(found.labels) > {"billing"}
    assert all(0 <= value <= 1 and pairs > 0 for value, pairs in found.labels.values())


def test_the_json_follows_its_schema(dataset):
    for report in (accord.measure(dataset, plan()), accord.measure(dataset, plan(control="sentiment"))):
        jsonschema.validate(to_dict(report, tasks=True), schema())


def test_a_sweep_of_custom_code(dataset):
    chosen = Plan.from_dict(plan(control="topics"))
    plain = sweep(accord.read(EXPORT, config=CONFIG), "topics", Plan(ci=None), steps=3)
    custom = sweep(dataset, "topics", chosen, steps=3)
    assert custom.points[0].pairwise.value == 1.0  # the metric keeps 0 where one of two answers is empty
    assert [p.pairwise.value for p in custom.points[1:]] == pytest.approx([p.pairwise.value for p in plain.points[1:]])


def test_a_table_has_no_annotations():
    table = accord.read({"item": [1, 1], "rater": ["a", "b"], "value": ["x", "y"]})
    with pytest.raises(UsageError, match="Label Studio export"):
        accord.measure(table, plan())


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"metric": "custom", "similarity": "jaccard"}, "only measure"),
        ({"metric": "custom", "level": "ordinal"}, "only measure"),
        ({"similarity": "custom:x.py"}, "given as metric"),
    ],
)
def test_contradictions_are_refused(wish, words):
    with pytest.raises(UsageError, match=words):
        Plan.from_dict({"controls": {"x": wish}})


@pytest.mark.parametrize(
    ("metric", "words"),
    [("custom:no-such-file.py", "no such file"), ("custom", "name the file"), ("custom:.", "no such file")],
)
def test_code_that_is_not_there_is_told(dataset, metric, words):
    with pytest.raises(UsageError, match=words):
        accord.measure(dataset, {"controls": {"*": {"metric": metric}}})


def test_code_is_found_beside_its_plan(tmp_path):
    (tmp_path / "mine.py").write_text(JACCARD)
    (tmp_path / "plan.json").write_text(json.dumps({"controls": {"*": {"metric": "custom:mine.py"}}}))
    assert Plan.load(tmp_path / "plan.json").controls["*"].code == JACCARD


def accord_cli(*arguments):
    return subprocess.run([sys.executable, "-m", "accord", *arguments], capture_output=True, text=True, check=False)


def test_the_command_line_scores_and_reproduces(tmp_path, dataset):
    code = tmp_path / "a=b.py"
    code.write_text(JACCARD)
    bundle = tmp_path / "bundle"
    metrics = ("--metric", f"custom:{code}", "--metric", f"topics=custom:{code}")
    done = accord_cli("score", EXPORT, "--config", CONFIG, *metrics, "--json", "--bundle", str(bundle))
    assert done.returncode == 0, done.stderr
    controls = {control["name"]: control for control in json.loads(done.stdout)["controls"]}
    assert controls["topics"]["metric"] == controls["*"]["metric"] == "custom:a=b.py"
    expected = accord.measure(dataset, plan())["*"].pairwise.value
    assert controls["*"]["pairwise"]["value"] == expected
    code.unlink()
    again = accord_cli("reproduce", str(bundle))
    assert again.returncode == 0, again.stdout + again.stderr


def test_the_command_line_names_the_error_and_its_line(tmp_path):
    code = tmp_path / "bad.py"
    code.write_text("import os\n")
    done = accord_cli("score", EXPORT, "--config", CONFIG, "--metric", f"custom:{code}")
    assert done.returncode == 2
    assert "bad.py: sandbox error, line 1: import of os is refused" in done.stderr
