"""Alpha whose chance comes from the unit itself: observed and expected agreement by enumeration and by simulation."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

import accord
from accord.coefficients.alpha_placed import MOST_PAIRS
from accord.coefficients.spec import COEFFICIENTS
from accord.inference.estimate import estimate
from accord.inference.influence import unit_influence
from accord.metrics.placing import movable, reach_of
from accord.readers.arrays import from_matrix
from accord.similarity.metric import from_metric
from accord.values import (  # fmt: skip
    EMPTY,
    Box,
    Ellipse,
    Frames,
    KeyFrame,
    KeyPoint,
    Kind,
    Mask,
    Polygon,
    Raw,
    Region,
    Span,
    Track,
    Vector,
)

ALPHA = COEFFICIENTS.catalog()["krippendorff_alpha"]


def marks(*geometries, label="a"):
    return tuple(Region(geometry, frozenset([label])) for geometry in geometries)


def spans(*pairs, label="a"):
    return marks(*(Span(*pair) for pair in pairs), label=label)


def study(rows, kind=Kind.SPANS):
    return replace(from_matrix(rows), kind=kind)


def measured(rows, metric="span_labels", kind=Kind.SPANS, *, seed=0, **options):
    answers = study(rows, kind)
    similarity = from_metric(answers.values, metric, seed=seed)
    return estimate(ALPHA, answers, similarity, options={"chance": "within", **options})


def overlap(a, b):
    shared = max(0, min(a[1], b[1]) - max(a[0], b[0]))
    return shared / (a[1] - a[0] + b[1] - b[0] - shared)


def matched(left, right):
    """Score of two sets of spans: best assignment over all orders, written out."""
    if not left or not right:
        return float(not left and not right)
    longer, shorter = sorted((left, right), key=len, reverse=True)
    best = 0.0, 0.0
    for order in permutations(longer, len(shorter)):
        scores = [overlap(a, b) for a, b in zip(order, shorter, strict=True)]
        total = sum(scores), sum(score > 0 for score in scores)
        best = max(best, total)
    return best[0] / (len(left) + len(right) - best[1])


def everywhere(lengths, reach):
    return [
        [(start, start + size) for start, size in zip(starts, lengths, strict=True)]
        for starts in product(*(range(reach - size + 1) for size in lengths))
    ]


UNITS = [
    ([(0, 3)], [(1, 4)], 8),
    ([(2, 6)], [(2, 6)], 9),
    ([(0, 2), (5, 8)], [(0, 3)], 8),
    ([(1, 3)], [], 5),
    ([], [], 0),
]


def test_observed_and_expected_by_enumeration():
    """Every place that the spans of a unit could have, all pairs of places scored."""
    rows, observed, expected = [], [], []
    for left, right, reach in UNITS:
        end = [(reach - 1, reach)]
        third = [*end] if reach else []
        answers = [left, right, third]
        rows.append([spans(*a) if a else EMPTY for a in answers])
        for a, b in ((left, right), (left, third), (right, third)):
            observed.append(matched(a, b))
            places = [everywhere([y - x for x, y in part], reach) if part else [[]] for part in (a, b)]
            expected.append(np.mean([matched(p, q) for p in places[0] for q in places[1]]))
    found = measured(rows)
    assert found.observed == pytest.approx(np.mean(observed), abs=1e-12)
    assert 0 < found.expected_error < 0.01
    assert found.expected == pytest.approx(np.mean(expected), abs=4 * found.expected_error)
    assert found.value == pytest.approx((found.observed - found.expected) / (1 - found.expected))
    assert "|chance:within|" in found.signature


def test_expected_of_turned_boxes_by_simulation():
    """Boxes at uniform places, scored one pair at a time."""
    a, b = Box(10, 10, 40, 30), Box(20, 15, 50, 50, 30.0, (400, 300))
    rows = [[marks(a), marks(b)]] * 2
    found = measured(rows, "box_labels", Kind.BOXES)
    rng = np.random.default_rng(5)
    corner = np.radians(30.0)
    ring = np.array([(0, 0), (50 * 4, 0), (50 * 4, 50 * 3), (0, 50 * 3)], dtype=float)
    turn = np.array([[np.cos(corner), np.sin(corner)], [-np.sin(corner), np.cos(corner)]])
    ring = ring @ turn / (4, 3)
    low, high = ring.min(axis=0), ring.max(axis=0)
    scores = []
    for _ in range(1500):
        x, y = rng.uniform(0, (100 - 40, 100 - 30))
        p, q = rng.uniform(-low, 100 - high)
        scores.append(
            accord.similarity("box_iou", marks(Box(x, y, 40, 30)), marks(Box(p, q, 50, 50, 30.0, (400, 300))))
        )
    error = np.std(scores) / np.sqrt(len(scores))
    assert found.expected == pytest.approx(np.mean(scores), abs=4 * np.hypot(error, found.expected_error))
    assert found.observed == pytest.approx(accord.similarity("box_iou", marks(a), marks(b)))


MOVABLE = {
    "span": Span(3, 9, "left"),
    "seconds": Span(0.5, 2.25),
    "frames": Frames(((4, 6), (9, 9))),
    "box": Box(80, 5, 15, 20),
    "turned box": Box(50, 40, 20, 10, 70.0, (300, 200)),
    "ellipse": Ellipse(50, 20, 10, 5, 33.0, (300, 200)),
    "polygon": Polygon(((1, 1), (9, 1), (5, 8)), rings=(((3, 2), (5, 2), (4, 4)),)),
    "point": KeyPoint(3, 99),
    "line": Vector((((1, 1), (5, 5)), ((5, 5), (9, 2)))),
    "track": Track(40, (KeyFrame(3, Box(1, 1, 5, 5)), KeyFrame(9, Box(80, 70, 5, 5), enabled=False))),
    "mask": Mask("rle", bytes([0, 0, 0, 16, 57, 27, 252, 96, 19, 255, 198, 0]), (4, 1)),
}


@pytest.mark.parametrize("name", MOVABLE)
def test_regions_keep_their_shape_and_stay_where_they_could_lie(name):
    geometry = MOVABLE[name]
    value = marks(geometry)
    (part,) = movable(value, 40.0)
    chance = np.random.default_rng(0).random((len(part.sides), 200))
    chance[:, :2] = 0.0, 1.0 - 1e-12
    moved = part.anew(chance)
    assert len(set(moved)) > 1
    for region in moved:
        assert region.labels == frozenset("a")
        (again,) = movable((region,), 40.0)
        for side, before in zip(again.sides, part.sides, strict=True):
            assert side.high - side.low == pytest.approx(before.high - before.low, abs=1e-9)
            assert before.first - 1e-9 <= side.low
            assert side.high <= before.last + 1e-9
    for side, index in zip(movable((moved[0],), 40.0)[0].sides, range(3), strict=False):
        assert side.low == pytest.approx(part.sides[index].first)
    for side in movable((moved[1],), 40.0)[0].sides:
        assert side.high == pytest.approx(side.last)
    assert reach_of(tuple(moved)) <= 40


def test_what_fills_its_side_stays():
    (part,) = movable(marks(Box(-5, 10, 120, 20)), 0.0)
    assert {region.geometry.x for region in part.anew(np.random.default_rng(0).random((2, 50)))} == {-5}


NOTHING = [
    Frames(()),
    Vector(()),
    Polygon(()),
    Track(5, ()),
    Mask("rle", bytes([0, 0, 0, 4, 57, 27, 252, 96, 0]), (1, 1)),
]


@pytest.mark.parametrize("geometry", NOTHING, ids=lambda geometry: type(geometry).__name__)
def test_what_has_no_extent_stays(geometry):
    (part,) = movable(marks(geometry), 9.0)
    assert part.anew(np.empty((0, 3))) == list(marks(geometry)) * 3


@pytest.mark.parametrize("geometry", [Raw("{}"), Mask("rle", b"", (4, 1)), Mask("png", b"x", None)])
def test_what_cannot_be_moved(geometry):
    assert movable(marks(geometry), 10.0) is None
    found = measured([[marks(geometry), marks(geometry)]] * 2, "exact_match", Kind.TRACKS)
    assert found.undefined == "not_applicable"
    assert "random places" in found.reason


def test_one_broken_mask_is_left_out_and_counted():
    good, bad = MOVABLE["mask"], Mask("rle", b"\0", (4, 1))
    rows = [[marks(good), marks(good)], [marks(good), marks(bad)], [marks(good), marks(good)]]
    found = measured(rows, "brush_labels", Kind.MASKS)
    assert found.undefined is None
    assert found.skipped == 1


def test_answers_that_are_no_regions_are_refused():
    found = accord.krippendorff_alpha([["x", "y"], ["y", "y"]], chance="within")
    assert found.undefined == "not_applicable"
    assert "random places" in found.reason


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr("accord.coefficients.alpha_placed.MOST_PAIRS", 2)
    found = measured([[spans((0, 3)), spans((1, 3))]] * 3)
    assert (found.undefined, MOST_PAIRS) == ("not_applicable", 200_000)
    assert "3 pairs are more than 2" in found.reason


ROWS = [
    [spans((0, 3)), spans((1, 4)), EMPTY],
    [spans((5, 9)), spans((5, 9)), spans((5, 8))],
    [spans((2, 4), (6, 9)), spans((2, 4)), spans((7, 9))],
    [EMPTY, EMPTY, EMPTY],
    [spans((0, 12)), spans((0, 9)), spans((3, 12))],
]


def test_rows_add_up_over_units():
    whole = study(ROWS)
    similarity = from_metric(whole.values, "span_labels")
    options = {"chance": "within", "empty": "joint"}
    every = ALPHA.tally(whole, similarity, options).totals()
    parts = [ALPHA.tally(whole.where(np.arange(5) == unit), similarity, options).totals() for unit in range(5)]
    np.testing.assert_allclose(sum(parts), every, rtol=1e-12)


def test_the_order_of_raters_units_and_regions_does_not_matter():
    first = measured(ROWS)
    other = [[row[k] and row[k][::-1] if row[k] is not EMPTY else EMPTY for k in (2, 0, 1)] for row in ROWS[::-1]]
    second = measured(other)
    assert second.value == pytest.approx(first.value, abs=3 * first.expected_error)
    again = measured([[row[k] for k in (2, 0, 1)] for row in ROWS[::-1]])
    assert (again.observed, again.expected) == pytest.approx((first.observed, first.expected), abs=1e-12)
    assert measured(ROWS).value == first.value
    assert measured(ROWS, seed=1).value != first.value


def test_one_unit_has_a_value_and_no_interval():
    found = measured([[spans((0, 3)), spans((1, 4)), spans((5, 9))]])
    assert found.undefined is None
    assert found.interval is None


def test_units_where_nobody_marked_anything():
    """They agree, and chance cannot have made them disagree: 1 is both observed and expected."""
    some, more = measured(ROWS), measured([*ROWS, [EMPTY] * 3, [EMPTY] * 3])
    assert more.value == pytest.approx(some.value, abs=1e-9)
    assert more.expected > some.expected
    assert measured(ROWS, empty="marked").value == pytest.approx(some.value, abs=1e-9)
    assert measured([[EMPTY, EMPTY], [EMPTY, EMPTY]]).undefined == "not_applicable"


def test_presence_has_no_places():
    assert measured(ROWS, empty="presence").undefined == "not_applicable"


def test_the_error_is_that_of_the_draws():
    """Over seeds the expected agreement scatters as much as its error says."""
    found = [measured(ROWS, seed=seed) for seed in range(24)]
    scatter = np.std([one.expected for one in found], ddof=1)
    assert scatter == pytest.approx(np.mean([one.expected_error for one in found]), rel=0.5)


@pytest.mark.parametrize("interval", ["score", "analytic", "bootstrap", "bca", "jackknife"])
def test_intervals(interval):
    answers = study(ROWS * 4)
    similarity = from_metric(answers.values, "span_labels")
    found = estimate(ALPHA, answers, similarity, options={"chance": "within"}, interval=interval, resamples=400)
    assert found.interval.low < found.value < found.interval.high
    plain = estimate(ALPHA, answers, similarity, options={"chance": "within"}, interval="jackknife")
    assert found.se == pytest.approx(plain.se, rel=0.25)


def test_influence_is_the_value_minus_the_value_without():
    answers = study(ROWS)
    similarity = from_metric(answers.values, "span_labels")
    options = {"chance": "within"}
    value = estimate(ALPHA, answers, similarity, options=options).value
    for unit, found in enumerate(unit_influence(ALPHA, answers, similarity, options=options)):
        rest = estimate(ALPHA, answers.where(np.arange(5) != unit), similarity, options=options).value
        assert found == pytest.approx(value - rest, abs=1e-9)
