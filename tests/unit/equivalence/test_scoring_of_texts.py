"""Pairs of texts through a model: what is asked, what is not, and what is refused."""

import numpy as np
import pytest

from accord.equivalence.mutual import mutual
from accord.equivalence.scoring import scores
from accord.errors import DataError


class Counting:
    """Scores by a table of pairs and counts what it is asked."""

    name = fingerprint = "counting"

    def __init__(self, table, symmetric=True, other=0.1):
        self.table, self.symmetric, self.other, self.asked = table, symmetric, other, []

    def score(self, left, right):
        self.asked.extend(zip(left, right, strict=True))
        return np.array([self.table.get(pair, self.other) for pair in zip(left, right, strict=True)])


def test_equal_texts_are_one_without_a_call():
    model = Counting({})
    assert scores(model, ["ﬁne  needle", "a"], ["fine needle\n", "a "]).values.tolist() == [1.0, 1.0]
    assert model.asked == []


def test_each_pair_is_asked_once_in_either_order():
    model = Counting({("a", "b"): 0.4})
    assert scores(model, ["a", "b", "a"], ["b", "a", "b"]).values.tolist() == [0.4, 0.4, 0.4]
    assert model.asked == [("a", "b")]


def test_directions_are_averaged_and_their_gap_is_told():
    model = Counting({("a", "b"): 0.9, ("b", "a"): 0.3}, symmetric=False)
    found = scores(model, ["a"], ["b"])
    assert found.values == pytest.approx([0.6])
    assert found.order_gap == pytest.approx(0.6)


def test_mutual_entailment_needs_both_directions():
    model = Counting({("a", "b"): 0.9, ("b", "a"): 0.1}, symmetric=False)
    assert scores(mutual(model), ["a"], ["b"]).values == pytest.approx([0.3])
    assert scores(mutual(model, "min"), ["a"], ["b"]).values == pytest.approx([0.1])
    assert scores(mutual(model, "product"), ["a"], ["b"]).values == pytest.approx([0.09])


@pytest.mark.parametrize("wrong", [1.1, -0.2, 1e9])
def test_scores_out_of_range_are_refused(wrong):
    with pytest.raises(DataError, match="from 0 to 1"):
        scores(Counting({}, other=wrong), ["a"], ["b"])


def test_rounding_past_the_end_is_clipped_and_no_answer_stays_none():
    assert scores(Counting({}, other=1.0 + 1e-12), ["a"], ["b"]).values.tolist() == [1.0]
    assert np.isnan(scores(Counting({}, other=np.nan), ["a"], ["b"]).values[0])


def test_a_model_that_answers_too_few_pairs_is_refused():
    model = Counting({})
    model.score = lambda left, right: np.zeros(1)
    with pytest.raises(DataError, match="for 2 pairs"):
        scores(model, ["a", "b"], ["c", "d"])


def test_no_pairs():
    assert scores(Counting({}), [], []).values.shape == (0,)
