"""Variance components and intraclass correlation on incomplete, disconnected and degenerate designs."""

import math

import numpy as np
import pytest

from accord import from_counts
from accord.coefficients import components
from accord.measures import icc
from accord.readers.arrays import from_matrix


def incomplete(seed, units=15, raters=5, gaps=0.4):
    generator = np.random.default_rng(seed)
    table = (
        50 + generator.normal(size=(units, 1)) + generator.normal(size=raters) + generator.normal(size=(units, raters))
    )
    table[generator.random(table.shape) < gaps] = np.nan
    return table[~np.isnan(table).all(axis=1)]


def by_projection(table):
    """Components from the definition: expected sums of squares of projections, each effect adjusted for the other."""
    unit, rater = np.nonzero(~np.isnan(table))
    x = table[unit, rater]
    Zu, Zr = np.eye(len(table))[unit], np.eye(table.shape[1])[rater]
    onto = {name: Z @ np.linalg.pinv(Z) for name, Z in (("u", Zu), ("r", Zr), ("ur", np.hstack((Zu, Zr))))}
    forms = (onto["ur"] - onto["r"], onto["ur"] - onto["u"], np.eye(len(x)) - onto["ur"])
    expected = [[np.trace(A @ V) for V in (Zu @ Zu.T, Zr @ Zr.T, np.eye(len(x)))] for A in forms]
    return np.linalg.solve(expected, [x @ A @ x for A in forms])


@pytest.mark.parametrize("seed", range(8))
def test_two_way_components_solve_the_expected_mean_squares(seed):
    table = incomplete(seed)
    tally = components.tally(from_matrix(table), two_way=True, listwise=False)
    found = components.two_way(tally.totals(), tally.context)
    assert [found.units[0], found.raters[0], found.error[0]] == pytest.approx(by_projection(table), rel=1e-9)


@pytest.mark.parametrize(("gaps", "raters"), [(0.3, 5), (0.75, 8)])
def test_resampling_weights_equal_repeated_units(gaps, raters):
    """Also where a resample loses raters, or falls apart into panels that share no unit."""
    table = incomplete(3, raters=raters, gaps=gaps)
    tally = components.tally(from_matrix(table), two_way=True, listwise=False)
    weights = np.random.default_rng(0).multinomial(len(table), np.full(len(table), 1 / len(table)), 40)
    found = components.two_way(weights @ tally.rows, tally.context)
    for replicate, weight in enumerate(weights):
        ours = [float(part[replicate]) for part in (found.units, found.raters, found.error)]
        if np.isfinite(ours).all():
            assert ours == pytest.approx(by_projection(np.repeat(table, weight, axis=0)), rel=1e-7, abs=1e-9)
    assert np.isfinite(found.units).sum() > 30


def test_far_from_zero_is_as_exact_as_near_it():
    near, far = (icc(incomplete(1).round(3) + shift, ci=None).value for shift in (0.0, 1e7))
    assert far == pytest.approx(near, abs=1e-7)


def test_perfect_agreement_is_one_in_every_form_even_with_missing_answers():
    table = np.repeat(np.arange(8.0)[:, None], 4, axis=1)
    table[np.random.default_rng(2).random(table.shape) < 0.3] = np.nan
    for form in ("ICC(1,1)", "ICC(A,1)", "ICC(C,1)", "ICC(1,k)", "ICC(A,k)", "ICC(C,k)"):
        assert icc(table, form=form, ci=None).value == pytest.approx(1.0, abs=1e-12)


def test_constant_shifts_of_raters_do_not_touch_consistency():
    table = np.arange(8.0)[:, None] + np.array([0, 1, 2, 5.0])
    table[np.random.default_rng(2).random(table.shape) < 0.3] = np.nan
    assert icc(table, form="ICC(C,1)", ci=None).value == pytest.approx(1.0, abs=1e-12)
    assert icc(table, form="ICC(A,1)", ci=None).value < 0.9


def test_two_panels_that_never_meet_are_still_two_way():
    table = np.full((12, 6), np.nan)
    generator = np.random.default_rng(5)
    values = np.arange(12.0)[:, None] + generator.normal(size=(12, 6))
    table[:6, :3], table[6:, 3:] = values[:6, :3], values[6:, 3:]
    tally = components.tally(from_matrix(table), two_way=True, listwise=False)
    found = components.two_way(tally.totals(), tally.context)
    assert [found.units[0], found.raters[0], found.error[0]] == pytest.approx(by_projection(table), rel=1e-9)


def test_raters_who_never_share_enough_units_get_the_one_way_form():
    table = np.full((4, 8), np.nan)
    for unit in range(4):
        table[unit, 2 * unit : 2 * unit + 2] = unit, unit + 0.5
    automatic = icc(table, ci=None)
    assert automatic.details["form"] == "ICC(1,1)"
    asked = icc(table, form="ICC(A,1)")
    assert asked.undefined == "not_applicable"
    assert "share too few units" in asked.reason


def test_interchangeable_slots_only_have_the_one_way_form():
    study = from_counts([[2, 0, 1], [0, 3, 0], [0, 0, 3], [3, 0, 0]], categories=[1, 2, 3])
    assert icc(study).details["form"] == "ICC(1,1)"
    assert icc(study, form="ICC2").undefined == "not_applicable"


def test_listwise_deletion_is_only_on_request():
    table = incomplete(7)
    whole = table[~np.isnan(table).any(axis=1)]
    for form in ("ICC(1,1)", "ICC(A,k)", "ICC(C,1)"):
        dropped = icc(table, form=form, incomplete="drop")
        assert dropped.value == pytest.approx(icc(whole, form=form).value, abs=1e-12)
        assert dropped.interval.method == "exact"
        assert dropped.details["units_left_out"] == len(table) - len(whole)
    assert icc(table).value != pytest.approx(icc(whole).value, abs=1e-6)


def test_constant_answers_are_undefined():
    found = icc([[3, 3], [3, 3], [3, 3]])
    assert found.undefined == "no_variation"
    assert math.isnan(found.value)


def test_labels_are_refused():
    assert icc([["a", "b"], ["b", "b"]]).undefined == "not_applicable"


def test_clusters_take_away_the_exact_interval():
    table = np.random.default_rng(0).normal(size=(20, 3)) + np.arange(20)[:, None]
    assert icc(table).interval.method == "exact"
    assert icc(table, cluster=np.repeat(range(10), 2)).interval.method == "bca"
