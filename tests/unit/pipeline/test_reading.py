"""The sentence below a headline says no more than its interval does."""

from __future__ import annotations

import pytest

import accord
from accord.pipeline.methods import reading
from accord.pipeline.words import number, percent

ALIKE = [["a", "a"], ["b", "b"]]
SPLIT = [["a", "b"], ["b", "a"]]


@pytest.mark.parametrize(("alike", "split"), [(1, 1), (2, 1), (3, 1), (4, 2)])
def test_an_interval_that_begins_below_0_leaves_chance_open(alike, split):
    found = accord.krippendorff_alpha(ALIKE * alike + SPLIT[:1] * split)
    assert found.value > 0 > found.interval.low
    text = reading(found, "krippendorff_alpha")
    assert "at least" not in text
    assert f"begins at {number(found.interval.low)}, so agreement by chance alone is not ruled out." in text


def test_an_interval_above_0_says_how_little_it_may_be():
    found = accord.krippendorff_alpha(ALIKE * 40 + SPLIT * 3)
    assert found.interval.low > 0
    assert f"at least {percent(found.interval.low)} with the data at hand." in reading(found, "krippendorff_alpha")


def test_without_an_interval_the_sentence_ends_with_the_value():
    found = accord.krippendorff_alpha(ALIKE * 40 + SPLIT * 3, ci=None)
    text = reading(found, "krippendorff_alpha")
    assert text.endswith("is reached.")
