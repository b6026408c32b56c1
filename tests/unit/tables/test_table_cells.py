"""Order of cells and repeated answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import UsageError
from accord.readers.table_cells import Cells, in_order, without_repeats
from accord.readers.table_order import by_counting, on_grid

INDEX = st.integers(0, 6)
HUGE = st.sampled_from([0, 2**31 - 2, 2**31 - 1])


def cells(rows, times=None):
    unit, rater, code = (np.array(column, dtype=np.int32) for column in zip(*rows, strict=True))
    return Cells(unit=unit, rater=rater, code=code, time=None if times is None else np.array(times, dtype=float))


def refuse(rows, why):
    return ValueError(f"{sorted(rows)} {why}")


@given(st.lists(st.tuples(INDEX, INDEX, INDEX), min_size=1))
def test_order_is_by_unit_then_rater_and_stable(rows):
    found = in_order(cells(rows))
    expected = sorted(range(len(rows)), key=lambda row: rows[row][:2])
    assert found.rows().tolist() == expected
    assert list(zip(found.unit.tolist(), found.rater.tolist(), found.code.tolist(), strict=True)) == [
        *(rows[row] for row in expected)
    ]


@given(st.lists(st.tuples(INDEX, INDEX, INDEX), min_size=1))
def test_order_without_rows_is_the_same_but_for_repeats(rows):
    found = in_order(cells(rows), rows=False)
    assert list(zip(found.unit.tolist(), found.rater.tolist(), found.code.tolist(), strict=True)) == sorted(
        rows, key=lambda row: row[:2]
    )


@given(st.lists(st.tuples(HUGE, HUGE), min_size=1, max_size=20))
def test_order_of_numbers_too_large_for_a_grid(rows):
    unit, rater = (np.array(column, dtype=np.int32) for column in zip(*rows, strict=True))
    order = np.arange(len(rows), dtype=np.int32)
    if max(map(max, rows)) > 0:
        assert on_grid(unit, rater, order) is None
    assert by_counting(unit, rater, order)[2].tolist() == sorted(range(len(rows)), key=rows.__getitem__)


@pytest.mark.parametrize("raters", [3, 400])
@pytest.mark.parametrize("repeated", [False, True])
def test_many_cells_are_ordered_as_by_a_sort(raters, repeated):
    random = np.random.default_rng(raters)
    places = random.permutation(40_000 * raters)[:110_000] if not repeated else random.integers(0, 9000, 110_000)
    unit, rater = (part.astype(np.int32) for part in np.divmod(places, raters))
    code = random.integers(0, 300, len(unit)).astype(np.int32)
    order = np.lexsort((rater, unit))
    for rows in (False, True):
        found = in_order(Cells(unit=unit, rater=rater, code=code), rows=rows)
        assert np.array_equal(found.unit, unit[order])
        assert np.array_equal(found.rater, rater[order])
        assert np.array_equal(found.code, code[order])
    assert np.array_equal(found.rows(), order)


@given(st.lists(st.tuples(INDEX, INDEX, INDEX), min_size=1, unique_by=lambda row: row[:2]))
def test_single_answers_stay(rows):
    kept, repeated = without_repeats(in_order(cells(rows)), "newest", refuse)
    assert len(kept.unit) == len(rows)
    assert repeated.dropped == 0


@given(st.lists(st.tuples(INDEX, INDEX, INDEX), min_size=1), st.randoms())
def test_newest_and_first_by_distinct_times_in_any_order(rows, random):
    times = list(range(len(rows)))
    random.shuffle(times)
    for rule, best in (("newest", max), ("first", min)):
        kept, repeated = without_repeats(in_order(cells(rows, times)), rule, refuse)
        groups = {}
        for (unit, rater, code), time in zip(rows, times, strict=True):
            groups.setdefault((unit, rater), []).append((time, code))
        expected = {key: best(group)[1] for key, group in groups.items()}
        found = zip(kept.unit.tolist(), kept.rater.tolist(), kept.code.tolist(), strict=True)
        assert {(u, r): c for u, r, c in found} == expected
        assert repeated.dropped == len(rows) - len(expected)


def test_equal_answers_count_once_without_times():
    kept, repeated = without_repeats(in_order(cells([(0, 0, 1), (0, 1, 2), (0, 0, 1)])), "newest", refuse)
    assert kept.code.tolist() == [1, 2]
    assert (repeated.dropped, repeated.groups) == (1, ((0, 0),))


def test_different_answers_need_times_that_differ():
    rows = [(0, 0, 1), (1, 0, 2), (0, 0, 2)]
    with pytest.raises(ValueError, match=r"\[0, 2\] and there is no column with a time"):
        without_repeats(in_order(cells(rows)), "newest", refuse)
    for times in ([5, 1, 5], [np.nan, 1, 5]):
        with pytest.raises(ValueError, match=r"\[0, 2\] and the times do not tell which is the newest"):
            without_repeats(in_order(cells(rows, times)), "newest", refuse)
    with pytest.raises(ValueError, match="which is first"):
        without_repeats(in_order(cells(rows, [5, 1, 5])), "first", refuse)
    kept, _ = without_repeats(in_order(cells([*rows, (0, 0, 3)], [5, 1, 5, 9])), "newest", refuse)
    assert kept.code.tolist() == [3, 2]


def test_repeats_can_be_refused_at_all():
    with pytest.raises(ValueError, match="duplicates=error"):
        without_repeats(in_order(cells([(0, 0, 1), (0, 0, 1)])), "error", refuse)
    with pytest.raises(UsageError, match="Allowed: newest, first, error"):
        without_repeats(cells([(0, 0, 1)]), "last", refuse)
