"""Studies from arrays, lists, counts and cross tables."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from accord.errors import DataError, UsageError
from accord.readers.arrays import as_study, from_contingency, from_counts, from_long, from_matrix
from accord.values import EMPTY, Kind, Level


def answers(study):
    """Set of (unit, rater, value), by name."""
    cells = zip(study.unit.tolist(), study.rater.tolist(), study.code.tolist(), strict=True)
    return {(study.unit_names[u], study.rater_names[r], study.values[c]) for u, r, c in cells}


def test_rows_are_units_and_columns_raters():
    study = from_matrix([["a", "b"], ["b", None], [None, None], ["a", "a"]])
    assert answers(study) == {
        *[("1", "r1", "a"), ("1", "r2", "b"), ("2", "r1", "b"), ("4", "r1", "a"), ("4", "r2", "a")]
    }
    assert study.matrix.tolist() == [[0, 1], [1, -1], [0, 0]]
    assert study.unit.tolist() == sorted(study.unit.tolist())
    assert study.unit.dtype == study.rater.dtype == study.code.dtype == np.int32


def test_rows_can_be_raters():
    rows = [["a", "b", None], ["b", "b", "a"]]
    assert answers(from_matrix(rows, orientation="raters")) == answers(from_matrix(list(zip(*rows, strict=True))))
    array = np.array([[1, 2, 3], [1, 2, 4]])
    assert answers(from_matrix(array, orientation="raters")) == answers(from_matrix(array.T))
    with pytest.raises(UsageError, match="Allowed: units, raters"):
        from_matrix(rows, orientation="columns")


def test_a_rater_without_answers_goes():
    study = from_matrix([["a", None, "b"], ["b", None, "b"]])
    assert study.rater_names == ["r1", "r3"]
    assert study.matrix.tolist() == [[0, 1], [1, 1]]


def test_names_are_kept_and_counted():
    study = from_matrix([[1, 2]], rater_names=["ann", "bob"], unit_names=["doc"])
    assert answers(study) == {("doc", "ann", 1), ("doc", "bob", 2)}
    with pytest.raises(UsageError, match="3 names were given for 2 raters"):
        from_matrix([[1, 2]], rater_names="abc")


@pytest.mark.parametrize(
    "kind", ["list", "int", "float", "object", "text", "pandas", "polars", "arrow", "tuple of arrays"]
)
def test_the_same_table_in_every_form(kind):
    rows = [[1, 2], [2, 2], [3, 1]]
    frame = pd.DataFrame(rows, columns=["r1", "r2"])
    data = {
        "list": rows,
        "int": np.array(rows, dtype=np.uint8),
        "float": np.array(rows, dtype=float),
        "object": np.array(rows, dtype=object),
        "text": np.array(rows).astype(str),
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "arrow": pa.Table.from_pandas(frame),
        "tuple of arrays": tuple(np.array(row) for row in rows),
    }[kind]
    study = as_study(data)
    assert study.matrix.tolist() == [[0, 1], [1, 1], [2, 0]]
    assert study.values == (("1", "2", "3") if kind == "text" else (1, 2, 3))
    assert (study.kind, study.level) == (Kind.LABEL, Level.NOMINAL)


def test_level_by_default_and_by_name():
    assert as_study([[1, 2], [2, 30]]).level is Level.NOMINAL
    assert as_study([[i, i + 1] for i in range(100)]).level is Level.NOMINAL
    numbers = as_study([[1.5, 2], [2, 2]])
    assert (numbers.kind, numbers.level) == (Kind.NUMBER, Level.INTERVAL)
    assert as_study([[0.5, 1]], domain=[0.5, 1, 1.5]).level is Level.NOMINAL
    assert as_study([[1, 2]], level="Ordinal").level is Level.ORDINAL
    with pytest.raises(UsageError, match="Did you mean ordinal"):
        as_study([[1, 2]], level="ordinl")


def test_a_dataframe_counts_like_an_array():
    frame = pd.DataFrame({"item": range(100), "r1": range(100), "r2": range(1, 101)})
    assert as_study(frame).level is Level.NOMINAL


def test_a_domain_gives_q_and_the_order():
    study = from_matrix([["low", "high"], ["low", "low"]], domain=["low", "mid", "high"])
    assert (study.values, study.domain, study.q) == (("low", "mid", "high"), 3, 3)
    wider = from_matrix([["low", "x"]], domain=["low", "mid"])
    assert (wider.values, wider.domain, wider.q) == (("low", "mid", "x"), 2, 3)


def test_a_study_takes_another_domain():
    study = from_matrix([["b", "a"], ["b", None]])
    again = as_study(study, domain=["b", "c"])
    assert again.values == ("b", "c", "a")
    assert again.domain == 2
    assert answers(again) == answers(study)
    assert again.matrix.tolist() == [[0, 2], [0, -1]]
    assert as_study(study) is study
    narrowed = as_study(from_matrix([["b", "a"]], domain=["z", "a"]), domain=["a"])
    assert narrowed.values == ("a", "b")


def test_clusters_follow_the_units_that_stay():
    study = from_matrix([["a", "b"], [None, None], ["a", "a"]], cluster=["x", "y", "z"])
    assert study.cluster.tolist() == [0, 1]
    assert from_matrix([[1, 2], [1, 1]], cluster=np.array([9, 4])).cluster.tolist() == [1, 0]
    with pytest.raises(UsageError, match="2 entries for 1 units"):
        from_matrix([[1, 2]], cluster=[1, 2])
    with pytest.raises(DataError, match="unit 2"):
        from_matrix([[1, 2], [1, 2]], cluster=["x", None])


def test_sets_and_empty_answers():
    study = from_matrix([[{"a", "b"}, ["b", "a"]], [[], ["a"]]])
    assert study.kind is Kind.LABELS
    assert study.matrix.tolist() == [[0, 0], [2, 1]]
    assert study.values == (frozenset("ab"), frozenset("a"), EMPTY)
    assert study.q == 2


@pytest.mark.parametrize(
    "rows, message",
    [
        ([[1, 2], [1]], r"line 2: rows differ in length. Found: 1 answers. Allowed: 2"),
        ([1, 2], r"line 1: each row"),
        (["ab", "cd"], r"line 1: each row"),
        (np.array([1, 2]), r"two dimensions.*\(2,\)"),
        (np.zeros((2, 2, 2)), r"two dimensions"),
        ([[1, "1"]], r"1 \(int\) and '1' \(str\)"),
        ([[1.0, float("inf")]], r"infinity"),
        (np.array([[1.0, np.inf]]), r"infinity"),
    ],
)
def test_what_is_not_a_table_of_answers(rows, message):
    with pytest.raises(DataError, match=message):
        as_study(rows)


@pytest.mark.parametrize("thing", [object(), 3, None, {"a", "b"}])
def test_what_is_not_data(thing):
    with pytest.raises(UsageError, match="not data that can be read"):
        as_study(thing)


def test_text_is_not_data():
    with pytest.raises((UsageError, DataError)):
        as_study("some text")


def test_an_empty_table_is_a_study_without_answers():
    for nothing in ([], [[]], np.empty((0, 2)), [[None, None]]):
        study = as_study(nothing)
        assert (study.U, study.R, study.C) == (0, 0, 0)


def test_counts_are_slots():
    study = from_counts([[3, 0, 1], [0, 0, 0], [0, 2, 0]], categories=["a", "b", "c"])
    assert study.slots
    assert (study.U, study.R, study.C, study.domain) == (2, 4, 6, 3)
    assert list(study.unit_names) == ["1", "3"]
    assert study.counts.tolist() == [3, 2, 1]
    assert study.m.tolist() == [4, 2]
    assert study.rater.tolist() == [0, 1, 2, 3, 0, 1]
    assert from_counts([[1, 1]]).values == (1, 2)


@pytest.mark.parametrize("counts", [[[1, -1]], [[1.5, 1]], [[1, None]], [["x", 1]], [[1, 2], [1]], [1, 2]])
def test_counts_are_whole_numbers(counts):
    with pytest.raises(DataError):
        from_counts(counts)


def test_counts_and_categories_fit():
    with pytest.raises(UsageError, match="1 categories were given for 2 columns"):
        from_counts([[1, 2]], categories=["a"])


def test_a_cross_table_gives_two_raters():
    study = from_contingency([[20, 5], [10, 15]], categories=["yes", "no"])
    pairs, counts = np.unique(study.matrix, axis=0, return_counts=True)
    assert pairs.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert counts.tolist() == [20, 5, 10, 15]
    assert (study.values, study.domain, study.slots) == (("yes", "no"), 2, False)
    with pytest.raises(DataError, match="2 rows and 3 columns"):
        from_contingency([[1, 2, 3], [1, 2, 3]])


ROWS = {"doc": [2, 1, 1, 2], "who": ["a", "b", "a", "b"], "says": ["y", "x", "x", "x"], "on": [1, 2, 3, 4]}


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_long_tables_in_every_form(make):
    study = from_long(make(ROWS), unit="doc", rater="who", value="says")
    assert answers(study) == {("1", "a", "x"), ("1", "b", "x"), ("2", "a", "y"), ("2", "b", "x")}
    assert study.rater_names == ["a", "b"]


def test_long_tables_choose_the_newest_by_time():
    rows = {key: column * 2 for key, column in ROWS.items()} | {"on": [1, 2, 3, 4, 0, 0, 9, 0]}
    rows["says"] = [*ROWS["says"], "x", "x", "z", "x"]
    study = from_long(rows, unit="doc", rater="who", value="says", time="on")
    assert answers(study) == {("1", "a", "z"), ("1", "b", "x"), ("2", "a", "y"), ("2", "b", "x")}
    with pytest.raises(DataError, match="'a' gave 2 answers to item '2'"):
        from_long(rows, unit="doc", rater="who", value="says")


def test_long_tables_with_clusters():
    rows = ROWS | {"doc": ["p", "q", "q", "p"], "book": ["B", "A", "A", "B"]}
    study = from_long(rows, unit="doc", rater="who", value="says", cluster="book")
    assert [(study.unit_names[i], c) for i, c in enumerate(study.cluster.tolist())] == [("p", 0), ("q", 1)]


def test_a_frame_with_several_questions_is_not_one_study():
    with pytest.raises(UsageError, match="several controls"):
        as_study({"item": [1, 2, 1, 2], "rater": [1, 1, 1, 1], "question": ["p", "p", "q", "q"], "label": [1, 1, 1, 1]})


def test_a_pivot_keeps_its_index_as_units():
    frame = pd.DataFrame({"item": [5, 5, 6, 6], "who": ["a", "b", "a", "b"], "label": ["x", "y", "x", "x"]})
    study = as_study(frame.pivot(index="item", columns="who", values="label"))
    assert list(study.unit_names) == ["5", "6"]
    assert study.rater_names == ["a", "b"]
    assert study.matrix.tolist() == [[0, 1], [0, 0]]
