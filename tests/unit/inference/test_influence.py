"""Influence of units and raters on a coefficient."""

import numpy as np
import pytest

import accord.measures as measures
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.influence import rater_influence, unit_influence
from accord.measures.ask import similarity_for
from accord.readers.arrays import from_matrix


def case(key, rows):
    spec = COEFFICIENTS.catalog()[key]
    study = from_matrix(rows)
    return spec, study, similarity_for(spec, study)


ROWS = [[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1], [2, 2, 2], [3, 3, 3], [1, 2, 2]]


@pytest.mark.parametrize("key", ["krippendorff_alpha", "fleiss_kappa", "conger_kappa", "kendall_w", "icc"])
def test_rater_influence_is_value_minus_value_without(key):
    spec, study, similarity = case(key, ROWS)
    function = getattr(measures, key)
    value = function(ROWS, ci=None).value
    for rater, found in enumerate(rater_influence(spec, study, similarity)):
        rest = [[answer for i, answer in enumerate(row) if i != rater] for row in ROWS]
        assert found == pytest.approx(value - function(rest, ci=None).value, abs=1e-9)


def test_rater_who_differs_pulls_down():
    spec, study, similarity = case("krippendorff_alpha", ROWS)
    assert rater_influence(spec, study, similarity).argmin() == 2


def test_disagreed_units_pull_down_and_agreed_ones_up():
    spec, study, similarity = case("krippendorff_alpha", ROWS)
    found = unit_influence(spec, study, similarity)
    assert (found[[0, 2, 6]] < 0).all()
    assert (found[[1, 3, 4, 5]] > 0).all()


def test_refitted_coefficients_have_unit_influence_too():
    spec, study, similarity = case("kendall_w", ROWS)
    value = measures.kendall_w(ROWS, ci=None).value
    expected = value - measures.kendall_w(ROWS[1:], ci=None).value
    assert unit_influence(spec, study, similarity)[0] == pytest.approx(expected)


def test_two_raters_cannot_lose_one():
    spec, study, similarity = case("cohen_kappa", [[1, 1], [2, 1], [2, 2]])
    assert np.isnan(rater_influence(spec, study, similarity)).all()


def test_many_units_of_a_refitted_coefficient_are_not_tried():
    rng = np.random.default_rng(0)
    spec, study, similarity = case("kendall_w", rng.integers(1, 6, (500, 3)))
    assert np.isnan(unit_influence(spec, study, similarity)).all()
