"""Gamma: exact alignments against brute force, laws, sampling."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.coefficients.gamma_alignment import Problem, best_alignments
from accord.coefficients.gamma_chance import Habits, habits_of, sample
from accord.coefficients.gamma_disorder import Marks
from accord.errors import UsageError
from accord.measures import gamma, gamma_cat, gamma_k

FEWER = settings(max_examples=max(10, settings().max_examples // 4))


def partitions(units, rater):
    """Every way to group units with at most one of a rater in a group."""
    if not units:
        yield []
        return
    first, rest = units[0], units[1:]
    for groups in partitions(rest, rater):
        yield [[first], *groups]
        for i, group in enumerate(groups):
            if rater[first] not in {rater[u] for u in group}:
                yield [*groups[:i], [first, *group], *groups[i + 1 :]]


def least_disorder(table, rater, raters, empty):
    pairs = raters * (raters - 1) / 2

    def cost(group):
        between = [table[a, b] for i, a in enumerate(group) for b in group[i + 1 :]]
        return (sum(between) + empty * (pairs - len(between))) / pairs

    return min(sum(map(cost, groups)) for groups in partitions(list(range(len(rater))), rater))


@st.composite
def problems(draw):
    raters = draw(st.integers(2, 4))
    sizes = draw(st.lists(st.integers(0, 3 if raters == 2 else 2), min_size=raters, max_size=raters))
    seed = draw(st.integers(0, 10**6))
    table = np.random.default_rng(seed).gamma(0.7, draw(st.sampled_from([0.5, 1.5, 4.0])), (sum(sizes), sum(sizes)))
    table = (table + table.T) / 2
    return Problem(table, np.repeat(np.arange(raters), sizes)), raters


@given(problem=problems(), empty=st.sampled_from([0.5, 1.0, 2.0]))
def test_alignment_is_the_best_of_all(problem, empty):
    problem, raters = problem
    (found,) = best_alignments([problem], raters, empty)
    assert found.disorder == pytest.approx(
        least_disorder(problem.dissimilarity, problem.rater, raters, empty), abs=1e-6
    )
    for group in range(found.group.max(initial=-1) + 1):
        members = problem.rater[found.group == group]
        assert len(set(members.tolist())) == len(members)


@FEWER
@given(many=st.lists(problems().filter(lambda it: it[1] == 3), min_size=2, max_size=4))
def test_problems_together_equal_problems_alone(many):
    together = best_alignments([problem for problem, _ in many], 3, 1.0)
    for (problem, _), found in zip(many, together, strict=True):
        (alone,) = best_alignments([problem], 3, 1.0)
        assert found.disorder == pytest.approx(alone.disorder, abs=1e-6)


def test_a_linear_program_that_stays_undecided_is_solved_in_whole_numbers():
    """An odd cycle of pairs among five raters' units: halves would beat any whole choice."""
    table = np.full((3, 3), 50.0)
    rater = np.arange(3)
    for a, b in ((0, 1), (1, 2), (0, 2)):
        table[a, b] = table[b, a] = 3.2
    (found,) = best_alignments([Problem(table, rater)], 3, 1.0)
    assert found.disorder == pytest.approx(least_disorder(table, rater, 3, 1.0))


def test_equal_disorder_prefers_fewer_unitary_alignments():
    table = np.array([[0.0, 2.0], [2.0, 0.0]])
    (found,) = best_alignments([Problem(table, np.arange(2))], 2, 1.0)
    assert (found.disorder, found.group.tolist()) == (2.0, [0, 0])


def random_rows(seed, raters=3, units=4):
    random = np.random.default_rng(seed)
    starts = random.uniform(0, 100, (raters, units))
    return [
        (f"r{r}", float(s), float(s + random.uniform(1, 15)), str(random.choice(list("ab"))))
        for r in range(raters)
        for s in starts[r]
    ]


@FEWER
@given(seed=st.integers(0, 1000), shift=st.floats(-1e3, 1e3))
def test_observed_disorder_is_the_same_for_moved_and_reordered_raters(seed, shift):
    rows = random_rows(seed)
    moved = [(f"z{3 - int(r[1])}", a + shift, b + shift, name) for r, a, b, name in rows]
    assert gamma(moved, samples=2).disagreement[0] == pytest.approx(gamma(rows, samples=2).disagreement[0], abs=1e-5)


@FEWER
@given(seed=st.integers(0, 1000))
def test_moving_the_start_along_leaves_gamma_alone(seed):
    rows = random_rows(seed, raters=2)
    moved = [(r, a + 1000, b + 1000, name) for r, a, b, name in rows]
    assert gamma(moved, start=1000).value == pytest.approx(gamma(rows).value, abs=1e-4)


@FEWER
@given(seed=st.integers(0, 1000))
def test_identical_raters_agree(seed):
    mine = random_rows(seed, raters=1)
    rows = [(f"r{i}", *unit) for i in range(3) for _, *unit in mine]
    found = gamma(rows)
    assert (found.value, found.disagreement[0], found.details["gamma_cat"]) == (1.0, 0.0, 1.0)
    assert found.details["unitary_alignments"] == 4


def test_all_dissimilarities_scale_with_the_empty_element():
    rows = random_rows(3)
    once, twice = gamma(rows), gamma(rows, delta_empty=2)
    assert twice.value == pytest.approx(once.value)
    assert twice.disagreement[0] == pytest.approx(2 * once.disagreement[0])


def test_weights():
    """Position alone, category alone, both: dissimilarities .16 and 1."""
    rows = [("a", 0, 10, "x"), ("b", 4, 14, "y")]
    for alpha, beta, disorder in ((1, 0, 0.16), (0, 1, 1.0), (1, 1, 1.16), (2, 0.5, 0.82)):
        assert gamma(rows, alpha=alpha, beta=beta).disagreement[0] == pytest.approx(disorder)


def test_several_labels_differ_by_their_jaccard_index():
    rows = [("a", 0, 10, ["x", "y"]), ("b", 0, 10, "x")]
    assert gamma(rows).disagreement[0] == pytest.approx(0.5)


def test_a_rater_who_marked_nothing_counts():
    rows = [("a", 0, 10, "x"), ("b", None, None, None)]
    assert gamma(rows).disagreement[0] == pytest.approx(1 / 0.5)


def test_nothing_marked_is_undefined():
    assert gamma([("a", None, None, None), ("b", None, None, None)]).undefined == "no_variation"


def many_documents(count=20):
    random = np.random.default_rng(5)
    rows = []
    for number in range(count):
        for start in random.uniform(0, 200, 3).tolist():
            label = str(random.choice(list("abc")))
            rows.append(("ann", start, start + 8, label, number))
            if random.random() < 0.8:
                other = label if random.random() < 0.8 else "a"
                rows.append(("ben", start + random.normal(), start + 8, other, number))
            else:
                rows.append(("ben", None, None, None, number))
    return rows


def test_documents_add_up_and_give_an_interval():
    rows = many_documents()
    found = gamma(rows, resamples=500)
    observed = [gamma([row[:4] for row in rows if row[4] == number], samples=2) for number in range(20)]
    size = np.array([sum(row[1] is not None for row in rows if row[4] == number) for number in range(20)])
    expected = float(np.array([one.disagreement[0] for one in observed]) @ size) / size.sum()
    assert found.disagreement[0] == pytest.approx(expected)
    assert found.interval.low < found.value < found.interval.high
    assert found.details["samples"] == 40
    for other in (gamma_cat(rows, resamples=500), gamma_k(rows, "a", resamples=500)):
        assert other.interval.low < other.value < other.interval.high


def test_companions_in_details_are_the_functions():
    rows = many_documents(4)
    details = gamma(rows).details
    assert gamma_cat(rows).value == pytest.approx(details["gamma_cat"])
    assert gamma_k(rows, "b").value == pytest.approx(details["gamma_k"]["b"])


def test_skipping_units_aligned_with_nothing():
    """Two pairs of weights 1 and .84, the second with different labels, and one unit alone."""
    rows = [("a", 0, 10, "x"), ("b", 0, 10, "x"), ("a", 100, 110, "x"), ("b", 104, 114, "y"), ("a", 300, 310, "x")]
    assert gamma_cat(rows).disagreement[0] == pytest.approx((0.84 + 1) / (1 + 0.84 + 1))
    assert gamma_cat(rows, unaligned="skip").disagreement[0] == pytest.approx(0.84 / 1.84)


def test_categorical_weights_of_three_raters():
    """pygamma 0.5.9 gives 4/7 for a perfect triple and a unit alone, 4/9 for a triple and a pair, 2/3 if it differs."""
    triple = [(r, 0, 10, "a") for r in "ABC"]
    assert gamma_cat([*triple, ("A", 100, 110, "b")]).disagreement[0] == pytest.approx(4 / 7)
    pair = [("A", 100, 110, "b"), ("B", 100, 110, "b")]
    assert gamma_cat(triple + pair).disagreement[0] == pytest.approx(4 / 9)
    differs = [("A", 100, 110, "b"), ("B", 100, 110, "a")]
    assert gamma_cat(triple + differs).disagreement[0] == pytest.approx(2 / 3)
    assert gamma_k(triple + differs, "a").disagreement[0] == pytest.approx(4 / 7)


def test_seed_and_precision():
    rows = random_rows(1, raters=2)
    assert gamma(rows, seed=1).value == gamma(rows, seed=1).value
    assert gamma(rows, seed=1).value != gamma(rows, seed=2).value
    exact = gamma(rows, precision=0.01)
    assert exact.details["samples"] > 100
    assert 1.96 * exact.expected_error / exact.disagreement[1] < 0.012
    assert gamma(rows, samples=1000).expected_error < gamma(rows, samples=30).expected_error


def test_habits_count_one_gap_of_nothing():
    """DKPro StatisticalContinuumDisorderSamplerTest: gaps 0, 1, 5, 3; numbers 2 and 1; lengths 4."""
    marks = Marks(np.array([0, 0, 1]), np.array([1.0, 10, 3]), np.array([5.0, 14, 7]), np.array([0, 1, 0]), raters=2)
    habits = habits_of([marks], 0.0, 2)
    assert habits.gap == pytest.approx((2.25, np.sqrt(3.6875)))
    assert habits.length == pytest.approx((4.0, 0.0))
    assert habits.share.tolist() == pytest.approx([2 / 3, 1 / 3])


def test_random_continua_are_never_empty():
    marks = Marks(np.array([3]), np.zeros(1), np.ones(1), np.zeros(1, dtype=np.int64), raters=10)
    drawn = sample(marks, Habits((3.0, 0.5), (2.0, 0.25), np.ones(1)), 50, np.random.default_rng(0))
    assert min(len(one.rater) for one in drawn) >= 1


def test_random_continua_have_the_habits():
    marks = Marks(np.repeat(np.arange(2), 50), np.zeros(100), np.ones(100), np.zeros(100, dtype=np.int64), raters=2)
    habits = Habits((3.0, 0.5), (2.0, 0.25), np.array([0.2, 0.8]))
    drawn = list(sample(marks, habits, 200, np.random.default_rng(0)))
    assert len(drawn) == 200
    length = np.concatenate([one.end - one.start for one in drawn])
    label = np.concatenate([one.label for one in drawn])
    assert (length.mean(), length.std(), label.mean()) == pytest.approx((2.0, 0.25, 0.8), abs=0.02)
    assert all(np.bincount(one.rater).tolist() == [50, 50] for one in drawn)
    gaps = np.concatenate([(one.start[1:] - one.end[:-1])[one.rater[1:] == one.rater[:-1]] for one in drawn])
    assert (gaps.mean(), gaps.std()) == pytest.approx((3.0, 0.5), abs=0.02)


@pytest.mark.parametrize(
    "options", [{"samples": 1}, {"precision": 0.0}, {"alpha": -1}, {"delta_empty": 0}, {"sample": 30}, {"beta": "much"}]
)
def test_wrong_options_raise(options):
    with pytest.raises(UsageError):
        gamma(random_rows(1), **options)


def test_too_large_a_continuum_is_refused():
    rows = [(f"r{i % 2}", i, i + 1, "x") for i in range(5002)]
    found = gamma(rows)
    assert found.undefined == "not_applicable"
    assert "5,002 stretches" in found.reason


def test_units_too_close_together_for_many_raters_are_refused():
    found = gamma([(f"r{r}", 10 * i, 10 * i + 9, "x") for r in range(10) for i in range(8)])
    assert found.undefined == "not_applicable"
    assert "too close together for an exact alignment" in found.reason


def test_gamma_k_of_an_unknown_category():
    assert gamma_k(random_rows(1), "nobody").undefined == "not_applicable"
