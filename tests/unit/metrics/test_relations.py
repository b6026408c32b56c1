"""Relations: edges between matched regions, and what is lost to regions and to the relations themselves."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import similarity
from accord.metrics.relations import RelationLoss, relation_loss
from accord.similarity.alias import default_metric
from accord.similarity.metric import from_metric
from accord.values import EMPTY, Box, KeyFrame, KeyPoint, Kind, Link, Mask, Raw, Region, Span, Track


def span(start, end, *labels):
    return Region(Span(start, end), frozenset(labels))


def relation(source, target, *labels, arrow="right", names=("s#0", "s#1")):
    return Region(Link(*names, arrow, (source, target)), frozenset(labels))


A, B, C = span(0, 10, "x"), span(20, 30, "y"), span(40, 50, "x")
NEAR_A, NEAR_B = span(1, 11, "x"), span(20, 28, "y")


def score(left, right, **options):
    return similarity("relation_match", tuple(left), tuple(right), **options)


def test_it_is_the_default():
    assert default_metric(Kind.RELATIONS) == "relation_match"


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([relation(A, B, "of")], [relation(NEAR_A, NEAR_B, "of")], 1.0),
        ([relation(A, B, "of")], [relation(A, B, "in")], 0.0),
        ([relation(A, B, "of")], [relation(A, B)], 0.0),
        ([relation(A, B, "of", "in")], [relation(A, B, "of")], 1 / 2),
        ([relation(A, B)], [relation(B, A)], 0.0),
        ([relation(A, B)], [relation(B, A, arrow="left")], 1.0),
        ([relation(A, B)], [relation(A, B, arrow="bi")], 1 / 2),
        ([relation(A, B, arrow="bi")], [relation(B, A, arrow="bi")], 1.0),
        ([relation(A, B), relation(B, C)], [relation(A, B), relation(A, C)], 1 / 3),
        ([relation(A, B)], [relation(A, span(60, 70, "y"))], 0.0),
    ],
)
def test_shared_edges_over_all_edges(left, right, expected):
    assert score(left, right) == pytest.approx(expected)
    assert score(right, left) == pytest.approx(expected)


def test_options_widen_what_counts_as_the_same_edge():
    one, other = [relation(A, B, "of"), relation(B, C, "in")], [relation(B, A, "of"), relation(B, C, "on")]
    assert score(one, other) == 0.0
    assert score(one, other, direction="ignore") == pytest.approx(1 / 3)
    assert score(one, other, edge_labels="ignore") == pytest.approx(1 / 3)
    assert score(one, other, direction="ignore", edge_labels="ignore") == 1.0
    assert score(one, other, direction="ignore", measure="f1") == pytest.approx(1 / 2)
    assert score([relation(A, B)], [relation(NEAR_A, NEAR_B)], min_overlap=0.85) == 0.0


def test_labels_decide_between_regions_that_both_fit():
    """Without labels the second region lies nearer."""
    one = [relation(span(0, 10, "x"), B)]
    other = [relation(span(0, 8, "x"), B), relation(span(0, 9, "z"), B, "of")]
    assert score(one, other) == pytest.approx(1 / 2)


def test_controls_are_matched_apart():
    link = Region(Link("other#0", "s#1", ends=(A, B)))
    assert score([relation(A, B)], [link]) == 0.0


def test_numbers_of_regions_do_not_matter():
    assert score([relation(A, B)], [relation(A, B, names=("s#7", "s#3"))]) == 1.0


def test_regions_of_every_kind_are_matched():
    box, near = Region(Box(0, 0, 10, 10)), Region(Box(1, 0, 10, 10))
    point, close = Region(KeyPoint(5, 5)), Region(KeyPoint(6, 5))
    track = Region(Track(8, (KeyFrame(1, Box(0, 0, 10, 10)),)))
    impossible = Region(Track(10**9, ()))
    assert score([relation(track, impossible)], [relation(track, impossible)]) == 1.0
    assert score([relation(track, track)], [relation(track, impossible)]) == 0.0
    raw, broken = Region(Raw('{"vertices":[]}')), Region(Mask("rle", b"\x00"))
    pairs = [(box, near), (point, close), (raw, raw), (broken, broken), (box, point), (raw, broken)]
    expected = [1, 1, 1, 1, 0, 0]
    assert [score([relation(a, A)], [relation(b, A)]) for a, b in pairs] == expected


def test_ends_without_region_match_by_name():
    lost = Region(Link("s#0", "gone", ends=(A, None)))
    assert score([lost], [lost]) == 1.0
    assert score([lost], [Region(Link("s#0", "lost", ends=(A, None)))]) == 0.0
    assert score([Region(Link("p", "q"))], [Region(Link("p", "q"))]) == 1.0


def test_nothing_equals_nothing_only():
    table = from_metric([EMPTY, (relation(A, B),), "text"], "relation_match").dense()
    np.testing.assert_array_equal(table[:2, :2], np.eye(2))
    assert np.isnan(table[1, 2])


def test_result_items_are_understood():
    def items(shift, arrow):
        spans = [
            {
                "id": str(k),
                "from_name": "s",
                "type": "labels",
                "value": {"start": k + shift, "end": k + 9, "labels": ["x"]},
            }
            for k in (0, 20)
        ]
        return [*spans, {"type": "relation", "from_id": "0", "to_id": "20", "direction": arrow, "labels": ["of"]}]

    assert similarity("relation_match", items(0, "right"), items(2, "right")) == 1.0
    assert similarity("relation_match", items(0, "right"), items(2, "left")) == 0.0


regions = st.builds(
    lambda s, w, label: span(s, s + w, label), st.integers(0, 6), st.integers(1, 4), st.sampled_from("xy")
)
answers = st.lists(
    st.builds(relation, regions, regions, st.sampled_from("pq"), arrow=st.sampled_from(["left", "right", "bi"])),
    min_size=1,
    max_size=3,
)


def brute(left, right):
    """Most shared edges over all best matchings of the regions, tried one by one."""

    def edges(answer):
        found = set()
        for r in answer:
            a, b = r.geometry.ends
            arrow = r.geometry.direction
            found |= {
                (s, t, *r.labels)
                for s, t in ((a, b), (b, a))
                if arrow == "bi" or (arrow == "left") == ((s, t) == (b, a))
            }
        return found

    one, other = edges(left), edges(right)
    nodes, partners = (sorted({n for e in side for n in e[:2]}, key=repr) for side in (one, other))
    partners += [None] * len(nodes)
    table = {
        (a, b): (similarity("span_labels", a, b), similarity("span_overlap", a, b))
        for a in nodes
        for b in partners
        if b
    }
    found = {}
    for order in permutations(range(len(partners)), len(nodes)):
        pairs = {
            a: partners[k] for a, k in zip(nodes, order, strict=True) if partners[k] and table[a, partners[k]][1] > 0
        }
        total = tuple(round(sum(table[pair][k] for pair in pairs.items()), 9) for k in (0, 1))
        shared = sum(
            (pairs.get(a, a), pairs.get(b, b), label) in other for a, b, label in one if a in pairs and b in pairs
        )
        found.setdefault(total, set()).add(shared / (len(one) + len(other) - shared))
    return found[max(found)]


@given(answers, answers)
@settings(max_examples=30, deadline=None)
def test_it_equals_trying_every_matching(left, right):
    nodes = [len({end for r in side for end in r.geometry.ends}) for side in (left, right)]
    if max(nodes) > 4 or any(r.geometry.ends[0] == r.geometry.ends[1] for r in left + right):
        return
    best = brute(left, right)
    assert min(best) - 1e-9 <= score(left, right) <= max(best) + 1e-9


def test_loss_tells_regions_from_relations():
    one = [relation(A, B, "of"), relation(B, C, "of"), relation(A, C, "of")]
    other = [relation(NEAR_A, NEAR_B, "of"), relation(NEAR_A, NEAR_B, "in")]
    assert relation_loss(tuple(one), tuple(other)) == RelationLoss(shared=1, region=2, relation=1)
    known = relation_loss(tuple(one), tuple(other), more=((), [("s", C)]))
    assert known == RelationLoss(shared=1, region=0, relation=3)
    assert known.score == pytest.approx(score(one, other))


def test_loss_against_an_answer_without_relations():
    one = (relation(A, B),)
    assert relation_loss(one, ()) == RelationLoss(0, 1, 0)
    assert relation_loss((), one, more=([("s", NEAR_A), ("s", B)], ())) == RelationLoss(0, 0, 1)
    assert relation_loss((), ()).score == 1.0


def test_an_edge_with_another_label_is_the_relation():
    assert relation_loss((relation(A, B, "p"),), (relation(A, B, "q"),)) == RelationLoss(0, 0, 2)
    assert relation_loss((relation(A, B, "p"),), (relation(A, B, "q"),), edge_labels="ignore") == RelationLoss(1, 0, 0)
