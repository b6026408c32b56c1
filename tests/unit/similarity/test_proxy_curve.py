"""What a curve through the other strata expects of each."""

import numpy as np
import pytest

from accord.similarity.proxy_curve import expected_elsewhere

PROXY = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
EACH = np.full(5, 40.0)


def test_a_steep_rise_leaves_little_below_it():
    expected = expected_elsewhere(PROXY, EACH, np.array([0.0, 0.0, 2.0, 37.0, 40.0]))
    assert expected[0] < 1e-3
    assert (np.diff(expected) > 0).all()


def test_a_flat_proxy_tells_the_share_elsewhere():
    """Firth's estimate of a share is about (found + 1/2) / (drawn + 1); the stratum itself does not count."""
    expected = expected_elsewhere(PROXY, EACH, np.array([0.0, 4.0, 4.0, 4.0, 4.0]))
    assert expected[0] == pytest.approx(0.1, abs=0.03)
    assert expected[4] > 0.1


def test_the_stratum_itself_does_not_count():
    found = np.array([0.0, 1.0, 5.0, 30.0, 39.0])
    other = found.copy()
    other[2] = 40.0
    before, after = (expected_elsewhere(PROXY, EACH, some)[2] for some in (found, other))
    assert before == pytest.approx(after, rel=1e-3)


@pytest.mark.parametrize("found", [np.zeros(5), EACH, np.array([0.0, 0.0, 0.0, 40.0, 40.0])])
@pytest.mark.parametrize("proxy", [PROXY, np.zeros(5), -PROXY, 1e12 * PROXY])
def test_strata_that_fall_apart_give_shares(proxy, found):
    expected = expected_elsewhere(proxy, EACH, found)
    assert np.isfinite(expected).all()
    assert ((expected >= 0) & (expected <= 1)).all()


def test_nothing_found_anywhere_is_not_nothing_there():
    """Half a 1 or so among all draws elsewhere."""
    expected = expected_elsewhere(PROXY, EACH, np.zeros(5))
    assert (expected > 0.5 / 400).all()


def test_one_stratum_is_told_nothing():
    assert expected_elsewhere(PROXY[:1], EACH[:1], np.zeros(1)).tolist() == [1.0]
    assert expected_elsewhere(PROXY[:2], EACH[:2], np.zeros(2)).tolist() == [1.0, 1.0]
