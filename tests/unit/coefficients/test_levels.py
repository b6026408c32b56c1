"""Similarities of levels and weight schemes: values, ranks, EMPTY, refusals, closed forms against their matrix."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.coefficients.spec import COEFFICIENTS
from accord.errors import UnknownNameError, UsageError
from accord.inference.estimate import estimate
from accord.readers.arrays import from_matrix
from accord.similarity import ratio as ratio_module
from accord.similarity.core import Identity, Quadratic, comparable, spread
from accord.similarity.kernel import Circular, Linear, bipolar, pairs_between, radical
from accord.similarity.levels import for_study
from accord.similarity.ordinal import Ordinal
from accord.similarity.ratio import Ratio
from accord.values import EMPTY, Kind

FIVE = from_matrix([[1, 2], [3, 4], [5, 5]], domain=[1, 2, 3, 4, 5])


def measure(key, study, similarity, **options):
    return estimate(COEFFICIENTS.catalog()[key], study, similarity, options=options, ci=None)


def test_bipolar_weights_of_five_levels():
    """irrCAC raw.py docstring: .85714 .66667 .4 0 / .93333 .75 .4."""
    s = for_study(FIVE, weights="bipolar").dense()
    assert s[0].round(5).tolist() == [1.0, 0.85714, 0.66667, 0.4, 0.0]
    assert s[1, 2:].round(5).tolist() == [0.93333, 0.75, 0.4]


@pytest.mark.parametrize(
    "name, row",
    [
        ("linear", [1, 3 / 4, 2 / 4, 1 / 4, 0]),
        ("quadratic", [1, 15 / 16, 12 / 16, 7 / 16, 0]),
        ("radical", [1, 1 / 2, 1 - math.sqrt(1 / 2), 1 - math.sqrt(3 / 4), 0]),
        ("ordinal", [1, 0.9, 0.7, 0.4, 0]),
        ("ratio", [1, 0.75, 7 / 16, 0.19, 0]),
    ],
)
def test_first_row_of_weights(name, row):
    assert for_study(FIVE, weights=name).dense()[0] == pytest.approx(row)


@pytest.mark.parametrize("alias, name", [("equal", "linear"), ("squared", "quadratic"), ("unweighted", "identity")])
def test_other_names_of_weights(alias, name):
    assert for_study(FIVE, weights=alias).name == for_study(FIVE, weights=name).name


def test_circular_weights_close_the_scale():
    s = for_study(FIVE, weights="circular").dense()
    assert s[0, 1] == pytest.approx(s[0, 4])
    assert s[0, 1] > s[0, 2]
    assert s.min() == pytest.approx(0.0)


def test_ranks_come_from_the_domain_and_values_on_request():
    study = from_matrix([[10, 20], [20, 40]], domain=[10, 20, 40])
    assert for_study(study, weights="linear").dense()[0].tolist() == [1.0, 0.5, 0.0]
    assert for_study(study, weights="linear", weights_on="value").dense()[0] == pytest.approx([1.0, 2 / 3, 0.0])
    assert for_study(study, weights="linear", weights_on="value").name == "linear(on=value)"


def test_numbers_without_a_domain_are_ranked_as_observed():
    study = from_matrix([[0.5, 10.25], [100.5, 0.5]])
    assert study.domain is None
    s = for_study(study, weights="linear").dense()
    order = np.argsort(study.numbers)
    assert s[np.ix_(order, order)][0].tolist() == [1.0, 0.5, 0.0]


def test_a_number_outside_the_domain_takes_its_place():
    study = from_matrix([[1, 2], [3, 7], [1, 1]], domain=[1, 2, 3])
    assert for_study(study, weights="linear").dense()[0] == pytest.approx([1.0, 2 / 3, 1 / 3, 0.0])


def test_a_word_outside_the_declared_scale_has_no_place():
    study = from_matrix([["low", "high"], ["odd", "low"]], domain=["low", "high"])
    found = measure("weighted_kappa", study, for_study(study, weights="linear"))
    assert found.undefined == "not_applicable"
    assert "odd" in found.reason


@pytest.mark.parametrize("scheme", [{"level": "interval"}, {"level": "ratio"}, {"weights": "ratio"}])
def test_words_are_no_numbers(scheme):
    study = from_matrix([["a", "b"], ["b", "b"]], domain=["a", "b"])
    found = measure("krippendorff_alpha", study, for_study(study, **scheme))
    assert found.undefined == "not_applicable"
    assert "not numbers" in found.reason
    assert math.isnan(found.observed)


def test_a_circle_needs_a_length():
    study = from_matrix([[0.5, 1.5], [2.5, 2.5]])
    assert measure("krippendorff_alpha", study, for_study(study, level="circular")).undefined == "not_applicable"


@pytest.mark.parametrize(
    "scheme",
    [
        {"level": "ordinal", "weights": "ordinal"},
        {"level": "interval", "weights": "quadratic"},
        {"level": "nominal", "weights": "linear"},
        {"level": "nominal", "matrix": np.eye(5)},
        {"weights": "linear", "matrix": np.eye(5)},
        {"matrix": np.eye(4)},
        {"matrix": np.full((5, 5), 0.5)},
        {"matrix": 2.0 * np.eye(5) - 1.0},
        {"matrix": np.arange(5.0), "weights": "radical"},
        {"weights": "linear", "weights_on": "size"},
    ],
    ids=str,
)
def test_contradictions_are_usage_errors(scheme):
    with pytest.raises(UsageError):
        for_study(FIVE, **scheme)


@pytest.mark.parametrize("scheme", [{"level": "ordnal"}, {"weights": "quadratc"}])
def test_unknown_names_are_answered_with_known_ones(scheme):
    with pytest.raises(UnknownNameError, match=r"ordinal|quadratic"):
        for_study(FIVE, **scheme)


def test_plain_level_and_weights_agree():
    assert isinstance(for_study(FIVE, level="nominal", weights="identity"), Identity)


def test_a_matrix_and_scores_of_ones_own():
    matrix = np.eye(5)
    matrix[0, 1] = 0.5
    found = for_study(FIVE, matrix=matrix)
    assert found.dense()[1, 0] == 0.25
    assert "both directions" in found.name
    scores = np.array([0.0, 1.0, 1.0, 1.0, 2.0])
    assert for_study(FIVE, matrix=scores).dense()[0].tolist() == [1.0, 0.75, 0.75, 0.75, 0.0]
    assert for_study(FIVE, matrix=scores, weights="linear").dense()[0].tolist() == [1.0, 0.5, 0.5, 0.5, 0.0]


@pytest.mark.parametrize(
    "scheme", [{"level": "interval"}, {"level": "ordinal"}, {"weights": "linear"}, {"weights": "ratio"}]
)
def test_empty_beside_a_scale(scheme):
    study = from_matrix([[1, 2], [3, 4], [5, 5]], domain=[1, 2, 3, 4, 5])
    study = replace(
        study, values=(*study.values, EMPTY), code=np.array([0, 5, 2, 3, 5, 5], dtype=np.int32), matrix=None
    )
    similarity = for_study(study, **scheme)
    s = similarity.dense()
    assert s[5].tolist() == [0, 0, 0, 0, 0, 1]
    p = np.random.default_rng(0).uniform(size=(2, 6))
    assert similarity.times(p) == pytest.approx(p @ s)
    codes = np.arange(6)
    assert similarity.at(codes, codes[::-1]) == pytest.approx(s[codes, codes[::-1]])
    assert study.q == 5


def test_empty_is_no_category():
    study = replace(
        FIVE, kind=Kind.LABEL, values=(*FIVE.values, EMPTY), code=np.array([0, 5, 2, 2, 5, 5], np.int32), matrix=None
    )
    assert measure("brennan_prediger", study, Identity(6)).expected == pytest.approx(1 / 5)


SCALES = {
    "linear": Linear,
    "quadratic": Quadratic,
    "radical": lambda x: radical(x, "radical"),
    "pairs": lambda x: pairs_between(x, "ordinal"),
    "bipolar": lambda x: bipolar(x, "bipolar"),
    "circular": lambda x: Circular(x, 25.0),
    "ratio": Ratio,
}


@pytest.mark.parametrize("name", SCALES)
@given(positions=st.lists(st.integers(0, 24), min_size=1, max_size=12, unique=True), seed=st.integers(0, 99))
def test_closed_forms(name, positions, seed):
    """times and spread equal the matrix; the matrix is symmetric, in [0, 1], and reaches 0 on a scale."""
    similarity = SCALES[name](np.array(positions, dtype=float))
    s = similarity.dense()
    random = np.random.default_rng(seed)
    p, q = random.uniform(size=(3, len(positions))), random.uniform(size=(3, len(positions)))
    assert s == pytest.approx(s.T)
    assert np.diag(s) == pytest.approx(1.0)
    assert s.min() >= -1e-12
    assert s.max() <= 1.0 + 1e-12
    assert len(positions) == 1 or s.min() == pytest.approx(0.0, abs=1e-9)
    assert similarity.times(p) == pytest.approx(p @ s)
    assert spread(similarity, p, q) == pytest.approx(np.einsum("bu,uv,bv->b", p, 1.0 - s, q), abs=1e-9)
    assert comparable(similarity, p) == pytest.approx(p.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("kind", ["uniform", "log-normal over nine decades", "integers from zero"])
def test_ratio_quadrature_to_twelve_digits(kind, monkeypatch):
    random = np.random.default_rng(0)
    x = {
        "uniform": random.uniform(0.5, 9.0, 300),
        "log-normal over nine decades": np.exp(random.normal(0.0, 3.0, 300)),
        "integers from zero": np.arange(300.0),
    }[kind]
    similarity = Ratio(x)
    p, q = random.uniform(size=(2, 300)), random.uniform(size=(2, 300))
    fast, fast_sums = spread(similarity, p, q), similarity.times(p)
    monkeypatch.setattr(ratio_module, "DIRECT", 10_000)
    assert fast == pytest.approx(spread(similarity, p, q), rel=1e-12)
    assert fast_sums == pytest.approx(similarity.times(p), rel=1e-11)


@given(shift=st.sampled_from([0.0, 1e6, 1e9, 1e12]))
def test_interval_alpha_of_numbers_far_from_zero(shift):
    rows = [[1, 2], [3, 3], [9, 7], [4, 4], [2, 2]]
    near = from_matrix(np.array(rows, dtype=float) + 0.5)
    far = from_matrix(np.array(rows, dtype=float) + 0.5 + shift)
    values = [measure("krippendorff_alpha", study, for_study(study, level="interval")).value for study in (near, far)]
    assert values[1] == pytest.approx(values[0], abs=1e-12)


def test_ordinal_metric_is_fixed_above_256_values():
    random = np.random.default_rng(0)
    first = random.permutation(300) + 0.5
    study = from_matrix(np.column_stack((first, np.where(random.random(300) < 0.5, first, first[::-1]))))
    similarity = for_study(study, level="ordinal")
    assert similarity.frozen
    assert similarity.name == "ordinal(metric=frozen)"
    found = estimate(COEFFICIENTS.catalog()["krippendorff_alpha"], study, similarity)
    assert "metric=frozen" in found.signature
    assert found.value == measure("krippendorff_alpha", study, similarity).value


def test_ordinal_metric_counts_answers_in_units_with_two():
    study = from_matrix([[1, 2, None], [2, 3, 3], [1, None, None]], domain=[1, 2, 3])
    similarity = for_study(study, level="ordinal")
    assert isinstance(similarity, Ordinal)
    assert similarity.positions.tolist() == [0.5, 2.0, 4.0]
    assert for_study(study.where(np.array([True, False, False])), level="ordinal").positions.tolist() == [0.5, 1.5, 2.0]


@pytest.mark.parametrize("key", ["gwet_ac1", "gwet_ac2", "brennan_prediger"])
def test_open_text_has_no_number_of_categories(key):
    study = replace(from_matrix([["a b", "a"], ["c", "c"]]), kind=Kind.TEXT)
    found = measure(key, study, Identity(study.V))
    assert found.undefined == "not_applicable"
    assert "categories" in found.reason
    declared = replace(study, domain=study.V)
    assert measure(key, declared, Identity(study.V)).undefined is None


def test_one_category_leaves_chance_no_room():
    study = from_matrix([["a", "a"], ["a", "a"]])
    for key in ("gwet_ac1", "brennan_prediger"):
        found = measure(key, study, Identity(study.V))
        assert found.undefined == "no_variation"
        assert found.observed == 1.0
