"""Answers that vary only where they are compared with nothing."""

import pytest

import accord

ROWS = [["a", "a"], ["a", "a"], ["b", None], ["a", "a"]]


@pytest.mark.parametrize("coefficient", [accord.fleiss_kappa, accord.conger_kappa])
def test_the_reason_claims_nothing_about_chance(coefficient):
    found = coefficient(ROWS)
    assert found.undefined == "no_variation"
    assert found.expected < 1.0
    assert "compared with another one are the same" in found.to_dict()["reason"]
    assert "chance alone would agree always" not in repr(found)
