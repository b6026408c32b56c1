import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.metrics.clusters import region_clusters
from accord.metrics.detection import detection, losses
from accord.similarity.metric import compare_regions
from accord.values import Box, Region, Span


def span(start, end, *labels, **more):
    return Region(Span(start, end), frozenset(labels), **more)


def test_detection_over_several_answers():
    """Found: overlaps .8 and 1; one of three pairs has another label, one region is missing, two are extra."""
    first = compare_regions(
        "span_labels", (span(0, 10, "A"), span(20, 30, "A"), span(90, 99)), (span(0, 8, "A"), span(20, 30, "B"))
    )
    second = compare_regions("span_labels", (span(0, 4),), (span(0, 4), span(10, 12), span(20, 21)))
    scores = detection([first, second])
    assert (scores.found, scores.left, scores.right) == (2, 4, 5)
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx((2 / 5, 2 / 4, 4 / 9))
    assert scores.mean_overlap == pytest.approx(0.9)
    assert scores.panoptic_quality == pytest.approx(1.8 / (2 + 3 / 2 + 2 / 2))
    assert detection([first, second], threshold=0.8).found == 1, "the threshold must be exceeded"


def test_detection_of_nothing():
    empty = detection([compare_regions("span_overlap", (), ())])
    assert math.isnan(empty.precision)
    assert math.isnan(empty.panoptic_quality)
    nothing_found = detection([compare_regions("span_overlap", (span(0, 1),), (span(5, 6),))])
    assert (nothing_found.f1, nothing_found.panoptic_quality) == (0.0, 0.0)


def test_answers_that_cannot_be_compared_are_left_out():
    unknown = compare_regions("span_overlap", (span(0, 1),), (Region(Box(0, 0, 1, 1)),))
    assert unknown.score is None
    assert detection([unknown]).left == 0
    assert losses(unknown) == {}


def test_a_loss_is_split_by_kind():
    a = (span(0, 10, "A"), span(20, 30, "A"), span(40, 50, "A"), span(90, 99))
    b = (span(0, 8, "A"), span(20, 30, "B"), span(40, 50, "A", "B"))
    shares = losses(compare_regions("span_labels", a, b))
    assert shares == pytest.approx({"missing": 0.25, "extra": 0, "boundary": 0.05, "label": 0.375, "attribute": 0})
    text = losses(compare_regions("span_text", (span(0, 10, text="cat"),), (span(0, 5, text="cats"),)))
    assert text == pytest.approx({"missing": 0, "extra": 0, "boundary": 0.5, "label": 0, "attribute": 0.125})


spans = st.builds(
    lambda start, length, labels, text: Region(Span(start, start + length), labels, text=text),
    st.integers(0, 9),
    st.integers(0, 4),
    st.frozensets(st.sampled_from("ab")),
    st.sampled_from([None, "cat", "cats"]),
)
answers = st.lists(spans, max_size=4).map(tuple)


@given(
    answers,
    answers,
    st.sampled_from(["span_overlap", "span_labels", "span_text"]),
    st.sampled_from(["gate", "average"]),
)
def test_the_shares_add_up_to_the_loss(a, b, metric, combine):
    options = {} if metric == "span_overlap" else {"combine": combine}
    comparison = compare_regions(metric, a, b, **options)
    if comparison.score is not None:
        shares = losses(comparison)
        assert sum(shares.values()) == pytest.approx(1 - comparison.score)
        assert min(shares.values()) >= 0


def clustered(*answers):
    pairs = [(i, j) for j in range(len(answers)) for i in range(j)]
    comparisons = {(i, j): compare_regions("span_overlap", answers[i], answers[j]) for i, j in pairs}
    return region_clusters([len(answer) for answer in answers], comparisons)


def test_clusters_of_three_raters():
    a, b, c = (span(0, 10), span(50, 60)), (span(51, 60),), (span(1, 10), span(52, 60), span(90, 91))
    assert clustered(a, b, c) == (((0, 0), (2, 0)), ((0, 1), (1, 0), (2, 1)), ((2, 2),))


def test_a_cluster_holds_one_region_of_a_rater():
    """The middle region meets both of the first rater's; the better match wins."""
    a, b, c = (span(0, 10), span(8, 20)), (span(2, 18),), (span(0, 11),)
    clusters = clustered(a, b, c)
    for members in clusters:
        assert len({answer for answer, _ in members}) == len(members)
    assert sorted(place for members in clusters for place in members) == [(0, 0), (0, 1), (1, 0), (2, 0)]
    assert ((0, 0), (2, 0)) in clusters
