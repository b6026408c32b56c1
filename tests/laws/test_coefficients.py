"""Laws that every coefficient built on similarities keeps, on random studies with missing answers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accord.coefficients.spec import COEFFICIENTS
from accord.readers.arrays import from_matrix
from accord.similarity.core import Dense, Identity
from accord.similarity.levels import for_study

SPECS = [spec for spec in COEFFICIENTS.catalog() if spec.needs == "similarity" and spec.tally is not None]
MEANS = ("cohen_kappa", "weighted_kappa", "light_kappa")
SCHEMES = [
    {"level": "nominal"},
    {"level": "ordinal"},
    {"level": "interval"},
    {"level": "ratio"},
    {"level": "circular"},
    {"weights": "linear"},
    {"weights": "radical"},
    {"weights": "ordinal"},
    {"weights": "bipolar"},
]
CONVENTIONS = [(spec, {}) for spec in SPECS] + [
    (spec, {"chance": "unbiased"}) for spec in SPECS if "chance" in spec.options
]
#: For laws that run over many combinations.
LIGHT = settings(max_examples=max(10, settings().max_examples // 4))
all_specs = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)


@st.composite
def tables(draw, raters=None, values=4, missing=True, units=(2, 9)):
    """Codes (U, R), -1 = missing; at least one unit has two answers."""
    columns = raters or draw(st.integers(2, 4))
    cell = st.integers(-1 if missing else 0, values - 1)
    rows = draw(st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=units[0], max_size=units[1]))
    table = np.array(rows)
    assume(((table >= 0).sum(axis=1) > 1).any())
    assume((table >= 0).any(axis=0).all())
    return table


def study_of(table, values=4):
    rows = [[None if code < 0 else int(code) + 1 for code in row] for row in table]
    return from_matrix(rows, domain=list(range(1, values + 1)))


def for_raters(spec, table):
    return table[:, :2] if spec.raters == "two" else table


def usable(table):
    return ((table >= 0).sum(axis=1) > 1).any() and (table >= 0).any(axis=0).all()


def options_of(spec, **given_):
    return {name: option.default for name, option in spec.options.items()} | given_


def parts_of(spec, study, similarity, **given_):
    tally = spec.tally(study, similarity, options_of(spec, **given_))
    return spec.finish(tally.totals(), tally.context)


def numbers(parts):
    return [float(np.ravel(x)[0]) for x in (parts.value, parts.observed, parts.expected)]


def same(left, right, tolerance=1e-9):
    assert left == pytest.approx(right, abs=tolerance, nan_ok=True)


def random_similarity(seed, size=4):
    """Symmetric, 1 on the diagonal."""
    s = np.random.default_rng(seed).uniform(0.0, 0.95, (size, size))
    s = (s + s.T) / 2.0
    np.fill_diagonal(s, 1.0)
    return s


@all_specs
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: "-".join(*scheme.items()))
@LIGHT
@given(table=tables())
def test_one_pass_equals_the_sum_of_rows(spec, scheme, table):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    similarity = for_study(study, **scheme)
    expected = numbers(parts_of(spec, study, similarity))
    if spec.once is not None:
        totals, context = spec.once(study, similarity, options_of(spec))
        same(numbers(spec.finish(totals, context)), expected)
    loose = replace(study, matrix=None)
    if spec.once is not None:
        totals, context = spec.once(loose, similarity, options_of(spec))
        same(numbers(spec.finish(totals, context)), expected)
    same(numbers(parts_of(spec, loose, similarity)), expected)


@all_specs
@given(table=tables(), seed=st.integers(0, 5))
def test_closed_forms_equal_their_matrix(spec, table, seed):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    scheme = SCHEMES[seed if seed != 1 else 6]
    similarity = for_study(study, **scheme)
    same(numbers(parts_of(spec, study, similarity)), numbers(parts_of(spec, study, Dense(similarity.dense(), "dense"))))


@all_specs
@given(table=tables(), seed=st.integers(0, 1000))
def test_units_and_raters_in_any_order(spec, table, seed):
    table = for_raters(spec, table)
    assume(usable(table))
    random = np.random.default_rng(seed)
    similarity = Dense(random_similarity(seed), "random")
    shuffled = table[random.permutation(len(table))][:, random.permutation(table.shape[1])]
    same(numbers(parts_of(spec, study_of(shuffled), similarity)), numbers(parts_of(spec, study_of(table), similarity)))


@all_specs
@given(table=tables(), seed=st.integers(0, 1000))
def test_labels_may_be_renamed(spec, table, seed):
    table = for_raters(spec, table)
    assume(usable(table))
    order = np.random.default_rng(seed).permutation(4)
    s = random_similarity(seed)
    renamed = np.where(table < 0, -1, order[table])
    back = np.empty_like(s)
    back[np.ix_(order, order)] = s
    same(
        numbers(parts_of(spec, study_of(renamed), Dense(back, "random"))),
        numbers(parts_of(spec, study_of(table), Dense(s, "random"))),
    )


@all_specs
@given(table=tables(), seed=st.integers(0, 1000))
def test_bounds(spec, table, seed):
    table = for_raters(spec, table)
    assume(usable(table))
    value, observed, expected = numbers(parts_of(spec, study_of(table), Dense(random_similarity(seed), "random")))
    assert -1e-12 <= observed <= 1.0 + 1e-12
    assert -1e-12 <= expected <= 1.0 + 1e-12
    if math.isnan(value):
        return
    assert value <= 1.0 + 1e-12
    if spec.key not in MEANS or table.shape[1] == 2:
        same(value, (observed - expected) / (1.0 - expected), 1e-7)
        assert value >= -expected / (1.0 - expected) - 1e-7


@pytest.mark.parametrize(
    "spec, given_",
    [(s, o) for s, o in CONVENTIONS if s.family != "agreement" and s.key not in ("gwet_ac1", "gwet_ac2")],
    ids=lambda it: getattr(it, "key", str(it)),
)
@given(table=tables(), seed=st.integers(0, 1000), floor=st.floats(0.0, 0.9))
def test_a_floor_under_every_similarity_changes_nothing(spec, given_, table, seed, floor):
    table = for_raters(spec, table)
    assume(usable(table))
    s = random_similarity(seed)
    plain = numbers(parts_of(spec, study_of(table), Dense(s, "plain"), **given_))
    lifted = numbers(parts_of(spec, study_of(table), Dense(floor + (1.0 - floor) * s, "lifted"), **given_))
    assume(math.isnan(plain[0]) or 1.0 - plain[2] > 1e-9)
    same(lifted[0], plain[0], 1e-6 * max(1.0, abs(plain[0])))


@all_specs
@given(table=tables(missing=False))
def test_perfect_agreement_is_one(spec, table):
    table = np.repeat(table[:, :1], 2 if spec.raters == "two" else 3, axis=1)
    assume(len(np.unique(table)) > 1)
    assert numbers(parts_of(spec, study_of(table), Identity(4)))[0] == pytest.approx(1.0)


@all_specs
@given(table=tables(units=(4, 9)), cut=st.integers(1, 3))
def test_halves_merge_into_the_whole(spec, table, cut):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    tally = spec.tally(study, Identity(4), options_of(spec))
    halves = tally.rows[:cut].sum(axis=0) + tally.rows[cut:].sum(axis=0)
    same(
        numbers(spec.finish(np.asarray(halves).reshape(1, -1), tally.context)),
        numbers(parts_of(spec, study, Identity(4))),
    )


@pytest.mark.parametrize(
    "spec, scheme",
    [(spec, {"level": "nominal"}) for spec in SPECS]
    + [(spec, {"weights": "linear"}) for spec in SPECS]
    + [(spec, {"level": "ordinal"}) for spec in SPECS if spec.key == "krippendorff_alpha"],
    ids=lambda it: getattr(it, "key", str(it)),
)
@LIGHT
@given(table=tables(units=(3, 8)))
def test_leaving_a_unit_out_by_subtraction(spec, scheme, table):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    tally = spec.tally(study, for_study(study, **scheme), options_of(spec))
    for unit in range(study.U):
        left = np.arange(study.U) != unit
        rest = study.where(left)
        if not (rest.m > 1).any():
            continue
        row = tally.rows[[unit]]
        total = tally.totals() - (row if isinstance(row, np.ndarray) else row.toarray())
        again = parts_of(spec, rest, for_study(rest, **scheme))
        same(numbers(spec.finish(total, tally.context)), numbers(again), 1e-7)


@all_specs
@given(table=tables(), seed=st.integers(0, 1000))
def test_many_resamples_equal_one_by_one(spec, table, seed):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    tally = spec.tally(study, Dense(random_similarity(seed), "random"), options_of(spec))
    weights = np.random.default_rng(seed).multinomial(study.U, np.full(study.U, 1 / study.U), 5).astype(float)
    together = spec.finish(np.asarray(weights @ tally.rows), tally.context)
    for b, weight in enumerate(weights):
        alone = spec.finish(np.asarray(weight @ tally.rows).reshape(1, -1), tally.context)
        same(float(together.value[b]), float(alone.value[0]))


@all_specs
@given(table=tables(missing=False, units=(3, 8)), times=st.integers(2, 3))
def test_repeated_units(spec, table, times):
    """Doubling every unit leaves all but alpha alone; alpha changes by the known 1/N."""
    table = for_raters(spec, table)
    once = parts_of(spec, study_of(table), Identity(4))
    more = parts_of(spec, study_of(np.tile(table, (times, 1))), Identity(4))
    if spec.key == "krippendorff_alpha":
        answers = table.size
        distance = (1.0 - once.expected) * (answers - 1) / answers * (times * answers) / (times * answers - 1)
        same(float(more.expected[0]), float(1.0 - distance[0]))
    else:
        same(numbers(more), numbers(once))


@pytest.mark.parametrize(
    "spec, given_",
    [(s, o) for s, o in CONVENTIONS if s.linearize is not None],
    ids=lambda it: getattr(it, "key", str(it)),
)
@given(table=tables(), scheme=st.sampled_from(SCHEMES[:3]))
def test_linearisation_has_the_value_as_its_mean(spec, given_, table, scheme):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    tally = spec.tally(study, for_study(study, **scheme), options_of(spec, **given_))
    parts = spec.finish(tally.totals(), tally.context)
    assume(math.isfinite(float(parts.value[0])) and 1.0 - float(parts.expected[0]) > 1e-6)
    z = spec.linearize(tally, parts)
    assert len(z) == study.U
    assert np.nanmean(z) == pytest.approx(float(parts.value[0]), abs=1e-7 * max(1.0, float(np.nanmax(np.abs(z)))))


@pytest.mark.parametrize(
    "spec", [s for s in SPECS if s.linearize is not None and s.key != "plurality"], ids=lambda s: s.key
)
@given(table=tables(missing=False, units=(4, 9)), scheme=st.sampled_from(SCHEMES[:3]))
def test_linearisation_is_the_derivative(spec, table, scheme):
    """On units with two answers or more the published form is the slope of the value in each unit's weight."""
    table = for_raters(spec, table)
    study = study_of(table)
    tally = spec.tally(study, for_study(study, **scheme), options_of(spec))
    parts = spec.finish(tally.totals(), tally.context)
    value = float(parts.value[0])
    assume(math.isfinite(value) and 1.0 - float(parts.expected[0]) > 1e-3)
    z = spec.linearize(tally, parts)
    weights = np.ones((2 * study.U, study.U)) + 1e-5 * np.vstack((np.eye(study.U), -np.eye(study.U)))
    moved = spec.finish(np.asarray(weights @ tally.rows), tally.context).value
    slope = (moved[: study.U] - moved[study.U :]) / 2e-5
    tolerance = 5e-4 * max(1.0, float(np.abs(slope).max()) * study.U)
    if spec.family == "alpha":
        assert z - value == pytest.approx(study.U * (slope - slope.mean()), abs=tolerance + 4.0 / table.size)
    else:
        assert z - value == pytest.approx(study.U * slope, abs=tolerance)


@given(table=tables(raters=2, missing=False), seed=st.integers(0, 1000))
def test_conversion_between_the_two_conventions_of_chance(table, seed):
    """Two raters: kappa_V = (n - 1) kappa_U / (n - kappa_U)."""
    similarity = Dense(random_similarity(seed), "random")
    spec = COEFFICIENTS.catalog()["cohen_kappa"]
    n = len(table)
    classical = numbers(parts_of(spec, study_of(table), similarity))
    unbiased = numbers(parts_of(spec, study_of(table), similarity, chance="unbiased"))
    assume(math.isfinite(classical[0]) and math.isfinite(unbiased[0]) and unbiased[2] < 1.0 - 1e-6)
    assert classical[0] == pytest.approx((n - 1) * unbiased[0] / (n - unbiased[0]), abs=1e-8)
    assert classical[2] == pytest.approx((classical[1] + (n - 1) * unbiased[2]) / n, abs=1e-9)


@given(table=tables(missing=False), seed=st.integers(0, 1000))
def test_balanced_alpha_conversion(table, seed):
    """w = (m - 1)/(nm - 1): alpha_K = (1 - w) alpha_d / (1 - w alpha_d)."""
    similarity = Dense(random_similarity(seed), "random")
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    n, m = table.shape
    w = (m - 1) / (n * m - 1)
    classical = numbers(parts_of(spec, study_of(table), similarity))[0]
    other = numbers(parts_of(spec, study_of(table), similarity, chance="unbiased"))
    assume(math.isfinite(classical) and math.isfinite(other[0]) and other[2] < 1.0 - 1e-6)
    assert classical == pytest.approx((1 - w) * other[0] / (1 - w * other[0]), abs=1e-8)


@pytest.mark.parametrize("key", ["cohen_kappa", "fleiss_kappa", "conger_kappa"])
@given(table=tables(missing=False, units=(3, 9)), seed=st.integers(0, 500))
def test_raising_the_similarity_of_an_observed_pair_raises_the_unbiased_form(key, table, seed):
    table = table.copy()
    table[0, :2] = (0, 1)
    table[1:][table[1:] == 0] = 2
    s = random_similarity(seed)
    higher = s.copy()
    higher[0, 1] = higher[1, 0] = s[0, 1] + 0.04
    spec = COEFFICIENTS.catalog()[key]
    before, after = (numbers(parts_of(spec, study_of(table), Dense(x, "s"), chance="unbiased")) for x in (s, higher))
    assert after[1] > before[1]


@given(table=tables(raters=2, missing=False, units=(3, 9)), seed=st.integers(0, 500))
def test_raising_a_similarity_that_never_meets_lowers_kappa(table, seed):
    pairs = {frozenset(row) for row in table.tolist()}
    used = np.unique(table)
    free = [(int(a), int(b)) for a in used for b in used if a < b and frozenset((int(a), int(b))) not in pairs]
    assume(free)
    s = random_similarity(seed)
    a, b = free[0]
    higher = s.copy()
    higher[a, b] = higher[b, a] = s[a, b] + 0.04
    for key in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha"):
        spec = COEFFICIENTS.catalog()[key]
        before, after = (numbers(parts_of(spec, study_of(table), Dense(x, "s"))) for x in (s, higher))
        assert after[1] == pytest.approx(before[1])
        if np.isfinite(before[0]) and before[1] < 1.0 - 1e-9 and after[2] > before[2] + 1e-12:
            assert after[0] < before[0]


@given(table=tables(missing=False))
def test_conger_equals_hubert_on_complete_data(table):
    catalog = COEFFICIENTS.catalog()
    same(
        numbers(parts_of(catalog["conger_kappa"], study_of(table), Identity(4))),
        numbers(parts_of(catalog["hubert_kappa"], study_of(table), Identity(4))),
    )


@given(table=tables(raters=2, missing=False))
def test_two_raters_make_the_pair_kappas_one(table):
    catalog = COEFFICIENTS.catalog()
    cohen = numbers(parts_of(catalog["cohen_kappa"], study_of(table), Identity(4)))
    for key in ("light_kappa", "hubert_kappa", "conger_kappa"):
        same(numbers(parts_of(catalog[key], study_of(table), Identity(4))), cohen)
    same(
        numbers(parts_of(catalog["scott_pi"], study_of(table), Identity(4))),
        numbers(parts_of(catalog["fleiss_kappa"], study_of(table), Identity(4))),
    )


@given(table=tables(), seed=st.integers(0, 100))
def test_numbers_with_quadratic_weights_are_interval_alpha(table, seed):
    study = study_of(table)
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    same(
        numbers(parts_of(spec, study, for_study(study, weights="quadratic", weights_on="value"))),
        numbers(parts_of(spec, study, for_study(study, level="interval"))),
    )


@all_specs
@given(table=tables())
def test_a_rater_who_never_answered_changes_nothing(spec, table):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    absent = replace(study, rater_names=[*study.rater_names, "absent"], matrix=None)
    same(numbers(parts_of(spec, absent, Identity(4))), numbers(parts_of(spec, study, Identity(4))))


@all_specs
@given(table=tables())
def test_the_input_is_left_alone(spec, table):
    table = for_raters(spec, table)
    assume(usable(table))
    study = study_of(table)
    before = [array.copy() for array in (study.unit, study.rater, study.code)]
    first = numbers(parts_of(spec, study, Identity(4)))
    assert first == pytest.approx(numbers(parts_of(spec, study, Identity(4))), abs=0, nan_ok=True)
    for array, kept in zip((study.unit, study.rater, study.code), before, strict=True):
        assert np.array_equal(array, kept)


@all_specs
@given(table=tables(), seed=st.integers(0, 1000))
def test_pairs_that_cannot_be_compared_leave_both_sums(spec, table, seed):
    """Brute force over pairs of answers for alpha and percent agreement, counts of skipped pairs for all."""
    table = for_raters(spec, table)
    assume(usable(table))
    s = random_similarity(seed)
    s[0, 1] = s[1, 0] = np.nan
    study = study_of(table)
    tally = spec.tally(study, Dense(s, "partial"), options_of(spec))
    per_unit, skipped = [], 0
    for row in table:
        codes = row[row >= 0]
        scores = [s[a, b] for i, a in enumerate(codes) for b in codes[i + 1 :]]
        skipped += int(np.isnan(scores).sum())
        if len(scores) and not np.isnan(scores).all():
            per_unit.append((np.nanmean(scores), codes))
    if spec.key == "plurality":
        return
    assert tally.skipped == skipped
    if not per_unit:
        return
    parts = spec.finish(tally.totals(), tally.context)
    if spec.key == "percent_agreement":
        same(float(parts.value[0]), float(np.mean([score for score, _ in per_unit])))
    if spec.key == "krippendorff_alpha":
        answers = np.concatenate([codes for _, codes in per_unit])
        weighted = sum(score * len(codes) for score, codes in per_unit) / len(answers)
        among = [s[a, b] for i, a in enumerate(answers) for j, b in enumerate(answers) if i != j]
        same(float(parts.observed[0]), float(weighted))
        same(float(parts.expected[0]), float(np.nanmean(among)))


@all_specs
@given(table=tables(units=(3, 9)))
def test_a_unit_without_a_pair_leaves_observed_agreement(spec, table):
    table = for_raters(spec, table)
    assume(usable(table))
    paired = table[(table >= 0).sum(axis=1) > 1]
    assume((paired >= 0).any(axis=0).all())
    whole, rest = (numbers(parts_of(spec, study_of(t), Identity(4))) for t in (table, paired))
    same(whole[1], rest[1])
    if spec.key in ("krippendorff_alpha", "cohen_kappa", "light_kappa", "hubert_kappa", "scott_pi"):
        same(whole, rest)


def test_answers_missing_at_random_keep_the_mean_of_alpha():
    random = np.random.default_rng(11)
    truth = random.integers(0, 4, (200, 1))
    table = np.where(random.random((200, 4)) < 0.6, truth, random.integers(0, 4, (200, 4)))
    spec = COEFFICIENTS.catalog()["krippendorff_alpha"]
    full = numbers(parts_of(spec, study_of(table), Identity(4)))[0]
    thinned = []
    for _ in range(200):
        kept = np.where(random.random(table.shape) < 0.4, -1, table)
        kept = kept[(kept >= 0).any(axis=1)]
        thinned.append(numbers(parts_of(spec, study_of(kept), Identity(4)))[0])
    assert abs(np.mean(thinned) - full) < 4.0 * np.std(thinned) / np.sqrt(len(thinned)) + 1e-3


@pytest.mark.parametrize("key", ["cohen_kappa", "fleiss_kappa", "conger_kappa", "krippendorff_alpha"])
def test_random_answers_agree_no_more_than_chance(key):
    """Independent raters: the unbiased form lies around zero."""
    random = np.random.default_rng(12)
    spec = COEFFICIENTS.catalog()[key]
    values = [
        numbers(parts_of(spec, study_of(random.integers(0, 4, (25, 2))), Identity(4), chance="unbiased"))[0]
        for _ in range(400)
    ]
    assert abs(np.mean(values)) < 4.0 * np.std(values) / np.sqrt(len(values))
