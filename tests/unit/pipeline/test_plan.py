import json
from pathlib import Path

import pytest

import accord
from accord.errors import AccordError, DataError, UsageError
from accord.pipeline.plan import ControlPlan, Plan, load_json_object


def test_a_plan_survives_its_json_form():
    plan = Plan(seed=3, ci=0.9, controls={"tone": ControlPlan(level="ordinal", coefficients=("icc",))})
    again = Plan.from_dict(json.loads(json.dumps(plan.to_dict())))
    assert again == plan


def test_an_unknown_key_is_refused_with_the_closest_one():
    with pytest.raises(UsageError, match="Did you mean matching"):
        Plan.from_dict({"maching": "last"})


def test_an_unknown_key_of_a_control_names_the_control():
    with pytest.raises(UsageError, match=r"control tone: unknown key 'metrik'.*metric"):
        Plan.from_dict({"controls": {"tone": {"metrik": "dice"}}})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"interval": "exactly"}, "score, analytic, bootstrap"),
        ({"ci": 95}, "confidence level"),
        ({"first": 1}, "2 or more"),
        ({"seed": "zero"}, "whole number"),
        ({"seed": True}, "whole number"),
        ({"version": 2}, "version"),
        ({"controls": []}, "object"),
        ({"controls": {"a": 3}}, "object"),
        ({"missing": "NA"}, "list"),
        ({"compat": "other"}, "platform"),
    ],
)
def test_wrong_values_say_what_is_allowed(given, words):
    with pytest.raises(UsageError, match=words):
        Plan.from_dict(given)


def test_level_and_weights_contradict_each_other():
    with pytest.raises(UsageError, match="contradict"):
        ControlPlan(level="ordinal", weights="ordinal")


def test_a_broken_plan_file_names_the_line(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text('{"seed": 1,\n"ci": }')
    with pytest.raises(DataError, match="line 2"):
        load_json_object(path)


def test_a_deeply_nested_plan_file_is_refused(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("[" * 200_000)
    with pytest.raises(DataError, match="not JSON"):
        load_json_object(path)


def test_options_of_a_control_win_over_settings():
    plan = Plan(
        settings={"span_overlap.min_overlap": 0.1, "jaccard.x": 1},
        controls={"ner": ControlPlan(options={"min_overlap": 0.5})},
    )
    assert plan.options_for("span_overlap", "ner") == {"min_overlap": 0.5}
    assert plan.options_for("span_overlap", "other") == {"min_overlap": 0.1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"seed": 1, "seed": 2}', "occurs twice"),
        ('{"ci": NaN}', "NaN is no number"),
        ('{"seed": -1}', "seed=-1 is out of range"),
        ('{"missing": [{}]}', "missing must be a list of texts"),
        ('{"coefficients": [1]}', "coefficients must be a list of texts"),
        ('{"only": [[]]}', "only must be a list of texts"),
        ('{"controls": {"a": {"coefficients": [null]}}}', "control a: coefficients must be a list of texts"),
        ('{"controls": {"a": {"weight": -1}}}', "weight=-1 is out of range. Allowed: 0 or more"),
        ('{"controls": {"a": {"weight": 1e400}}}', "weight=inf is out of range"),
        ('{"controls": {"a": {"label_weights": {"x": "1"}}}}', "label_weights, x='1' is out of range"),
        ('{"controls": {"a": {"criterion": 5}}}', "criterion=5 is out of range. Allowed: -1 to 1"),
        ('{"' + "k" * 100_000 + '": 1}', "unknown key 'kkk"),
    ],
    ids=lambda text: text[:40],
)
def test_what_a_plan_file_cannot_mean_is_refused_in_few_words(tmp_path, text, words):
    path = tmp_path / "plan.json"
    path.write_text(text)
    with pytest.raises(AccordError) as error:
        Plan.load(path)
    assert words in str(error.value)
    assert str(path) in str(error.value) or "out of range" in str(error.value)
    assert len(str(error.value)) < 500


def test_a_plan_that_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, Path("/dev/zero"), tmp_path / "none.json", tmp_path / ("n" * 5000)):
        with pytest.raises(UsageError):
            Plan.load(path)


def test_measure_takes_the_json_form_of_a_plan(tmp_path):
    path = tmp_path / "tone.csv"
    path.write_text("item,ann,ben\n1,x,x\n2,x,y\n3,y,y\n")
    dataset = accord.read(path)
    as_dict = accord.measure(dataset, {"coefficients": ["cohen_kappa"], "ci": 0.9})
    as_plan = accord.measure(dataset, Plan(coefficients=("cohen_kappa",), ci=0.9))
    assert as_dict.to_dict() == as_plan.to_dict()
    with pytest.raises(UsageError, match="Did you mean seed"):
        accord.measure(dataset, {"sed": 1})
