"""Laws of intervals over the whole catalogue of coefficients."""

import math
from dataclasses import replace

import numpy as np
import pytest

from accord.coefficients.spec import COEFFICIENTS, Option
from accord.errors import UsageError
from accord.inference.estimate import estimate
from accord.inference.influence import unit_influence
from accord.inference.jackknife import parts_of
from accord.inference.recipe import complete_options
from accord.inference.resample import bootstrap, leave_one_out
from accord.inference.rows import Sample, by_cluster, distinct
from accord.measures.ask import similarity_for
from accord.measures.segment_rows import as_segments
from accord.readers.arrays import from_matrix
from accord.values import Kind, Ranking

CATALOGUE = sorted(spec.key for spec in COEFFICIENTS.catalog())
ADDITIVE = sorted(spec.key for spec in COEFFICIENTS.catalog() if spec.tally is not None)
#: Gamma compares with random continua drawn from all documents, so without one document chance is drawn anew.
EXACT = sorted(set(ADDITIVE) - {"gamma", "gamma_cat", "gamma_k"})
METHODS = ("score", "exact", "analytic", "bootstrap", "bca", "jackknife")


def study(units=40, raters=3, seed=1, missing=0.15, agree=0.7, categories=4):
    rng = np.random.default_rng(seed)
    true = rng.integers(1, categories + 1, units)[:, None]
    answers = np.where(rng.random((units, raters)) < agree, true, rng.integers(1, categories + 1, (units, raters)))
    table = answers.astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    return from_matrix(table, domain=list(range(1, categories + 1)))


def rankings(units=40, raters=3, seed=1, **_):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(units, 1, 4)) + 0.7 * rng.normal(size=(units, raters, 4))
    orders = [
        [Ranking((("ranked", tuple("abcd"[i] for i in row)),)) for row in unit] for unit in np.argsort(scores, axis=2)
    ]
    return replace(from_matrix(orders), kind=Kind.RANKING)


def numbers(units=40, raters=3, seed=1, **_):
    rng = np.random.default_rng(seed)
    return from_matrix(rng.normal(size=(units, 1)) + 0.1 * rng.normal(size=(units, raters)), level="interval")


def stretches(units=12, raters=3, seed=1, **_):
    rng = np.random.default_rng(seed)
    rows = []
    for unit in range(min(units, 12)):
        for start in (10, 40, 70):
            label = rng.choice(["x", "y"])
            for rater in range(raters):
                first = start + int(rng.integers(0, 4))
                said = label if rng.random() < 0.85 else rng.choice(["x", "y"])
                rows.append((f"r{rater}", first, first + 10 + int(rng.integers(0, 4)), said, f"u{unit}"))
    return as_segments(rows)


def spec_of(key):
    spec = COEFFICIENTS.catalog()[key]
    category = {"category": Option("x")} if key == "gamma_k" else {}
    return replace(spec, options={**spec.options, **category})


def case(key, **how):
    spec = spec_of(key)
    if spec.needs == "segments":
        found = stretches(**how)
        return spec, found, similarity_for(spec, found)
    make = {"mean_spearman": rankings, "mean_tau": rankings, "sigma": numbers}.get(key, study)
    found = make(**how)
    if spec.refuses is not None and spec.refuses(found, similarity_for(spec, found), complete_options(spec, None)):
        found = study(**{**how, "raters": 2, "missing": 0.0})
    return spec, found, similarity_for(spec, found)


def perfect(units, raters):
    column = [1 + i % 3 for i in range(units)]
    return from_matrix([[value] * raters for value in column], domain=[1, 2, 3])


@pytest.mark.parametrize("key", CATALOGUE)
@pytest.mark.parametrize("method", [None, *METHODS])
def test_no_interval_has_width_zero_even_without_disagreement(key, method):
    spec = COEFFICIENTS.catalog()[key]
    for units in (2, 20):
        found = perfect(units, 2)
        result = estimate(spec, found, similarity_for(spec, found), interval=method, resamples=200)
        if result.interval is None:
            assert result.undefined or result.notes
        else:
            assert result.interval.high - result.interval.low > 0.0


@pytest.mark.parametrize("key", CATALOGUE)
def test_default_interval_contains_the_value_and_names_its_method(key):
    spec, found, similarity = case(key)
    result = estimate(spec, found, similarity, resamples=500)
    assert result.undefined is None, result
    assert result.interval is not None
    assert result.interval.low <= result.value <= result.interval.high
    assert result.interval.high <= spec.upper
    assert result.interval.level == 0.95
    assert f"interval:{result.interval.method} 0.95" in result.signature


@pytest.mark.parametrize("key", CATALOGUE)
def test_higher_level_is_wider(key):
    spec, found, similarity = case(key)
    narrow = estimate(spec, found, similarity, ci=0.8, resamples=500).interval
    wide = estimate(spec, found, similarity, ci=0.99, resamples=500).interval
    assert wide.low < narrow.low
    assert wide.high >= narrow.high


@pytest.mark.parametrize("key", CATALOGUE)
def test_no_interval_asked_for_gives_the_same_value(key):
    spec, found, similarity = case(key)
    alone = estimate(spec, found, similarity, ci=None)
    assert alone.interval is None
    assert alone.value == pytest.approx(estimate(spec, found, similarity, resamples=50).value, abs=1e-12)


@pytest.mark.parametrize("key", ADDITIVE)
def test_resample_that_draws_every_unit_once_is_the_point_estimate(key):
    spec, found, similarity = case(key)
    tally = spec.tally(found, similarity, complete_options(spec, None))
    rows = distinct(tally.rows)
    totals = np.asarray(rows.count @ rows.rows).reshape(1, -1)
    value = float(spec.finish(totals, tally.context).value[0])
    assert value == pytest.approx(estimate(spec, found, similarity, ci=None).value, abs=1e-12)


@pytest.mark.parametrize("key", EXACT)
def test_leaving_a_unit_out_by_subtraction_is_recomputing_without_it(key):
    spec, found, similarity = case(key, units=14)
    options = complete_options(spec, None)
    influence = unit_influence(spec, found, similarity)
    value = estimate(spec, found, similarity, ci=None).value
    units = np.arange(found.U)
    for unit in range(found.U):
        rest = found.where(units != unit)
        again = float(np.ravel(parts_of(spec, rest, similarity, options).value)[0])
        assert influence[unit] == pytest.approx(value - again, abs=1e-9)


@pytest.mark.parametrize("key", ADDITIVE)
def test_cluster_rows_are_sums_and_lone_clusters_change_nothing(key):
    spec, found, similarity = case(key)
    tally = spec.tally(found, similarity, complete_options(spec, None))
    clusters = (np.arange(found.U) // 3).astype(np.int32)
    merged = by_cluster(tally.rows, clusters)
    dense = tally.rows if isinstance(tally.rows, np.ndarray) else tally.rows.toarray()
    merged = merged if isinstance(merged, np.ndarray) else merged.toarray()
    np.testing.assert_allclose(merged[1], dense[3:6].sum(axis=0), atol=1e-12)
    np.testing.assert_allclose(merged.sum(axis=0), dense.sum(axis=0), atol=1e-9)
    alone = np.arange(found.U, dtype=np.int32)
    one = estimate(spec, found, similarity, interval="jackknife")
    same = estimate(spec, found, similarity, interval="jackknife", clusters=alone)
    assert same.se == pytest.approx(one.se, rel=1e-9)
    assert same.clusters == found.U


@pytest.mark.parametrize("key", sorted(set(EXACT) - {"sigma", "ks", "auc"}))
def test_clusters_of_copies_count_once(key):
    """Distributions of distances are left out: two copies of one unit change what they compare with."""
    spec, found, similarity = case(key, units=30)
    doubled = from_units_twice(found)
    clusters = (np.arange(doubled.U) // 2).astype(np.int32)
    naive = estimate(spec, doubled, similarity, interval="jackknife").se
    clustered = estimate(spec, doubled, similarity, interval="jackknife", clusters=clusters).se
    assert clustered > 1.3 * naive


def from_units_twice(found):
    order = np.lexsort((np.tile(found.rater, 2), np.concatenate((2 * found.unit, 2 * found.unit + 1))))
    return replace(
        found,
        unit=np.concatenate((2 * found.unit, 2 * found.unit + 1))[order].astype(np.int32),
        rater=np.tile(found.rater, 2)[order],
        code=np.tile(found.code, 2)[order],
        unit_names=[f"{name}{part}" for name in found.unit_names for part in "ab"],
        matrix=None,
    )


@pytest.mark.parametrize("key", ADDITIVE)
@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_same_seed_same_interval_other_seed_another(key, method):
    spec, found, similarity = case(key)
    first = estimate(spec, found, similarity, interval=method, resamples=300, seed=7)
    again = estimate(spec, found, similarity, interval=method, resamples=300, seed=7)
    other = estimate(spec, found, similarity, interval=method, resamples=300, seed=8)
    assert first.interval == again.interval
    assert first.se == again.se != other.se


@pytest.mark.parametrize("key", ["krippendorff_alpha", "fleiss_kappa", "cohen_kappa", "gwet_ac2"])
def test_merged_rows_give_the_same_leave_one_out_values(key):
    spec, found, similarity = case(key, units=900, missing=0.0)
    tally = spec.tally(found, similarity, complete_options(spec, None))
    merged = distinct(tally.rows)
    assert len(merged.count) < found.U
    assert merged.count.sum() == found.U == merged.units
    apart = Sample(tally.rows, np.ones(found.U), np.arange(found.U))
    np.testing.assert_allclose(
        leave_one_out(spec, merged, tally.context)[merged.where], leave_one_out(spec, apart, tally.context), atol=1e-12
    )


@pytest.mark.parametrize("key", ["krippendorff_alpha", "fleiss_kappa"])
def test_bootstrap_error_is_near_the_analytic_one(key):
    spec, found, similarity = case(key, units=400)
    tally = spec.tally(found, similarity, complete_options(spec, None))
    drawn = bootstrap(spec, distinct(tally.rows), tally.context, 2000, 3)
    assert drawn.undefined == 0
    assert drawn.values.std() == pytest.approx(estimate(spec, found, similarity).se, rel=0.1)


def test_undefined_resamples_are_counted_and_said():
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    found = from_matrix([["a", "a"]] * 9 + [["b", "a"]])
    result = estimate(spec, found, similarity_for(spec, found), interval="bootstrap", resamples=500)
    note = next(note for note in result.notes if "resamples were undefined" in note)
    share = int(note.split()[0]) / 500
    assert share == pytest.approx(0.9**10, abs=0.08)


def test_interval_a_coefficient_does_not_have_is_replaced_and_said():
    spec, found, similarity = case("kendall_w")
    result = estimate(spec, found, similarity, interval="score")
    assert result.interval.method == "jackknife"
    assert any("no score interval" in note for note in result.notes)
    assert "interval:jackknife" in result.signature


@pytest.mark.parametrize("bad", [{"ci": 95}, {"ci": 0.0}, {"interval": "wald"}, {"resamples": 0}, {"generalise": "x"}])
def test_wrong_arguments_raise(bad):
    spec, found, similarity = case("krippendorff_alpha")
    with pytest.raises(UsageError):
        estimate(spec, found, similarity, **bad)


def test_wrong_options_raise_with_suggestion():
    spec, found, similarity = case("fleiss_kappa")
    with pytest.raises(UsageError, match="marginals"):
        estimate(spec, found, similarity, options={"marginal": "all"})
    with pytest.raises(UsageError, match="Allowed"):
        estimate(spec, found, similarity, options={"marginals": "none"})


def test_wrong_number_of_clusters_raises():
    spec, found, similarity = case("fleiss_kappa")
    with pytest.raises(UsageError, match="cluster"):
        estimate(spec, found, similarity, clusters=np.zeros(3, np.int32))


def test_few_clusters_and_few_units_are_said():
    spec, found, similarity = case("krippendorff_alpha", units=25)
    result = estimate(spec, found, similarity, clusters=(np.arange(found.U) // 5).astype(np.int32))
    assert any("clusters" in note for note in result.notes)
    assert any("units have two answers" in note for note in result.notes)
    assert math.isfinite(result.se)


def test_rare_labels_are_named():
    rows = [["a", "a"]] * 60 + [["b", "b"]] * 4 + [["b", "a"]] * 2 + [["c", "c"]] * 20
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    found = from_matrix(rows)
    notes = estimate(spec, found, similarity_for(spec, found)).notes
    assert notes == ("Labels in fewer than 10 units (b): the interval is approximate.",)


def test_rare_members_of_sets_are_named_not_rare_sets():
    sets = (
        [[frozenset("ab"), frozenset("a")]] * 20 + [[frozenset("b"), frozenset("bc")]] * 5 + [[frozenset("a")] * 2] * 9
    )
    found = from_matrix(sets)
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    notes = estimate(spec, found, similarity_for(spec, found)).notes
    assert notes == ("Labels in fewer than 10 units (c): the interval is approximate.",)
