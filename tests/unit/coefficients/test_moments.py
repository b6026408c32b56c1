"""Bland-Altman limits, Lin's concordance, mean absolute difference, standard error of measurement."""

import itertools
import math

import numpy as np
import pytest

from accord import measures
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.readers.arrays import from_matrix
from accord.similarity.core import Identity

PAIR = np.round(np.random.default_rng(4).normal(10, 3, (25, 1)) + np.random.default_rng(5).normal(size=(25, 2)), 1)


def measured(key, rows, **arguments):
    study = from_matrix(rows)
    return estimate(COEFFICIENTS.catalog()[key], study, Identity(study.V), **arguments)


def gappy(seed, raters=4):
    generator = np.random.default_rng(seed)
    table = np.round(generator.normal(10, 3, (25, 1)) + generator.normal(size=(25, raters)), 1)
    table[generator.random(table.shape) < 0.25] = np.nan
    return table[(~np.isnan(table)).sum(axis=1) > 0]


def test_bland_altman_leaves_out_units_of_one_rater():
    with_gap = np.vstack((PAIR, [[3.0, np.nan]]))
    assert measures.bland_altman(with_gap).value == pytest.approx(np.diff(PAIR[:, ::-1]).mean(), abs=1e-12)


def test_bland_altman_changes_sign_with_the_order_of_raters():
    here, there = measures.bland_altman(PAIR), measures.bland_altman(PAIR[:, ::-1])
    assert here.value == pytest.approx(-there.value)
    assert here.details["lower"] == pytest.approx(-there.details["upper"])


def test_bland_altman_asks_for_two_raters():
    found = measures.bland_altman(gappy(1))
    assert found.undefined == "not_applicable"
    assert "there are 4" in found.reason


def test_bland_altman_of_equal_answers_has_no_interval():
    found = measures.bland_altman([[1, 1], [2, 2], [3, 3]])
    assert found.value == 0
    assert found.interval is None
    assert found.details["upper_interval"] is None


def test_limits_widen_with_the_coverage_asked_for():
    wide, narrow = (measures.bland_altman(PAIR, coverage=share).details for share in (0.99, 0.8))
    assert wide["lower"] < narrow["lower"] < narrow["upper"] < wide["upper"]


def test_concordance_is_its_definition():
    a, b = PAIR.T
    expected = 2 * np.cov(a, b, ddof=0)[0, 1] / (a.var() + b.var() + (a.mean() - b.mean()) ** 2)
    found = measures.lin_ccc(PAIR)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.interval.method == "exact"
    assert found.interval.low < found.value < found.interval.high
    assert found.value == pytest.approx(found.details["pearson"] * found.details["bias_correction"], abs=1e-12)
    assert found.value == pytest.approx((found.observed - found.expected) / (1 - found.expected), abs=1e-12)


def test_concordance_of_many_raters_adds_up_rater_pairs():
    table = gappy(2)
    above = below = 0.0
    for i, j in itertools.combinations(range(4), 2):
        a, b = table[~np.isnan(table[:, [i, j]]).any(axis=1)][:, [i, j]].T
        above += len(a) * 2 * np.cov(a, b, ddof=0)[0, 1]
        below += len(a) * (a.var() + b.var() + (a.mean() - b.mean()) ** 2)
    found = measures.lin_ccc(table)
    assert found.value == pytest.approx(above / below, abs=1e-12)
    assert found.interval.method == "bca"
    assert any("more than two raters" in note for note in found.notes)


def test_concordance_undefined_where_nothing_varies():
    assert measures.lin_ccc([[2, 2], [2, 2], [2, 2]]).undefined == "no_variation"


def test_mean_absolute_difference_is_a_mean_over_units_of_pairs():
    table = gappy(3)
    means = [
        np.mean([abs(a - b) for a, b in itertools.combinations(row[~np.isnan(row)], 2)])
        for row in table
        if (~np.isnan(row)).sum() > 1
    ]
    found = measured("mean_absolute_difference", table, seed=1)
    assert found.value == pytest.approx(np.mean(means), abs=1e-12)
    assert found.interval.low < found.value < found.interval.high


def test_standard_error_of_measurement_and_smallest_detectable_change():
    consistency = measured("sem", PAIR, options={"form": "ICC(C,1)"})
    error = PAIR - PAIR.mean(axis=1, keepdims=True) - PAIR.mean(axis=0) + PAIR.mean()
    assert consistency.value == pytest.approx(math.sqrt((error**2).sum() / 24), abs=1e-12)
    assert consistency.details["smallest_detectable_change"] == pytest.approx(2.77 * consistency.value, rel=1e-3)
    assert consistency.interval.method == "exact"
    agreement = measured("sem", PAIR + np.array([0, 3]), options={"form": "ICC(A,1)"})
    assert agreement.value > 2 * consistency.value
    assert agreement.interval.method == "bca"
