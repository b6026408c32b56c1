"""Units count where two of their answers could be compared, whatever was left out elsewhere."""

import pytest

import accord
from accord.similarity.metric import from_function

ROWS = [[1, 1], [1, 3], [1, 2], [3, 2], [2, 2]]
KEYS = ["percent_agreement", "krippendorff_alpha", "fleiss_kappa", "cohen_kappa", "conger_kappa", "scott_pi"]


def near(a, b):
    """Three cannot be compared with anything else."""
    return None if 3 in (a, b) and a != b else 1 / (1 + abs(a - b))


@pytest.mark.parametrize("key", KEYS)
def test_units_without_a_comparable_pair_do_not_count(key):
    study = accord.from_matrix(ROWS)
    found = getattr(accord, key)(study, similarity=from_function(study.values, near))
    assert (found.units, found.pairs, found.skipped) == (3, 3, 2)
    assert found.observed == pytest.approx((1 + 1 / 2 + 1) / 3)
    assert any("Only 3 units" in note for note in found.notes)


@pytest.mark.parametrize("key", KEYS)
def test_nothing_comparable(key):
    study = accord.from_matrix(ROWS)
    found = getattr(accord, key)(study, similarity=from_function(study.values, lambda _a, _b: None))
    assert found.undefined == "nothing_comparable"
    assert (found.units, found.pairs, found.skipped) == (0, 0, 5)


def test_one_comparable_unit_has_no_interval():
    study = accord.from_matrix([[1, 1], [1, 3], [2, 3]])
    found = accord.percent_agreement(study, similarity=from_function(study.values, near))
    assert (found.value, found.units, found.interval) == (1.0, 1, None)
