"""Long rows of stretches become studies."""

import math

import pandas as pd
import polars as pl
import pytest

from accord.errors import DataError, UsageError
from accord.measures import alpha_u
from accord.measures.segment_rows import as_segments
from accord.values import EMPTY, Kind, Region, Span

ROWS = [("ann", 0, 5, "x", "d1"), ("ben", None, None, None, "d1"), ("ann", 2, 4, None, "d2"), ("ben", 1, 4, "y", "d2")]


def test_rows_become_answers():
    study = as_segments(ROWS)
    assert study.kind is Kind.SPANS
    assert list(study.unit_names) == ["d1", "d2"]
    assert list(study.rater_names) == ["ann", "ben"]
    answers = [study.values[code] for code in study.code]
    assert answers == [
        (Region(Span(0, 5), frozenset("x")),),
        EMPTY,
        (Region(Span(2, 4)),),
        (Region(Span(1, 4), frozenset("y")),),
    ]


def test_every_shape_is_the_same():
    names = ("rater", "start", "end", "label", "unit")
    columns = dict(zip(names, map(list, zip(*ROWS, strict=True)), strict=True))
    values = [alpha_u(data, length=9).value for data in (ROWS, columns, pd.DataFrame(columns), pl.DataFrame(columns))]
    assert all(value == values[0] and math.isfinite(value) for value in values)


def test_no_rows_are_no_answers():
    assert alpha_u([]).undefined == "no_answers"


@pytest.mark.parametrize(
    "row", [("a", 5, 3, "x"), ("a", "five", 6, "x"), ("a", 1, None, "x"), ("a", 1, math.inf, "x"), ("a", 1, 2), "a12x"]
)
def test_bad_rows_name_their_line(row):
    with pytest.raises(DataError, match="line 2"):
        as_segments([("b", 1, 2, "x"), row])


def test_a_missing_column_is_named():
    with pytest.raises(UsageError, match="'end'"):
        as_segments({"rater": ["a"], "start": [1], "label": ["x"]})
