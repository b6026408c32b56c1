"""Free text under exact equivalence is the classical coefficient: scikit-learn, krippendorff, irrCAC.

The same tables go to the peers as labels and to Accord as texts under the model ``exact``, so that the whole way of
free text (texts, pairs, chance agreement) is compared. irrCAC's alpha: standard errors as in test_peers_irrcac.py.
"""

import pytest
from hypothesis import assume, given, settings
from peer_tables import labels, pairable

from accord import measures
from accord.equivalence.lexical import lexical
from accord.readers.arrays import from_matrix
from accord.similarity.equivalent import from_model

WORDS = ("cough", "fever", "chest pain", "rash", "no finding", "left arm pain")
MEASURES = {
    "fleiss": measures.fleiss_kappa,
    "conger": measures.conger_kappa,
    "krippendorff": measures.krippendorff_alpha,
}


def texts(rows):
    return from_matrix([[None if x is None else WORDS[x - 1] for x in row] for row in rows])


def soft(measure, rows, **options):
    study = texts(rows)
    return measure(study, similarity=from_model(study, lexical("exact")), interval="analytic", **options)


@pytest.mark.peers
@settings(max_examples=25)
@given(labels(raters=(2, 2), missing=False))
def test_cohen_equals_scikit_learn(general, table):
    rows, q = table
    found = soft(measures.cohen_kappa, rows)
    assume(found.undefined is None)
    a, b = (list(column) for column in zip(*rows, strict=True))
    theirs = general("sklearn_kappa", a=a, b=b, labels=list(range(1, q + 1)), weights=None)
    assert found.value == pytest.approx(theirs, abs=1e-10)


@pytest.mark.peers
@settings(max_examples=25)
@given(labels(raters=(2, 5)))
def test_alpha_equals_krippendorff(general, table):
    rows, q = table
    found = soft(measures.krippendorff_alpha, rows)
    assume(found.undefined is None)
    theirs = general("alpha", table=rows, level="nominal", domain=list(range(1, q + 1)))
    assert found.value == pytest.approx(theirs, abs=1e-10)


@pytest.mark.peers
@settings(max_examples=25)
@given(labels(raters=(2, 5), categories=(3, 5)))
def test_values_and_standard_errors_equal_irrcac(irrcac, table):
    rows, q = table
    assume(any(len({x for x in row if x is not None}) > 1 for row in rows))
    assume(len(pairable(rows)) > 2)
    theirs = irrcac("coefficients", table=rows, categories=list(range(1, q + 1)), weights="identity")
    complete = all(None not in row for row in rows)
    many = len(rows) >= 30 and len(pairable(rows)) == len(rows)
    for name, measure in MEASURES.items():
        found, other = soft(measure, rows), theirs[name]
        if other is None or found.undefined is not None:
            continue
        assert found.value == pytest.approx(other["value"], abs=1e-10), name
        if name != "krippendorff":
            assert found.observed == pytest.approx(other["observed"], abs=1e-10), name
            assert found.expected == pytest.approx(other["expected"], abs=1e-10), name
            assert found.se == pytest.approx(other["se"], abs=1e-6), name
        elif complete or many:
            assert found.se == pytest.approx(other["se"], abs=5e-4)
