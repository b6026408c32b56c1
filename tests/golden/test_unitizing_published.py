"""Unitizing alpha: published values, with their sources."""

import pytest

from accord.coefficients.unitizing_sections import Lines, observed
from accord.measures import alpha_u, cohen_kappa, krippendorff_alpha, scott_pi


def rows(**raters):
    """Rows from {rater: [(label, start, length), ...]}."""
    return [(rater, start, start + size, label) for rater, units in raters.items() for label, start, size in units]


BOOK = rows(
    r1=[("c", 225, 70), ("c", 370, 30), ("k", 180, 60), ("k", 300, 50)],
    r2=[("c", 220, 80), ("c", 355, 20), ("c", 400, 20), ("k", 180, 60), ("k", 300, 50)],
)
#: Krippendorff (1995), Sociological Methodology 25, p. 57: four categories on a continuum of length 24.
PAPER = {
    "A": rows(r1=[("A", 2, 8), ("A", 14, 6)], r2=[("A", 4, 4), ("A", 15, 2)]),
    "B": rows(
        r1=[("B", 0, 18)],
        r2=[("B", s, n) for s, n in ((0, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 3), (9, 1))],
    ),
    "C": rows(
        r1=[("C", 2, 6), ("C", 10, 2), ("C", 14, 4), ("C", 20, 2)],
        r2=[("C", 0, 2), ("C", 4, 4), ("C", 10, 4), ("C", 16, 2), ("C", 20, 2)],
    ),
    "D": rows(
        r1=[("D", s, n) for s, n in ((0, 2), (2, 8), (10, 4), (14, 6), (20, 4))],
        r2=[("D", s, n) for s, n in ((0, 4), (4, 4), (8, 7), (15, 2), (17, 7))],
    ),
}


def test_krippendorff_2004_page_254():
    """Krippendorff, Content analysis (2004), p. 254; values of DKPro Krippendorff2004Test; continuum 150..450."""
    found = alpha_u(BOOK, start=150, length=300)
    assert found.value == pytest.approx(0.8587, abs=5e-5)
    assert found.disagreement == pytest.approx((0.0144, 0.0532 + 0.0490), abs=1e-4)
    c, k = (found.details["categories"][name] for name in "ck")
    assert (c["value"], c["observed_distance"], c["expected_distance"]) == pytest.approx(
        (0.7286, 0.0144, 0.0532), abs=5e-5
    )
    assert (k["value"], k["observed_distance"]) == (1.0, 0.0)
    assert k["expected_distance"] == pytest.approx(0.0490, abs=5e-5)
    assert alpha_u(BOOK, start=150, length=300, category="c").value == pytest.approx(0.7286, abs=5e-5)


@pytest.mark.parametrize(
    "one, other, squares",
    [
        ((5, 6), (4, 2), 26),
        ((5, 6), (5, 2), 16),
        ((5, 6), (6, 2), 10),
        ((5, 6), (7, 2), 8),
        ((5, 6), (6, 4), 2),
        ((225, 70), (220, 80), 50),
        ((370, 30), (355, 20), 850),
        ((1, 8), (2, 1), 37),
        ((1, 8), (4, 1), 25),
        ((1, 8), (6, 1), 29),
    ],
)
def test_squared_differences_of_two_units(one, other, squares):
    """DKPro KrippendorffAlphaUnitizingAgreement: distances of overlapping units (start, length)."""
    found = alpha_u(rows(r1=[("x", *one)], r2=[("x", *other)]), length=1000)
    assert found.disagreement[0] * 1000**2 == pytest.approx(squares)


def test_a_unit_alone_inside_a_gap_counts_its_squared_length():
    """DKPro Krippendorff2004Test: (400, 20) inside a gap differs by 400."""
    import numpy as np

    group, line = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    lines = Lines(
        group, line, np.array([400.0]), np.array([420.0]), np.array([2]), np.array([150.0]), np.array([450.0])
    )
    assert observed(lines).tolist() == [400.0]


@pytest.mark.parametrize(
    "name, value, d_o, d_e, tolerance",
    [
        ("A", 0.553, 0.03125, 0.06990, 0.0005),
        ("B", -0.926, 2.26736, 1.17731, 0.02),
        ("C", 0.679, 0.02777, 0.08642, 0.02),
        ("D", 0.066, 0.38715, 0.41445, 0.0005),
    ],
)
def test_krippendorff_1995_page_57_in_the_limit(name, value, d_o, d_e, tolerance):
    """Krippendorff (1995), p. 57 ff., as in DKPro Krippendorff1995Test.

    The expected disagreements printed for B and C are not those of the formula (DKPro's test says so too); the
    tolerance for them is that test's own. The next test pins the formula.
    """
    found = alpha_u(PAPER[name], length=24, step=0)
    assert found.value == pytest.approx(value, abs=tolerance)
    assert found.disagreement[0] == pytest.approx(d_o, abs=1e-5)
    assert found.disagreement[1] == pytest.approx(d_e, abs=5e-5 if tolerance < 0.01 else 0.005)


@pytest.mark.parametrize("length, value, d_e", [(12, 0.494, 0.05494), (120, 0.663, 0.08234), (1200, 0.677, 0.08600)])
def test_krippendorff_1995_continuum_c_at_other_lengths(length, value, d_e):
    """Krippendorff (1995): C cut into 12, 120 and 1200 steps; beyond the first within the source test's tolerance."""
    scaled = [(rater, a * length / 24, b * length / 24, label) for rater, a, b, label in PAPER["C"]]
    found = alpha_u(scaled, length=length)
    assert found.value == pytest.approx(value, abs=0.0005 if length == 12 else 0.02)
    assert found.disagreement[0] == pytest.approx(0.02777, abs=1e-5)
    assert found.disagreement[1] == pytest.approx(d_e, abs=1e-5 if length == 12 else 0.005)


def test_expected_disagreement_of_c_by_hand():
    """Nine units, sum of cubed lengths 448, of squares 104, no gap longer than the shortest unit."""
    expected = 2 / 24 * (8 / 3 * 2 * 448) / (48**2 - 104)
    assert alpha_u(PAPER["C"], length=24, step=0).disagreement[1] == pytest.approx(expected)


def test_digitised_continuum_a():
    """Krippendorff (1995): A cut into 24 pieces, each marked or not (DKPro Krippendorff1995Test)."""
    pieces = [
        [int(any(r == who and a <= i < b for r, a, b, _ in PAPER["A"])) for who in ("r1", "r2")] for i in range(24)
    ]
    assert cohen_kappa(pieces).value == pytest.approx(0.385, abs=5e-4)
    assert scott_pi(pieces).value == pytest.approx(0.314, abs=5e-4)
    assert krippendorff_alpha(pieces).value == pytest.approx(0.329, abs=5e-4)


def test_dkpro_one_long_unit_against_three_short_ones():
    """DKPro UnitizingAgreementTest.testAgreement."""
    found = alpha_u(rows(r0=[("A", 1, 8)], r1=[("A", 2, 1), ("A", 4, 1), ("A", 6, 1)]), length=10)
    assert found.value == pytest.approx(-0.7003, abs=1e-4)
    assert found.disagreement == pytest.approx((0.9100, 0.5351), abs=1e-4)


def test_dkpro_one_unit_among_three_raters_is_chance():
    """DKPro UnitizingAgreementTest.testSingleAnnotationUnit: 0."""
    marked = [("r0", 0, 1, "X"), ("r1", None, None, None), ("r2", None, None, None)]
    assert alpha_u(marked, length=20).value == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("start, end", [(None, None), (3, 3)])
def test_nothing_marked_is_undefined(start, end):
    """DKPro UnitizingAgreementTest.testEmptyAnnotationSet (NaN); stretches without length mark nothing."""
    found = alpha_u([("r0", start, end, "X"), ("r1", None, None, None), ("r2", None, None, None)], length=20)
    assert found.undefined == "no_variation"
