from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.matching import match
from accord.metrics.regions import compare, difference
from accord.similarity.metric import compare_regions, similarity
from accord.values import Box, Region, Span


def span(start, end, *labels, **more):
    return Region(Span(start, end), frozenset(labels), **more)


def best_total(table):
    """Largest total over all one-to-one pairings, by trying them all."""
    n, m = table.shape
    if n > m:
        return best_total(table.T)
    return max(sum(table[i, j] for i, j in enumerate(order)) for order in permutations(range(m), n))


tables = st.integers(1, 5).flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 20), min_size=m, max_size=m), min_size=1, max_size=4)
)


@given(tables)
def test_optimal_finds_the_largest_total(rows):
    table = np.array(rows) / 20
    i, j = match(table, table, table > 0)
    assert table[i, j].sum() == pytest.approx(best_total(table), abs=1e-9)
    assert len(set(i.tolist())) == len(i)
    assert len(set(j.tolist())) == len(j)


@given(tables)
def test_greedy_is_one_to_one_and_never_better(rows):
    table = np.array(rows) / 20
    i, j = match(table, table, table > 0, "greedy")
    assert table[i, j].sum() <= best_total(table) + 1e-9
    assert len(set(j.tolist())) == len(i)
    assert (table[i, j] > 0).all()


def test_greedy_takes_the_best_pair_first():
    table = np.array([[0.9, 0.8], [0.8, 0.1]])
    assert match(table, table, table > 0, "greedy")[1].tolist() == [0, 1]
    assert match(table, table, table > 0, "optimal")[1].tolist() == [1, 0]


def test_geometry_breaks_ties_of_similarity():
    similarity_table = np.zeros((1, 2))
    geometry = np.array([[0.3, 0.6]])
    assert match(similarity_table, geometry, geometry > 0)[1].tolist() == [1]


def test_regions_with_another_label_stay_one_matched_pair():
    comparison = compare_regions("span_labels", (span(0, 10, "A"),), (span(0, 10, "B"),))
    assert comparison.score == 0.0
    assert [pair.difference for pair in comparison.matched] == ["label"]
    assert comparison.missing == comparison.extra == ()


def test_unmatched_regions_lower_the_score():
    a = (span(0, 10, "A"), span(20, 30, "A"))
    b = (span(0, 10, "A"), span(40, 50, "A"), span(60, 70, "B"))
    comparison = compare_regions("span_labels", a, b)
    assert comparison.score == pytest.approx(1 / 4)
    assert (comparison.missing, comparison.extra) == ((1,), (1, 2))


def test_overlap_must_exceed_the_minimum_strictly():
    a, b = (span(0, 10),), (span(5, 10),)
    assert similarity("span_overlap", a, b, min_overlap=0.49) == 0.5
    assert similarity("span_overlap", a, b, min_overlap=0.5) == 0.0


def test_disjoint_regions_of_one_label_score_nothing_here_and_half_on_the_platform():
    a, b = (span(0, 10, "A"),), (span(20, 30, "A"),)
    assert similarity("span_labels", a, b) == 0.0
    assert similarity("span_labels", a, b, threshold=0.5) == 0.0
    assert similarity("span_labels", a, b, compat="platform") == 0.5
    assert similarity("span_labels", a, b, threshold=0.5, compat="platform") == 1.0


def test_the_threshold_form_thresholds_geometry_and_asks_for_equal_labels():
    a, b = (span(0, 10, "A", "B"),), (span(0, 9, "A"),)
    assert similarity("span_labels", a, b) == pytest.approx(0.9 * 0.5)
    assert similarity("span_labels", a, b, threshold=0.4) == 0.0
    assert similarity("span_labels", a, (span(0, 9, "B", "A"),), threshold=0.9) == 1.0
    assert similarity("span_labels", a, b, threshold=0.4, labels="jaccard") == 1.0


def test_regions_without_labels_are_compared_by_geometry():
    assert similarity("span_labels", (span(0, 10),), (span(5, 10),)) == 0.5
    assert similarity("span_labels", (span(0, 10, "A"),), (span(5, 10),)) == 0.0


def test_nested_choices_count_as_labels():
    a = (span(0, 10, "A", choices=frozenset({"x"})),)
    b = (span(0, 10, "A", choices=frozenset({"y"})),)
    assert similarity("span_labels", a, b) == pytest.approx(1 / 3)


def test_nested_text_gates_geometry():
    a, b = (Region(Box(0, 0, 10, 10), text="cat"),), (Region(Box(0, 0, 10, 10), text="cats"),)
    assert similarity("box_text", a, b) == 0.75
    assert similarity("box_text", a, b, compat="platform") == 0.875
    assert similarity("box_text", a, (Region(Box(0, 0, 10, 10)),)) == 0.0
    plain = (Region(Box(0, 0, 10, 10)),)
    assert similarity("box_text", plain, plain) == 1.0


def test_empty_answers():
    assert similarity("span_labels", (), ()) == 1.0
    assert similarity("span_labels", [], [{"start": 0, "end": 3}]) == 0.0
    assert compare_regions("span_labels", (), (span(0, 3),)).extra == (0,)


def test_nothing_comparable_has_no_score():
    unknown = np.full((1, 1), np.nan)
    assert compare((span(0, 1),), (span(0, 1),), unknown, unknown).score is None


@pytest.mark.parametrize(
    ("other", "geometry", "expected"),
    [
        (span(0, 10, "A"), 1.0, "same"),
        (span(0, 9, "A"), 0.9, "boundary"),
        (span(0, 10, "B"), 1.0, "label"),
        (span(0, 10, "A", text="x"), 1.0, "attribute"),
        (span(0, 10, "A", attributes=(("age", "3"),)), 1.0, "attribute"),
    ],
)
def test_kinds_of_difference(other, geometry, expected):
    assert difference(span(0, 10, "A"), other, geometry) == expected


def test_matching_finds_partners_in_any_order():
    a = [{"start": 0, "end": 10, "labels": ["A"]}, {"start": 20, "end": 30, "labels": ["B"]}]
    assert similarity("span_labels", a, list(reversed(a))) == 1.0
    assert similarity("span_labels", a, list(reversed(a)), matching="last") == 0.0
