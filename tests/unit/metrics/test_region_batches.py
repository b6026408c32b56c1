"""Batches of region answers against every assignment tried in plain Python, and large answers against a grid."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.matching import SMALL, choose_edges
from accord.metrics.overlapping import overlapping
from accord.metrics.ragged import REGION_PAIRS, blocks
from accord.metrics.spec import METRICS
from accord.similarity.metric import compare_regions, similarity
from accord.values import Box, Region, Span

places = st.integers(0, 9).map(float)
names = st.frozensets(st.sampled_from("ab"), max_size=2)
spans = st.builds(lambda start, length: Span(start, start + length), places, st.integers(0, 5).map(float))
boxes = st.builds(Box, places, places, places, places)


def answers(geometry, most):
    return st.lists(st.builds(Region, geometry, names), max_size=most).map(tuple)


def span_iou(a, b):
    common = max(0.0, min(a.end, b.end) - max(a.start, b.start))
    total = (a.end - a.start) + (b.end - b.start) - common
    return common / total if total else float(a == b)


def box_iou(a, b):
    width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    common = max(width, 0.0) * max(height, 0.0)
    total = a.width * a.height + b.width * b.height - common
    return common / total if total else (1.0 if a == b else math.nan)


def label_jaccard(a, b):
    return len(a & b) / len(a | b) if a | b else 1.0


def brute_force(left, right, overlap, min_overlap=0.0):
    """Score by the words of the rule: best total over all assignments, then total geometry, then number of pairs."""
    if not left or not right:
        return float(len(left) == len(right))
    if len(left) > len(right):
        left, right = right, left
    geometry = [[overlap(a.geometry, b.geometry) for b in right] for a in left]
    if all(math.isnan(g) for row in geometry for g in row):
        return math.nan
    best = (-1.0, -1.0, -1)
    for order in permutations(range(len(right)), len(left)):
        used = [(i, j) for i, j in enumerate(order) if geometry[i][j] > min_overlap]
        alike = [geometry[i][j] * label_jaccard(left[i].labels, right[j].labels) for i, j in used]
        found = (round(sum(alike), 9), round(sum(geometry[i][j] for i, j in used), 9), len(used))
        best = max(best, found)
    return best[0] / (len(left) + len(right) - best[2])


def all_scores(key, pool, **options):
    spec = METRICS.catalog()[key]
    checked = spec.checked(options)
    i, j = (side.ravel() for side in np.indices((len(pool), len(pool))))
    return spec.pairs(spec.prepared(pool, checked), i, j, checked).reshape(len(pool), -1)


@given(st.lists(answers(spans, 5), min_size=1, max_size=6), st.sampled_from([0.0, 0.3]))
def test_spans_in_batches_are_matched_as_the_rule_says(pool, least):
    expected = [[brute_force(a, b, span_iou, least) for b in pool] for a in pool]
    np.testing.assert_allclose(all_scores("span_labels", pool, min_overlap=least), expected, atol=1e-8)


@given(st.lists(answers(boxes, 4), min_size=1, max_size=5))
def test_boxes_in_batches_are_matched_as_the_rule_says(pool):
    expected = [[brute_force(a, b, box_iou) for b in pool] for a in pool]
    np.testing.assert_allclose(all_scores("box_labels", pool), expected, atol=1e-8)


@pytest.mark.parametrize("key", ["box_labels", "span_labels"])
@pytest.mark.parametrize("matching", ["optimal", "greedy", "last"])
def test_a_pair_scores_the_same_alone_and_in_a_batch(key, matching):
    rng = np.random.default_rng(7)

    def region():
        x, y, w, h = rng.integers(0, 12, 4).tolist()
        geometry = Box(x, y, w, h, float(rng.choice([0, 0, 30])), (40, 20)) if key == "box_labels" else Span(x, x + w)
        return Region(geometry, frozenset(rng.choice(["a", "b", "c"], rng.integers(0, 3)).tolist()))

    pool = [tuple(region() for _ in range(rng.integers(0, 12))) for _ in range(25)]
    table = all_scores(key, pool, matching=matching)
    for i, a in enumerate(pool):
        for j, b in enumerate(pool):
            alone = compare_regions(key, a, b, matching=matching)
            score = math.nan if alone.score is None else alone.score
            assert table[i, j] == pytest.approx(score, abs=1e-12, nan_ok=True)
            if matching != "last":
                assert len(alone.matched) + len(alone.missing) == len(a)


def test_a_large_answer_is_compared_only_where_regions_meet():
    side = int(REGION_PAIRS**0.5) // 10 + 2
    grid = [Box(10.0 * (k % side), 10.0 * (k // side), 8.0, 8.0) for k in range(10 * side)]
    a = tuple(Region(box) for box in grid)
    b = tuple(Region(Box(box.x + 4.0, box.y, 8.0, 8.0)) for box in reversed(grid[: 9 * side]))
    assert len(a) * len(b) > REGION_PAIRS
    assert similarity("box_iou", a, b) == pytest.approx(len(b) / 3 / len(a))
    comparison = compare_regions("box_iou", a, b)
    assert [pair.right for pair in comparison.matched] == list(range(len(b)))[::-1]
    assert comparison.missing == tuple(range(9 * side, 10 * side))
    far = tuple(Region(Box(box.x, -box.y - 9.0, 8.0, 8.0)) for box in grid)
    assert similarity("box_iou", a, far) == 0.0
    points = tuple(Region(Box(box.x, box.y, 0.0, 0.0)) for box in grid)
    shifted = tuple(Region(Box(box.x + 5.0, box.y, 0.0, 0.0)) for box in grid)
    assert similarity("box_iou", points, shifted) is None, "nothing has an area"


def test_large_span_answers_of_several_axes():
    a = tuple(Region(Span(3.0 * k, 3.0 * k + 2.0, "left" if k % 2 else "right")) for k in range(400))
    b = tuple(Region(Span(3.0 * k, 3.0 * k + 1.0, "left")) for k in range(400))
    assert similarity("span_overlap", a, b) == pytest.approx(200 * 0.5 / 600)


rectangles = st.lists(st.tuples(places, places, places, st.sampled_from([0.0, 1.0, 9.0, math.nan])), max_size=12)


@given(rectangles, rectangles)
def test_all_rectangles_that_meet_are_found_once_and_in_order(left, right):
    a, b = (
        np.array([(x, y, x + w, y + h) for x, y, w, h in side], dtype=float).reshape(-1, 4).T for side in (left, right)
    )
    apart = (a[2][:, None] < b[0]) | (b[2] < a[0][:, None]) | (a[3][:, None] < b[1]) | (b[3] < a[1][:, None])
    unknown = np.isnan(a[3])[:, None] | np.isnan(b[3])
    i, j = np.nonzero(~apart & ~unknown)
    found = overlapping(a, b)
    assert (found[0].tolist(), found[1].tolist()) == (i.tolist(), j.tolist())


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from([2, SMALL, SMALL + 1, 12]))
def test_graphs_side_by_side_are_matched_as_if_alone(seed, most):
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(seed)
    left, right, weight, best = [], [], [], 0.0
    for graph in range(4):
        n, m = rng.integers(1, most + 1, 2)
        table = rng.random((n, m)) * (rng.random((n, m)) < rng.random())
        rows, columns = np.nonzero(table)
        left.append(rows + 20 * graph)
        right.append(columns + 20 * graph)
        weight.append(table[rows, columns])
        best += table[linear_sum_assignment(table, maximize=True)].sum()
    left, right, weight = map(np.concatenate, (left, right, weight))
    chosen = choose_edges(left, right, weight)
    assert weight[chosen].sum() == pytest.approx(best)
    assert len(set(left[chosen].tolist())) == len(set(right[chosen].tolist())) == chosen.sum()


def test_wide_tangles_are_matched_in_memory_of_their_edges(monkeypatch):
    rng = np.random.default_rng(3)
    left, right = np.repeat(np.arange(60), 3), rng.integers(0, 60, 180)
    pairs = np.unique(np.column_stack((left, right)), axis=0)
    weight = rng.random(len(pairs))
    dense = choose_edges(pairs[:, 0], pairs[:, 1], weight)
    monkeypatch.setattr("accord.matching.DENSE_CELLS", 0)
    np.testing.assert_array_equal(choose_edges(pairs[:, 0], pairs[:, 1], weight), dense)


def test_blocks_keep_to_the_limit_and_lose_nothing():
    sizes = np.array([0, 3, 4, 0, 20, 1, 1, 0])
    cut = list(blocks(sizes, 7))
    assert [(block.start, block.stop) for block in cut] == [(0, 4), (4, 5), (5, 8)]
    assert list(blocks(np.empty(0, dtype=int))) == []
