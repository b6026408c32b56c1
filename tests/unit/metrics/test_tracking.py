"""HOTA's parts: by hand, and against the definition written out in plain loops."""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.metrics.tracking import THRESHOLDS, track_agreement, track_set
from accord.similarity.metric import similarity
from accord.values import Box, KeyFrame, Region, Track

PARTS = ("hota", "detection", "association")


def track(frames, label="a", count=8):
    """Track with a box of 10 x 10 at the given places: {frame: x}."""
    keys = tuple(KeyFrame(frame, Box(float(x), 0, 10, 10), enabled=False) for frame, x in sorted(frames.items()))
    return Region(Track(count, keys), frozenset([label]))


def overlap(x, y):
    common = max(0.0, 10.0 - abs(x - y))
    return common / (20.0 - common)


def by_definition(left, right, cut):
    """Detection and association at one threshold, with every assignment of every frame tried."""
    frames = sorted({frame for places in (*left, *right) for frame in places})
    fit = [[0.0] * len(right) for _ in left]
    for f in frames:
        table = {(i, j): overlap(a[f], b[f]) for i, a in enumerate(left) for j, b in enumerate(right)
                 if f in a and f in b}  # fmt: skip
        for (i, j), s in table.items():
            rivals = sum(v for (k, _), v in table.items() if k == i) + sum(v for (_, k), v in table.items() if k == j)
            fit[i][j] += s / (rivals - s) if s else 0.0
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            fit[i][j] /= len(a) + len(b) - fit[i][j]
    found = []
    for f in frames:
        here = [i for i, a in enumerate(left) if f in a]
        there = [j for j, b in enumerate(right) if f in b]
        slots = there + [None] * len(here)
        best = max(
            {tuple(order[: len(here)]) for order in permutations(slots)},
            key=lambda order: sum(fit[i][j] * overlap(left[i][f], right[j][f])
                                  for i, j in zip(here, order, strict=True) if j is not None),
        )  # fmt: skip
        found += [(i, j) for i, j in zip(here, best, strict=True)
                  if j is not None and 0 < overlap(left[i][f], right[j][f]) >= cut - 1e-12]  # fmt: skip
    boxes = sum(map(len, left)) + sum(map(len, right))
    if not found:
        return 0.0, 0.0
    shares = [found.count(pair) / (len(left[pair[0]]) + len(right[pair[1]]) - found.count(pair)) for pair in found]
    return len(found) / (boxes - len(found)), sum(shares) / len(found)


# places that differ by odd amounts, so that no two assignments weigh the same
lefts = st.lists(st.dictionaries(st.integers(1, 5), st.integers(0, 12), min_size=1), min_size=1, max_size=2).map(
    lambda tracks: [{f: x + 0.0307 * k for f, x in t.items()} for k, t in enumerate(tracks)]
)
rights = st.lists(st.dictionaries(st.integers(1, 5), st.integers(0, 12), min_size=1), min_size=1, max_size=3).map(
    lambda tracks: [{f: x + 0.137 + 0.0211 * k + 0.01 * x * x for f, x in t.items()} for k, t in enumerate(tracks)]
)


def test_a_switch_of_identity_by_hand():
    """One thing over four frames; the other rater follows it with two tracks of two frames each."""
    one = (track({1: 0, 2: 0, 3: 0, 4: 0}),)
    two = (track({1: 0, 2: 0}), track({3: 0, 4: 0}))
    assert similarity("video_hota", one, two, part="detection") == 1.0
    assert similarity("video_hota", one, two, part="association") == pytest.approx(0.5)
    assert similarity("video_hota", one, two) == pytest.approx(math.sqrt(0.5))


def test_missing_frames_and_overlap_by_hand():
    a, b = (track({1: 0, 2: 0, 3: 0}),), (track({1: 0, 2: 5}),)
    # overlaps 1 and 1/3; at .5 one box is found of 3 + 2 - 1; the tracks share 1 of 3 + 2 - 1 frames
    assert similarity("video_hota", a, b, part="detection", at=0.5) == pytest.approx(1 / 4)
    assert similarity("video_hota", a, b, part="association", at=0.5) == pytest.approx(1 / 4)
    low = sum(cut <= 1 / 3 for cut in THRESHOLDS)
    expected = (low * 2 / 3 + (19 - low) * 1 / 4) / 19
    for part in PARTS:
        assert similarity("video_hota", a, b, part=part) == pytest.approx(expected)


@given(lefts, rights, st.sampled_from(THRESHOLDS))
def test_it_is_the_definition(left, right, cut):
    sets = [track_set(tuple(map(track, side))) for side in (left, right)]
    found = track_agreement(*sets, (cut,), rotation="honour", match_labels="ignore")
    assert (found.detection[0], found.association[0]) == pytest.approx(by_definition(left, right, cut))


@given(lefts, rights, st.randoms())
def test_order_of_raters_and_regions_plays_no_part(left, right, random):
    a, b = [tuple(map(track, side)) for side in (left, right)]
    expected = [similarity("video_hota", a, b, part=part) for part in PARTS]
    shuffled = [tuple(random.sample(side, len(side))) for side in (a, b)]
    assert [similarity("video_hota", *shuffled, part=part) for part in PARTS] == expected
    assert [similarity("video_hota", *shuffled[::-1], part=part) for part in PARTS] == expected


def test_labels_can_be_asked_to_match():
    a, b = (track({1: 0, 2: 0}, "car"),), (track({1: 0, 2: 0}, "bus"),)
    assert similarity("video_hota", a, b) == 1.0
    assert similarity("video_hota", a, b, match_labels="equal") == 0.0


def test_videos_of_different_or_unknown_length():
    a, b = (track({1: 0}, count=8),), (track({1: 0}, count=9),)
    assert similarity("video_hota", a, b) is None
    assert similarity("video_hota", a, (track({1: 0}, count=None),)) == 1.0
    empty = (Region(Track(8, ())),)
    assert similarity("video_hota", empty, empty) == 1.0
    assert similarity("video_hota", a, empty) == 0.0
