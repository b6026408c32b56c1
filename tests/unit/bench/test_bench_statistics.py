"""Figures over replicates, sign flips and Holm's correction."""

import numpy as np
import pytest
from scipy import stats

from accord.bench.figures import Replicates, bias, mae, rank_correlation, rmse, slope
from accord.bench.sign_flip import EXACT, holm, sign_flip
from accord.bench.trial import Run


def run(truth, value):
    return Run(0.5, 0.0, truth, value, *([0.5] * 11))


def test_figures_are_those_of_all_runs():
    rng = np.random.default_rng(0)
    groups = [[run(t, t * 0.8 + 0.1 + rng.normal(0, 0.05)) for t in rng.random(9)] for _ in range(12)]
    every = [r for group in groups for r in group]
    x, y = np.array([r.truth for r in every]), np.array([r.value for r in every])
    found = Replicates(groups)
    assert found.figure(mae).value == pytest.approx(np.abs(y - x).mean())
    assert found.figure(bias).value == pytest.approx((y - x).mean())
    assert found.figure(rmse).value == pytest.approx(np.sqrt(((y - x) ** 2).mean()))
    assert found.figure(slope).value == pytest.approx(np.polyfit(x, y, 1)[0])
    assert found.figure(slope).low < 0.8 < found.figure(slope).high
    assert found.each == pytest.approx([np.mean([abs(r.error) for r in group]) for group in groups])
    assert rank_correlation(every) == pytest.approx(stats.spearmanr(x, y).statistic)


def test_intervals_cover_the_mean_over_many_replicates():
    """Runs of one replicate share an error; resampling single runs would give far too short an interval."""
    rng = np.random.default_rng(1)
    hits = 0
    for trial in range(200):
        shared = rng.normal(0.1, 0.05, 20)
        found = Replicates([[run(0.5, 0.5 + e)] * 10 for e in shared], seed=trial).figure(bias)
        hits += found.low <= 0.1 <= found.high
    assert hits >= 176


def test_undefined_runs_are_counted_and_left_out():
    found = Replicates([[run(0.5, 0.7), run(0.5, float("nan"))], [run(0.5, 0.5)]])
    assert found.undefined == 1
    assert found.figure(mae).value == pytest.approx(0.1)
    empty = Replicates([[run(0.5, float("nan"))]] * 3)
    assert np.isnan(empty.figure(mae).value)
    assert np.isnan(rank_correlation([run(0.1, 0.1)]))


@pytest.mark.parametrize("n", [5, 9])
def test_sign_flips_are_those_of_scipy(n):
    d = np.random.default_rng(n).normal(0.4, 1, n)
    found = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(d) == pytest.approx(found.pvalue)


def test_random_flips_agree_with_all_of_them_and_are_never_zero():
    d = np.random.default_rng(2).normal(0.5, 1, EXACT)
    doubled = np.concatenate((d, np.full(1, 1e-9)))
    assert sign_flip(doubled, seed=1) == pytest.approx(sign_flip(d), abs=0.005)
    assert sign_flip(np.full(30, 1.0)) == pytest.approx(1e-5)


def test_no_difference_is_no_evidence():
    assert sign_flip([]) == 1.0
    assert sign_flip([0.0] * 8) == 1.0
    assert sign_flip([np.nan, 1.0, 1.0]) == 0.5


def test_flips_keep_their_level():
    rng = np.random.default_rng(3)
    rejected = sum(sign_flip(rng.normal(0, 1, 10)) < 0.05 for _ in range(400))
    assert rejected <= 32


def test_holm_against_a_worked_example():
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert len(holm([])) == 0
