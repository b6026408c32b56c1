"""Fleiss, Conger, Gwet, Brennan-Prediger and Krippendorff with weights, against irrCAC 0.4.4, missing answers included.

Where irrCAC is not followed:

* Its interval is cut at 1 and uses the normal form, like the analytic interval here; both are compared.
* It raises ZeroDivisionError or gives NaN for a table with one category (``no_variation`` here).
* alpha: where units differ in their number of answers, its standard error leaves the published linearisation (and R
  irrCAC 1.4, see the golden tests) by a term of the order of 1/U, up to .004 at six units. So standard errors of alpha
  are compared to 1e-6 on complete tables, to 5e-4 on thirty units or more that all have two answers.
* Its weights come from the categories given, in order; the domain given here is the same.
"""

import pytest
from hypothesis import assume, given, settings
from peer_tables import labels, pairable

from accord import measures

MEASURES = {
    "fleiss": measures.fleiss_kappa,
    "conger": measures.conger_kappa,
    "gwet": measures.gwet_ac2,
    "bp": measures.brennan_prediger,
    "krippendorff": measures.krippendorff_alpha,
}
WEIGHTS = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")


def compare(irrcac, rows, q, weights, names):
    theirs = irrcac("coefficients", table=rows, categories=list(range(1, q + 1)), weights=weights)
    complete = all(None not in row for row in rows)
    many = len(rows) >= 30 and len(pairable(rows)) == len(rows)
    for name in names:
        other = theirs[name]
        found = MEASURES[name](rows, domain=list(range(1, q + 1)), weights=weights, interval="analytic")
        if other is None or found.undefined is not None:
            continue
        assert found.value == pytest.approx(other["value"], abs=1e-9), name
        if name != "krippendorff":
            assert found.observed == pytest.approx(other["observed"], abs=1e-9), name
            assert found.expected == pytest.approx(other["expected"], abs=1e-9), name
            assert found.se == pytest.approx(other["se"], abs=1e-6), name
        elif complete or many:
            assert found.se == pytest.approx(other["se"], abs=1e-6 if complete else 5e-4)


@pytest.mark.peers
@pytest.mark.parametrize("weights", WEIGHTS)
@settings(max_examples=8)
@given(table=labels(raters=(2, 5), categories=(3, 5)))
def test_values_and_standard_errors_equal_irrcac(irrcac, weights, table):
    rows, q = table
    assume(any(len({x for x in row if x is not None}) > 1 for row in rows))
    assume(len(pairable(rows)) > 2)
    compare(irrcac, rows, q, weights, MEASURES)


@pytest.mark.peers
@settings(max_examples=20)
@given(table=labels(raters=(3, 6), units=(30, 60), categories=(2, 4)))
def test_larger_tables_equal_irrcac(irrcac, table):
    rows, q = table
    compare(irrcac, pairable(rows), q, "identity", MEASURES)


@pytest.mark.peers
@settings(max_examples=20)
@given(table=labels(raters=(3, 6), missing=False))
def test_complete_tables_equal_irrcac(irrcac, table):
    rows, q = table
    assume(any(len(set(row)) > 1 for row in rows))
    compare(irrcac, rows, q, "identity", MEASURES)


@pytest.mark.peers
@settings(max_examples=20)
@given(table=labels(raters=(2, 5)))
def test_percent_agreement_and_ac1_equal_irrcac(irrcac, table):
    rows, q = table
    categories = list(range(1, q + 1))
    theirs = irrcac("coefficients", table=rows, categories=categories, weights="identity")["gwet"]
    assume(theirs is not None)
    found = measures.gwet_ac1(rows, domain=categories, interval="analytic")
    assert found.value == pytest.approx(theirs["value"], abs=1e-9)
    assert found.se == pytest.approx(theirs["se"], abs=1e-6)
    assert measures.percent_agreement(rows).value == pytest.approx(theirs["observed"], abs=1e-9)
