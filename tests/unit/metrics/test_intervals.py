import pytest

from accord.similarity.metric import similarity
from accord.values import Box, Frames, Region, Span


def test_equal_instants_agree_and_others_do_not():
    assert similarity("span_overlap", Span(3, 3), Span(3, 3)) == 1.0
    assert similarity("span_overlap", Span(3, 3), Span(4, 4)) == 0.0
    assert similarity("span_overlap", Span(3, 3), Span(0, 9)) == 0.0


def test_spans_on_different_axes_never_overlap():
    assert similarity("span_overlap", Span(0, 9, "0"), Span(0, 9, "1")) == 0.0


def test_frames_and_spans_are_not_comparable():
    assert similarity("span_overlap", Span(0, 9), Frames(((1, 9),))) is None


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ({"start": 0.5, "end": 1.5, "channel": 0}, {"start": 0.5, "end": 1.0, "channel": 0}, 0.5),
        ({"start": 0.5, "end": 1.5, "channel": 0}, {"start": 0.5, "end": 1.5, "channel": 1}, 0.0),
        ({"start": "2020-01-01", "end": "2020-01-03"}, {"start": "2020-01-01", "end": "2020-01-02"}, 0.5),
        ({"start": "2", "end": "2", "startOffset": 0, "endOffset": 8}, None, 0.5),
        ({"start": 9, "end": 0}, {"start": 0, "end": 9}, 1.0),
    ],
    ids=["audio", "channels", "time series", "paragraph", "reversed"],
)
def test_spans_of_every_tool(a, b, expected):
    other = b or {"start": "2", "end": "2", "startOffset": 4, "endOffset": 8}
    assert similarity("span_overlap", a, other) == pytest.approx(expected)


def test_html_spans_use_global_offsets_else_one_node():
    node = {"start": "/p/text()", "end": "/p/text()", "startOffset": 0, "endOffset": 4}
    placed = node | {"globalOffsets": {"start": 10, "end": 20}}
    assert similarity("html_overlap", placed, placed | {"globalOffsets": {"start": 15, "end": 20}}) == 0.5
    assert similarity("html_overlap", node, node | {"endOffset": 8}) == 0.5
    assert similarity("html_overlap", node, node | {"start": "/b", "end": "/b"}) == 0.0
    assert similarity("html_overlap", node, node | {"end": "/b"}) is None, "cannot be placed without the document"


def timeline(label, *ranges):
    return Region(Frames(ranges), frozenset({label}))


def test_timelines_without_order():
    a = (timeline("x", (1, 5), (6, 9)), timeline("y", (3, 3)))
    b = (timeline("y", (3, 3)), timeline("x", (1, 9)))
    assert similarity("timeline_unordered", a, b) == 1.0
    assert similarity("timeline_unordered", a, b[:1]) == 0.0
    assert similarity("timeline_unordered", (a[1], a[1]), (a[1],)) == 0.0
    assert similarity("timeline_unordered", (a[0], Region(Span(0, 1))), (Region(Span(0, 1)), a[0])) == 1.0
    assert similarity("timeline_unordered", Span(0, 1), Span(0, 2)) == 0.0
    assert similarity("timeline_unordered", Span(0, 1), Box(0, 0, 1, 1)) is None


def test_open_ranges_are_one_frame():
    assert (
        similarity("span_overlap", {"ranges": [{"start": 7, "end": None}]}, {"ranges": [{"start": 7, "end": 7}]}) == 1.0
    )
