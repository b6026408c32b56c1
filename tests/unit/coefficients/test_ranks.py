"""Kendall's W and mean rank correlations."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from accord import measures
from accord.coefficients.rank_order import midranks
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.readers.arrays import from_matrix
from accord.similarity.core import Identity
from accord.study import Study
from accord.values import Kind, Ranking


def measured(key, study):
    return estimate(COEFFICIENTS.catalog()[key], study, Identity(study.V))


def tasks(*units):
    """A ranking study: units of one ranking (text, or text|pool) per rater."""
    values = tuple(
        Ranking((("rank", tuple(text.partition("|")[0])), ("_", tuple(text.partition("|")[2]))))
        for unit in units
        for text in unit
    )
    raters = [rater for unit in units for rater in range(len(unit))]
    return Study(
        unit=np.repeat(np.arange(len(units), dtype=np.int32), [len(unit) for unit in units]),
        rater=np.array(raters, dtype=np.int32),
        code=np.arange(len(values), dtype=np.int32),
        values=values,
        unit_names=[f"u{i}" for i in range(len(units))],
        rater_names=[f"r{i}" for i in range(max(raters) + 1)],
        kind=Kind.RANKING,
    )


def test_midranks_within_groups():
    group = np.array([0, 1, 0, 1, 0, 1])
    ranks, ties = midranks(group, np.array([2.0, 5.0, 2.0, 1.0, 0.0, 3.0]))
    assert ranks.tolist() == [2.5, 3, 2.5, 1, 1, 2]
    assert ties.tolist() == [6, 0]


def test_same_order_is_one_and_reversed_order_of_two_is_zero():
    assert measures.kendall_w([[1, 10, 3], [2, 20, 4], [3, 30, 9]]).value == pytest.approx(1.0)
    assert measures.kendall_w([[1, 3], [2, 2], [3, 1]]).value == pytest.approx(0.0)


def test_incomplete_raters_and_units_are_dropped_and_counted():
    table = np.array([[1, 2, 1], [2, 1, 3], [3, 4, 2], [4, 3, 4], [5, 5, np.nan], [6, 6, np.nan]])
    found = measures.kendall_w(table, ci=None)
    assert found.value == pytest.approx(measures.kendall_w(table[:4], ci=None).value)
    assert found.details["units_left_out"] == 2
    assert found.details["answers_left_out"] == 4
    assert "3 of 3 raters on 4 of 6 units" in found.notes[0]


def test_a_rater_with_few_answers_goes_rather_than_most_units():
    table = np.column_stack((np.arange(10.0), np.arange(10.0)[::-1], np.full(10, np.nan)))
    table[:2, 2] = 1, 2
    found = measures.kendall_w(table, ci=None)
    assert found.details["raters_used"] == 2
    assert found.details["units_used"] == 10


def test_words_without_an_order_are_refused_and_ordinal_words_ranked():
    rows = [["low", "low"], ["mid", "high"], ["high", "high"], ["mid", "low"]]
    assert measures.kendall_w(rows).undefined == "not_applicable"
    study = from_matrix(rows, level="ordinal", domain=["low", "mid", "high"])
    numbers = [[1, 1], [2, 3], [3, 3], [2, 1]]
    assert measured("kendall_w", study).value == pytest.approx(measures.kendall_w(numbers).value)


def test_no_complete_pair_of_raters_is_refused():
    found = measures.kendall_w([[1, 2, None], [None, 3, 4], [5, None, 6]])
    assert found.undefined == "not_applicable"
    assert "no two raters answered the same two units" in found.reason


def test_constant_ranks_are_undefined():
    assert measures.kendall_w([[2, 3], [2, 3], [2, 3]]).undefined == "no_variation"


def test_rankings_average_w_over_tasks():
    first, second = tasks(["abcd", "abdc", "bacd"]), tasks(["xyz", "zyx"])
    both = tasks(["abcd", "abdc", "bacd"], ["xyz", "zyx"])
    alone = [measured("kendall_w", study).value for study in (first, second)]
    found = measured("kendall_w", both)
    assert found.value == pytest.approx(np.mean(alone))
    assert found.details["null_value"] == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert "averaged over tasks" in found.notes[0]


def test_items_that_a_rater_did_not_rank_are_left_out():
    found = measured("kendall_w", tasks(["abc", "xab"]))
    assert found.value == pytest.approx(1.0)
    assert found.details["items_left_out"] == 2


def test_rank_correlations_equal_scipy_with_pool_items_tied():
    study = tasks(["abcdef", "badc|ef", "fabc|de"], ["abc", "cba"])
    places = np.array([[0, 1, 2, 3, 4, 5], [1, 0, 3, 2, 9, 9], [1, 2, 3, 9, 9, 0]])
    for key, statistic in (("mean_spearman", spearmanr), ("mean_tau", kendalltau)):
        first = np.mean([statistic(places[i], places[j]).statistic for i, j in ((0, 1), (0, 2), (1, 2))])
        assert measured(key, study).value == pytest.approx((first - 1) / 2)


def test_rankings_with_one_common_item_cannot_be_compared():
    found = measured("mean_tau", tasks(["ab", "bc"], ["xy", "xy"], ["pq", "qp"]))
    assert found.skipped == 1
    assert found.value == pytest.approx(0.0)


def test_rank_correlations_want_rankings():
    assert measured("mean_spearman", from_matrix([[1, 2], [2, 1]])).undefined == "not_applicable"
