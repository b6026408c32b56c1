"""The score interval: its formula, its limits, and what it does where the usual interval collapses."""

import numpy as np
import pytest
from scipy import stats

import accord.measures as measures
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.analytic import support, t_quantile
from accord.inference.estimate import estimate
from accord.inference.score import effective_comparisons, score_limits, typical_disagreement
from accord.measures.ask import similarity_for
from accord.readers.arrays import from_contingency, from_matrix
from accord.similarity.core import Identity
from accord.similarity.levels import for_study


def by_hand(po, pe, effective, n, level=0.95):
    """Limits by solving (po - p)^2 = t^2 p (1 - p) / effective for p, and the Poisson limit."""
    t = stats.t.ppf(0.5 + level / 2, n - 1)
    a, b, c = 1 + t**2 / effective, -(2 * po + t**2 / effective), po**2
    low, high = sorted(np.roots([a, b, c]).real)
    d = (1 - po) * effective
    high = max(high, 1 - (stats.gamma.ppf(1 - level, d) / effective if d > 0 else 0.0))
    return (low - pe) / (1 - pe), (high - pe) / (1 - pe)


@pytest.mark.parametrize("po", [0.3, 0.8, 0.96, 1.0])
@pytest.mark.parametrize("n", [5, 20, 300])
def test_limits_solve_the_score_equation(po, n):
    pe, v, d = 0.25, 0.01, 4.0
    effective = float(effective_comparisons(np.float64(po), np.float64(pe), v, units=n, support=d))
    limits = score_limits(po, pe, v, units=n, support=d, quantile=t_quantile(0.95, n - 1), level=0.95)
    np.testing.assert_allclose(limits, by_hand(po, pe, effective, n), rtol=1e-9)


def test_variance_and_prior_are_averaged_by_support():
    po, pe, n = np.float64(0.8), np.float64(0.5), 100.0
    one = po * (1 - po) / (n * (1 - pe) ** 2)
    for d, expected in ((0.0, 1.0), (6.0, (1 + 0.5) / 2), (600.0, (600 * 0.5 + 6) / 606)):
        assert n / effective_comparisons(po, pe, 0.5 * one, units=n, support=d) == pytest.approx(expected)


def test_no_disagreement_is_like_successes_in_trials():
    found = measures.krippendorff_alpha([["a", "a"], ["b", "b"]] * 10)
    assert found.value == found.interval.high == 1.0
    t = stats.t.ppf(0.975, 19)
    lowest = 20 / (20 + t**2)
    assert found.interval.low == pytest.approx((lowest - found.expected) / (1 - found.expected), rel=1e-9)


def test_one_disagreement_in_many_has_a_wide_upper_and_lower_side():
    found = measures.percent_agreement([["a", "a"]] * 49 + [["a", "b"]])
    low, high = found.interval.low, found.interval.high
    assert low < 0.91
    assert 0.998 < high < 1.0


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "cohen_kappa", "gwet_ac1", "percent_agreement"])
def test_it_meets_the_analytic_interval_in_large_samples(name):
    data = from_contingency([[900, 120, 80], [100, 800, 100], [70, 130, 700]])
    function = getattr(measures, name)
    score, t = function(data).interval, function(data, interval="analytic").interval
    assert (score.low, score.high) == pytest.approx((t.low, t.high), abs=2e-3)


def test_mean_of_kappas_has_an_interval_around_its_own_value():
    rng = np.random.default_rng(4)
    true = rng.integers(0, 3, (60, 1))
    data = np.where(rng.random((60, 3)) < 0.8, true, rng.integers(0, 3, (60, 3)))
    for function in (measures.light_kappa, measures.cohen_kappa, measures.hubert_kappa):
        found = function(data)
        assert found.interval.method == "score"
        assert found.interval.low < found.value < found.interval.high


def test_support_counts_the_units_that_deviate():
    agree_then_not = np.array([0.01] * 97 + [-1.0] * 3)
    assert support(agree_then_not) == pytest.approx(3.0, rel=0.02)
    assert support(np.zeros(10)) == 0.0
    assert support(np.array([1.0, -1.0]), np.array([5.0, 5.0])) == pytest.approx(10.0)
    assert support(np.full(10, 1e-12)) == 0.0


def test_typical_disagreement():
    study = from_matrix([[1, 2], [3, 1], [2, 2]])
    assert typical_disagreement(study, for_study(study, level="nominal")) == 1.0
    interval = for_study(study, level="interval")
    distance = 1 - interval.dense()[np.ix_(study.code, study.code)]
    assert typical_disagreement(study, interval) == pytest.approx((distance**2).sum() / distance.sum())


def test_typical_disagreement_of_large_studies_is_sampled_and_repeatable():
    rng = np.random.default_rng(0)
    study = from_matrix(rng.integers(1, 6, (500, 3)))
    interval = for_study(study, level="interval")
    first = typical_disagreement(study, interval)
    weight = study.counts / study.C
    distance = 1 - interval.dense()
    exact = weight @ distance**2 @ weight / (weight @ distance @ weight)
    assert first == typical_disagreement(study, interval) == pytest.approx(exact, rel=0.05)


def test_graded_answers_are_not_treated_as_yes_or_no():
    rng = np.random.default_rng(0)
    true = rng.integers(1, 8, (50, 1))
    data = np.clip(true + rng.integers(-1, 2, (50, 3)), 1, 7)
    found = measures.krippendorff_alpha(data, level="interval")
    t = measures.krippendorff_alpha(data, level="interval", interval="analytic")
    ratio = (found.interval.high - found.interval.low) / (t.interval.high - t.interval.low)
    assert 1.0 <= ratio < 2.0


def test_clusters_widen_the_interval_when_units_repeat_each_other():
    rng = np.random.default_rng(1)
    easy = rng.random(30) < 0.7
    cluster = np.repeat(np.arange(30), 10)
    true = rng.integers(0, 3, 300)[:, None]
    data = np.where(easy[cluster][:, None], true, rng.integers(0, 3, (300, 2)))
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    study = from_matrix(data)
    similarity = similarity_for(spec, study)
    alone = estimate(spec, study, similarity)
    together = estimate(spec, study, similarity, clusters=cluster.astype(np.int32))
    assert together.clusters == 30
    assert together.se > 1.5 * alone.se
    assert together.interval.high - together.interval.low > 1.5 * (alone.interval.high - alone.interval.low)


def test_error_of_a_sampled_chance_term_is_added_once():
    class Guessing(Identity):
        """Labels whose expected agreement is known up to an error."""

        def error(self, p, q, weight):
            return 0.05

    rng = np.random.default_rng(2)
    true = rng.integers(0, 4, (200, 1))
    study = from_matrix(np.where(rng.random((200, 3)) < 0.8, true, rng.integers(0, 4, (200, 3))))
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    exact, sampled = (estimate(spec, study, similarity(study.V)) for similarity in (Identity, Guessing))
    added = (1 - exact.value) / (1 - exact.expected) * 0.05
    assert sampled.expected_error == 0.05
    assert sampled.se == pytest.approx(np.hypot(exact.se, added))
    assert sampled.interval.low < exact.interval.low
    assert sampled.interval.high > exact.interval.high
