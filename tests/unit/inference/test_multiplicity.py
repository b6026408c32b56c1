"""False-discovery rate and shrunken estimates."""

import numpy as np
import pytest
from scipy import stats

from accord.inference.multiplicity import benjamini_hochberg, shrink


@pytest.mark.parametrize("seed", range(5))
def test_benjamini_hochberg_agrees_with_adjusted_p_values(seed):
    p = np.random.default_rng(seed).beta(0.3, 1.5, 40)
    adjusted = stats.false_discovery_control(p)
    np.testing.assert_array_equal(benjamini_hochberg(p, 0.1), adjusted <= 0.1)


def test_unknown_p_values_are_never_rejected_nor_counted():
    assert benjamini_hochberg([np.nan, 0.04, 0.9]).tolist() == [False, True, False]
    assert benjamini_hochberg([]).tolist() == []
    assert benjamini_hochberg([np.nan]).tolist() == [False]


def test_equal_members_are_pulled_together():
    rng = np.random.default_rng(0)
    spreads = [shrink(0.7 + 0.05 * rng.normal(size=12), np.full(12, 0.05)) for _ in range(200)]
    raw = 0.05
    assert np.mean([np.std(found.estimate) for found in spreads]) < 0.5 * raw
    assert np.mean([found.between == 0.0 for found in spreads]) > 0.4


def test_members_that_differ_keep_their_places():
    value = np.array([0.9, 0.85, 0.8, 0.3])
    found = shrink(value, np.full(4, 0.01))
    np.testing.assert_allclose(found.estimate, value, atol=0.01)
    assert (found.low < found.estimate).all()
    assert (found.high > found.estimate).all()


def test_variance_between_is_that_of_paule_and_mandel():
    value, se = np.array([0.9, 0.7, 0.5, 0.65]), np.array([0.05, 0.1, 0.08, 0.02])
    found = shrink(value, se)
    weight = 1 / (se**2 + found.between)
    mean = (weight * value).sum() / weight.sum()
    assert found.mean == pytest.approx(mean)
    assert (weight * (value - mean) ** 2).sum() == pytest.approx(3.0, rel=1e-6)


def test_intervals_of_shrunken_estimates_cover():
    rng = np.random.default_rng(3)
    hits = []
    for _ in range(300):
        true = rng.normal(0.7, 0.08, 10)
        found = shrink(true + rng.normal(0, 0.05, 10), np.full(10, 0.05))
        hits.append((found.low <= true) & (true <= found.high))
    assert np.mean(hits) > 0.92


def test_unknown_members_stay_unknown():
    found = shrink([0.5, np.nan, 0.6, 0.7], [0.1, 0.1, 0.0, 0.1])
    assert np.isnan(found.estimate).tolist() == [False, True, True, False]
    nothing = shrink([np.nan], [0.1])
    assert np.isnan(nothing.mean)
