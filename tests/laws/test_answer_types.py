"""One rule for what an answer is, whatever it comes in: lists, arrays, mappings, dataframes, Parquet."""

import datetime as dt
from collections import OrderedDict
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import DataError
from accord.readers.answer_types import answers_of
from accord.readers.arrays import as_study, from_long, from_matrix
from accord.readers.tables import read_tables
from accord.values import EMPTY

PLACES = [(unit, rater) for unit in range(3) for rater in range(2)]


class Colour(Enum):
    RED = 1
    BLUE = 2


class Grade(IntEnum):
    LOW = 1
    HIGH = 2


class Word(StrEnum):
    YES = "yes"
    NO = "no"


def cells(one, other):
    return [one, one, one, other, other, other]


def long_of(one, other):
    return {
        "item": [unit for unit, _ in PLACES],
        "rater": [f"r{rater + 1}" for _, rater in PLACES],
        "label": cells(one, other),
    }


def as_lists(one, other):
    return from_matrix([[one, one], [one, other], [other, other]])


def as_object_array(one, other):
    table = np.empty((3, 2), dtype=object)
    for place, value in zip(PLACES, cells(one, other), strict=True):
        table[place] = value
    return from_matrix(table)


def as_mapping(one, other):
    return as_study(long_of(one, other))


def as_pandas(one, other):
    return as_study(pd.DataFrame({**long_of(one, other), "label": pd.Series(cells(one, other), dtype=object)}))


def as_inferred_pandas(one, other):
    return as_study(pd.DataFrame(long_of(one, other)))


def as_polars_objects(one, other):
    frame = long_of(one, other)
    return as_study(pl.DataFrame({**frame, "label": pl.Series(frame["label"], dtype=pl.Object)}))


ANY = [as_lists, as_object_array, as_mapping, as_pandas, as_polars_objects]
REFUSED = {
    "object": (object(), object()),
    "complex": (1j, 2j),
    "complex of numpy": (np.complex128(1j), np.complex128(2j)),
    "bytes": (b"a", b"b"),
    "bytes of numpy": (np.bytes_(b"a"), np.bytes_(b"b")),
    "changeable bytes": (bytearray(b"a"), bytearray(b"b")),
    "fraction": (Fraction(1, 2), Fraction(1, 3)),
    "function": (len, max),
    "type": (int, str),
    "range": (range(2), range(3)),
    "object of keys": ({"a": 1}, {"b": 2}),
    "ordered keys": (OrderedDict(a=1), OrderedDict(b=1)),
    "half a character": ("\ud800", "\udfff"),
    "half a character in a set": ({"\ud800"}, {"a"}),
    "object in a tuple": ((object(),), ("b",)),
    "object in a set": ({object()}, {"b"}),
    "lists of lists": ([["a"]], ["b"]),
    "missing in a list": ([None, "a"], ["b"]),
    "NaN in a list": ([float("nan"), 1.0], [2.0]),
    "infinite decimal": (Decimal("Infinity"), Decimal(1)),
    "generator": ((x for x in "ab"), (x for x in "cd")),
    "nanoseconds": (np.datetime64("2020-01-01T00:00:00.000000001"), np.datetime64("2020-01-02", "ns")),
    "beyond calendars": (np.datetime64("123456-01-01"), np.datetime64("123457-01-01")),
}
PLAIN = {
    "text": ("a", "b"),
    "text of numpy": (np.str_("a"), np.str_("b")),
    "words of an enumeration": (Word.YES, Word.NO),
    "whole numbers": (1, 2),
    "numbers of an enumeration": (Grade.LOW, Grade.HIGH),
    "large numbers": (2**70, 2**71),
    "numbers": (0.5, 1.5),
    "numbers of numpy": (np.float32(0.5), np.float16(1.5)),
    "long numbers of numpy": (np.longdouble(0.5), np.longdouble(1.5)),
    "truth values": (True, False),
    "truth values of numpy": (np.True_, np.False_),
    "decimals": (Decimal("1.5"), Decimal("2.25")),
    "names": (UUID(int=1), UUID(int=2)),
    "paths": (("a", "b"), ("a", "c")),
    "sets": ({"a"}, {"a", "b"}),
    "lists": (["a"], ["b", "a"]),
    "arrays": (np.array(["a"]), np.array(["b", "a"])),
    "nothing": ([], ["a"]),
}
DATES = {
    "dates": (dt.date(2020, 1, 1), dt.date(2020, 1, 2)),
    "moments": (dt.datetime.fromisoformat("2020-01-01T08:00"), dt.datetime.fromisoformat("2020-01-02T08:00")),
    "moments with a zone": (dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2020, 1, 2, tzinfo=dt.UTC)),
    "times": (dt.time(8), dt.time(9)),
    "durations": (dt.timedelta(1), dt.timedelta(2)),
    "dates of numpy": (np.datetime64("2020-01-01"), np.datetime64("2020-01-02")),
    "moments of numpy": (np.datetime64("2020-01-01", "ns"), np.datetime64("2020-01-02", "ns")),
    "moments of pandas": (pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-02")),
}


@pytest.mark.parametrize("made", ANY)
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_answer_is_refused_with_its_place(kind, made):
    one, other = REFUSED[kind]
    with pytest.raises(DataError) as caught:
        made("x", "x") and made(one, other)
    words = str(caught.value)
    assert words.startswith(("unit 1, rater 1: ", "dataframe, row 1: column 'label': ")), words
    assert words.isprintable()
    assert " at 0x" not in words


@pytest.mark.parametrize("made", [as_lists, as_object_array, as_mapping, as_pandas])
def test_a_member_of_an_enumeration_that_is_no_word_or_number_is_refused(made):
    with pytest.raises(DataError, match=r"type .*Colour is no answer"):
        made(Colour.RED, Colour.BLUE)


@pytest.mark.parametrize("made", [as_lists, as_object_array])
def test_the_place_is_that_of_the_first_refused_one(made):
    with pytest.raises(DataError, match=r"^unit 2, rater 2: "):
        made("a", "\ud800")
    with pytest.raises(DataError, match=r"^unit 2, rater 2: "):
        made("a", 1j)


@pytest.mark.parametrize("made", [as_mapping, as_pandas])
def test_the_row_is_that_of_the_first_refused_one(made):
    with pytest.raises(DataError, match=r"^dataframe, row 4: column 'label': "):
        made("a", "\ud800")


@pytest.mark.parametrize("kind", PLAIN)
def test_answers_are_the_same_whatever_they_come_in(kind):
    one, other = PLAIN[kind]
    found = [made(one, other) for made in ANY]
    for study in found:
        assert study.values == found[0].values
        assert study.kind is found[0].kind
        assert study.matrix is None or np.array_equal(study.matrix, found[0].matrix)
    assert len(found[0].values) == 2


@pytest.mark.parametrize("kind", DATES)
def test_dates_are_two_values_whatever_they_come_in(kind):
    one, other = DATES[kind]
    for made in (*ANY, as_inferred_pandas):
        study = made(one, other)
        assert len(study.values) == 2
        assert study.C == 6
        assert all(isinstance(value, str | dt.date | dt.time | dt.timedelta) for value in study.values)


def test_missing_marks_of_libraries_are_missing():
    marks = (None, float("nan"), np.nan, pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("NaN"), Decimal("sNaN"), " ")
    for made in ANY:
        for mark in marks:
            assert made("a", mark).C == 3, (made, mark)


def test_moments_in_arrays_are_no_numbers():
    moments = np.array([["2020-01-01", "2020-01-01"], ["2020-01-02", "NaT"]], dtype="datetime64[ns]")
    study = from_matrix(moments)
    assert study.C == 3
    assert study.values == (dt.datetime.fromisoformat("2020-01-01"), dt.datetime.fromisoformat("2020-01-02"))


def test_parquet_with_bytes_or_objects_is_refused_with_its_place(tmp_path):
    for wrong in (b"\xff", {"a": 1}):
        table = pa.table({"item": [1, 1], "rater": ["a", "b"], "label": pa.array([wrong, wrong])})
        pq.write_table(table, tmp_path / "t.parquet")
        with pytest.raises(DataError, match=r"t\.parquet, row 1: column 'label': "):
            read_tables(tmp_path / "t.parquet")


def test_names_follow_the_same_rule():
    rows = {"item": [UUID(int=1), UUID(int=1)], "rater": ["a", "b"], "label": ["x", "y"]}
    assert as_study(rows).unit_names[0] == str(UUID(int=1))
    for wrong in (b"1", object(), "\ud800"):
        with pytest.raises(DataError, match="row 1: column 'item': "):
            from_long({**rows, "item": [wrong, wrong]}, unit="item", rater="rater", value="label")
    with pytest.raises(DataError, match="the name of column 2: a text holds half a character"):
        as_study({"item": [1, 2], "r\ud800": ["a", "b"], "s": ["a", "b"]})


@settings(deadline=None)
@given(
    st.lists(
        st.none() | st.text(max_size=3) | st.integers() | st.booleans() | st.sampled_from([b"", 1j, [], ["a"], ("b",)]),
        min_size=1,
        max_size=20,
    )
)
def test_answers_are_refused_at_the_first_that_is_none(items):
    def is_bad(item):
        return isinstance(item, bytes | complex) or (isinstance(item, str) and not _encodes(item))

    bad = [number for number, item in enumerate(items) if is_bad(item)]
    if not bad:
        assert [EMPTY if item == [] else item for item in items if not isinstance(item, list) or not item] == [
            value for value in answers_of(items) if not isinstance(value, frozenset)
        ]
        return
    with pytest.raises(DataError) as caught:
        answers_of(items)
    assert caught.value.index == bad[0]


def _encodes(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
