"""Simulated studies: the oracle is perfect, the error budget is exact, negatives are what they are called."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from accord.bench.drawing import draws
from accord.bench.measures import measures
from accord.bench.negatives import Negatives
from accord.bench.set_scores import distinct_sets, set_table
from accord.bench.settings import NEGATIVES, Settings
from accord.bench.trial import Trial, permutation_spread
from accord.equivalence.models import Setup
from accord.errors import DataError, UnknownNameError, UsageError
from accord.terminology.concepts import Concept, Terminology

SYLLABLES = ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "vi", "xo", "zu")


def made_up(groups=12, each=10, seed=1):
    """Groups of concepts under one parent each, every one with two synonyms of other words."""
    rng = np.random.default_rng(seed)
    seen = set()

    def word():
        while True:
            made = "".join(rng.choice(SYLLABLES, size=4))
            if made not in seen:
                seen.add(made)
                return made

    concepts = {"root": Concept([word()])}
    for g in range(groups):
        stem = word()
        concepts[f"g{g}"] = Concept([stem, word()], ["root"])
        for k in range(each):
            names = [f"{word()} {stem}", f"{word()} {word()}", word()]
            concepts[f"g{g}.{k}"] = Concept(names, [f"g{g}"])
    return Terminology("made up", concepts)


TABLE = made_up()
SOME = Settings(items=40, replicates=2, levels=(0.0, 0.4, 0.8, 1.0), forms=("single", "sets"))


def built(*names):
    return measures(names, {}, Setup(cache="off"))


def trials(settings, form="single"):
    return {kind: Trial(d, settings) for kind, d in draws(Negatives(TABLE), settings, form, 0).items()}


@pytest.mark.parametrize(
    ("form", "set_measure", "coefficient", "chance"),
    [
        *product(["single"], ["dice"], ["cohen_kappa", "krippendorff_alpha"], ["classical"]),
        *product(["sets"], ["dice", "jaccard"], ["cohen_kappa", "scott_pi", "fleiss_kappa"], ["classical"]),
        ("single", "dice", "cohen_kappa", "unbiased"),
    ],
)
def test_a_perfect_measure_has_no_error(form, set_measure, coefficient, chance):
    settings = Settings(
        items=30, levels=(0.0, 0.5, 1.0), set_measure=set_measure, coefficient=coefficient, chance=chance
    )
    oracle = built()[0]
    for trial in trials(settings, form).values():
        for run in trial.runs(oracle.table(trial.draw).scores):
            assert abs(run.error) <= 1e-12


def test_exact_match_is_right_without_synonyms_and_falls_with_them():
    exact = built()[1]
    for form in ("single", "sets"):
        for trial in trials(SOME, form).values():
            runs = trial.runs(exact.table(trial.draw).scores)
            assert max(abs(run.error) for run in runs if run.rate == 0) <= 1e-12
            high = {run.rate: run.value for run in runs if run.level == 0.8}
            assert high[0.0] > high[0.5] > high[1.0] > 0.0


def test_random_negatives_without_synonyms_cost_no_measure_anything_but_noise():
    settings = Settings(items=120, replicates=2, rates=(0.0,), negatives=("random",))
    for measure in built("jaccard", "edit", "ngrams", "jaro"):
        trial = trials(settings)["random"]
        errors = [run.error for run in trial.runs(measure.table(trial.draw).scores)]
        assert np.abs(errors).mean() <= 0.02


@pytest.mark.parametrize("chance", ["classical", "unbiased"])
def test_the_error_budget_adds_up_exactly(chance):
    settings = Settings(items=40, levels=(0.2, 0.6), chance=chance)
    measure = built("edit")[-1]
    for trial in trials(settings).values():
        for run in trial.runs(measure.table(trial.draw).scores):
            po, pe, kappa = run.true_observed, run.true_expected, run.truth
            dpo = -po * (1 - run.hit_within) + (1 - po) * run.false_within
            dpe = -pe * (1 - np.nan_to_num(run.hit_across, nan=1.0)) + (1 - pe) * run.false_across
            assert run.error == pytest.approx((dpo - (1 - kappa) * dpe) / (1 - pe - dpe), abs=1e-12)


def test_levels_are_reached():
    settings = Settings(items=120, levels=(0.3, 0.7), negatives=("sibling",))
    found = [run for k in range(5) for run in runs_of(settings, k)]
    for level in settings.levels:
        assert np.mean([run.truth for run in found if run.level == level]) == pytest.approx(level, abs=0.06)


def runs_of(settings, replicate):
    draw = draws(Negatives(TABLE), settings, "single", replicate)["sibling"]
    return Trial(draw, settings).runs(np.eye(len(draw.texts)))


def test_negatives_are_what_they_are_called():
    negatives = Negatives(TABLE)
    rng = np.random.default_rng(0)
    for concept in ("g3.1", "g7.9"):
        assert set(negatives.options(concept, "sibling")) == {f"{concept[:2]}.{k}" for k in range(10)} - {concept}
        assert set(negatives.options(concept, "general")) == {concept[:2], "root"}
        alike = negatives.options(concept, "lexical")
        assert alike
        assert all(not TABLE.related(concept, other) for other in alike)
        assert all(not TABLE.related(concept, negatives.draw(concept, "random", rng)) for _ in range(50))


def test_all_kinds_share_items_and_agreeing_names():
    made = draws(Negatives(TABLE), SOME, "sets", 1)
    said = {kind: [d.texts[k] for k in d.first[1]] for kind, d in made.items()}
    assert len({tuple(names) for names in said.values()}) == 1
    assert len({d.fingerprint for d in made.values()}) == len(NEGATIVES)
    again = draws(Negatives(TABLE), SOME, "sets", 1)
    assert {k: d.fingerprint for k, d in made.items()} == {k: d.fingerprint for k, d in again.items()}
    other = draws(Negatives(TABLE), Settings(items=40, forms=("sets",), seed=5), "sets", 1)
    assert other["random"].fingerprint != made["random"].fingerprint


def test_too_small_a_terminology_is_refused():
    with pytest.raises(DataError, match="only 132 concepts"):
        draws(Negatives(TABLE), Settings(items=500), "single", 0)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_spread_of_a_permutation_is_that_of_all_permutations(n):
    table = np.random.default_rng(n).random((n, n))
    means = [table[np.arange(n), list(p)].mean() for p in permutations(range(n))]
    assert permutation_spread(table) == pytest.approx(np.std(means), abs=1e-12)
    assert np.mean(means) == pytest.approx(table.mean(), abs=1e-12)


@pytest.mark.parametrize("measure", ["dice", "jaccard"])
def test_sets_are_matched_optimally(measure):
    rng = np.random.default_rng(3)
    scores = rng.random((9, 9))
    scores = (scores + scores.T) / 2
    np.fill_diagonal(scores, 1.0)
    item = np.repeat(np.arange(6), [1, 2, 3, 3, 4, 1])
    member = np.concatenate([rng.choice(9, size=k, replace=False) for k in np.bincount(item)])
    found = set_table(distinct_sets(item, member, 6), scores, measure)
    for a, b in product(range(6), range(6)):
        block = scores[np.ix_(member[item == a], member[item == b])]
        total = block[linear_sum_assignment(block, maximize=True)].sum()
        both = sum(block.shape)
        assert found[a, b] == pytest.approx(2 * total / both if measure == "dice" else total / (both - total))
    unknown = scores.copy()
    unknown[member[0], member[1]] = np.nan
    assert np.isnan(set_table(distinct_sets(item, member, 6), unknown, measure)[0, 1])


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"negatives": ("siblings",)}, UnknownNameError, "sibling"),
        ({"negatives": ()}, UsageError, "at least one"),
        ({"levels": (0.5, 1.5)}, UsageError, r"levels: found 1\.5"),
        ({"rates": (0.5, 0.5)}, UsageError, "each once"),
        ({"items": 3}, UsageError, "items: found 3"),
        ({"replicates": 10**9}, UsageError, "replicates"),
        ({"set_size": 9}, UsageError, "set size"),
        ({"set_measure": "overlap"}, UnknownNameError, "dice"),
        ({"coefficient": "gwet_ac1"}, UnknownNameError, "cohen_kappa"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given, error, words):
    with pytest.raises(error, match=words):
        Settings(**given)
