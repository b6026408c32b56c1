"""Boxes and masks against ways of computing them that share no code: corners and half-planes, single pixels."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accord.metrics.masks import decode
from accord.similarity.metric import similarity
from accord.values import Box, Mask

SIZES = st.sampled_from([(200, 100), (100, 300), (64, 64)])
boxes = st.tuples(
    st.integers(0, 60), st.integers(0, 60), st.integers(2, 40), st.integers(2, 40), st.integers(-180, 540)
)


def corners(box, size):
    """Corners of a box in pixels, turned clockwise about the top left one."""
    x, y, width, height = (box[k] * size[k % 2] / 100 for k in range(4))
    turn = math.radians(box[4])
    along, down = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    return [
        (x + a * width * along[0] + b * height * down[0], y + a * width * along[1] + b * height * down[1])
        for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))
    ]


def area(ring):
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(ring, ring[1:] + ring[:1], strict=True))) / 2


def cut(ring, a, b):
    """What lies to the right of the line from a to b, as seen on a screen."""

    def side(p):
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    kept = []
    for p, q in zip(ring, ring[1:] + ring[:1], strict=True):
        if side(p) >= 0:
            kept.append(p)
        if (side(p) >= 0) != (side(q) >= 0):
            t = side(p) / (side(p) - side(q))
            kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return kept


@given(boxes, boxes, SIZES, st.booleans())
def test_turned_boxes_share_what_cutting_one_by_the_other_leaves(first, second, size, upright):
    if upright:
        first, second = (*first[:4], 0), (*second[:4], 360)
    a, b = corners(first, size), corners(second, size)
    shared = a
    for start, end in zip(b, b[1:] + b[:1], strict=True):
        shared = cut(shared, start, end)
    common = area(shared) if len(shared) > 2 else 0.0
    left, right = (Box(*map(float, box), size=size) for box in (first, second))
    expected = common / (area(a) + area(b) - common)
    assert similarity("box_iou", left, right) == pytest.approx(expected, abs=1e-9)
    assert similarity("box_iou", right, left) == pytest.approx(expected, abs=1e-9)


def packed(pixels, word, choose, size_bits):
    """Mask as the editor packs it: runs of equal values or single values, lengths with one of four numbers of bits."""
    values = np.repeat(np.asarray(pixels, dtype=np.int64) * ((1 << word) - 1), 4)
    bits = [f"{len(values):032b}", f"{word - 1:05b}", *(f"{n - 1:04b}" for n in size_bits)]
    at = 0
    while at < len(values):
        longest = 1
        while at + longest < len(values) and values[at + longest] == values[at]:
            longest += 1
        repeated, which = choose(2), choose(4)
        most = min(1 << size_bits[which], longest if repeated else len(values) - at)
        length = 1 + choose(most)
        bits += [str(repeated), f"{which:02b}", f"{length - 1:0{size_bits[which]}b}"]
        bits += [f"{value:0{word}b}" for value in values[at : at + (1 if repeated else length)]]
        at += length
    text = "".join(bits)
    return bytes(int(text[k : k + 8].ljust(8, "0"), 2) for k in range(0, len(text), 8))


@st.composite
def masks(draw, width=5, height=3):
    """A bitmap, and the same packed in one of many ways."""
    pixels = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    random = draw(st.randoms(use_true_random=False))
    size_bits = draw(st.lists(st.integers(1, 16), min_size=4, max_size=4))
    data = packed(pixels, draw(st.sampled_from([1, 3, 8])), random.randrange, size_bits)
    return np.array(pixels), Mask("rle", data, (width, height))


@given(masks(), masks())
def test_packed_masks_share_the_pixels_their_bitmaps_share(first, second):
    (a, left), (b, right) = first, second
    assume((a | b).any())
    assert similarity("brush_iou", left, right) == pytest.approx((a & b).sum() / (a | b).sum(), abs=1e-12)
    assert similarity("brush_iou", left, right, overlap="dice") == pytest.approx(
        2 * (a & b).sum() / (a.sum() + b.sum()), abs=1e-12
    )


@given(masks())
def test_a_packed_mask_is_its_bitmap(drawn):
    pixels, mask = drawn
    runs = decode(mask).runs
    found = np.zeros(len(pixels), dtype=bool)
    for start, stop in zip(runs.start.tolist(), runs.stop.tolist(), strict=True):
        found[start:stop] = True
    assert found.tolist() == pixels.tolist()
