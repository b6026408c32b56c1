"""The text form of values that fingerprints are made of: equal for equal values, and for those only."""

import pytest

from accord.values import Box, Link, Mask, Region, Span, canonical

PAIRS = [
    (Mask("rle", b"\x00\x01", (2, 2)), Mask("rle", b"\x00\x02", (2, 2))),
    (Region(Span(0, 1), frozenset({"a"})), Region(Span(0, 1), frozenset({"b"}))),
    (Region(Mask("rle", b"\x00", (2, 2))), Region(Mask("rle", b"\x01", (2, 2)))),
    (Region(Link("a#1", "b#1")), Region(Link("a#1", "b#2"))),
    (Box(1, 2, 3, 4), Box(1, 2, 3, 5)),
    ("1", 1),
    (frozenset({"a"}), ("a",)),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=range(len(PAIRS)))
def test_different_values_have_different_texts(one, other):
    assert canonical(one) != canonical(other)
    assert canonical(one) == canonical(one)


def test_the_order_of_a_set_does_not_matter():
    assert canonical(frozenset("abc")) == canonical(frozenset("cba"))
