import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from accord.similarity.metric import similarity
from accord.values import Ranking

ITEMS = ["a", "b", "c", "d", "e"]
orders = st.permutations(ITEMS)


def places(order):
    return [order.index(item) for item in ITEMS]


@given(orders, orders)
def test_rank_correlations_are_scipys_mapped_to_zero_and_one(a, b):
    tau, rho = kendalltau(places(a), places(b)).statistic, spearmanr(places(a), places(b)).statistic
    assert similarity("kendall_tau", a, b) == pytest.approx((1 + tau) / 2, abs=1e-12)
    assert similarity("spearman", a, b) == pytest.approx((1 + rho) / 2, abs=1e-12)


@given(orders, orders)
def test_footrule_sums_displacements(a, b):
    moved = sum(abs(x - y) for x, y in zip(places(a), places(b), strict=True))
    assert similarity("footrule", a, b) == pytest.approx(1 - moved / 12, abs=1e-12)


def test_reversed_orders_score_zero():
    for metric in ("kendall_tau", "spearman", "footrule"):
        assert similarity(metric, ITEMS, ITEMS[::-1]) == pytest.approx(0.0, abs=1e-12)


def test_average_overlap_by_hand():
    """Depths 1, 2, 3: 0/1, 2/2, 3/3."""
    assert similarity("average_overlap", ["a", "b", "c"], ["b", "a", "c"]) == pytest.approx(2 / 3)


def test_items_in_the_pool_share_the_last_place():
    a = {"ranker": {"top": ["x", "y"], "_": ["z", "w"]}}
    b = {"ranker": {"top": ["x", "y"], "_": ["w", "z"]}}
    assert similarity("kendall_tau", a, b) == pytest.approx(1.0)
    assert similarity("average_overlap", a, b) == 1.0
    assert similarity("kendall_tau", a, {"ranker": {"top": [], "_": ["x", "y", "z", "w"]}}) is None


def test_methods_by_name():
    a, b = ["a", "b", "c"], ["b", "a", "c"]
    for method in ("kendall_tau", "spearman", "footrule", "average_overlap"):
        assert similarity("ranking", a, b, method=method) == similarity(method, a, b)
    assert similarity("ranking", a, b, method="exact") == 0.0
    assert similarity("ranking", a, a, method="exact") == 1.0
    assert similarity("exact_match", {"ranker": ["a", "b"]}, {"ranker": {"rank": ["a", "b"]}}) == 1.0
    assert similarity("kendall_tau", Ranking((("rank", ("a",)),)), Ranking((("rank", ("a",)),))) is None
