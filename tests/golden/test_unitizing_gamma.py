"""Gamma: values of pygamma-agreement 0.5.9 (fixtures of DKPro Statistics and that package's own tests)."""

import numpy as np
import pytest

from accord.coefficients.gamma_disorder import positional
from accord.measures import gamma

#: Continua, (alpha, beta), observed disorder, expected disorder and gamma by 30 samples of pygamma.
FIXTURES = {
    "two raters": (
        {"A1": [(1, 5, "a"), (6, 10, "b"), (11, 15, "a")], "A2": [(2, 6, "a"), (7, 11, "b"), (12, 16, "a")]},
        (1, 1),
        (0.0625, 0.53697, 0.88361),
    ),
    "missing units": (
        {
            "A1": [(1, 5, "a"), (6, 10, "b"), (20, 24, "a"), (30, 34, "b")],
            "A2": [(2, 6, "a"), (31, 35, "b")],
        },
        (1, 1),
        (0.70833, 1.63508, 0.56679),
    ),
    "three raters": (
        {
            "A1": [(1, 5, "a"), (10, 14, "b")],
            "A2": [(2, 6, "a"), (11, 15, "b")],
            "A3": [(1, 4, "a"), (9, 14, "c")],
        },
        (1, 1),
        (0.408756, 1.1980, 0.65880),
    ),
    "weights": (
        {
            "A1": [(1, 5, "a"), (6, 10, "b"), (11, 15, "c")],
            "A2": [(2, 7, "a"), (8, 12, "b"), (11, 15, "a")],
        },
        (3, 2),
        (1.027778, 1.35999, 0.24428),
    ),
}
#: pygamma tests/test_gammas.py.
TRIO = {
    "Alex": [(2, 9, "1"), (11, 17, "2"), (24, 30, "5"), (32, 36, "6"), (36, 44, "6"), (44, 60, "7")],
    "Paul": [(2, 9, "1"), (11, 17, "3"), (19, 25, "5"), (32, 44, "6")],
    "Suzan": [(2, 9, "1"), (11, 17, "4"), (21, 27, "5"), (32, 36, "6"), (36, 40, "6"), (40, 44, "6")],
}


def rows(continuum):
    return [(rater, *unit) for rater, units in continuum.items() for unit in units]


@pytest.mark.parametrize("name", FIXTURES)
def test_fixture(name):
    continuum, (alpha, beta), (observed, _, value) = FIXTURES[name]
    found = gamma(rows(continuum), alpha=alpha, beta=beta, samples=1000)
    print(f"{name}: {found.value:.4f}, expected disorder {found.disagreement[1]:.4f} ± {found.expected_error:.4f}")
    assert found.disagreement[0] == pytest.approx(observed, abs=1e-5)
    assert found.value == pytest.approx(value, abs=0.03)
    assert found.value == pytest.approx(1 - found.disagreement[0] / found.disagreement[1])
    assert 0 < found.expected_error < 0.03 * found.disagreement[1]


@pytest.mark.parametrize("name", FIXTURES)
def test_expected_disorder_is_within_the_error_of_thirty_samples(name):
    """Thirty samples of pygamma have a standard error of about 0.06 to 0.1 here."""
    continuum, (alpha, beta), (_, expected, _) = FIXTURES[name]
    found = gamma(rows(continuum), alpha=alpha, beta=beta, samples=1000)
    assert found.disagreement[1] == pytest.approx(expected, abs=0.1)


def test_identical_continua():
    """Fixture 3: disorder 0, gamma 1."""
    units = [(1, 5, "a"), (6, 10, "b"), (11, 15, "a")]
    found = gamma(rows({"A1": units, "A2": units, "A3": units}))
    assert (found.value, found.disagreement[0]) == (1.0, 0.0)


def test_alex_paul_suzan():
    """Six unitary alignments, disorder .96; gamma .44-.47, gamma-cat .38-.42 by 30 samples of one seed.

    By 1,000 samples pygamma gives .422, .372 and .324 for category 6 (expected disorder 1.6627, error .0064).
    """
    found = gamma(rows(TRIO), alpha=3, beta=1, samples=1000)
    assert found.details["unitary_alignments"] == 6
    assert found.disagreement[0] == pytest.approx(0.960625, abs=1e-6)
    assert found.value == pytest.approx(0.422, abs=0.015)
    assert 0.44 - 0.03 < found.value < 0.47 + 0.03
    assert found.details["gamma_cat"] == pytest.approx(0.372, abs=0.02)
    assert 0.38 - 0.03 < found.details["gamma_cat"] < 0.42 + 0.03
    by_label = found.details["gamma_k"]
    assert (by_label["1"], by_label["5"]) == (1.0, 1.0)
    assert by_label["6"] == pytest.approx(0.324, abs=0.04)


@pytest.mark.parametrize(
    "one, other, value", [((1, 5), (2, 6), 0.0625), ((6, 10), (2, 6), 1.0), ((1, 5), (1, 4), 1 / 49)]
)
def test_positional_dissimilarity(one, other, value):
    start, end = np.array([one, other], dtype=float).T
    assert positional(start, end)[0, 1] == pytest.approx(value, abs=1e-5)
