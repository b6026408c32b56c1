"""Sigma, KS and AUC against all pairs of distances written out."""

import itertools

import numpy as np
import pytest
from scipy.stats import gaussian_kde, ks_2samp

from accord.coefficients import distances
from accord.measures import auc, krippendorff_alpha, ks, sigma


def table(seed, values=8, units=20, raters=3, gaps=0.2):
    generator = np.random.default_rng(seed)
    truth = generator.uniform(0, values, (units, 1))
    rows = np.clip(np.round(truth + generator.normal(size=(units, raters)) * values / 10), 0, values)
    rows[generator.random(rows.shape) < gaps] = np.nan
    return rows[~np.isnan(rows).all(axis=1)]


def pairs(rows, distance=lambda a, b: abs(a - b)):
    """Distances within and between units."""
    cells = [(u, x) for u, row in enumerate(rows) for x in row if not np.isnan(x)]
    found = [(u == w, distance(a, b)) for (u, a), (w, b) in itertools.combinations(cells, 2)]
    return (np.array([d for same, d in found if same is wanted]) for wanted in (True, False))


@pytest.mark.parametrize("seed", range(6))
def test_all_forms_equal_their_definitions(seed):
    rows = table(seed, values=(6, 12, 100)[seed % 3])
    observed, expected = pairs(rows)
    similarity = linear(rows)
    reach = np.nanmax(rows) - np.nanmin(rows)
    below = np.array([(expected < o).mean() + (expected == o).mean() / 2 for o in observed])
    kernel = gaussian_kde(expected / reach)
    for found, wanted in (
        (ks(rows, similarity=similarity, ci=None), ks_2samp(observed, expected, alternative="greater").statistic),
        (auc(rows, similarity=similarity, ci=None), 1 - below.mean()),
        (sigma(rows, similarity=similarity, ci=None), (below < 0.05).mean()),
        (
            sigma(rows, similarity=similarity, form="quantile", ci=None),
            (observed < np.quantile(expected, 0.05)).mean(),
        ),
        (
            sigma(rows, similarity=similarity, form="kde", ci=None),
            np.mean([kernel.integrate_box_1d(0, o / reach) < 0.05 for o in observed]),
        ),
    ):
        assert found.value == pytest.approx(wanted, abs=1e-9)
        assert found.observed == pytest.approx(1 - observed.mean() / reach, abs=1e-9)
        assert found.expected == pytest.approx(1 - expected.mean() / reach, abs=1e-9)
        assert found.details["different_item_alpha"] == pytest.approx(1 - observed.mean() / expected.mean())


def linear(rows):
    reach = np.nanmax(rows) - np.nanmin(rows)
    return lambda a, b: 1 - abs(a - b) / reach


def test_increasing_maps_of_the_distance_change_nothing_but_the_kernel_form():
    rows = table(1, values=12)
    reach = np.nanmax(rows) - np.nanmin(rows)
    square = lambda a, b: 1 - (abs(a - b) / reach) ** 2  # noqa: E731 - two similarities side by side
    for measure in (ks, auc, sigma):
        values = [measure(rows, similarity=s, ci=None).value for s in (linear(rows), square)]
        assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_quantile_form_is_degenerate_under_ties_where_ks_is_not():
    rows = table(0, values=4)
    assert sigma(rows, level="interval", form="quantile", ci=None).value == 0
    assert ks(rows, level="interval", ci=None).value > 0.1


def test_balanced_alpha_of_different_items_converts_to_krippendorffs():
    """Check value of the conversion: ten labels on each of a hundred items, .239184 gives .237541."""

    def converted(alpha, n, m):
        weight = (m - 1) / (n * m - 1)
        return (1 - weight) * alpha / (1 - weight * alpha)

    assert converted(0.239184, 100, 10) == pytest.approx(0.237541, abs=5e-7)
    rows = table(5, gaps=0)
    different = ks(rows, level="interval", ci=None).details["different_item_alpha"]
    alpha = krippendorff_alpha(rows, level="interval", ci=None).value
    assert converted(different, *rows.shape) == pytest.approx(alpha, abs=1e-12)


def test_equal_distances_between_units_are_undefined_not_an_error():
    rows = [["a", "a"], ["b", "b"], ["c", "d"]]
    for measure in (ks, auc, sigma):
        assert measure(rows).undefined == "no_variation"


def test_one_unit_has_nothing_to_be_compared_with():
    assert ks([[1, 2, 3]], level="interval").undefined == "one_unit"


def test_pairs_that_cannot_be_compared_are_left_out_and_counted():
    rows = [["a", "b"], ["a", "a"], ["b", "c"], ["c", "c"]]
    compare = lambda x, y: None if {x, y} == {"b", "c"} else float(x == y)  # noqa: E731
    found = ks(rows, similarity=compare, ci=None)
    assert found.skipped == 1
    assert found.pairs == 3
    assert found.observed == pytest.approx(2 / 3)


def test_leaving_a_unit_out_is_subtracting_its_row():
    from accord.coefficients.spec import COEFFICIENTS
    from accord.readers.arrays import from_matrix
    from accord.similarity.levels import for_study

    rows = table(2)
    study = from_matrix(rows, level="interval")
    spec = COEFFICIENTS.catalog()["auc"]
    tally = spec.tally(study, for_study(study), {})
    for unit in (0, 7, 13):
        less = spec.finish(tally.totals() - tally.rows[[unit]].toarray(), tally.context)
        rest = np.delete(rows, unit, axis=0)
        observed, expected = pairs(rest)
        wanted = np.mean([(expected > o).mean() + (expected == o).mean() / 2 for o in observed])
        assert less.value[0] == pytest.approx(wanted, abs=1e-12)


def test_a_sample_stands_in_where_there_are_too_many_values(monkeypatch):
    rows = np.random.default_rng(8).normal(size=(60, 1)) + np.random.default_rng(9).normal(size=(60, 2)) / 3
    exact = {measure: measure(rows, level="interval", ci=None) for measure in (ks, auc, sigma)}
    assert exact[ks].details["expected_pairs"] == "all"
    monkeypatch.setattr(distances, "EXACT_PAIRS", 100)
    for measure, whole in exact.items():
        found = measure(rows, level="interval", ci=None)
        assert found.details["expected_pairs"] == 20_000
        assert found.value == pytest.approx(whole.value, abs=0.02)
        assert found.value == measure(rows, level="interval", ci=None).value
        assert found.expected == pytest.approx(whole.expected, abs=0.01)


def test_intervals_hold_the_value():
    rows = table(3, values=100)
    for measure in (sigma, ks, auc):
        found = measure(rows, level="interval", resamples=300)
        assert found.interval.low <= found.value <= found.interval.high


def test_sigma_says_when_ties_keep_it_at_zero():
    tied = sigma([[1, 1], [1, 1], [2, 2], [2, 2], [1, 2]], level="interval", ci=None)
    assert tied.value == 0
    assert tied.details["reachable"] is False
    assert sigma(table(3, values=100), level="interval", ci=None).details["reachable"] is True
