"""Kappas against brute force over raters and units; consensus, specific agreement, indices."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from accord.coefficients import pair_rows, raters_once
from accord.coefficients.consensus import consensus
from accord.coefficients.indices import bias_index, cross_table, kappa_max, pabak, prevalence_index
from accord.coefficients.pairwise import pairwise_kappa
from accord.coefficients.spec import COEFFICIENTS
from accord.coefficients.specific import specific_agreement, specific_rows
from accord.errors import DataError
from accord.inference.estimate import estimate
from accord.readers.arrays import from_contingency, from_counts, from_matrix
from accord.similarity.core import Dense, Identity
from accord.similarity.kernel import Linear


def table_of(seed, units=30, raters_=4, values=4, missing=0.3):
    random = np.random.default_rng(seed)
    truth = random.integers(0, values, (units, 1))
    table = np.where(random.random((units, raters_)) < 0.6, truth, random.integers(0, values, (units, raters_)))
    table[random.random(table.shape) < missing] = -1
    return table


def study_of(table, values=4):
    rows = [[None if code < 0 else int(code) for code in row] for row in table]
    return from_matrix(rows, domain=list(range(values)))


def matrix_of(seed, values=4):
    s = np.random.default_rng(seed).uniform(0, 0.9, (values, values))
    s = (s + s.T) / 2
    np.fill_diagonal(s, 1.0)
    return s


def pair_of(table, s, g, h, *, marginals="shared", chance="classical"):
    """Shared units, p_o and p_e of two raters, over all pairs of their answers."""
    both = (table[:, g] >= 0) & (table[:, h] >= 0)
    a, b = table[both, g], table[both, h]
    observed = s[a, b]
    left, right = (a, b) if marginals == "shared" else (table[:, g][table[:, g] >= 0], table[:, h][table[:, h] >= 0])
    among = s[np.ix_(left, right)]
    total, count = among.sum(), among.size
    if chance == "unbiased":
        total, count = total - observed.sum(), count - len(observed)
    return both.sum(), observed.mean(), total / count


def measure(key, study, similarity, **options):
    return estimate(COEFFICIENTS.catalog()[key], study, similarity, options=options, ci=None)


@pytest.mark.parametrize("marginals", ["shared", "all"])
@pytest.mark.parametrize("chance", ["classical", "unbiased"])
@pytest.mark.parametrize("seed", range(3))
def test_means_over_rater_pairs(marginals, chance, seed):
    table, s = table_of(seed), matrix_of(seed)
    study, similarity = study_of(table), Dense(s, "s")
    found = np.array(
        [pair_of(table, s, g, h, marginals=marginals, chance=chance) for g, h in combinations(range(4), 2)]
    )
    n, observed, expected = found.T
    kappa = (observed - expected) / (1 - expected)
    options = {"marginals": marginals, "chance": chance}
    cohen = measure("cohen_kappa", study, similarity, **options)
    assert cohen.value == pytest.approx((n * kappa).sum() / n.sum())
    assert cohen.observed == pytest.approx((n * observed).sum() / n.sum())
    assert cohen.expected == pytest.approx((n * expected).sum() / n.sum())
    assert measure("light_kappa", study, similarity, **options).value == pytest.approx(kappa.mean())
    hubert = measure("hubert_kappa", study, similarity, **options)
    assert hubert.value == pytest.approx((observed.mean() - expected.mean()) / (1 - expected.mean()))


@pytest.mark.parametrize("chance", ["classical", "unbiased"])
@pytest.mark.parametrize("seed", range(3))
def test_conger_uses_all_answers(chance, seed):
    table, s = table_of(seed), matrix_of(seed)
    expected = np.mean(
        [pair_of(table, s, g, h, marginals="all", chance=chance)[2] for g, h in combinations(range(4), 2)]
    )
    per_unit = []
    for row in table:
        codes = row[row >= 0]
        if len(codes) > 1:
            per_unit.append(np.mean([s[a, b] for a, b in combinations(codes, 2)]))
    found = measure("conger_kappa", study_of(table), Dense(s, "s"), chance=chance)
    assert found.observed == pytest.approx(np.mean(per_unit))
    assert found.expected == pytest.approx(expected)


@pytest.mark.parametrize("key", ["fleiss_kappa", "gwet_ac1", "conger_kappa"])
def test_shared_marginals_drop_units_with_one_answer(key):
    table = table_of(5)
    paired = table[(table >= 0).sum(axis=1) > 1]
    shared = measure(key, study_of(table), Identity(4), marginals="shared")
    alone = measure(key, study_of(paired), Identity(4))
    assert shared.value == pytest.approx(alone.value)
    assert shared.value != measure(key, study_of(table), Identity(4)).value
    assert "marginals:shared" in shared.signature


@pytest.mark.parametrize("key", ["fleiss_kappa", "krippendorff_alpha"])
def test_unbiased_chance_meets_other_units_only(key):
    table, s = table_of(6), matrix_of(6)
    study = study_of(table)
    least = 2 if key == "krippendorff_alpha" else 1
    cells = [(i, code) for i, row in enumerate(table) for code in row[row >= 0] if (row >= 0).sum() >= least]
    m = (table >= 0).sum(axis=1)
    weight = np.ones(len(table)) if key == "krippendorff_alpha" else 1.0 / np.maximum(m, 1)
    total = mass = 0.0
    for i, a in cells:
        for j, b in cells:
            if i != j:
                total += weight[i] * weight[j] * s[a, b]
                mass += weight[i] * weight[j]
    assert measure(key, study, Dense(s, "s"), chance="unbiased").expected == pytest.approx(total / mass)


def test_scott_needs_two_raters():
    found = measure("scott_pi", study_of(table_of(0)), Identity(4))
    assert found.undefined == "not_applicable"
    assert "two raters" in found.reason
    assert np.isfinite(found.observed)


@pytest.mark.parametrize("key", ["cohen_kappa", "weighted_kappa", "light_kappa", "hubert_kappa", "conger_kappa"])
def test_slots_have_no_margin_of_their_own(key):
    study = from_counts([[2, 1], [0, 3], [3, 0]])
    found = measure(key, study, Identity(study.V))
    assert found.undefined == "not_applicable"
    assert found.observed == pytest.approx((1 / 3 + 1 + 1) / 3)


def test_rater_pairs_left_out_are_counted_and_told():
    table = [["a", "a", None], ["a", "b", None], ["b", "b", None], ["b", "b", "b"]]
    found = measure("cohen_kappa", from_matrix(table), Identity(2))
    assert found.details["rater_pairs"] == 1
    assert found.details["rater_pairs_left_out"] == 2
    assert any("2 of 3 rater pairs" in note for note in found.notes)


def test_all_pairs_undefined():
    found = measure("cohen_kappa", from_matrix([["a"] * 3] * 4), Identity(1))
    assert found.undefined == "no_variation"
    assert found.observed == 1.0


@pytest.mark.parametrize(
    "units, raters_, values, missing",
    [(40, 9, 4, 0.0), (40, 9, 4, 0.2), (30, 3, 4, 0.0), (30, 2, 4, 0.3), (25, 5, 300, 0.4)],
)
@pytest.mark.parametrize("soft", [False, True])
def test_pairwise_kappa_by_every_way(units, raters_, values, missing, soft, monkeypatch):
    """Products of one-hot blocks, cross tables, pairs of answers: all equal two raters at a time."""
    monkeypatch.setattr(raters_once, "BLOCK", 300)
    table = table_of(1, units, raters_, values, missing)
    study = study_of(table, values)
    similarity = Linear(np.arange(float(values))) if soft else Identity(values)
    s = similarity.dense()
    found = pairwise_kappa(study, similarity)
    for g, h in combinations(range(raters_), 2):
        n, observed, expected = pair_of(table, s, g, h)
        assert found.units[g, h] == found.units[h, g] == n
        assert found.observed[h, g] == pytest.approx(observed)
        assert found.expected[g, h] == pytest.approx(expected)
        assert found.value[g, h] == pytest.approx((observed - expected) / (1 - expected))
    assert np.isnan(np.diag(found.value)).all()


def test_pairwise_kappa_leaves_incomparable_pairs_out():
    s = matrix_of(3)
    s[0, 1] = s[1, 0] = np.nan
    table = table_of(3, raters_=2)
    study = study_of(table)
    found = pairwise_kappa(study, Dense(s, "holes"))
    both = (table >= 0).all(axis=1)
    known = ~np.isnan(s[table[both, 0], table[both, 1]])
    assert found.units[0, 1] == known.sum()
    tally = measure("cohen_kappa", study, Dense(s, "holes"))
    assert found.value[0, 1] == pytest.approx(tally.value)
    assert tally.skipped == (~known).sum()


def test_too_many_pairs_for_errors_is_said(monkeypatch):
    monkeypatch.setattr(pair_rows, "MOST_PAIRS", 10)
    study = study_of(table_of(0))
    assert np.isfinite(measure("cohen_kappa", study, Identity(4)).value)
    with pytest.raises(DataError, match="conger_kappa"):
        estimate(COEFFICIENTS.catalog()["cohen_kappa"], study, Identity(4))


def test_consensus_takes_the_first_of_tied_answers_and_a_threshold():
    study = from_matrix([[1, 1, 2], [1, 2, None], [3, None, None], [1, 2, 3]], domain=[1, 2, 3])
    plain = consensus(study, Identity(3))
    assert plain.code.tolist() == [0, 0, 2, 0]
    assert plain.tie.tolist() == [False, True, False, True]
    assert plain.share[[0, 1, 3]] == pytest.approx([2 / 3, 1 / 2, 1 / 3])
    assert np.isnan(plain.share[2])
    near = consensus(study, Linear(np.array([1.0, 2.0, 3.0])), threshold=0.5)
    assert near.share[3] == 1.0
    assert near.code[3] == 1
    assert not near.tie[3]


def test_plurality_shows_its_floor():
    study = from_matrix([[1, 1, 2], [1, 2, None], [3, None, None]], domain=[1, 2, 3])
    found = measure("plurality", study, Identity(3))
    assert found.value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found.details["floor"] == pytest.approx((1 / 3 + 1 / 2) / 2)


def test_specific_agreement_per_label():
    """2 a / (2 a + b + c) for two raters; any number of answers otherwise."""
    study = from_contingency([[20, 5], [10, 15]])
    assert specific_agreement(study) == pytest.approx([40 / 55, 30 / 45])
    many = from_matrix([["x", "x", "y"], ["x", "x", None], ["y", "y", "y"], ["z", None, None]])
    x, y, z = specific_agreement(many)
    assert x == pytest.approx((2 + 2) / (4 + 2))
    assert y == pytest.approx(6 / (2 + 6))
    assert np.isnan(z)
    rows = specific_rows(many)
    weights = np.array([[1.0, 0.0, 1.0, 1.0]])
    assert rows.shares(weights)[0, :2] == pytest.approx([2 / 4, 6 / 8])


def test_indices_of_a_two_by_two_table():
    study = from_contingency([[45, 15], [25, 15]])
    assert cross_table(study).tolist() == [[45, 15], [25, 15]]
    assert bias_index(study) == pytest.approx(0.1)
    assert prevalence_index(study) == pytest.approx(0.3)
    assert pabak(study) == pytest.approx(0.2)
    assert kappa_max(study) == pytest.approx((0.9 - 0.54) / (1 - 0.54))


@pytest.mark.parametrize(
    "index, rows",
    [
        (kappa_max, [["a", "a", "b"]]),
        (bias_index, [["a", "b"], ["c", "c"]]),
        (prevalence_index, [["a", "b"], ["c", "c"]]),
        (kappa_max, [["a", "a"], ["a", "a"]]),
        (pabak, [["a", "a"], ["a", "a"]]),
        (kappa_max, [["a", None], [None, "b"]]),
    ],
)
def test_indices_say_why_they_do_not_exist(index, rows):
    with pytest.raises(DataError):
        index(from_matrix(rows))


@pytest.mark.parametrize(
    "labels", [["a", "b", "c"], [1, 2, 3], [0.5, 1.5, 2.5], [frozenset("a"), frozenset("ab"), frozenset()]]
)
def test_labels_of_any_type_give_one_number(labels):
    rows = [[0, 0, 1], [1, 1, 1], [2, 2, 0], [0, 1, 2]]
    study = from_matrix([[labels[code] for code in row] for row in rows])
    plain = from_matrix([["abc"[code] for code in row] for row in rows])
    for key in ("krippendorff_alpha", "fleiss_kappa", "cohen_kappa"):
        assert measure(key, study, Identity(study.V)).value == pytest.approx(measure(key, plain, Identity(3)).value)


def test_truth_values_are_labels():
    study = from_matrix([[True, True], [False, True], [False, False]])
    plain = from_matrix([["t", "t"], ["f", "t"], ["f", "f"]])
    assert measure("cohen_kappa", study, Identity(2)).value == measure("cohen_kappa", plain, Identity(2)).value


def test_answers_without_a_matrix_are_the_same():
    study = study_of(table_of(2))
    for spec in COEFFICIENTS.catalog():
        if spec.needs == "similarity" and spec.raters == "many":
            bare = replace(study, matrix=None)
            assert measure(spec.key, bare, Identity(4)).value == pytest.approx(
                measure(spec.key, study, Identity(4)).value
            )


def test_details_of_two_raters_hold_ceiling_prevalence_and_bias():
    """Byrt, Bishop and Carlin 1993, with the table of Wikipedia."""
    study = from_contingency([[20, 5], [10, 15]])
    found = estimate(COEFFICIENTS.catalog()["cohen_kappa"], study, Identity(2), ci=None).details
    assert found["kappa_max"] == pytest.approx(0.8)
    assert found["pabak"] == pytest.approx(2 * 0.7 - 1)
    assert found["bias_index"] == pytest.approx(abs(5 - 10) / 50)
    assert found["prevalence_index"] == pytest.approx(abs(20 - 15) / 50)


def test_details_of_more_raters_or_labels_hold_what_exists():
    spec = COEFFICIENTS.catalog()["cohen_kappa"]
    three_labels = from_contingency([[20, 5, 1], [10, 15, 1], [0, 1, 2]])
    assert set(estimate(spec, three_labels, Identity(3), ci=None).details) == {"unbiased", "kappa_max", "pabak"}
    three_raters = from_matrix([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]])
    assert "kappa_max" not in estimate(spec, three_raters, Identity(2), ci=None).details
