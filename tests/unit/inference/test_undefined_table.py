"""The table of undefined results: one test per cell, in the order in which the reasons are tested."""

import math

import numpy as np
import pytest

import accord.measures as measures
from accord.coefficients.estimate import UNDEFINED
from accord.readers.arrays import from_counts, from_matrix
from accord.study import Study

NOTHING = Study(
    unit=np.empty(0, np.int32),
    rater=np.empty(0, np.int32),
    code=np.empty(0, np.int32),
    values=(),
    unit_names=(),
    rater_names=(),
)
MANY = ("percent_agreement", "krippendorff_alpha", "fleiss_kappa", "conger_kappa", "gwet_ac1", "brennan_prediger")
EVERY = (*MANY, "cohen_kappa", "weighted_kappa", "light_kappa", "hubert_kappa", "scott_pi", "gwet_ac2", "plurality")


def check(found, reason):
    assert found.undefined == reason
    assert math.isnan(found.value)
    assert math.isnan(found.se)
    assert found.interval is None
    assert found.to_dict()["value"] is None
    assert found.to_dict()["reason"] == (found.reason or UNDEFINED[reason])
    assert reason in UNDEFINED


@pytest.mark.parametrize("name", EVERY)
def test_no_answers(name):
    check(getattr(measures, name)(NOTHING), "no_answers")


@pytest.mark.parametrize("name", EVERY)
def test_one_rater(name):
    check(getattr(measures, name)([["a"], ["b"], ["a"]]), "one_rater")


@pytest.mark.parametrize("name", EVERY)
def test_one_rater_who_answered_although_two_were_asked(name):
    check(getattr(measures, name)([["a", None], ["b", None]]), "one_rater")


@pytest.mark.parametrize("name", EVERY)
def test_no_overlap(name):
    check(getattr(measures, name)([["a", None], [None, "b"], ["a", None]]), "no_overlap")


@pytest.mark.parametrize(
    "name", ["percent_agreement", "krippendorff_alpha", "fleiss_kappa", "conger_kappa", "cohen_kappa"]
)
def test_nothing_comparable(name):
    def never(first, second):
        return 1.0 if first == second else None

    found = getattr(measures, name)([["a", "b"], ["b", "c"], ["c", "a"]], similarity=never)
    check(found, "nothing_comparable")
    assert found.pairs == 0
    assert found.skipped == 3


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "conger_kappa", "cohen_kappa"])
def test_one_unit_where_chance_comes_from_other_units(name):
    found = getattr(measures, name)([["a", "b"]], chance="unbiased")
    check(found, "one_unit")
    assert found.observed == 0.0


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "conger_kappa"])
def test_one_unit_is_enough_for_the_classical_form_without_an_interval(name):
    found = getattr(measures, name)([["a", "b", "b"]])
    assert found.undefined is None
    assert math.isfinite(found.value)
    assert math.isnan(found.se)
    assert found.interval is None
    assert any("One unit" in note for note in found.notes)


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "conger_kappa", "cohen_kappa", "light_kappa"])
def test_no_variation(name):
    found = getattr(measures, name)([["a", "a"], ["a", "a"], ["a", "a"]])
    check(found, "no_variation")
    assert found.observed == 1.0


def test_no_variation_of_brennan_prediger_needs_one_category_in_the_domain():
    answers = [["a", "a"], ["a", "a"]]
    check(measures.brennan_prediger(answers), "no_variation")
    assert measures.brennan_prediger(answers, domain=["a", "b"]).value == 1.0


@pytest.mark.parametrize("name", ["sigma", "ks", "auc"])
def test_no_variation_of_distances(name):
    check(getattr(measures, name)([["a", "a"], ["a", "a"], ["a", "a"]]), "no_variation")


def test_not_applicable_gives_the_sentence_and_the_observed_agreement():
    found = measures.scott_pi([["a", "a", "a"], ["a", "b", "b"]])
    check(found, "not_applicable")
    assert "two raters" in found.reason
    assert found.observed == pytest.approx(2 / 3)


def test_not_applicable_to_slots():
    found = measures.cohen_kappa(from_counts([[3, 0], [1, 2]]))
    check(found, "not_applicable")
    assert found.observed == pytest.approx(2 / 3)


def test_reasons_that_need_no_coefficient_come_first():
    assert measures.scott_pi(NOTHING).undefined == "no_answers"
    assert measures.scott_pi([["a", None, None], [None, "b", None], [None, None, "a"]]).undefined == "no_overlap"


def test_counts_are_those_of_units_with_two_answers():
    found = measures.krippendorff_alpha(from_matrix([["a", "a", None], ["a", "b", "b"], [None, "b", None]]))
    assert (found.units, found.raters, found.pairs, found.values) == (2, 3, 4, 2)


def test_one_shared_unit_of_one_category_is_no_evidence_case_b28():
    """Answers that are compared with nothing do not make agreement out of a single category."""
    rows = [["a", None], ["b", None], ["a", "a"], ["b", None]]
    for measure in (measures.cohen_kappa, measures.fleiss_kappa, measures.conger_kappa, measures.krippendorff_alpha):
        found = measure(rows)
        assert found.undefined == "no_variation"
        assert found.observed == 1.0
    assert measures.gwet_ac1(rows).undefined is None
