import json
from dataclasses import replace

import pytest

from accord.coefficients.estimate import Estimate, Interval
from accord.dataset import Control, ImportReport
from accord.errors import DataError, UnknownNameError, UsageError
from accord.pipeline.gate import Criterion, decide, fail_under, load_criteria
from accord.pipeline.report import ControlReport, Counts, DatasetSummary, Report, Score
from accord.pipeline.verdict import BELOW, MEETS, UNKNOWN, verdict
from accord.values import Kind

KEY = "krippendorff_alpha"


def estimate(value=0.7, low=0.6, high=0.8, **changes):
    return Estimate(name=KEY, value=value, interval=Interval(low, high, 0.95, "score"), units=50, raters=3, **changes)


def control(name="tone", main=None):
    return ControlReport(
        control=Control(name=name, kind=Kind.LABEL),
        metric="jaccard",
        headline=KEY,
        why_headline="",
        units=50,
        raters=3,
        answers=150,
        pairs=150,
        counts=Counts(50, 0, 0, 0, 0),
        pairwise=Score(),
        consensus=Score(),
        coefficients={KEY: main or estimate()},
    )


def report(*controls):
    summary = DatasetSummary("t", "f", 50, 3, 150, ImportReport())
    return Report(
        version="0", created="", dataset=summary, plan={}, controls=controls or (control(),), overall_pairwise=Score()
    )


@pytest.mark.parametrize(
    ("criterion", "passed"),
    [
        (Criterion(control="tone", at_least=0.7), True),
        (Criterion(control="tone", at_least=0.7000001), False),
        (Criterion(control="tone", at_least=0.6, on="lower"), True),
        (Criterion(control="tone", at_least=0.65, on="lower"), False),
        (Criterion(control="tone", at_least=0.1, units=51), False),
        (Criterion(control="tone", at_least=0.1, raters=4), False),
    ],
)
def test_criteria(criterion, passed):
    assert decide(report(), (criterion,)).passed is passed


def test_undefined_never_passes():
    undefined = estimate(float("nan"), undefined="no_variation")
    decision = decide(report(control(main=undefined)), (Criterion(control="tone", at_least=-1.0),))
    assert not decision.passed
    assert decision.checks[0].found is None
    assert "undefined" in decision.checks[0].why


def test_every_headline_must_reach_the_threshold():
    two = report(control("a"), control("b", estimate(0.4, 0.3, 0.5)))
    assert fail_under(two, 0.4).passed
    assert not fail_under(two, 0.5).passed
    assert not fail_under(two, 0.4, "lower").passed


def test_unknown_control_is_an_error_with_a_suggestion():
    with pytest.raises(UnknownNameError, match="Did you mean tone"):
        decide(report(), (Criterion(control="tune", at_least=0.5),))


def write(tmp_path, data):
    path = tmp_path / "criteria.json"
    path.write_text(json.dumps(data))
    return path


def test_criteria_file(tmp_path):
    path = write(tmp_path, {"criteria": [{"control": "tone", "at_least": 0.667, "on": "lower", "units": 30}]})
    assert load_criteria(path) == (Criterion(control="tone", at_least=0.667, on="lower", units=30),)


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        ({"criteria": []}, DataError, "no criteria"),
        ({"criterion": []}, UnknownNameError, "criteria"),
        ({"criteria": [{"control": "a"}]}, UsageError, "at_least is missing"),
        ({"criteria": [{"control": "a", "atleast": 1}]}, UsageError, "Did you mean at_least"),
        ({"criteria": [{"control": "a", "at_least": "high"}]}, UsageError, "must be a number"),
        ({"criteria": [{"control": "a", "at_least": 66.7}]}, UsageError, "out of range"),
        ({"criteria": [{"control": "a", "at_least": 0.5, "on": "upper"}]}, UsageError, "value, lower"),
        ({"criteria": [3]}, UsageError, "object"),
    ],
)
def test_wrong_criteria_files_say_where(tmp_path, data, error, words):
    with pytest.raises(error, match=words):
        load_criteria(write(tmp_path, data))


@pytest.mark.parametrize(
    ("low", "high", "at_least", "words"),
    [(0.7, 0.8, 0.667, MEETS), (0.5, 0.6, 0.667, BELOW), (0.6, 0.75, 0.667, UNKNOWN)],
)
def test_verdict_by_interval(low, high, at_least, words):
    main = estimate((low + high) / 2, low, high)
    assert verdict(control(main=main), Criterion(control="tone", at_least=at_least, on="lower")) == words


def gold_report(value=0.8, low=0.6, **changes):
    return report(replace(control(), gold=Score(value, Interval(low, 0.9, 0.95, "score"), 20, **changes)))


@pytest.mark.parametrize(
    ("asked", "on", "passed"),
    [(0.8, "value", True), (0.81, "value", False), (0.6, "lower", True), (0.7, "lower", False)],
)
def test_gold_accuracy(asked, on, passed):
    criterion = Criterion(control="tone", at_least=0.5, on=on, gold_accuracy=asked)
    (check,) = decide(gold_report(), (criterion,)).checks
    assert check.passed is passed
    assert passed or "gold accuracy" in check.why


def test_no_gold_answer_never_passes():
    criterion = Criterion(control="tone", at_least=0.5, gold_accuracy=0.1)
    for found in (report(), gold_report(float("nan"), undefined="no_overlap")):
        (check,) = decide(found, (criterion,)).checks
        assert not check.passed
        assert "gold" in check.why


@pytest.mark.parametrize(
    "criterion",
    [
        {"control": 1},
        {"control": []},
        {"control": {}},
        {"control": None},
        {"control": "a", "coefficient": 1},
        {"control": "a", "coefficient": []},
        {"control": "a", "on": []},
        {"control": "a", "units": -1},
        {"control": "a", "units": "many"},
        {"control": "a", "raters": None},
    ],
    ids=str,
)
def test_a_criterion_of_wrong_types_is_refused(tmp_path, criterion):
    path = tmp_path / "criteria.json"
    path.write_text(json.dumps({"criteria": [{"at_least": 0.5} | criterion]}))
    with pytest.raises(UsageError, match=r"(?i)criterion"):
        load_criteria(path)
