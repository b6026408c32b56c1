"""Alpha where "nothing" is an answer: joint, on units where somebody marked something, and presence."""

import numpy as np
import pytest

import accord
from accord.coefficients.spec import COEFFICIENTS
from accord.errors import UsageError
from accord.inference.estimate import estimate
from accord.inference.influence import rater_influence, unit_influence
from accord.readers.arrays import from_matrix
from accord.similarity.metric import from_metric
from accord.values import EMPTY, Kind, Region, Span

ALPHA = COEFFICIENTS.catalog()["krippendorff_alpha"]


def mark(start, end, label="a"):
    return (Region(Span(start, end), frozenset([label])),)


ROWS = [
    [mark(0, 10), mark(0, 10), EMPTY],
    [mark(0, 8), mark(0, 10), mark(20, 30)],
    [mark(5, 9), EMPTY, mark(5, 9)],
    [EMPTY, EMPTY, EMPTY],
    [mark(30, 40, "b"), mark(30, 40), mark(30, 40)],
    [EMPTY, EMPTY, None],
]


def study(rows):
    from dataclasses import replace

    return replace(from_matrix(rows), kind=Kind.SPANS)


def measured(rows, reading, **more):
    answers = study(rows)
    return estimate(ALPHA, answers, from_metric(answers.values, "span_labels"), options={"empty": reading}, **more)


def test_marked_is_alpha_of_the_units_where_somebody_marked_something():
    kept = [row for row in ROWS if any(answer not in (EMPTY, None) for answer in row)]
    found, expected = measured(ROWS, "marked"), measured(kept, "joint")
    assert found.value == pytest.approx(expected.value)
    assert found.interval.low == pytest.approx(expected.interval.low)
    assert found.units == 4
    assert "empty:marked" in found.signature
    assert found.value != measured(ROWS, "joint").value


def test_presence_is_nominal_alpha_of_yes_and_no():
    answers = [[None if a is None else "no" if a is EMPTY else "yes" for a in row] for row in ROWS]
    found, expected = measured(ROWS, "presence"), accord.krippendorff_alpha(answers, level="nominal")
    assert (found.value, found.observed, found.expected) == pytest.approx(
        (expected.value, expected.observed, expected.expected)
    )


def test_units_where_nobody_marked_anything_leave_marked_as_it_is():
    more = [*ROWS, *[[EMPTY] * 3] * 25]
    assert measured(more, "marked").value == measured(ROWS, "marked").value
    assert measured(more, "joint").value > measured(ROWS, "joint").value


def test_the_public_function_takes_the_reading():
    rows = [[[], []], [["a"], ["a"]], [["a", "b"], ["b"]], [["b"], []], [[], []]]
    values = {r: accord.krippendorff_alpha(rows, similarity="jaccard", empty=r, ci=None).value
              for r in ("joint", "marked", "presence")}  # fmt: skip
    assert len(set(values.values())) == 3
    assert values["marked"] == accord.krippendorff_alpha(rows[1:4], similarity="jaccard", ci=None).value
    with pytest.raises(UsageError, match="joint, marked, presence"):
        accord.krippendorff_alpha(rows, similarity="jaccard", empty="both")


def test_answers_without_nothing_are_left_alone():
    rows = [["x", "x"], ["y", "x"], ["y", "y"]]
    plain = accord.krippendorff_alpha(rows, ci=None).value
    assert accord.krippendorff_alpha(rows, ci=None, empty="marked").value == plain
    assert accord.krippendorff_alpha(rows, ci=None, empty="presence").value == plain


def test_influence_and_clusters_follow():
    answers = study(ROWS)
    similarity = from_metric(answers.values, "span_labels")
    influence = unit_influence(ALPHA, answers, similarity, options={"empty": "marked"})
    kept = np.array([True, True, True, False, True, False])
    assert influence.shape == (6,)
    assert (influence[~kept] == 0).all()
    np.testing.assert_allclose(influence[kept], unit_influence(ALPHA, answers.where(kept), similarity))
    assert rater_influence(ALPHA, answers, similarity, options={"empty": "presence"}).shape == (3,)
    clusters = np.array([0, 0, 1, 1, 2, 2])
    grouped = estimate(ALPHA, answers, similarity, options={"empty": "marked"}, clusters=clusters)
    assert grouped.clusters == 3


def test_kappa_of_two_raters_with_matched_regions():
    """p_o and p_e of Cohen's rule, written out."""
    rows = [row[:2] for row in ROWS if row[1] is not None]
    answers = study(rows)
    score = from_metric(answers.values, "span_labels").dense()
    a, b = ([answers.values.index(row[k]) for row in rows] for k in (0, 1))
    observed = np.mean([score[i, j] for i, j in zip(a, b, strict=True)])
    expected = np.mean([[score[i, j] for j in b] for i in a])
    found = accord.cohen_kappa(answers, similarity="span_labels")
    assert (found.observed, found.expected) == pytest.approx((observed, expected))
    assert found.value == pytest.approx((observed - expected) / (1 - expected))
    assert found.interval.low < found.value < found.interval.high
