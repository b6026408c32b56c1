"""Worked examples of the annotation platform's metric documentation (2026-10), under its own rules.

Where a printed number does not follow from the formula printed beside it, the formula's value is asserted and the
printed one is named in the test.
"""

import sys

import pytest

from accord.equivalence.local_embedding import local_embedding
from accord.errors import MissingExtraError
from accord.similarity.alias import ENTRIES, compat_metric, resolve
from accord.similarity.metric import similarity
from accord.values import Kind

LABRADOR = ["Animals", "Dogs", "Labrador"]
POODLE = ["Animals", "Dogs", "Poodle"]
SIAMESE = ["Animals", "Cats", "Siamese"]
EAGLE = ["Animals", "Birds", "Eagle"]
SPARROW = ["Animals", "Birds", "Sparrow"]


def span(start, end, label="Person"):
    return {"start": start, "end": end, "labels": [label]}


def box(x, label="Dog"):
    return {"x": x, "y": 20, "width": 100, "height": 80, "rectanglelabels": [label]}


def paths(*selected):
    return {"taxonomy": list(selected)}


def score(metric, a, b, **options):
    return similarity(metric, a, b, compat="platform", **options)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ({"choices": ["Positive"]}, {"choices": ["Positive"]}, 1.0),
        ({"choices": ["Positive"]}, {"choices": ["Negative"]}, 0.0),
        ({"choices": ["Neutral"]}, {"choices": ["Neutral"]}, 1.0),
        ({"choices": ["Sports", "Politics"]}, {"choices": ["Sports", "Politics"]}, 1.0),
        ({"choices": ["Sports", "Politics"]}, {"choices": ["Politics", "Sports"]}, 1.0),
        ({"choices": ["Sports", "Politics"]}, {"choices": ["Sports"]}, 0.0),
        ({"choices": []}, {"choices": []}, 1.0),
        ({"choices": ["Sports"]}, {"choices": []}, 0.0),
        (paths(LABRADOR), paths(LABRADOR), 1.0),
        (paths(LABRADOR), paths(POODLE), 0.0),
        (paths(LABRADOR), paths(["Animals", "Dogs"]), 0.0),
        (paths(LABRADOR, EAGLE), paths(LABRADOR, SPARROW), 0.0),
        ({"datetime": "2025-03-19"}, {"datetime": "2025-03-19"}, 1.0),
        ({"datetime": "2025-03-19"}, {"datetime": "2025-03-20"}, 0.0),
    ],
)
def test_exact_match(a, b, expected):
    assert score("Exact Match", a, b) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (["Sports", "Politics", "Technology"], ["Politics", "Technology", "Health"], 2 / 4),
        (["Sports"], ["Sports"], 1.0),
        (["Sports", "Politics"], ["Sports", "Politics"], 1.0),
        (["Sports"], ["Politics"], 0.0),
        (["Sports", "Politics", "Technology"], ["Sports"], 1 / 3),
        (["Sports", "Politics"], ["Sports", "Politics", "Technology", "Health"], 2 / 4),
        ([], [], 1.0),
        (["Sports"], [], 0.0),
    ],
)
def test_jaccard_similarity(a, b, expected):
    assert score("Jaccard Similarity", {"choices": a}, {"choices": b}) == pytest.approx(expected, abs=1e-12)


def test_jaccard_threshold_at_one_half_and_at_three_quarters():
    a, b = ["Sports", "Politics", "Technology"], ["Politics", "Technology", "Health"]
    assert score("Jaccard Similarity (Threshold)", a, b) == 1.0
    assert score("Jaccard Similarity (Threshold)", a, b, threshold=0.75) == 0.0


@pytest.mark.parametrize("metric", ["Common Subtree Matches", "Jaccard Similarity"])
@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([LABRADOR], [LABRADOR], 1.0),
        ([LABRADOR], [POODLE], 2 / 4),
        ([LABRADOR], [SIAMESE], 1 / 5),
        ([LABRADOR], [EAGLE], 1 / 5),
        ([LABRADOR, EAGLE], [LABRADOR, SPARROW], 4 / 6),
    ],
)
def test_taxonomy(metric, a, b, expected):
    assert score(metric, paths(*a), paths(*b)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("label", "expected_labels_score"), [("Person", (10 / 14 + 1) / 2), ("Organization", (10 / 14 + 0) / 2)]
)
def test_span_overlap_and_span_labels(label, expected_labels_score):
    a, b = span(0, 14), span(4, 14, label)
    assert score("Span Overlap", a, b) == pytest.approx(10 / 14, abs=1e-12)
    assert score("Span Labels Similarity", a, b) == pytest.approx(expected_labels_score, abs=1e-12)


def test_spans_at_one_place_with_two_labels():
    a, b = span(0, 14), span(0, 14, "Organization")
    assert score("Span Overlap", a, b) == 1.0
    assert score("Span Labels Similarity", a, b) == 0.5


def test_spans_that_do_not_touch():
    assert score("Span Overlap", span(0, 4), span(8, 14)) == 0.0


def test_only_the_last_span_counts():
    a, b = [span(0, 5), span(20, 30)], [span(20, 30)]
    assert score("Span Overlap", a, b) == 1.0
    assert score("Span Overlap", list(reversed(a)), b) == 0.0


@pytest.mark.parametrize(("a", "b", "expected"), [(span(0, 14), span(4, 14), 1.0), (span(0, 20), span(11, 20), 0.0)])
def test_span_overlap_threshold(a, b, expected):
    """10/14 passes one half, .45 does not."""
    assert score("Span Overlap (Threshold)", a, b) == expected


@pytest.mark.parametrize(("label", "expected"), [("Dog", (2 / 3 + 1) / 2), ("Cat", (2 / 3 + 0) / 2)])
def test_intersection_over_union_and_bounding_box_labels(label, expected):
    a, b = box(10), box(30, label)
    assert score("Intersection over Union", a, b) == pytest.approx(6400 / 9600, abs=1e-12)
    assert score("Intersection over Union (Threshold)", a, b) == 1.0
    assert score("Bounding Box Labels Similarity", a, b) == pytest.approx(expected, abs=1e-12)


def test_rotation_is_ignored():
    a, b = box(10), box(10) | {"rotation": 45}
    assert score("Intersection over Union", a, b) == 1.0
    assert similarity("Intersection over Union", a, b) < 1.0


@pytest.mark.parametrize(
    ("a", "b", "expected", "printed"),
    [
        ("The cat sat on the mat", "The cat sat on the mat", 1.0, "1.0"),
        ("The cat sat on the mat", "The cat sat on the mat.", 1 - 1 / 23, "~0.96"),
        ("The cat sat on the mat", "The cat sit on the mat", 1 - 1 / 22, "~0.96, the formula gives .9545"),
        ("The cat sat on the mat", "A dog lay on the rug", 0.5, "~0.43"),
        ("hello", "world", 0.2, "~0.20"),
        ("The cat is on the mat", "A feline is sitting on the rug", 0.4, "~0.35"),
        ("The patient has a fever", "The patient's temperature is elevated", 18 / 37, "~0.42"),
        ("The cat is on the mat", "The stock market crashed today", 11 / 30, "~0.25"),
    ],
)
def test_text_similarity(a, b, expected, printed):
    assert score("Text Similarity", {"text": [a]}, {"text": [b]}) == pytest.approx(expected, abs=1e-12), printed


def test_text_similarity_joins_lines_with_a_space():
    a = {"text": ["John Smith", "123 Main St", "New York"]}
    b = {"text": ["John Smith", "123 Main Street", "New York"]}
    assert score("Text Similarity", a, b) == pytest.approx(1 - 4 / 35, abs=1e-12)
    assert score("Text Similarity (Threshold)", a, b) == 1.0


def test_text_empty_on_both_sides_is_skipped():
    assert score("Text Similarity", {"text": [""]}, {"text": [""]}) is None
    assert score("Text Similarity", {"text": [""]}, {"text": ["x"]}) == 0.0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (4, 4, 1.0),
        (4, 5, 1 / 2),
        (4, 3, 1 / 2),
        (5, 3, 1 / 3),
        (5, 1, 1 / 5),
        (30, 30, 1.0),
        (30, 32, 1 / 3),
        (30, 35, 1 / 6),
        (30, 50, 1 / 21),
    ],
)
def test_numeric_difference(a, b, expected):
    """The table prints .05 for 30 and 50; 1/21 is .0476."""
    assert score("Numeric Difference", {"number": a}, {"number": b}) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("a", "b", "expected"), [(4, 4, 1.0), (4, 5, 1.0), (4, 2, 0.0)])
def test_numeric_difference_threshold(a, b, expected):
    assert score("Numeric Difference (Threshold)", {"rating": a}, {"rating": b}) == expected


def test_word_error_rate_agreement_divides_by_the_longer_text():
    assert score("wer", "a b c", "a b c d e") == pytest.approx(0.6, abs=1e-12)
    assert score("wer", "a b c", "a b c d e", reference="left") == pytest.approx(1 / 3, abs=1e-12)


def test_bleu_smooths_every_order():
    """(1/2 x 1 x 1 x 1) ^ (1/4): one unigram of which none matches, no longer n-grams."""
    assert score("bleu", "a", "b") == pytest.approx(0.5**0.25, abs=1e-12)
    assert similarity("bleu", "a", "b") == 0.0


EXAMPLES = {
    "exact_match": ("yes", "yes", 1.0),
    "common_subtree_matches": (paths(LABRADOR), paths(POODLE), 0.5),
    "common_subtree_matches_threshold": (paths(LABRADOR), paths(SIAMESE), 0.0),
    "jaccard_similarity": (["a", "b"], ["b", "c"], 1 / 3),
    "jaccard_similarity_threshold": (["a", "b"], ["b"], 1.0),
    "numeric_difference": (1, 2, 0.5),
    "numeric_difference_threshold": (1, 2.5, 0.0),
    "intersection_over_union": (box(10), box(30), 2 / 3),
    "intersection_over_union_threshold": (box(10), box(30), 1.0),
    "bounding_box_labels_similarity": (box(10), box(30), 5 / 6),
    "bounding_box_labels_similarity_threshold": (box(10), box(30, "Cat"), 0.0),
    "bounding_box_text_similarity": (box(10) | {"text": ["ab"]}, box(30) | {"text": ["ab"]}, 5 / 6),
    "bounding_box_text_similarity_threshold": (box(10) | {"text": ["ab"]}, box(30) | {"text": ["xy"]}, 0.0),
    "span_overlap": (span(0, 10), span(0, 5), 0.5),
    "span_overlap_threshold": (span(0, 10), span(0, 5), 1.0),
    "span_labels_similarity": (span(0, 10), span(0, 5), 0.75),
    "span_labels_similarity_threshold": (span(0, 10), span(0, 5, "X"), 0.0),
    "span_text_similarity": (span(0, 10) | {"text": ["ab"]}, span(0, 5) | {"text": ["ab"]}, 0.75),
    "span_text_similarity_threshold": (span(0, 10) | {"text": ["ab"]}, span(0, 5) | {"text": ["xy"]}, 0.0),
    "text_similarity": ("cat", "cats", 0.75),
    "text_similarity_threshold": ("cat", "cats", 0.0),
    "wer": ("a b c", "a b c d e", 0.6),
    "cer": ("abc", "abcde", 0.6),
    "chrf": ("h", "h", 1.0),
    "bleu": ("blue door", "blue door", 1.0),
}


def polygon(*points, label="P"):
    return {"points": [list(point) for point in points], "polygonlabels": [label]}


SQUARE = polygon((0, 0), (4, 0), (4, 4), (0, 4))
HALF = polygon((0, 0), (4, 0), (4, 2), (0, 2))


def html(start, end, **more):
    offsets = {"start": start, "end": end}
    node = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 9}
    return {**node, "globalOffsets": offsets, "hypertextlabels": ["P"], **more}


def track(x):
    state = {"frame": 1, "x": x, "y": 0, "width": 20, "height": 20, "enabled": True}
    return {"framesCount": 4, "sequence": [state], "labels": ["Car"]}


STROKE = {
    "original_width": 2,
    "original_height": 2,
    "value": {"format": "rle", "rle": [0, 0, 0, 16, 57, 27, 252, 96, 19, 255, 198, 0], "brushlabels": ["P"]},
}

EXAMPLES |= {
    "intersection_over_union_for_polygons": (SQUARE, HALF, 0.5),
    "intersection_over_union_for_polygons_threshold": (SQUARE, HALF, 1.0),
    "polygon_labels_similarity": (SQUARE, HALF, 0.75),
    "polygon_labels_similarity_threshold": (SQUARE, HALF | {"polygonlabels": ["Q"]}, 0.0),
    "polygon_text_similarity": (SQUARE | {"text": ["ab"]}, HALF | {"text": ["ab"]}, 0.75),
    "polygon_text_similarity_threshold": (SQUARE | {"text": ["ab"]}, HALF | {"text": ["xy"]}, 0.0),
    "brush_intersection_over_union": (STROKE, STROKE, 1.0),
    "brush_intersection_over_union_threshold": (STROKE, STROKE, 1.0),
    "unordered_naive_comparison_for_timeline_labels": (
        {"ranges": [{"start": 1, "end": 5}, {"start": 9, "end": 9}], "timelinelabels": ["Talk", "Noise"]},
        {"ranges": [{"start": 9, "end": 9}, {"start": 1, "end": 5}], "timelinelabels": ["Noise", "Talk"]},
        1.0,
    ),
    "overlap_over_html_spans": (html(0, 10), html(0, 5), 0.5),
    "overlap_over_html_spans_threshold": (html(0, 10), html(0, 4), 0.0),
    "html_span_labels_similarity": (html(0, 10), html(0, 5), 0.75),
    "html_span_labels_similarity_threshold": (html(0, 10), html(0, 5), 1.0),
    "html_span_text_similarity": (html(0, 10, text=["ab"]), html(0, 5, text=["ab"]), 0.75),
    "html_span_text_similarity_threshold": (html(0, 10, text=["ab"]), html(0, 5, text=["xy"]), 0.0),
    "exact_frames_matching_for_video": (track(10), track(10), 1.0),
    "exact_frames_matching_for_video_threshold": (track(10), track(50), 0.0),
    "video_tracking": (track(10), track(20), 1 / 3),
    "keypoint_distance": (
        {"x": 10, "y": 10, "width": 1, "keypointlabels": ["Nose"]},
        {"x": 12, "y": 11, "width": 3, "keypointlabels": ["Nose"]},
        1.0,
    ),
}


def test_the_catalogue_has_45_entries():
    assert len(ENTRIES) == 45


def test_every_entry_has_an_example():
    assert set(EXAMPLES) | {"semantic_similarity"} == set(ENTRIES)


@pytest.mark.parametrize("key", sorted(EXAMPLES))
def test_every_entry_scores(key):
    a, b, expected = EXAMPLES[key]
    assert score(key, a, b) == pytest.approx(expected, abs=1e-12)
    assert score(ENTRIES[key].label, a, b) == pytest.approx(expected, abs=1e-12)
    assert score(key, b, a) == pytest.approx(expected, abs=1e-12)


def test_semantic_similarity_is_the_cosine_of_the_shipped_model():
    pytest.importorskip("onnxruntime", reason="needs the extra text")
    a, b = "The cat is on the mat", "A feline is sitting on the rug"
    assert score("Semantic Similarity", a, b) == pytest.approx(local_embedding().score([a], [b])[0], abs=1e-12)
    assert score("Semantic Similarity", a, b) == pytest.approx(score("semantic_similarity", b, a), abs=1e-12)


def test_semantic_similarity_without_its_packages_is_refused_and_never_replaced(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"accord\[text\]"):
        score("Semantic Similarity", "The cat is on the mat", "A feline is sitting on the rug")


@pytest.mark.parametrize("key", sorted(set(ENTRIES) - {"semantic_similarity"}))
def test_platform_rules_are_options_of_the_metric(key):
    choice = compat_metric(key)
    assert choice.spec is resolve(key).spec
    for option, value in {"matching": "last", "combine": "average", "rotation": "ignore", "normalize": "none"}.items():
        assert choice.options.get(option, value) == value


def test_thresholds_of_the_threshold_forms():
    fixed = {key: entry.threshold for key, entry in ENTRIES.items() if key.endswith("_threshold")}
    assert fixed.pop("text_similarity_threshold") == 0.85
    assert fixed.pop("numeric_difference_threshold") is None
    assert set(fixed.values()) == {0.5}


def test_kinds_of_every_entry_are_known():
    for entry in ENTRIES.values():
        if entry.metric != "semantic_similarity":
            assert resolve(entry.key).spec.kinds <= frozenset(Kind)
