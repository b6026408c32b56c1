"""Percent agreement and kappas against scikit-learn, statsmodels, and R's psych and vcd."""

import itertools
import math

import pytest
from hypothesis import assume, given, settings
from peer_tables import contingency, counts, labels

from accord import measures

VALUE = 1e-9
SE = 1e-6
WEIGHTS = {"identity": None, "linear": "linear", "quadratic": "quadratic"}
TWO = labels(raters=(2, 2), missing=False)


def domain(q):
    return list(range(1, q + 1))


def analytic(measure, rows, q, **options):
    return measure(rows, domain=domain(q), interval="analytic", **options)


def agree(found, value, tolerance=VALUE):
    """Same number, or undefined on both sides."""
    if value is None or math.isnan(value):
        assert found.undefined == "no_variation"
    else:
        assert found.value == pytest.approx(value, abs=tolerance)


def same_error(found, se, n):
    """Their divisor is n^2, here n(n - 1). A zero variance that they round below zero is NaN or null there."""
    theirs = 0.0 if se is None or math.isnan(se) else se * math.sqrt(n / (n - 1))
    assert found.se == pytest.approx(theirs, abs=SE)


@pytest.mark.peers
@settings(max_examples=40)
@given(TWO)
def test_cohen_and_weighted_kappa_equal_scikit_learn(general, table):
    rows, q = table
    a, b = (list(column) for column in zip(*rows, strict=True))
    for ours, theirs in WEIGHTS.items():
        found = measures.weighted_kappa(rows, domain=domain(q), weights=ours)
        agree(found, general("sklearn_kappa", a=a, b=b, labels=domain(q), weights=theirs))


@pytest.mark.peers
@settings(max_examples=30)
@given(labels(raters=(2, 2)))
def test_cohen_kappa_with_missing_answers_is_scikit_learn_on_shared_units(general, table):
    rows, q = table
    shared = [row for row in rows if None not in row]
    assume(shared)
    a, b = (list(column) for column in zip(*shared, strict=True))
    agree(measures.cohen_kappa(rows, domain=domain(q)), general("sklearn_kappa", a=a, b=b, labels=domain(q)))


@pytest.mark.peers
@settings(max_examples=20)
@given(labels(raters=(3, 5)))
def test_many_rater_kappas_are_means_of_scikit_learns_pairs(general, table):
    """Light: plain mean. Cohen for many raters: weighted by the units that a pair shares."""
    rows, q = table
    kappas, shares = [], []
    for i, j in itertools.combinations(range(len(rows[0])), 2):
        shared = [(row[i], row[j]) for row in rows if None not in (row[i], row[j])]
        assume(shared)
        a, b = (list(column) for column in zip(*shared, strict=True))
        kappas.append(general("sklearn_kappa", a=a, b=b, labels=domain(q)))
        shares.append(len(shared))
    assume(not any(map(math.isnan, kappas)))
    light = sum(kappas) / len(kappas)
    assert measures.light_kappa(rows, domain=domain(q)).value == pytest.approx(light, abs=VALUE)
    weighted = sum(map(math.prod, zip(kappas, shares, strict=True))) / sum(shares)
    assert measures.cohen_kappa(rows, domain=domain(q)).value == pytest.approx(weighted, abs=VALUE)


@pytest.mark.peers
@settings(max_examples=30)
@given(TWO)
def test_kappa_standard_errors_equal_statsmodels(general, table):
    rows, q = table
    for ours, theirs in WEIGHTS.items():
        found = analytic(measures.weighted_kappa, rows, q, weights=ours)
        assume(found.undefined is None)
        other = general("statsmodels_kappa", table=contingency(rows, q), wt=theirs)
        assert found.value == pytest.approx(other["kappa"], abs=VALUE)
        same_error(found, other["se"], len(rows))


@pytest.mark.peers
@settings(max_examples=30)
@given(labels(raters=(2, 6), missing=False))
def test_fleiss_and_randolph_equal_statsmodels(general, table):
    rows, q = table
    table = counts(rows, q)
    agree(measures.fleiss_kappa(rows, domain=domain(q)), general("statsmodels_fleiss", counts=table, method="fleiss"))
    agree(
        measures.randolph_kappa(rows, domain=domain(q)), general("statsmodels_fleiss", counts=table, method="randolph")
    )


@pytest.mark.r
@settings(max_examples=30)
@given(TWO)
def test_weighted_kappa_and_errors_equal_r_psych_and_vcd(r, table):
    """psych gives values only here: its variance is another approximation."""
    rows, q = table
    theirs = r("kappas", rows=contingency(rows, q))
    for ours, name in (("identity", "plain"), ("linear", "linear"), ("quadratic", "quadratic")):
        found = analytic(measures.weighted_kappa, rows, q, weights=ours)
        assume(found.undefined is None)
        assert found.value == pytest.approx(theirs[name]["value"], abs=VALUE)
        same_error(found, theirs[name]["se"], len(rows))
        if name in theirs["psych"]:
            assert found.value == pytest.approx(theirs["psych"][name], abs=VALUE)
