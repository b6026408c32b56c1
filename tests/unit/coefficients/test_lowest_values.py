"""No interval reaches below the lowest value of its coefficient without saying so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.readers.arrays import from_matrix
from accord.values import EMPTY

SKEWED = [["y", "y"]] * 18 + [["n", "y"], ["y", "y"]]
CUT = "cut at −1, the lowest value there is"
KAPPAS = [
    accord.krippendorff_alpha,
    accord.cohen_kappa,
    accord.scott_pi,
    accord.fleiss_kappa,
    accord.conger_kappa,
    accord.light_kappa,
    accord.hubert_kappa,
]


@pytest.mark.parametrize("measure", KAPPAS, ids=lambda one: one.__name__)
def test_an_interval_of_skewed_labels_ends_at_the_lowest_value(measure):
    found = measure(from_matrix(SKEWED))
    assert found.interval.low == -1.0
    assert -0.1 < found.value < found.interval.high
    assert sum(CUT in note for note in found.notes) == 1


def test_presence_where_nearly_everybody_marked_something():
    rows = [[{"a"}, {"a"}]] * 18 + [[EMPTY, {"b"}], [{"b"}, {"b"}]]
    found = accord.krippendorff_alpha(from_matrix(rows), empty="presence")
    assert found.interval.low == -1.0
    assert any(CUT in note for note in found.notes)


def test_an_interval_inside_says_nothing():
    found = accord.krippendorff_alpha(from_matrix([["y", "y"], ["n", "n"]] * 20 + [["y", "n"]]))
    assert found.interval.low > 0
    assert not any("−1" in note for note in found.notes)


def test_a_chance_term_that_does_not_follow_from_the_answers_is_not_cut():
    rows = [[1, 5]] * 12 + [[5, 1]] * 12
    found = accord.brennan_prediger(from_matrix(rows, domain=[1, 2, 3, 4, 5]), weights="quadratic")
    assert found.value == pytest.approx(-3.0)
    assert found.interval.low <= found.value
    assert any("reaches below −1" in note for note in found.notes)


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=4), min_size=2, max_size=12).filter(
        lambda rows: len({value for row in rows for value in row}) > 1
    ),
    st.sampled_from(["nominal", "interval"]),
)
def test_no_alpha_is_lower(rows, level):
    width = max(map(len, rows))
    table = np.array([row + [np.nan] * (width - len(row)) for row in rows])
    found = accord.krippendorff_alpha(table, level=level)
    assert found.undefined or found.value >= -1.0 - 1e-12
    if found.interval:
        assert found.interval.low >= -1.0


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=12))
def test_no_kappa_is_lower(rows):
    study = from_matrix([list(row) for row in rows], domain=[0, 1, 2, 3])
    for found in (
        *(measure(study) for measure in KAPPAS),
        accord.weighted_kappa(study, weights="quadratic"),
        accord.gwet_ac1(study),
        accord.brennan_prediger(study),
    ):
        assert found.undefined or found.value >= -1.0 - 1e-12
        assert found.interval is None or found.interval.low >= -1.0
