"""Mistakes found in other tools' trackers; every case by value under its number."""

import math

import numpy as np
import pytest

from accord.metrics.masks import decode
from accord.pipeline.scores import PairScores, group_mean
from accord.readers import arrays
from accord.similarity.metric import compare_regions, from_function, from_metric, similarity
from accord.values import EMPTY, Box, Mask


def rectangle(x, y, width, height, rotation=0, size=None):
    value = {"x": x, "y": y, "width": width, "height": height, "rotation": rotation}
    item = {"type": "rectanglelabels", "value": value}
    return item if size is None else item | {"original_width": size[0], "original_height": size[1]}


def polygon(*points):
    return {"points": [list(point) for point in points], "polygonlabels": ["P"]}


def test_b31_empty_sets_agree():
    sets = [frozenset("ab"), frozenset("a"), EMPTY, frozenset("c"), frozenset("b")]
    first, second = np.array([0, 1, 2, 3, 4]), np.array([0, 0, 2, 1, 4])
    assert from_metric(sets, "jaccard").at(first, second).tolist() == [1.0, 0.5, 1.0, 0.0, 1.0]
    assert from_metric(sets, "masi").at(first, second).tolist() == pytest.approx([1.0, 1 / 3, 1.0, 0.0, 1.0])
    assert from_metric(sets, "exact_match").at(first, second).tolist() == [1.0, 0.0, 1.0, 0.0, 1.0]
    assert similarity("jaccard", [], []) == 1.0


def test_b32_masi_of_disjoint_nested_overlapping_and_equal_sets():
    pairs = [("a", "bc"), ("a", "ab"), ("ab", "bc"), ("a", "a")]
    distances = [1 - similarity("masi", set(a), set(b)) for a, b in pairs]
    assert distances == pytest.approx([1.0, 2 / 3, 8 / 9, 0.0], abs=1e-12)


def test_masi_of_dkpro_statistics():
    """Distances 1/6 (nested) and 4/9 (overlap) of MASISetAnnotationDistanceFunctionTest in DKPro Statistics."""
    pairs = [("AB", "AB"), ("A", "AB"), ("AB", "BC"), ("A", "B")]
    distances = [1 - similarity("masi_dkpro", set(a), set(b)) for a, b in pairs]
    assert distances == pytest.approx([0.0, 1 / 6, 4 / 9, 1.0], abs=1e-12)


def test_b36_undefined_scores_are_left_out_and_counted():
    """Scores 1, nothing, 1/2, nothing."""
    study = arrays.from_matrix([[1, 1], [1, 3], [1, 2], [3, 2]])
    unknown = from_function(study.values, lambda a, b: None if 3 in (a, b) else 1 / (1 + abs(a - b)))
    scores = PairScores(study, unknown)
    assert scores.every.score.tolist() == pytest.approx([1.0, np.nan, 0.5, np.nan], nan_ok=True)
    assert group_mean(np.zeros(4, dtype=int), scores.every.score, 1).tolist() == [0.75]
    assert (scores.known, scores.skipped) == (2, 2)


def test_b37_a_box_at_zero_is_a_box():
    assert similarity("box_iou", rectangle(0, 0, 50, 50), rectangle(0, 0, 50, 25)) == 0.5


def test_b38_boxes_without_area():
    a, b, c = rectangle(7, 3, 0, 0), rectangle(6, 2, 10, 10), rectangle(7, 3, 0, 0)
    assert similarity("box_iou", a, b) == 0.0
    assert similarity("box_iou", a, c) == 1.0
    assert similarity("box_iou", b, rectangle(6, 2, 10, 10)) == 1.0
    assert similarity("box_iou", a, rectangle(8, 3, 0, 0)) is None


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_b39_no_pixel_is_added_to_a_side(scale):
    a, b, c = (rectangle(*(scale * n for n in box)) for box in [(0, 0, 3, 2), (1, 1, 3, 2), (3, 0, 3, 2)])
    assert similarity("box_iou", a, b) == pytest.approx(0.2, abs=1e-9)
    assert similarity("box_iou", a, c) == 0.0


def test_b40_rotation_happens_in_pixels():
    a = rectangle(50, 25, 30, 20, 90, (800, 400))
    b = rectangle(40, 25, 10, 60, 0, (800, 400))
    assert similarity("box_iou", a, b) == pytest.approx(1.0, abs=1e-6)
    assert similarity("box_iou", a, rectangle(40, 25, 10, 60)) == pytest.approx(1.0, abs=1e-6), (
        "the partner's size is taken"
    )


def test_b42_equal_rotated_boxes():
    size = (640, 480)
    a, b, c = (rectangle(41.3, 22.7, 33.3, 17.9, turn, size) for turn in (54.7724, -305.2276, 54.7734))
    assert similarity("box_iou", a, a) == pytest.approx(1.0, abs=1e-6)
    assert similarity("box_iou", a, b) == pytest.approx(1.0, abs=1e-6)
    assert 0.999 <= similarity("box_iou", a, c) <= 1.0


def test_b43_a_missing_rotation_is_zero_and_an_ellipse_is_no_box():
    a = {"type": "rectanglelabels", "value": {"x": 10, "y": 10, "width": 20, "height": 20, "rectanglelabels": ["P"]}}
    c = {
        "type": "ellipselabels",
        "value": {"x": 20, "y": 20, "radiusX": 5, "radiusY": 5, "ellipselabels": ["P"]},
    }
    assert similarity("box_iou", a, rectangle(20, 10, 20, 20)) == pytest.approx(1 / 3, abs=1e-9)
    assert similarity("box_iou", a, c) is None
    assert similarity("box_iou", c, c) == pytest.approx(1.0, abs=1e-9)


def test_b44_overlap_is_symmetric():
    a, b = rectangle(10, 10, 20, 20), rectangle(20, 10, 20, 20)
    assert similarity("box_iou", a, b) == similarity("box_iou", b, a) == pytest.approx(1 / 3, abs=1e-9)


def test_b46_a_crossed_ring_follows_the_even_odd_rule():
    bow_tie, square = polygon((0, 0), (4, 4), (4, 0), (0, 4)), polygon((0, 0), (4, 0), (4, 4), (0, 4))
    assert similarity("polygon_iou", bow_tie, square) == pytest.approx(0.5, abs=1e-9)
    assert similarity("polygon_iou", square, bow_tie) == pytest.approx(0.5, abs=1e-9)


def test_b48_direction_closing_and_doubled_points_do_not_matter():
    a = polygon((0, 0), (8, 0), (0, 6))
    b = polygon((0, 6), (8, 0), (8, 0), (0, 0), (0, 6))
    assert similarity("polygon_iou", a, b) == pytest.approx(1.0, abs=1e-6)


A50 = [0, 0, 0, 140, 57, 27, 254, 31, 0, 191, 255, 108, 2, 255, 253, 176, 11, 255, 248, 140, 0]
B50 = [0, 0, 0, 140, 57, 27, 254, 63, 0, 194, 127, 243, 128, 97, 63, 249, 192, 48, 159, 248]


def stroke(data, width=7, height=5):
    value = {"format": "rle", "rle": data, "brushlabels": ["P"]}
    return {"type": "brushlabels", "original_width": width, "original_height": height, "value": value}


def test_b50_masks_are_bit_packed_rgba():
    a, b = decode(Mask("rle", bytes(A50), (7, 5))), decode(Mask("rle", bytes(B50), (7, 5)))
    assert (a.runs.length, b.runs.length) == (12, 15)
    assert similarity("brush_iou", stroke(A50), stroke(B50)) == pytest.approx(6 / 21, abs=1e-12)


def test_b53_masks_of_different_images_are_not_comparable():
    assert similarity("brush_iou", stroke(A50, 7, 5), stroke(A50, 5, 7)) is None


def encoded(pixels, count):
    """Mask of ``count`` pixels as literal words: header, then one run of four values per pixel."""
    bits = f"{4 * count:032b}" + f"{7:05b}" + "".join(f"{size - 1:04b}" for size in (3, 4, 8, 16))
    for pixel in range(count):
        bits += "1" + "00" + "011" + f"{255 if pixel in pixels else 0:08b}"
    bits += "0" * (-len(bits) % 8)
    return list(int(bits, 2).to_bytes(len(bits) // 8, "big"))


def test_b54_strokes_of_one_label_can_be_merged():
    a = [stroke(encoded({0, 1}, 8), 4, 2), stroke(encoded({2, 3}, 8), 4, 2)]
    b = [stroke(encoded({0, 1, 2, 3}, 8), 4, 2)]
    assert similarity("brush_iou", a, b, merge="label") == 1.0
    assert similarity("brush_iou", a, b) == pytest.approx(0.5 / 2), "one stroke matches half, the other is left over"
    assert similarity("brush_iou", a, b, matching="last") == 0.5


def frame(number, x, enabled=True, **more):
    return {"frame": number, "x": x, "y": 20, "width": 20, "height": 20, "enabled": enabled, **more}


def test_b61_key_frames_are_interpolated_and_sorted():
    a = {"framesCount": 5, "sequence": [frame(1, 10, rotation=0), frame(5, 50, enabled=False)]}
    order = [frame(5, 50, enabled=False), frame(1, 10), frame(3, 30), frame(2, 20), frame(4, 40)]
    b = {"framesCount": 5, "sequence": order}
    assert similarity("video_tracking", a, b) == pytest.approx(1.0, abs=1e-9)
    assert similarity("video_frames", a, b) == pytest.approx(1.0, abs=1e-9)


def test_b63_empty_and_one_letter_texts():
    pairs = [("", ""), ("", "hello"), ("k", "k"), ("k", "kx"), ("   ", "")]
    for metric in ("text_similarity", "cer"):
        assert [similarity(metric, a, b) for a, b in pairs] == [None, 0.0, 1.0, 0.5, 0.0]
    assert [similarity("wer", a, b) for a, b in pairs] == [None, 0.0, 1.0, 0.0, None]


def test_b64_the_distance_is_divided_by_the_longer_text():
    pairs = [("cat", "cats"), ("abcd", "abxd"), ("hello", "world")]
    assert [similarity("text_similarity", a, b) for a, b in pairs] == pytest.approx([0.75, 0.75, 0.2], abs=1e-12)


def test_b65_one_word_in_two_spellings():
    composed, decomposed = "caf\xe9", "cafe\u0301"
    assert similarity("text_similarity", composed, decomposed) == 1.0
    assert similarity("text_similarity", composed, decomposed, normalize="none") == pytest.approx(0.6)
    assert similarity("text_similarity", composed, decomposed, compat="platform") == pytest.approx(0.6)
    assert similarity("exact_match", composed, decomposed) == 1.0
    assert similarity("jaccard", [composed], [decomposed]) == 1.0


def test_b67_punctuation_counts():
    pairs = [("*", "/"), ("!", "!"), ("[b]", "b")]
    assert [similarity("text_similarity", a, b) for a, b in pairs] == pytest.approx([0.0, 1.0, 1 / 3], abs=1e-12)


def test_b68_missing_texts_are_skipped():
    scores = [similarity("text_similarity", a, b) for a, b in [("x y", "x y"), (None, "q"), ("z", math.nan)]]
    assert scores == [1.0, None, None]


def test_b70_short_and_equal_texts():
    pairs = [("blue door", "blue door"), ("h", "h"), ("", "blue door"), ("a b c d e f", "a b c d e f")]
    for options in ({}, {"compat": "platform"}):
        for metric in ("bleu", "chrf"):
            scores = [similarity(metric, a, b, **options) for a, b in pairs]
            assert scores == pytest.approx([1.0, 1.0, 0.0, 1.0], abs=1e-6)
            assert max(scores) <= 1.0


def test_b80_frames_are_inclusive_and_ranges_of_one_region_are_one_set():
    def ranges(*pairs):
        return {"ranges": [{"start": a, "end": b} for a, b in pairs]}

    assert similarity("span_overlap", ranges((1, 10)), ranges((6, 15))) == pytest.approx(5 / 15, abs=1e-12)
    assert similarity("span_overlap", ranges((7, 7)), ranges((7, 7))) == 1.0
    assert similarity("span_overlap", ranges((7, 7)), ranges((8, 8))) == 0.0
    assert similarity("span_overlap", ranges((1, 10)), ranges((1, 5), (6, 10))) == 1.0


def test_boxes_can_be_given_as_values_and_are_matched():
    comparison = compare_regions("box_labels", Box(0, 0, 10, 10), Box(0, 0, 10, 5))
    assert comparison.score == 0.5
    assert [(pair.left, pair.right, pair.difference) for pair in comparison.matched] == [(0, 0, "boundary")]
