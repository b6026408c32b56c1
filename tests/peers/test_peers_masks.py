"""Overlap of boxes and of masks against pycocotools, crowd flag off."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.similarity.metric import similarity
from accord.values import Box, Mask

pytestmark = pytest.mark.peers

quiet = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
numbers = st.floats(0, 90).map(lambda x: round(x, 3))
boxes = st.tuples(numbers, numbers, st.floats(0.01, 60), st.floats(0.01, 60))
shapes = st.tuples(st.integers(1, 9), st.integers(1, 9))


def bitmaps(shape):
    height, width = shape
    row = st.lists(st.integers(0, 1), min_size=width, max_size=width)
    return st.lists(row, min_size=height, max_size=height)


@quiet
@given(st.lists(boxes, min_size=1, max_size=4), st.lists(boxes, min_size=1, max_size=4))
def test_boxes(masks, left, right):
    expected = masks("box_iou", a=left, b=right)
    found = [[similarity("box_iou", Box(*a), Box(*b)) for b in right] for a in left]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@quiet
@given(st.data())
def test_masks_on_runs(masks, data):
    shape = data.draw(shapes)
    pair = [data.draw(bitmaps(shape)) for _ in range(2)]
    strings = masks("encode", bitmaps=pair)
    found = similarity("brush_iou", *(Mask("coco", text.encode(), shape[::-1]) for text in strings))
    if any(map(any, pair[0])) or any(map(any, pair[1])):
        assert found == pytest.approx(masks("mask_iou", size=shape, a=strings[:1], b=strings[1:])[0][0], abs=1e-12)
    else:
        assert found == 1.0


def test_large_masks(masks):
    rng = np.random.default_rng(20261130)
    height, width = 240, 320
    y, x = np.mgrid[:height, :width]
    pictures = [
        ((x - cx) ** 2 / 9 + (y - cy) ** 2 < radius**2) ^ (rng.random((height, width)) < 0.01)
        for cx, cy, radius in rng.uniform((60, 60, 20), (260, 180, 60), (8, 3))
    ]
    strings = masks("encode", bitmaps=[picture.astype(int).tolist() for picture in pictures])
    expected = masks("mask_iou", size=(height, width), a=strings, b=strings)
    drawn = [Mask("coco", text.encode(), (width, height)) for text in strings]
    found = [[similarity("brush_iou", a, b) for b in drawn] for a in drawn]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    truth = [[(a & b).sum() / (a | b).sum() for b in pictures] for a in pictures]
    np.testing.assert_allclose(found, truth, atol=1e-12)
