import json

import pytest

from accord.errors import DataError
from accord.pipeline.value_json import decode, encode
from accord.values import EMPTY, Box, KeyFrame, Mask, Ranking, Region, Span, Track

VALUES = [
    "a",
    1,
    2.5,
    True,
    EMPTY,
    frozenset({"a", "b"}),
    frozenset({("x", "y"), ("x",)}),
    Ranking((("_", ("b", "a")),)),
    (Region(Span(0, 4), frozenset({"P"}), text="Ann", choices=frozenset({"yes"}), attributes=(("n", "1"),)),),
    (Region(Box(1, 2, 3, 4, 30.0, (640, 480))),),
    (Region(Mask("rle", b"\x00\x01\xff", (2, 2))),),
    (Region(Track(5, (KeyFrame(1, Box(0, 0, 1, 1)), KeyFrame(3, Box(0, 0, 1, 1), enabled=False)))),),
]


@pytest.mark.parametrize("value", VALUES, ids=[str(i) for i in range(len(VALUES))])
def test_values_come_back_equal_with_their_types(value):
    again = decode(json.loads(json.dumps(encode(value))))
    assert again == value
    assert type(again) is type(value)


def test_sets_are_written_in_one_order():
    assert encode(frozenset("abcdef")) == encode(frozenset("fedcba"))


@pytest.mark.parametrize("data", [{"type": "os"}, {"no": "type"}, {"type": "Span", "begin": 1}])
def test_foreign_json_is_refused(data):
    with pytest.raises(DataError):
        decode(data)
