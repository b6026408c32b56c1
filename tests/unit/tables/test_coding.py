"""From values to codes."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import DataError, UsageError
from accord.readers.coding import code_floats, code_integers, code_objects
from accord.values import EMPTY, LARGEST, finite

NAN = float("nan")


def decoded(coded):
    return [None if code < 0 else coded.values[code] for code in coded.codes.tolist()]


@given(st.lists(st.integers(-(2**62), 2**62), max_size=30), st.sampled_from(["int64", "object"]))
def test_integers_come_back_and_values_are_sorted(numbers, kind):
    coded = code_integers(np.array(numbers, dtype=np.int64)) if kind == "int64" else code_objects(numbers)
    assert decoded(coded) == numbers
    assert coded.values == tuple(sorted(set(numbers)))
    assert all(type(value) is int for value in coded.values)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_every_integer_type_at_its_limits(dtype):
    limits = np.iinfo(dtype)
    array = np.array([limits.max, limits.min, 0, 1, limits.max], dtype=dtype)
    assert decoded(code_integers(array)) == array.tolist()


@given(
    st.lists(
        st.none()
        | st.floats(-LARGEST, LARGEST).filter(lambda x: finite(x) is not None)
        | st.just(NAN)
        | st.integers(-5, 5),
        max_size=30,
    )
)
def test_numbers_with_gaps(numbers):
    expected = [None if number is None or number != number else number for number in numbers]
    assert decoded(code_objects(numbers)) == expected


@given(st.lists(st.none() | st.text(max_size=3), max_size=30))
def test_text_is_one_label_in_form_nfc_and_blank_text_is_missing(texts):
    expected = [None if text is None or not text.strip() else unicodedata.normalize("NFC", text) for text in texts]
    coded = code_objects(texts)
    assert decoded(coded) == expected
    assert coded.values == tuple(sorted({text for text in expected if text is not None}))


@pytest.mark.parametrize("number", [2 * LARGEST, -1e308, 10**400, pytest.param(10**5000, id="10**5000")])
def test_a_number_whose_squares_would_overflow_is_no_answer(number):
    with pytest.raises(DataError, match="too large to be an answer"):
        code_objects([number, 1.5])


@pytest.mark.parametrize("number", [1e-61, -5e-324])
def test_a_number_whose_squares_would_vanish_is_no_answer(number):
    with pytest.raises(DataError, match="too small to be an answer"):
        code_objects([number, 1.5])


def test_whole_floats_are_integers_and_others_stay():
    assert code_floats(np.array([1.0, 2.0, NAN])).values == (1, 2)
    assert code_floats(np.array([0.5, 1.0, NAN])).values == (0.5, 1)
    assert type(code_floats(np.array([1.0])).values[0]) is int


def test_integers_beyond_floats_are_not_rounded():
    assert decoded(code_objects([2**53, 2**53 + 1, None])) == [2**53, 2**53 + 1, None]
    assert decoded(code_objects([10**30, 1])) == [10**30, 1]


@pytest.mark.parametrize(
    "items, one, other",
    [
        ([1, "1"], "1 (int)", "'1' (str)"),
        (["1", 1], "'1' (str)", "1 (int)"),
        ([True, 1], "True (bool)", "1 (int)"),
        ([1, True], "1 (int)", "True (bool)"),
        ([1.0, True], "1", "True (bool)"),
        ([0, None, False], "0 (int)", "False (bool)"),
        (["yes", True], "'yes' (str)", "True (bool)"),
        ([["a"], "a"], "frozenset({'a'}) (frozenset)", "'a' (str)"),
        ([[1], ["1"]], "1 (int)", "'1' (str)"),
        ([[1], [True]], "1 (int)", "True (bool)"),
    ],
)
def test_mixed_types_are_refused_by_name(items, one, other):
    with pytest.raises(DataError, match="different types") as caught:
        code_objects(items)
    assert one in str(caught.value)
    assert other in str(caught.value)


def test_a_domain_of_another_type_is_refused():
    with pytest.raises(DataError, match=r"'1' \(str\) and 1 \(int\)"):
        code_objects([1, 2], domain=["1", "2"])


def test_domain_comes_first_in_its_order_and_what_is_outside_follows_sorted():
    coded = code_objects(["b", "z", "a", "y"], domain=["b", "c", "a"])
    assert coded.values == ("b", "c", "a", "y", "z")
    assert coded.outside == ("y", "z")
    assert decoded(coded) == ["b", "z", "a", "y"]


def test_a_domain_names_each_value_once():
    with pytest.raises(UsageError, match="'a' twice"):
        code_objects(["a"], domain=["a", "b", "a"])
    with pytest.raises(UsageError, match="list of values"):
        code_objects(["a"], domain="ab")


@pytest.mark.parametrize("mark", [99, "99"])
def test_marks_of_missing_answers_match_numbers_and_text(mark):
    assert decoded(code_objects([1, 99, 2], missing=[mark])) == [1, None, 2]
    assert decoded(code_integers(np.array([1, 99, 2]), missing=[mark])) == [1, None, 2]
    assert decoded(code_objects(["1", "99"], missing=[mark])) == ["1", None]


def test_words_for_missing_are_labels():
    words = ["NA", "None", "null", "nan"]
    assert decoded(code_objects(words)) == words


def test_sets_are_equal_in_any_order_and_the_empty_one_is_an_answer():
    coded = code_objects([["b", "a"], {"a", "b"}, [], None, frozenset(), ["a"]])
    assert decoded(coded) == [frozenset("ab"), frozenset("ab"), EMPTY, None, EMPTY, frozenset("a")]
    assert coded.values[-1] is EMPTY


@pytest.mark.parametrize("items", [[1.5, float("inf")], [float("-inf")], [["a"], float("inf")]])
def test_infinity_is_refused(items):
    with pytest.raises(DataError, match="infinity"):
        code_objects(items)


def test_an_object_is_not_an_answer():
    with pytest.raises(DataError, match="object"):
        code_objects([{"a": 1}])


def test_numpy_scalars_are_plain_values():
    assert code_objects([np.str_("a"), np.int64(1)][:1]).values == ("a",)
    coded = code_objects([np.int64(3), np.float64(2.0), None])
    assert decoded(coded) == [3, 2, None]


def test_spellings_merged_by_form_nfc_are_counted():
    coded = code_objects(["caf\xe9", "cafe\u0301", "x"])
    assert coded.values == ("caf\xe9", "x")
    assert coded.merged == 1


def test_nothing_codes_to_nothing():
    assert code_objects([]).codes.tolist() == []
    assert code_objects([None, NAN, ""]).values == ()
    assert code_integers(np.empty((0, 3), dtype=int)).codes.tolist() == []


def test_a_hundred_thousand_labels_in_one_pass():
    coded = code_objects([f"label {i}" for i in range(100_000)] * 2)
    assert len(coded.values) == 100_000
    assert (coded.codes[:100_000] == coded.codes[100_000:]).all()
