"""Chance agreement of free text: exact, closed, permuted and sampled forms are the same number."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import measures
from accord.equivalence.lexical import LEXICAL, lexical
from accord.equivalence.protocol import normal
from accord.readers.arrays import from_matrix
from accord.similarity.core import Dense
from accord.similarity.equivalent import Budget, from_model
from accord.similarity.pair_population import PairPopulation
from accord.similarity.sample_designs import Aim, control_variate, shifts, stratified
from accord.values import EMPTY

WORDS = ["cough", "fever", "severe cough", "dry cough", "Fever ", "mild fever", "chest pain"]
COEFFICIENTS = ["cohen_kappa", "light_kappa", "hubert_kappa", "conger_kappa", "fleiss_kappa", "krippendorff_alpha"]
UNSURE = ["ks", "auc", "sigma"]
LIGHT = settings(max_examples=8)


class Hashed:
    """A model that reads nothing into texts: scores fixed by a seed, NaN never."""

    name, symmetric, chunk, seconds = "hashed", True, 7, 1.0

    def __init__(self, seed=0):
        self.fingerprint = f"hashed-{seed}"
        self.seed = seed

    def score(self, left, right):
        return np.array([_number(self.seed, a, b) for a, b in zip(left, right, strict=True)])


def _number(seed, a, b):
    digits = [ord(c) for c in "|".join(sorted((a, b)))]
    return float(np.random.default_rng([seed, *digits]).random())


class Vectors:
    """Cosines of vectors fixed by the text."""

    name = fingerprint = "vectors"
    symmetric = True

    def __init__(self, slope=0.5, offset=0.5):
        self.slope, self.offset = slope, offset

    def vectors(self, texts):
        rows = np.array([np.random.default_rng([ord(c) for c in text]).normal(size=5) for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    encode = vectors

    def compare(self, encoded, i, j):
        return self.slope * (encoded[i] * encoded[j]).sum(axis=1) + self.offset

    def score(self, left, right):
        places = np.arange(len(left))
        return self.compare(self.vectors([*left, *right]), places, places + len(left))


@st.composite
def answers(draw, raters=(2, 3), units=(3, 8)):
    columns = draw(st.integers(*raters))
    cell = st.sampled_from([None, *WORDS])
    rows = draw(st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=units[0], max_size=units[1]))
    rows.append(["cough"] * columns)
    rows.append(["fever"] * columns)
    return rows


def brute(study, model):
    """Similarity of values from single calls, in no clever way."""
    texts = [normal(value) for value in study.values]
    table = np.array([[1.0 if a == b else model.score([a], [b])[0] for b in texts] for a in texts])
    return Dense(table, "brute")


@LIGHT
@pytest.mark.parametrize("key", COEFFICIENTS + UNSURE)
@given(rows=answers(), seed=st.integers(0, 99))
def test_a_model_equals_its_table(key, rows, seed):
    study = from_matrix(rows)
    one = getattr(measures, key)(study, similarity=from_model(study, Hashed(seed), budget=Budget(calls=100)))
    two = getattr(measures, key)(study, similarity=brute(study, Hashed(seed)))
    for field in ("value", "observed", "expected", "se"):
        assert getattr(one, field) == pytest.approx(getattr(two, field), abs=1e-12, nan_ok=True)


@LIGHT
@pytest.mark.parametrize("name", LEXICAL)
@given(rows=answers())
def test_blocks_equal_single_calls(name, rows):
    study = from_matrix(rows)
    one = from_model(study, lexical(name))
    two = brute(study, lexical(name))
    p = study.counts.astype(float)
    assert one.times(p) == pytest.approx(two.times(p), abs=1e-12)
    assert one.dense() == pytest.approx(two.dense(), abs=1e-12)


@LIGHT
@pytest.mark.parametrize("key", COEFFICIENTS)
@given(rows=answers())
def test_cosines_in_closed_form_equal_all_pairs_and_any_slope_gives_the_same_kappa(key, rows):
    study = from_matrix(rows)
    measure = getattr(measures, key)
    closed = measure(study, similarity=from_model(study, Vectors()))
    table = brute(study, Vectors())
    for field in ("value", "observed", "expected", "se"):
        whole = getattr(measure(study, similarity=table), field)
        assert getattr(closed, field) == pytest.approx(whole, abs=1e-11, nan_ok=True)
    flatter = measure(study, similarity=from_model(study, Vectors(0.25, 0.75)))
    assert flatter.value == pytest.approx(closed.value, abs=1e-11, nan_ok=True)


@LIGHT
@given(rows=answers())
def test_a_text_without_a_vector_is_left_out_of_every_sum(rows):
    class Partly(Vectors):
        def vectors(self, texts):
            unreadable = np.array([text == "dry cough" for text in texts])
            return np.where(unreadable[:, None], np.nan, super().vectors(texts))

        encode = vectors

    study = from_matrix([*rows, ["dry cough"] * len(rows[0]), [EMPTY] * len(rows[0])])
    closed = from_model(study, Partly())
    place = closed.pool.place
    every = np.arange(study.V)
    table = closed.memo.at(*(side.ravel() for side in np.meshgrid(place, place))).reshape(study.V, study.V)
    p = study.counts.astype(float)
    assert np.isnan(table).any()
    assert closed.times(p) == pytest.approx(np.nan_to_num(table) @ p, abs=1e-12)
    assert closed.known(p) == pytest.approx((~np.isnan(table)) @ p, abs=1e-12)
    assert closed.at(every, every).tolist() == [1.0] * study.V


@settings(max_examples=10)
@given(rows=answers(raters=(2, 2), units=(2, 3)), seed=st.integers(0, 99))
def test_mean_of_all_permutations_is_classical_and_of_all_derangements_unbiased(rows, seed):
    rows = [row for row in rows if None not in row]
    study = from_matrix(rows)
    table = brute(study, Hashed(seed)).dense()
    code = study.code.reshape(-1, 2)
    n = len(code)
    means = {p: table[code[:, 0], code[list(p), 1]].mean() for p in permutations(range(n))}
    deranged = [mean for p, mean in means.items() if all(k != v for k, v in enumerate(p))]
    similarity = from_model(study, Hashed(seed), budget=Budget(calls=100))
    classical = measures.cohen_kappa(study, similarity=similarity, ci=None)
    unbiased = measures.cohen_kappa(study, similarity=similarity, ci=None, chance="unbiased")
    assert classical.expected == pytest.approx(np.mean(list(means.values())), abs=1e-12)
    assert unbiased.expected == pytest.approx(np.mean(deranged), abs=1e-12)


def population(counts):
    counts = np.array(counts, dtype=float)
    none = np.empty(0, dtype=np.int64)
    return PairPopulation.of(counts, (none, none))


def total(pairs, sample):
    """Estimated sum of scores over all pairs of answers."""
    levels = float(pairs.multiplicity @ sample.level)
    return levels + float(sample.weight @ (sample.score - sample.fitted))


@pytest.mark.parametrize("size", [1, 2, 4])
def test_every_sample_together_has_no_bias(size):
    """All samples of a tiny population, enumerated: draws are equally likely, so the plain mean is the expectation."""
    pairs = population([1, 2, 1, 1])
    scores = np.random.default_rng(0).random(len(pairs))
    answers_of = np.repeat(np.arange(len(pairs)), pairs.multiplicity)
    found = [
        pairs.pairs * np.mean([scores[answers_of[k]] for k in chosen])
        for chosen in combinations(range(len(answers_of)), size)
    ]
    assert np.mean(found) == pytest.approx(float(pairs.multiplicity @ scores))
    draws = [pairs.drawn(np.arange(len(pairs)), size, np.random.default_rng(k)) for k in range(3000)]
    shares = np.bincount(np.concatenate(draws), minlength=len(pairs)) / (3000 * size)
    assert shares == pytest.approx(pairs.multiplicity / pairs.pairs, abs=0.02)


@pytest.mark.parametrize("design", ["stratified", "control", "shifts"])
def test_designs_are_unbiased_and_their_error_is_right(design):
    """Many seeded draws: the mean is the truth within its own error, and the spread is the one that is told."""
    rng = np.random.default_rng(1)
    pairs = population(rng.integers(1, 3, size=60))
    proxy = rng.random(len(pairs))
    scores = np.clip(0.8 * proxy**3 + 0.1 * rng.random(len(pairs)), 0, 1)
    truth = float(pairs.multiplicity @ scores)
    found, errors = [], []
    for seed in range(150):
        draw = np.random.default_rng(seed)
        aim = Aim(300)
        if design == "shifts":
            sample = shifts(pairs, lambda members: scores[members], aim, draw)
        else:
            chosen = stratified if design == "stratified" else control_variate
            sample = chosen(pairs, proxy, lambda members: scores[members], aim, draw)
        found.append(total(pairs, sample))
        residual = sample.score - sample.fitted
        groups = [residual[sample.group == h] for h in range(len(sample.size))]
        parts = [
            size**2 * (1 - len(group) / size) * group.var(ddof=1) / len(group)
            for size, group in zip(sample.size, groups, strict=True)
            if len(group) > 1
        ]
        errors.append(np.sqrt(sum(parts)))
        assert len(sample.score) <= 300
    spread = np.std(found, ddof=1)
    assert abs(np.mean(found) - truth) < 4 * spread / np.sqrt(len(found))
    assert np.mean(errors) == pytest.approx(spread, rel=0.25)


@pytest.mark.parametrize("design", ["stratified", "control", "shifts"])
def test_a_budget_for_all_pairs(design):
    study = from_matrix([["a b", "b c"], ["c d", "d e"], ["e f", "f a"], ["a c", "b d"], ["c e", "d f"]])
    exact = measures.cohen_kappa(study, similarity=from_model(study, Hashed(), budget=Budget(calls=1000)), ci=None)
    budget = Budget(calls=1000, precision=1e-9, design=design)
    sampled = measures.cohen_kappa(study, similarity=from_model(study, Hashed(), budget=budget), ci=None)
    if design == "shifts":
        assert sampled.expected == pytest.approx(exact.expected, abs=0.1)
    else:
        assert sampled.expected == pytest.approx(exact.expected, abs=1e-12)
        assert sampled.expected_error == pytest.approx(0.0, abs=1e-9)


class Tabled:
    """A model that looks scores up; texts are numbers."""

    symmetric, seconds, chunk = True, 1.0, 1 << 20

    def __init__(self, name, table):
        self.name = self.fingerprint = name
        self.table = np.clip((table + table.T) / 2, 0, 1)

    def score(self, left, right):
        return self.table[np.array(left, dtype=int), np.array(right, dtype=int)]


@pytest.mark.parametrize(
    ("design", "noise"), [("stratified", 0.1), ("stratified", 9.0), ("control", 0.1), ("shifts", 0.1)]
)
def test_limits_of_expected_agreement_hold_it(design, noise):
    """A good proxy, one that sees next to nothing, and none; scores are 0 or near 1."""
    rng = np.random.default_rng(0)
    concept = rng.integers(12, size=100)
    same = (concept[:, None] == concept).astype(float)
    model = Tabled("slow", 0.9 * same + 0.05 * rng.random(same.shape))
    proxy = Tabled("proxy", 0.3 + 0.4 * same + noise * rng.normal(size=same.shape))
    study = from_matrix([[str(2 * k), str(2 * k + 1)] for k in range(50)])
    truth = measures.fleiss_kappa(
        study, similarity=from_model(study, model, budget=Budget(calls=10**6)), ci=None
    ).expected
    low, high, error = [], [], []
    for seed in range(150):
        budget = Budget(calls=250, design=design)
        found = measures.fleiss_kappa(study, similarity=from_model(study, model, budget=budget, seed=seed, proxy=proxy))
        low.append(found.details["expected_low"])
        high.append(found.details["expected_high"])
        error.append(found.expected - truth)
    held = np.mean((np.array(low) <= truth) & (truth <= np.array(high)))
    # 150 repetitions: two standard errors of a share of .95 are .036
    assert held > 0.91
    assert abs(np.mean(error)) < 3 * np.std(error) / np.sqrt(150) + 1e-4


@pytest.mark.parametrize(("seen", "fewer"), [(1.0, 2.5), (0.7, 1.0), (0.0, 0.8)])
def test_a_proxy_that_tells_equals_apart_saves_calls_and_a_blind_one_breaks_no_limits(seen, fewer):
    """A wanted precision is where draws stop, under a proxy that sees all equals, most of them, and none."""
    rng = np.random.default_rng(3)
    concept = rng.integers(40, size=160)
    same = (concept[:, None] == concept).astype(float)
    model = Tabled("slow", 0.9 * same + 0.02 * rng.random(same.shape))
    hint = np.triu(same * (rng.random(same.shape) < seen))
    proxy = Tabled("proxy", 0.2 + 0.5 * np.maximum(hint, hint.T) + 0.07 * rng.normal(size=same.shape))
    study = from_matrix([[str(2 * k), str(2 * k + 1)] for k in range(80)])
    truth = measures.fleiss_kappa(
        study, similarity=from_model(study, model, budget=Budget(calls=10**6)), ci=None
    ).expected
    calls, held = {"shifts": [], "stratified": []}, []
    for seed in range(40):
        for design, made in calls.items():
            if design == "shifts" and seed > 5:
                continue
            budget = Budget(calls=10**6, precision=0.01, design=design)
            similarity = from_model(study, model, budget=budget, seed=seed, proxy=proxy)
            found = measures.fleiss_kappa(study, similarity=similarity)
            made.append(similarity.chance.calls)
            if design == "stratified":
                held.append(found.details["expected_low"] <= truth <= found.details["expected_high"])
    # 40 repetitions: two standard errors of a share of .95 are .069
    assert np.mean(held) > 0.88
    assert np.mean(calls["shifts"]) > fewer * np.mean(calls["stratified"])
