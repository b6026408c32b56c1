"""COCO masks: strings made with pycocotools 2.0.11, and bitmaps drawn at random."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.metrics import coco
from accord.metrics.coco import list_runs, string_runs
from accord.metrics.rle import MAX_PIXELS
from accord.metrics.runs import runs_of
from accord.similarity.metric import similarity
from accord.values import Mask

FIRST, SECOND = b"01:2HNO012003N", b"732000="


def first_bitmap():
    pixels = np.zeros((5, 7), dtype=bool)
    pixels[1:4, 2:6] = pixels[0, 0] = pixels[4, 6] = True
    pixels[2, 3] = False
    return pixels


def along_rows(pixels):
    return np.flatnonzero(pixels.ravel()).tolist()


def numbers(runs):
    return [n for start, stop in zip(runs.start.tolist(), runs.stop.tolist(), strict=True) for n in range(start, stop)]


def column_counts(pixels):
    """Run lengths down the columns, off first."""
    column = pixels.T.ravel()
    changes = np.flatnonzero(np.diff(column, prepend=False)).tolist()
    return np.diff([0, *changes, column.size]).tolist()


def test_strings_of_pycocotools():
    assert numbers(string_runs(FIRST, (7, 5))) == along_rows(first_bitmap())
    second = np.zeros((5, 7), dtype=bool)
    second[2:5, 1:4] = True
    assert numbers(string_runs(SECOND, (7, 5))) == along_rows(second)
    a, b = ({"size": [5, 7], "counts": counts.decode()} for counts in (FIRST, SECOND))
    assert similarity("brush_iou", a, b) == pytest.approx(0.15789474, abs=1e-8)


def test_lengths_of_more_than_five_bits():
    """The numbers 300, 41 and 59 659."""
    data = b"\\9Y1[Xj1"
    pixels = np.zeros(60_000, dtype=bool)
    pixels[300:341] = True
    assert numbers(string_runs(data, (200, 300))) == along_rows(pixels.reshape(200, 300).T)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_any_bitmap(width, height, data):
    pixels = np.array(data.draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height)))
    pixels = pixels.reshape(height, width)
    runs = list_runs(json.dumps(column_counts(pixels)).encode(), (width, height))
    assert numbers(runs) == along_rows(pixels)
    rows = runs_of((place, place + 1) for place in along_rows(pixels))
    assert runs.start.tolist() == rows.start.tolist(), "touching runs are joined"


@given(st.binary(max_size=12))
def test_noise_is_unusable_or_a_mask(data):
    for decode in (string_runs, list_runs):
        runs = decode(data, (4, 3))
        assert runs is None or 0 <= runs.length <= 12


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"", (7, 5)),
        (FIRST, (7, 6)),
        (FIRST, None),
        (FIRST[:-1] + b"n", (7, 5)),
        (b"\x00", (1, 1)),
        (b"o" * 8 + b"0", (7, 5)),
    ],
    ids=["empty", "another size", "no size", "open end", "no digit", "too long a number"],
)
def test_broken_strings_are_unusable(data, size):
    assert string_runs(data, size) is None


@pytest.mark.parametrize(
    "text", ["{}", "[1, -1, 35]", "[true, 34]", "[35.0]", "nonsense", f"[{MAX_PIXELS + 1}]", "[[" * 9999]
)
def test_broken_lists_are_unusable(text):
    assert list_runs(text.encode(), (7, 5)) is None


def test_a_mask_with_too_many_runs_is_not_expanded(monkeypatch):
    monkeypatch.setattr(coco, "MAX_RUNS", 5)
    assert string_runs(FIRST, (7, 5)) is None
    huge = Mask("coco_counts", b"[0, 1073741824]", (32768, 32768))
    assert similarity("brush_iou", huge, huge) is None


def test_strings_lists_and_strokes_compare_with_each_other():
    string = {"size": [5, 7], "counts": FIRST.decode()}
    counts = {"size": [5, 7], "counts": column_counts(first_bitmap())}
    assert similarity("brush_iou", string, counts) == 1.0
