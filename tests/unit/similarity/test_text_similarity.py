"""Texts of a study under a model and a budget: what is asked, what is said about it, what is undefined."""

import numpy as np
import pytest

from accord import measures
from accord.equivalence.lexical import lexical
from accord.errors import DataError, UsageError
from accord.readers.arrays import from_matrix
from accord.similarity.equivalent import Budget, forecast, from_model
from accord.values import EMPTY

WORDS = (
    "pain",
    "chest",
    "fever",
    "cough",
    "left",
    "right",
    "severe",
    "acute",
    "chronic",
    "mild",
    "arm",
    "leg",
    "heart",
)


class Counting:
    """Shared words, counted by the call."""

    name = fingerprint = "counting"
    symmetric, seconds, chunk = True, 1.0, 50

    def __init__(self, failing=0.0):
        self.asked, self.failing = [], failing

    def score(self, left, right):
        self.asked += list(zip(left, right, strict=True))
        scores = lexical("jaccard").score(left, right)
        scores[np.random.default_rng(len(self.asked)).random(len(scores)) < self.failing] = np.nan
        return scores


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(80):
        first = " ".join(rng.choice(WORDS, 3, replace=False))
        second = first if rng.random() < 0.5 else " ".join(rng.choice(WORDS, 3, replace=False))
        rows.append([first, second])
    return from_matrix(rows)


def test_observed_agreement_costs_only_the_pairs_within_units(study):
    model = Counting()
    found = measures.percent_agreement(study, similarity=from_model(study, model), ci=None)
    assert 0 < found.observed < 1
    assert len(model.asked) == len(set(model.asked)) <= 80


@pytest.mark.parametrize("design", ["stratified", "control", "shifts"])
def test_no_more_calls_than_allowed_whatever_is_measured(study, design):
    model = Counting()
    similarity = from_model(study, model, budget=Budget(calls=500, design=design))
    exact = from_model(study, lexical("jaccard"))
    for key in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "conger_kappa", "ks", "auc", "sigma"):
        measure = getattr(measures, key)
        one, two = measure(study, similarity=similarity), measure(study, similarity=exact)
        assert one.value == pytest.approx(two.value, abs=0.08), key
    assert len(model.asked) <= 500
    assert len(set(model.asked)) == len(model.asked)


def test_the_error_of_chance_is_told_and_carried_into_the_interval(study):
    found = measures.cohen_kappa(study, similarity=from_model(study, Counting(), budget=Budget(calls=300)))
    exact = measures.cohen_kappa(study, similarity=from_model(study, lexical("jaccard")))
    assert exact.expected_error is None
    assert 0 < found.expected_error < 0.02
    assert found.details["expected_low"] < exact.expected < found.details["expected_high"]
    extra = (1 - found.value) / (1 - found.expected) * found.expected_error
    assert found.se == pytest.approx(np.hypot(exact.se, extra), rel=0.1)
    assert "at most" in found.signature


def test_cohen_knows_that_only_pairs_of_different_raters_count():
    """Where raters share no text, half of the pooled pairs tell nothing about the pairs of two raters."""
    rng = np.random.default_rng(5)
    rows = [[f"{' '.join(rng.choice(WORDS, 3))} {2 * k + side}" for side in (0, 1)] for k in range(80)]
    study = from_matrix(rows)
    similarity = from_model(study, Counting(), budget=Budget(calls=1000, design="control"))
    cohen, fleiss = (measure(study, similarity=similarity) for measure in (measures.cohen_kappa, measures.fleiss_kappa))
    assert cohen.expected_error == pytest.approx(np.sqrt(2) * fleiss.expected_error, rel=0.1)


def test_precision_stops_early(study):
    few, many = Counting(), Counting()
    for model, precision in ((few, 0.05), (many, 0.005)):
        budget = Budget(precision=precision, calls=10_000)
        found = measures.fleiss_kappa(study, similarity=from_model(study, model, budget=budget))
        half = 1.96 * found.expected_error * (1 - found.value) / (1 - found.expected)
        assert half < 1.3 * precision
    assert len(few.asked) < len(many.asked) < 10_000


def test_forecast_asks_nothing(study):
    model = Counting()
    found = forecast(study, model, Budget(calls=1000))
    assert model.asked == []
    assert found.within <= 80
    assert found.calls == 1000
    assert not found.exact
    assert found.seconds == pytest.approx(1000.0)
    everything = forecast(study, model, Budget(calls=10**6))
    texts = len(set(study.values))
    assert everything.exact
    assert everything.calls == texts * (texts - 1) // 2


def test_texts_equal_in_normal_form_are_one_call_but_keep_their_counts():
    plain = from_matrix([["fine needle", "cough"], ["cough", "fever"], ["fever", "fever"]])
    varied = from_matrix([["ﬁne  needle", "cough"], ["cough ", "fever"], ["fever", " fever"]])
    models = Counting(), Counting()
    values = [
        measures.krippendorff_alpha(data, similarity=from_model(data, model)).value
        for data, model in zip((plain, varied), models, strict=True)
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-15)
    asked = [{frozenset(pair) for pair in model.asked} for model in models]
    assert asked[0] == asked[1]
    assert len(models[1].asked) == len(asked[1])


def test_nothing_said_equals_itself_only_and_costs_no_call():
    study = from_matrix([["cough", EMPTY], [EMPTY, EMPTY], ["cough", "fever"]])
    model = Counting()
    similarity = from_model(study, model)
    codes = {value: code for code, value in enumerate(study.values)}
    pairs = [("cough", EMPTY), (EMPTY, EMPTY), ("fever", EMPTY)]
    i, j = (np.array([codes[pair[side]] for pair in pairs]) for side in (0, 1))
    assert similarity.at(i, j).tolist() == [0.0, 1.0, 0.0]
    assert similarity.dense()[codes[EMPTY], codes["cough"]] == 0.0
    assert all("" not in pair for pair in model.asked)


def test_answers_that_are_no_texts_are_refused():
    with pytest.raises(DataError, match="compares texts"):
        from_model(from_matrix([[1, 2], [2, 2]]), lexical("jaccard"))


def test_fewer_calls_than_pairs_within_units_are_refused(study):
    with pytest.raises(UsageError, match="within units must be scored"):
        from_model(study, Counting(), budget=Budget(calls=3))


@pytest.mark.parametrize("wrong", [{"calls": 0}, {"precision": 0.0}, {"precision": 2.0}, {"design": "guess"}])
def test_budgets_that_mean_nothing_are_refused(wrong):
    with pytest.raises(UsageError):
        Budget(**wrong)


def test_too_many_failures_leave_the_number_undefined(study):
    found = measures.cohen_kappa(study, similarity=from_model(study, Counting(failing=0.3)))
    assert found.undefined == "incomplete"
    assert np.isnan(found.value)
    assert "gave no score to" in found.reason


def test_failures_in_the_sample_for_chance_count_too(study):
    class Forgetful(Counting):
        def score(self, left, right):
            scores = super().score(left, right)
            return np.where(scores == 0.0, np.nan, scores) if len(self.asked) > 80 else scores

    found = measures.cohen_kappa(study, similarity=from_model(study, Forgetful(), budget=Budget(calls=500)))
    assert found.undefined == "incomplete"
    assert "sample for chance agreement" in found.reason


def test_more_texts_than_a_table_holds_are_sampled(monkeypatch, study):
    monkeypatch.setattr("accord.similarity.text_plan.MOST_TEXTS", 50)
    model = Counting()
    similarity = from_model(study, model, budget=Budget(calls=2000))
    found = measures.fleiss_kappa(study, similarity=similarity)
    exact = measures.fleiss_kappa(study, similarity=from_model(study, lexical("jaccard"), budget=Budget(calls=10**9)))
    monkeypatch.undo()
    exact = measures.fleiss_kappa(study, similarity=from_model(study, lexical("jaccard")))
    assert found.expected == pytest.approx(exact.expected, abs=4 * found.expected_error)
    assert len(model.asked) <= 2000
    assert measures.ks(study, similarity=similarity, ci=None).value == pytest.approx(
        measures.ks(study, similarity=from_model(study, lexical("jaccard")), ci=None).value, abs=0.05
    )
