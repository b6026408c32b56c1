import numpy as np
import pytest

from accord.metrics.tracks import states
from accord.similarity.alias import resolve
from accord.similarity.metric import from_metric, similarity
from accord.similarity.native import native
from accord.values import MOST_FRAMES, Box, KeyFrame, Track


def key(frame, x, enabled=True, rotation=0.0):
    return KeyFrame(frame, Box(x, 0, 10, 10, rotation), enabled)


def track(*keys, count=6):
    return Track(count, keys)


def present(tracked):
    return [float(x) if not np.isnan(x) else None for x in states(tracked).boxes[:, 0]]


def test_between_key_frames_a_box_moves_in_a_straight_line():
    assert present(track(key(2, 0), key(5, 30))) == [None, 0, 10, 20, 30, 30]


def test_a_part_ends_with_its_last_key_frame():
    assert present(track(key(1, 0), key(3, 20, enabled=False))) == [0, 10, 20, None, None, None]
    assert present(track(key(1, 0, enabled=False), key(4, 9))) == [0, None, None, 9, 9, 9]


def test_boxes_turn_the_shorter_way():
    assert states(track(key(1, 0, rotation=350), key(3, 0, rotation=10))).boxes[1, 4] % 360 == 0.0


def test_expanding_an_interpolated_track_changes_nothing():
    every = track(*(key(frame, 10.0 * frame) for frame in range(1, 7)))
    assert present(every) == present(track(key(1, 10.0), key(6, 60.0)))


def test_impossible_frames_are_not_comparable():
    for impossible in (track(key(0, 0)), Track(MOST_FRAMES + 1, ()), track(key(MOST_FRAMES + 1, 0))):
        assert similarity("video_frames", impossible, track(key(1, 0))) is None


def test_frames_count_where_either_marks():
    a, b = track(key(1, 0), key(3, 0, enabled=False)), track(key(1, 0), key(2, 0, enabled=False))
    assert similarity("video_frames", a, b) == pytest.approx(2 / 3)
    assert similarity("video_frames", a, b, frames="all") == pytest.approx(5 / 6)
    assert similarity("video_frames", a, b, compat="platform") == pytest.approx(5 / 6)


def test_tolerance_is_in_percent_of_the_image():
    a, b = track(key(1, 0)), track(key(1, 1.5))
    assert similarity("video_frames", a, b) == 0.0
    assert similarity("video_frames", a, b, tolerance=2) == 1.0


def test_videos_of_different_length_are_not_comparable():
    assert similarity("video_tracking", track(key(1, 0), count=6), track(key(1, 0), count=7)) is None
    assert similarity("video_tracking", track(key(1, 0), count=6), track(key(1, 0), count=None)) == 1.0


def test_a_track_that_ended_does_not_go_on_where_the_length_is_unknown():
    ended = track(key(1, 0), key(3, 0, enabled=False), count=None)
    assert similarity("video_tracking", ended, track(key(1, 0), key(3, 0, enabled=False))) == 1.0
    assert similarity("video_tracking", ended, track(key(1, 0))) == pytest.approx(0.5)


def test_tracking_is_the_mean_overlap_where_either_marks():
    a, b = track(key(1, 0)), track(key(1, 5), key(3, 5, enabled=False))
    assert similarity("video_tracking", a, b) == pytest.approx(3 * (1 / 3) / 6)
    turned = track(key(1, 0, rotation=90))
    assert similarity("video_tracking", turned, turned) == pytest.approx(1.0)
    assert similarity("video_tracking", turned, a) == 0.0
    assert similarity("video_tracking", turned, a, rotation="ignore") == 1.0


def point(x, y, label="Nose", size=None):
    item = {"value": {"x": x, "y": y, "width": 1, "keypointlabels": [label]}}
    return item if size is None else item | {"original_width": size[0], "original_height": size[1]}


def test_points_need_a_partner_within_the_distance_and_of_one_label():
    assert similarity("keypoint_distance", point(10, 10), point(13, 14)) == 1.0
    assert similarity("keypoint_distance", point(10, 10), point(13, 15)) == 0.0
    assert similarity("keypoint_distance", point(10, 10), point(13, 14), threshold=4) == 0.0
    assert similarity("keypoint_distance", point(10, 10), point(10, 10, "Eye")) == 0.0
    assert similarity("keypoint_distance", [point(10, 10), point(90, 90)], point(90, 91)) == 0.5


def test_the_threshold_form_of_points_is_over_the_whole_answer():
    choice = resolve("keypoint_distance", {"threshold": 4.0})
    answers = [native([point(10, 10), point(90, 90)]), native(point(90, 91))]
    graded = from_metric(answers, choice.spec, options=choice.options)
    binary = from_metric(answers, choice.spec, options=choice.options, threshold=0.6)
    assert (graded.dense()[0, 1], binary.dense()[0, 1]) == (0.5, 0.0)


def test_distances_in_pixels_need_a_size():
    a, b = point(10, 10, size=(200, 100)), point(12, 13)
    assert similarity("keypoint_distance", a, b, unit="pixel", threshold=5) == 1.0
    assert similarity("keypoint_distance", a, b, unit="pixel", threshold=4.9) == 0.0
    assert similarity("keypoint_distance", b, b, unit="pixel") is None
