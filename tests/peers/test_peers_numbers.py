"""Intraclass correlation, Kendall's W, concordance, sigma and KS against pingouin, scikit-learn, scipy and R."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from peer_tables import labels, numbers, without

from accord import measures
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.similarity.core import Identity
from accord.study import Study
from accord.values import Kind, Ranking

FORMS = ("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k")
#: Names of the same forms in pingouin.
PINGOUIN = ("ICC(1,1)", "ICC(A,1)", "ICC(C,1)", "ICC(1,k)", "ICC(A,k)", "ICC(C,k)")


def varies(rows):
    table = np.array(rows, dtype=float)
    return np.ptp(table, axis=1).max() > 0 and np.ptp(table.mean(axis=1)) > 0


@pytest.mark.peers
@settings(max_examples=25)
@given(numbers())
def test_icc_equals_pingouin(general, rows):
    assume(varies(rows))
    theirs = general("icc", table=rows)
    for form, name in zip(FORMS, PINGOUIN, strict=True):
        found = measures.icc(rows, form=form)
        other = theirs.get(form) or theirs[name]
        assert found.value == pytest.approx(other["value"], abs=1e-9), form
        if found.interval is not None and found.interval.method == "exact":
            limits = found.interval.low, found.interval.high
            assert limits == pytest.approx((other["low"], other["high"]), abs=6e-3), form


@pytest.mark.r
@settings(max_examples=25)
@given(numbers())
def test_icc_and_exact_limits_equal_r_psych(r, rows):
    assume(varies(rows))
    theirs = r("icc", rows=rows)
    for form in FORMS:
        found = measures.icc(rows, form=form)
        assert found.value == pytest.approx(theirs[form]["value"], abs=1e-9), form
        if found.interval is not None and found.interval.method == "exact":
            limits = found.interval.low, found.interval.high
            assert limits == pytest.approx((theirs[form]["low"], theirs[form]["high"]), abs=1e-6), form


@pytest.mark.r
@settings(max_examples=15)
@given(numbers(units=(8, 30), raters=(3, 5)))
def test_complete_components_equal_lme4(r, rows):
    """REML and mean squares agree on complete data, unless a component is negative: lme4 puts it at 0."""
    assume(varies(rows))
    ours = measures.icc(rows, ci=None).details["two_way"]
    assume(min(ours.values()) > 1e-3)
    theirs = r("components", rows=rows)
    for name, value in ours.items():
        assert value == pytest.approx(theirs[name], rel=1e-3), name
    by_lme4 = r("icc", rows=rows, lmer=True)
    for form in ("ICC2", "ICC3", "ICC2k", "ICC3k"):
        assert measures.icc(rows, form=form, ci=None).value == pytest.approx(by_lme4[form]["value"], abs=1e-3), form


@pytest.mark.r
def test_incomplete_components_are_near_lme4(r):
    """On incomplete designs REML weights the same information differently: close, and without bias between them."""
    gaps = []
    for seed in range(30):
        generator = np.random.default_rng(seed)
        rows = generator.normal(size=(80, 1)) + 0.5 * generator.normal(size=(1, 6)) + generator.normal(size=(80, 6))
        table = without(rows.tolist(), 0.4, seed)
        theirs = r("components", rows=table)
        total = theirs["units"] + theirs["raters"] + theirs["error"]
        gaps.append(measures.icc(table, form="ICC(A,1)", ci=None).value - theirs["units"] / total)
    assert np.abs(gaps).max() < 0.03
    assert abs(np.mean(gaps)) < 0.004


@pytest.mark.r
def test_one_way_components_are_near_lme4(r):
    gaps = []
    for seed in range(15):
        generator = np.random.default_rng(seed)
        rows = generator.normal(size=(60, 1)) + generator.normal(size=(60, 5))
        table = without(rows.tolist(), 0.4, seed)
        theirs = r("components", rows=table, crossed=False)
        value = theirs["units"] / (theirs["units"] + theirs["error"])
        gaps.append(measures.icc(table, form="ICC(1,1)", ci=None).value - value)
    assert np.abs(gaps).max() < 0.03
    assert abs(np.mean(gaps)) < 0.005


@pytest.mark.r
@settings(max_examples=20)
@given(numbers(units=(3, 15), decimals=(0, 0)))
def test_kendall_w_with_ties_equals_r_friedman(r, rows):
    table = np.array(rows)
    assume(all(len(set(column)) > 1 for column in table.T))
    found = measures.kendall_w(rows, ci=None)
    assert found.value == pytest.approx(r("ranks", rows=rows)["w"], abs=1e-9)


@pytest.mark.peers
@settings(max_examples=15)
@given(numbers(units=(3, 15), raters=(3, 6), decimals=(0, 1)))
def test_kendall_w_equals_pingouin(general, rows):
    table = np.array(rows)
    assume(all(len(set(column)) > 1 for column in table.T))
    assert measures.kendall_w(rows, ci=None).value == pytest.approx(general("friedman", table=rows), abs=1e-9)


@pytest.mark.r
@settings(max_examples=20)
@given(raters=st.integers(2, 4), items=st.integers(3, 8), seed=st.integers(0, 10_000))
def test_rank_correlations_of_rankings_equal_r(r, raters, items, seed):
    """Items left in the pool tie at the end; R gets their places as equal numbers."""
    generator = np.random.default_rng(seed)
    orders = [generator.permutation(items) for _ in range(raters)]
    ranked = generator.integers(2, items + 1, raters)
    places = np.array([np.minimum(np.argsort(order), n) for order, n in zip(orders, ranked, strict=True)]).T
    study = rankings(orders, ranked)
    theirs = r("ranks", rows=places.tolist())
    for key, name in (("mean_spearman", "spearman"), ("mean_tau", "tau"), ("kendall_w", "w")):
        found = estimate(COEFFICIENTS.catalog()[key], study, Identity(study.V), ci=None)
        assert found.value == pytest.approx(theirs[name], abs=1e-9), key


def rankings(orders, ranked):
    """One task whose items several raters put in order, the last ones left in the pool."""
    values = tuple(
        Ranking((("rank", tuple(map(str, order[:n]))), ("_", tuple(map(str, order[n:])))))
        for order, n in zip(orders, ranked, strict=True)
    )
    each = np.arange(len(values), dtype=np.int32)
    return Study(
        unit=np.zeros_like(each),
        rater=each,
        code=each,
        values=values,
        unit_names=["task"],
        rater_names=[f"r{i}" for i in each],
        kind=Kind.RANKING,
    )


@pytest.mark.peers
@settings(max_examples=25)
@given(labels(raters=(2, 2), missing=False))
def test_concordance_of_whole_numbers_is_scikit_learns_quadratic_kappa(general, table):
    rows, q = table
    a, b = (list(column) for column in zip(*rows, strict=True))
    found = measures.lin_ccc(rows, ci=None)
    assume(found.undefined is None)
    other = general("sklearn_kappa", a=a, b=b, labels=list(range(1, q + 1)), weights="quadratic")
    assert found.value == pytest.approx(other, abs=1e-9)


@pytest.mark.r
@settings(max_examples=20)
@given(n=st.integers(2, 60), level=st.sampled_from([0.8, 0.95]), seed=st.integers(0, 1000))
def test_limits_of_agreement_have_rs_noncentral_t_interval(r, n, level, seed):
    rows = np.random.default_rng(seed).normal(size=(n, 2)).round(3)
    details = measures.bland_altman(rows, ci=level).details
    difference = rows[:, 0] - rows[:, 1]
    low, high = r("tolerance", n=n, z=1.959963984540054, level=level)
    bias, sd = difference.mean(), difference.std(ddof=1)
    assert details["upper_interval"] == pytest.approx([bias + low * sd, bias + high * sd], rel=1e-6)
    assert details["lower_interval"] == pytest.approx([bias - high * sd, bias - low * sd], rel=1e-6)


def all_distances(rows):
    """Distances of pairs in the same row and in different rows."""
    cells = [(u, x) for u, row in enumerate(rows) for x in row if x is not None]
    pairs = [(u == w, abs(a - b)) for i, (u, a) in enumerate(cells) for w, b in cells[:i]]
    return [d for same, d in pairs if same], [d for same, d in pairs if not same]


@pytest.mark.peers
@settings(max_examples=20)
@given(labels(raters=(2, 4), units=(6, 20), categories=(3, 5)))
def test_ks_equals_scipy(general, table):
    rows, _ = table
    observed, expected = all_distances(rows)
    assume(observed and len(set(expected)) > 1)
    found = measures.ks(rows, level="interval", ci=None)
    assert found.value == pytest.approx(general("scipy_ks", observed=observed, expected=expected), abs=1e-9)
    assert not math.isnan(found.observed)
