"""Laws of answers that are sets of texts: the matching, the formulas, and what a perfect model must give."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import measures
from accord.equivalence.lexical import lexical
from accord.readers.arrays import from_matrix
from accord.similarity.equivalent import Budget, forecast, from_model
from accord.similarity.set_pool import members_of
from accord.similarity.text_similarity import MOST_FAILED
from accord.values import EMPTY

COEFFICIENTS = ("cohen_kappa", "conger_kappa", "fleiss_kappa", "krippendorff_alpha", "scott_pi")
WORDS = ("pain", "chest", "fever", "cough", "left", "arm", "severe")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True).map(" ".join)
sets = st.lists(texts, min_size=1, max_size=5, unique=True).map(tuple)


class Oracle:
    """Knows what each term means: terms are written CONCEPT/SYNONYM."""

    name = fingerprint = "oracle"
    symmetric, seconds = True, 1e-6

    def __init__(self):
        self.asked = []

    def score(self, left, right):
        self.asked += list(zip(left, right, strict=True))
        return np.array([a.split("/")[0] == b.split("/")[0] for a, b in zip(left, right, strict=True)], dtype=float)


def scored(model, a, b, measure):
    study = from_matrix([[a, b]])
    return float(from_model(study, model, set_measure=measure).at(*study.code[:, None])[0])


def brute(model, a, b, measure):
    """Largest total over all one-to-one matchings, tried one by one."""
    short, long = sorted((members_of(a), members_of(b)), key=len)
    table = np.array([[1.0 if x == y else model.score([x], [y])[0] for y in long] for x in short])
    rows = np.arange(len(short))
    total = max(table[rows, list(order)].sum() for order in permutations(range(len(long)), len(short)))
    both = len(short) + len(long)
    return 2 * total / both if measure == "dice" else total / (both - total)


@given(a=sets, b=sets)
def test_the_matching_is_the_best_one_and_both_formulas_belong_together(a, b):
    model = lexical("edit")
    dice, jaccard = (scored(model, a, b, measure) for measure in ("dice", "jaccard"))
    assert dice == pytest.approx(brute(model, a, b, "dice"), abs=1e-12)
    assert jaccard == pytest.approx(brute(model, a, b, "jaccard"), abs=1e-12)
    assert jaccard == pytest.approx(dice / (2 - dice), abs=1e-12)
    assert 0 <= jaccard <= dice <= 1
    assert scored(model, b[::-1], a, "dice") == pytest.approx(dice, abs=1e-12)


@pytest.mark.parametrize("measure", ["dice", "jaccard"])
@given(a=texts, b=texts)
def test_sets_of_one_are_their_member_or_its_share(measure, a, b):
    one = scored(lexical("edit"), a, b, None)
    assert scored(lexical("edit"), (a,), (b,), measure) == pytest.approx(
        one if measure == "dice" else one / (2 - one), abs=1e-12
    )


@pytest.mark.parametrize("measure", ["dice", "jaccard"])
@pytest.mark.parametrize("key", COEFFICIENTS)
@pytest.mark.parametrize("largest", [1, 2, 5])
def test_a_perfect_model_gives_the_number_of_the_concepts(key, measure, largest):
    """The same set measure on both sides leaves no difference; dice against jaccard does."""
    rng = np.random.default_rng(largest)
    rows, ids = [], []
    for _ in range(60):
        first = rng.choice(12, rng.integers(1, largest + 1), replace=False)
        second = first if rng.random() < 0.5 else rng.choice(12, rng.integers(1, largest + 1), replace=False)
        ids.append([tuple(sorted(map(int, side))) for side in (first, second)])
        rows.append([tuple(f"{c}/{rng.integers(3)}" for c in side) for side in ids[-1]])
    named = from_matrix([["\n".join(map(str, side)) for side in row] for row in ids])
    members = [set(str(value).split("\n")) for value in named.values]
    both = np.array([[len(a & b) for b in members] for a in members], dtype=float)
    size = both.diagonal()
    formulas = {
        "dice": 2 * both / (size[:, None] + size),
        "jaccard": both / (size[:, None] + size - both),
    }
    truth = getattr(measures, key)(named, similarity=formulas[measure])
    study = from_matrix(rows)
    found = getattr(measures, key)(study, similarity=from_model(study, Oracle(), set_measure=measure))
    for field in ("value", "observed", "expected", "se"):
        assert getattr(found, field) == pytest.approx(getattr(truth, field), abs=1e-12), field
    other = getattr(measures, key)(named, similarity=formulas["jaccard" if measure == "dice" else "dice"])
    assert largest == 1 or abs(other.value - truth.value) > 1e-3


@pytest.mark.parametrize("key", COEFFICIENTS)
def test_a_perfect_model_gives_the_number_of_the_concepts_for_single_labels(key):
    rng = np.random.default_rng(7)
    ids = [[str(c), str(c if rng.random() < 0.6 else rng.integers(9))] for c in rng.integers(9, size=80)]
    study = from_matrix([[f"{c}/{rng.integers(4)}" for c in row] for row in ids])
    found = getattr(measures, key)(study, similarity=from_model(study, Oracle()))
    truth = getattr(measures, key)(ids)
    for field in ("value", "observed", "expected", "se"):
        assert getattr(found, field) == pytest.approx(getattr(truth, field), abs=1e-12), field


def test_the_empty_set_equals_itself_only():
    study = from_matrix([["a", EMPTY], [EMPTY, "[]"], ["[]", "a\na"]])
    similarity = from_model(study, lexical("edit"), set_measure="dice")
    first, second = study.code.reshape(-1, 2).T
    assert similarity.at(first, second).tolist() == [0.0, 1.0, 0.0]
    assert "empty=agree" in similarity.name


def test_members_count_once_and_each_pair_of_them_is_asked_once():
    rows = [[("a/1", "b/1", "a/1"), ("b/2", "a/2")], [("a/1", "c/1"), ("b/2", "a/2")]]
    model = Oracle()
    study = from_matrix(rows)
    similarity = from_model(study, model, set_measure="jaccard")
    first, second = study.code.reshape(-1, 2).T
    assert similarity.at(first, second).tolist() == [1.0, pytest.approx(1 / 3)]
    asked = [frozenset(pair) for pair in model.asked]
    assert len(asked) == len(set(asked)) == similarity.chance.calls == 6


def test_a_sample_of_pairs_of_sets_is_near_all_of_them_and_says_its_error():
    rng = np.random.default_rng(2)
    rows = []
    for k in range(60):
        first = tuple(f"{word} {rng.integers(40)}" for word in rng.choice(WORDS, 2, replace=False))
        rows.append([first, first if k % 2 else tuple(f"{w} {rng.integers(40)}" for w in rng.choice(WORDS, 2))])
    study = from_matrix(rows)
    exact = measures.krippendorff_alpha(study, similarity=from_model(study, lexical("edit"), set_measure="dice"))
    model = Oracle()
    model.score = lexical("edit").score
    budget = Budget(calls=2500)
    told = forecast(study, model, budget, "dice")
    sampled = from_model(study, model, budget=budget, set_measure="dice")
    found = measures.krippendorff_alpha(study, similarity=sampled)
    assert not told.exact
    assert told.within < told.calls <= 2500
    assert sampled.chance.calls <= 2500
    assert abs(found.expected - exact.expected) < 4 * found.expected_error
    assert exact.expected_error is None


def test_a_pair_of_sets_with_an_unknown_pair_of_members_is_unknown():
    class Silent(Oracle):
        def score(self, left, right):
            return np.where(
                ["x" in a + b for a, b in zip(left, right, strict=True)], np.nan, super().score(left, right)
            )

    study = from_matrix([[("a/1", "x"), ("a/2",)], [("b/1",), ("b/2", "c/1")]])
    similarity = from_model(study, Silent(), set_measure="dice")
    first, second = study.code.reshape(-1, 2).T
    assert np.isnan(similarity.at(first, second)).tolist() == [True, False]
    assert MOST_FAILED < 0.5
    assert measures.krippendorff_alpha(study, similarity=similarity).undefined == "incomplete"
