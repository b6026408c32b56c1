"""Requirement A1: weights change averages, never similarities."""

import numpy as np
import pytest

import accord
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.inference.scores import mean_score
from accord.pipeline.scores import PairScores
from accord.pipeline.weighted import weighted
from accord.similarity.core import Identity

ROWS = [["a", "a"], ["a", "b"], ["b", "b"], ["c", "b"], ["c", "c"], ["a", "a"]]
WEIGHTS = {"a": 4.0, "*": 1.0}


def test_score_is_the_weighted_mean_of_unchanged_similarities():
    study = accord.from_matrix(ROWS)
    scores = PairScores(study, Identity(study.V), WEIGHTS)
    assert scores.every.score.tolist() == [1, 0, 1, 0, 1, 1]
    assert scores.every.weight.tolist() == [4, 2.5, 1, 1, 1, 4]
    value, interval = mean_score(scores.per_unit, weights=scores.unit_weight)
    assert value == pytest.approx((4 + 1 + 1 + 4) / 13.5)
    assert interval.low < value < interval.high


def test_equal_weights_change_nothing():
    study = accord.from_matrix(ROWS)
    plain = mean_score(PairScores(study, Identity(study.V)).per_unit)
    same = mean_score(PairScores(study, Identity(study.V)).per_unit, weights=np.full(study.U, 7.0))
    assert same[0] == pytest.approx(plain[0])
    assert same[1].low == pytest.approx(plain[1].low)


@pytest.mark.parametrize("key", ["krippendorff_alpha", "percent_agreement", "fleiss_kappa", "gwet_ac1", "cohen_kappa"])
def test_a_unit_of_weight_two_counts_like_two_units(key):
    spec = COEFFICIENTS.catalog()[key]
    rows = [["a", "a"], ["a", "a"], ["b", "b"], ["b", "b"], ["c", "c"], ["c", "b"]]
    doubled = [*rows, rows[0], rows[1]]
    one, two = accord.from_matrix(rows), accord.from_matrix(doubled)
    left = estimate(weighted(spec, {"a": 2.0}), one, Identity(one.V), ci=None)
    right = estimate(spec, two, Identity(two.V), ci=None)
    # alpha's finite-sample term sees 6 units of mean weight 1 where the other table has 8
    tolerance = 0.03 if key == "krippendorff_alpha" else 1e-12
    assert left.value == pytest.approx(right.value, abs=tolerance)
    assert left.observed == pytest.approx(right.observed)
    assert "label_weights:a=2" in left.signature


def test_coefficients_without_rows_refuse_weights():
    spec = weighted(COEFFICIENTS.catalog()["kendall_w"], {"a": 2.0})
    study = accord.from_matrix([[1, 2], [2, 1], [3, 3]])
    found = estimate(spec, study, Identity(study.V))
    assert found.undefined == "not_applicable"
    assert "weighted" in found.reason
