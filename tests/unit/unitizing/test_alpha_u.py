"""Unitizing alpha: laws, brute force, several continua, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accord.coefficients.spec import COEFFICIENTS
from accord.errors import UsageError
from accord.inference.estimate import estimate
from accord.measures import alpha_u
from accord.readers.arrays import from_matrix
from accord.similarity.core import Identity
from accord.study import Study
from accord.values import EMPTY, Frames, Kind, Region, Span

LENGTH = 30


@st.composite
def continua(draw, raters=(2, 3), labels="xy"):
    """Rows of units that do not overlap; every rater has a row."""
    rows = []
    for rater in range(draw(st.integers(*raters))):
        rows.append((f"r{rater}", None, None, None))
        for label in labels:
            cuts = draw(st.lists(st.integers(0, LENGTH), max_size=6, unique=True))
            cuts = sorted(cuts)[: len(cuts) // 2 * 2]
            rows += [(f"r{rater}", a, b, label) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    return rows


def sections(rows, rater, label):
    """(start, length, marked) of one rater in one category."""
    units = sorted((a, b) for r, a, b, name in rows if r == rater and name == label and a is not None)
    found, place = [], 0
    for a, b in units:
        if a > place:
            found.append((place, a - place, 0))
        found.append((a, b - a, 1))
        place = b
    if place < LENGTH:
        found.append((place, LENGTH - place, 0))
    return found


def difference(one, other):
    (b, n, v), (c, m, w) = one, other
    if v and w and -n < b - c < m:
        return (b - c) ** 2 + (b + n - c - m) ** 2
    if v and not w and m - n >= b - c >= 0:
        return n**2
    if w and not v and n - m >= c - b >= 0:
        return m**2
    return 0


def brute_force(rows):
    """Both disagreements, straight from the definitions (Krippendorff 2004)."""
    raters, labels = sorted({r for r, *_ in rows}), sorted({name for *_, name in rows if name is not None})
    m, d_o, d_e = len(raters), 0.0, 0.0
    for label in labels:
        lines = [sections(rows, rater, label) for rater in raters]
        pairs = [(i, j) for i in range(m) for j in range(m) if i != j]
        d_o += sum(difference(g, h) for i, j in pairs for g in lines[i] for h in lines[j]) / (m * (m - 1) * LENGTH**2)
        units = [n for line in lines for _, n, v in line if v]
        gaps = [n for line in lines for _, n, v in line if not v]
        chance = sum(
            (len(units) - 1) / 3 * (2 * n**3 - 3 * n**2 + n) + n**2 * sum(g - n + 1 for g in gaps if g >= n)
            for n in units
        )
        d_e += 2 / LENGTH * chance / (m * LENGTH * (m * LENGTH - 1) - sum(n * (n - 1) for n in units))
    return d_o, d_e


@given(rows=continua())
def test_equals_the_definition(rows):
    expected = brute_force(rows)
    assume(expected[1] > 0)
    found = alpha_u(rows, length=LENGTH)
    assert found.disagreement == pytest.approx(expected)
    assert found.value == pytest.approx(1 - expected[0] / expected[1])


@given(rows=continua(), shift=st.integers(-100, 10**9))
def test_moving_the_continuum_changes_nothing(rows, shift):
    moved = [(r, None if a is None else a + shift, None if a is None else b + shift, name) for r, a, b, name in rows]
    assert alpha_u(moved, start=shift, length=LENGTH).value == pytest.approx(
        alpha_u(rows, length=LENGTH).value, nan_ok=True, abs=1e-6
    )


@given(rows=continua(), scale=st.sampled_from([0.001, 0.5, 60.0]))
def test_other_units_of_length_change_nothing(rows, scale):
    other = [(r, None if a is None else a * scale, None if a is None else b * scale, name) for r, a, b, name in rows]
    assert alpha_u(other, length=LENGTH * scale, step=0).value == pytest.approx(
        alpha_u(rows, length=LENGTH, step=0).value, nan_ok=True, abs=1e-6
    )


@given(rows=continua(), order=st.permutations(range(3)))
def test_raters_are_interchangeable(rows, order):
    named = [(f"r{order[int(r[1])]}", a, b, name) for r, a, b, name in rows]
    assert alpha_u(named[::-1], length=LENGTH).value == pytest.approx(
        alpha_u(rows, length=LENGTH).value, nan_ok=True, abs=1e-9
    )


@given(rows=continua(raters=(2, 2)))
def test_identical_raters_agree(rows):
    mine = [("r0", *rest) for r, *rest in rows if r == "r0"]
    assume(any(a is not None for _, a, _, _ in mine))
    found = alpha_u(mine + [("r1", *rest) for _, *rest in mine], length=LENGTH)
    assert (found.value, found.disagreement[0]) == (1.0, 0.0)


@given(one=continua(raters=(2, 2)), other=continua(raters=(2, 2)))
def test_documents_add_up(one, other):
    """Sums of squared differences, observed and expected, over documents of equal length."""
    both = [(*row, "d1") for row in one] + [(*row, "d2") for row in other]
    parts = [brute_force(one), brute_force(other)]
    assume(sum(d_e for _, d_e in parts) > 0)
    found = alpha_u(both, length=LENGTH)
    assert found.disagreement == pytest.approx([sum(d) / 2 for d in zip(*parts, strict=True)])
    assert found.units == 2


def documents(count=12, seed=1):
    random = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        for start in random.choice(np.arange(0, 100, 10), 4, replace=False).tolist():
            shift = random.integers(-2, 3, 2)
            rows.append(("ann", start + 2, start + 6, "x", f"d{number}"))
            rows.append(("ben", start + 2 + int(shift[0]), start + 6 + int(shift[1]), "x", f"d{number}"))
    return rows


def test_several_documents_have_an_interval():
    found = alpha_u(documents(), length=110)
    assert found.interval.method == "bca"
    assert found.interval.low < found.value < found.interval.high <= 1
    assert found.se > 0
    jackknife = alpha_u(documents(), length=110, interval="jackknife")
    assert jackknife.se == pytest.approx(found.se, rel=0.5)
    assert alpha_u(documents(), length=110, cluster=[i // 2 for i in range(12)]).clusters == 6


def test_leaving_a_document_out_is_total_minus_row():
    rows = documents()
    spec = COEFFICIENTS.catalog()["alpha_u"]
    options = {name: option.default for name, option in spec.options.items()} | {"length": 110.0}
    from accord.measures.segment_rows import as_segments

    study = as_segments(rows)
    tally = spec.tally(study, Identity(study.V), options)
    rest = spec.finish(tally.totals() - tally.rows[:1], tally.context)
    assert rest.value[0] == pytest.approx(alpha_u([row for row in rows if row[4] != "d0"], length=110).value)


def test_one_continuum_has_no_interval():
    found = alpha_u([("a", 0, 5, "x"), ("b", 0, 4, "x")], length=20)
    assert found.interval is None
    assert any("no interval" in note for note in found.notes)


def test_without_a_length_the_last_unit_ends_the_continuum():
    rows = [("a", 0, 5, "x"), ("a", 9, 12, "x"), ("b", 0, 4, "x")]
    found = alpha_u(rows)
    assert found.value == alpha_u(rows, length=12).value
    assert any("No length was given" in note for note in found.notes)


def test_lengths_by_document():
    rows = documents(3)
    assert alpha_u(rows, length={f"d{i}": 110 for i in range(3)}).value == alpha_u(rows, length=110).value
    found = alpha_u(rows, length={"d0": 110, "d1": 110})
    assert (found.undefined, found.reason) == ("not_applicable", "no length is given for unit 'd2'")
    assert "length:3 given, 330 together" in alpha_u(rows, length={f"d{i}": 110 for i in range(3)}).signature


def test_units_outside_the_continuum_are_refused():
    found = alpha_u([("a", 0, 5, "x"), ("b", 3, 25, "x")], length=20)
    assert found.undefined == "not_applicable"
    assert "from 3 to 25, outside its continuum from 0 to 20" in found.reason


def test_overlaps_are_refused_or_merged():
    rows = [("a", 0, 5, "x"), ("a", 3, 8, "x"), ("a", 8, 9, "x"), ("b", 0, 8, "x"), ("b", 8, 9, "x")]
    assert "1 stretches overlap" in alpha_u(rows, length=20).reason
    merged = alpha_u(rows, length=20, overlaps="merge")
    assert merged.value == 1.0
    assert any("united" in note for note in merged.notes)


def test_fractions_have_no_smallest_step():
    rows = [("a", 0.5, 5.25, "x"), ("b", 0, 4, "x")]
    found = alpha_u(rows, length=20)
    assert found.value == alpha_u(rows, length=20, step=0).value != alpha_u(rows, length=20, step=1).value
    assert any("without smallest step" in note for note in found.notes)


def test_a_unit_with_two_labels_counts_in_both():
    rows = [("a", 0, 5, ["x", "y"]), ("b", 0, 4, "x"), ("b", 0, 3, "y")]
    apart = [("a", 0, 5, "x"), ("a", 0, 5, "y"), *rows[1:]]
    assert alpha_u(rows, length=20).value == alpha_u(apart, length=20).value


def test_a_rater_alone_in_a_document_adds_nothing():
    rows = documents(3)
    assert alpha_u([*rows, ("ann", 0, 50, "x", "alone")], length=110).value == alpha_u(rows, length=110).value


def study(*answers):
    values = list(dict.fromkeys(answers))
    return Study(
        unit=np.zeros(len(answers), dtype=np.int32),
        rater=np.arange(len(answers), dtype=np.int32),
        code=np.array([values.index(answer) for answer in answers], dtype=np.int32),
        values=tuple(values),
        unit_names=["u"],
        rater_names=[f"r{i}" for i in range(len(answers))],
        kind=Kind.SPANS,
    )


def test_axes_are_continua_of_their_own():
    left, right = Region(Span(0, 4)), Region(Span(0, 4, "right"))
    same = alpha_u(study((left, right), (left, right)), length=20)
    apart = alpha_u(study((left,), (right,)), length=20)
    assert same.value == 1.0
    assert apart.value < 0
    assert math.isclose(apart.disagreement[0], 2 * 16 / (2 * 400))


def test_frames_are_inclusive():
    frames = Region(Frames(((1, 4), (8, 9))))
    spans = (Region(Span(1, 5)), Region(Span(8, 10)))
    assert alpha_u(study((frames,), spans), length=20).value == 1.0


def test_other_answers_are_refused():
    found = estimate(COEFFICIENTS.catalog()["alpha_u"], from_matrix([["a", "b"]]), Identity(2))
    assert found.undefined == "not_applicable"
    assert "stretches of a continuum" in found.reason
    assert alpha_u(study((Region(Span(5, math.nan)),), EMPTY)).undefined == "not_applicable"


def test_one_rater():
    assert alpha_u([("a", 0, 5, "x")], length=9).undefined == "one_rater"


def test_unknown_options_raise():
    with pytest.raises(UsageError, match="overlap"):
        alpha_u(documents(2), overlap="merge")


@pytest.mark.parametrize(
    "options",
    [{"length": "long"}, {"length": -3}, {"length": math.nan}, {"step": -1}, {"step": "no"}, {"start": math.inf}],
)
def test_wrong_numbers_raise(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        alpha_u(documents(2), **options)
