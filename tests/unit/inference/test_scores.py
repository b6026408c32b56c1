"""Means of scores in [0, 1] with an interval, and Wilson limits."""

import math

import numpy as np
import pytest
from scipy import stats

from accord.errors import UsageError
from accord.inference.scores import difference_of_means, mean_score, wilson


@pytest.mark.parametrize("k,n", [(0, 10), (9, 10), (10, 10), (37, 120)])
def test_wilson_agrees_with_scipy(k, n):
    expected = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert wilson(k, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_edges():
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(UsageError):
        wilson(3, 2)


@pytest.mark.parametrize("scores", [[1.0] * 8, [0.0] * 8, [0.5] * 8, [1.0, 0.0] * 4, [0.9, 0.95, 1.0, 0.85]])
def test_interval_is_never_a_point_and_stays_in_range(scores):
    value, interval = mean_score(scores)
    assert 0.0 <= interval.low <= value <= interval.high <= 1.0
    assert interval.high - interval.low > 0.01


def test_no_score_and_one_score():
    value, interval = mean_score([math.nan])
    assert math.isnan(value)
    assert interval is None
    assert mean_score([0.5, math.nan]) == (0.5, None)


def test_scores_outside_the_range_are_refused():
    with pytest.raises(UsageError, match="between 0 and 1"):
        mean_score([0.5, 1.5])


def test_unknown_scores_do_not_count():
    assert mean_score([1.0, 0.5, math.nan, 1.0]) == mean_score([1.0, 0.5, 1.0])


def test_large_samples_meet_the_usual_interval():
    scores = np.random.default_rng(0).beta(4, 2, 5000)
    value, interval = mean_score(scores)
    half = 1.96 * scores.std(ddof=1) / math.sqrt(5000)
    assert (interval.low, interval.high) == pytest.approx((value - half, value + half), abs=3e-4)


@pytest.mark.parametrize("share", [0.8, 0.95, 0.99])
def test_coverage_of_shares(share):
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        _, interval = mean_score((rng.random(40) < share).astype(float))
        hits += interval.low <= share <= interval.high
    assert hits / 400 > 0.92


def test_clusters_of_equal_scores():
    scores = np.repeat([1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0], 10)
    cluster = np.repeat(np.arange(8), 10).astype(np.int32)
    _, alone = mean_score(scores)
    value, together = mean_score(scores, clusters=cluster)
    assert value == 0.75
    assert together.high - together.low > 2 * (alone.high - alone.low)
    assert mean_score(scores, clusters=np.zeros(80, np.int32))[1] is None


def test_paired_differences():
    first, second = np.array([0.9, 0.8, 1.0, 0.7, math.nan]), np.array([0.8, 0.8, 0.9, 0.7, 0.5])
    value, interval = difference_of_means(first, second)
    expected = stats.ttest_rel(first[:4], second[:4]).confidence_interval()
    assert value == pytest.approx(0.05)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
    assert difference_of_means(first, first)[1] is None
    assert difference_of_means(first[:1], second[:1])[1] is None
