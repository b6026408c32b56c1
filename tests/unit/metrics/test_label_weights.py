import numpy as np
import pytest

from accord.errors import UsageError
from accord.metrics.label_weights import checked_weights, labels_in, pair_weights, unit_weights
from accord.study import Study
from accord.values import EMPTY, Region, Span

VALUES = ("a", frozenset({"a", "b"}), frozenset({("r", "s")}), EMPTY, 4, (Region(Span(0, 1), frozenset({"c"})),))


def test_labels_of_every_kind_of_answer():
    assert [sorted(labels_in(value)) for value in VALUES] == [["a"], ["a", "b"], ["r / s"], [], ["4"], ["c"]]


def test_the_weight_of_a_pair_is_the_mean_over_labels_either_used():
    weights = {"a": 3.0, "b": 1.0, "r / s": 5.0, "*": 2.0}
    i, j = np.array([0, 0, 0, 3, 4]), np.array([0, 1, 2, 3, 5])
    assert pair_weights(VALUES, i, j, weights).tolist() == [3.0, 2.0, 4.0, 2.0, 2.0]
    assert pair_weights(VALUES, i, j, weights, control=0.5).tolist() == [1.5, 1.0, 2.0, 1.0, 1.0]


def test_the_weight_of_a_unit_is_the_mean_over_distinct_labels():
    study = Study(
        unit=np.array([0, 0, 0, 1], dtype=np.int32),
        rater=np.array([0, 1, 2, 0], dtype=np.int32),
        code=np.array([0, 0, 1, 1], dtype=np.int32),
        values=("a", "b"),
        unit_names=["u", "v"],
        rater_names=["x", "y", "z"],
    )
    assert unit_weights(study, {"a": 3.0}, control=2.0).tolist() == [4.0, 2.0]


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "2", True])
def test_weights_must_be_numbers_from_zero(weight):
    with pytest.raises(UsageError, match="positive number"):
        checked_weights({"a": weight})
