import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from accord.metrics.masks import decode
from accord.metrics.rle import MAX_PIXELS, alpha_runs, png_runs
from accord.metrics.runs import iou, merged, runs_of, shared, union
from accord.similarity.metric import from_metric, similarity
from accord.values import Mask, Region

HEADER_SIZES = "".join(f"{size - 1:04b}" for size in (3, 4, 8, 16))
FOUR_PIXELS = bytes([0, 0, 0, 16, 57, 27, 252, 96, 19, 255, 198, 0])
WITH_LITERALS = bytes([0, 0, 0, 12, 57, 27, 252, 96, 1, 133, 10, 15, 127, 198, 0])

pairs = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), max_size=6)


def packed(bits):
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def spread_out(pairs):
    return {number for start, length in pairs for number in range(start, start + length)}


@given(pairs, pairs)
def test_runs_are_sets_of_numbers(a, b):
    left, right = (runs_of((start, start + length) for start, length in one) for one in (a, b))
    x, y = spread_out(a), spread_out(b)
    assert left.length == len(x)
    assert shared(left, right) == len(x & y)
    assert union([left, right]).length == len(x | y)
    assert iou(left, right) == pytest.approx(len(x & y) / len(x | y) if x | y else 1.0)


def test_touching_runs_are_joined():
    assert merged(np.array([[5, 8], [0, 5]])).start.tolist() == [0]


@pytest.mark.parametrize("size", [(4, 1), None])
def test_the_four_pixel_example(size):
    """Off, on, on, off, as packed by the original library."""
    runs = alpha_runs(FOUR_PIXELS, size)
    assert (runs.start.tolist(), runs.stop.tolist()) == ([1], [3])


def test_literal_values_and_alpha_only():
    """Pixel 0 transparent, pixel 1 coloured and opaque, pixel 2 transparent."""
    runs = alpha_runs(WITH_LITERALS, (3, 1))
    assert (runs.start.tolist(), runs.stop.tolist()) == ([1], [2])


def test_one_channel_is_accepted():
    data = packed(f"{4:032b}" + "00111" + HEADER_SIZES + "100" + "001" + f"{255:08b}" + "100" + "001" + f"{0:08b}")
    assert alpha_runs(data, (2, 2)).stop.tolist() == [2]


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00", FOUR_PIXELS[:6], packed(f"{16:032b}" + "00111" + HEADER_SIZES + "110" + "1" * 8 + "1" * 8)],
    ids=["empty", "short", "cut", "overlong run"],
)
def test_broken_streams_are_unusable(data):
    assert alpha_runs(data, (4, 1)) is None


def test_a_huge_header_is_refused_without_decoding():
    huge = packed(f"{2**32 - 1:032b}" + "00111" + HEADER_SIZES)
    assert alpha_runs(huge, None) is None
    assert alpha_runs(huge, (65536, 65536)) is None
    assert MAX_PIXELS < 2**32 // 4


def test_the_number_of_values_must_fit_the_image():
    assert alpha_runs(FOUR_PIXELS, (3, 1)) is None


def png(alpha):
    image = np.zeros((*alpha.shape, 4), dtype=np.uint8)
    image[..., 3] = alpha
    buffer = io.BytesIO()
    Image.fromarray(image, "RGBA").save(buffer, "PNG")
    return buffer.getvalue()


def test_bitmaps_count_pixels_that_are_not_transparent():
    alpha = np.array([[0, 1, 255], [255, 0, 0]], dtype=np.uint8)
    runs = png_runs(png(alpha), (3, 2))
    assert (runs.start.tolist(), runs.stop.tolist()) == ([1], [4])
    assert png_runs(png(alpha), (2, 3)) is None
    assert png_runs(b"GIF89a", None) is None
    assert png_runs(png(alpha)[:40], None) is None


def test_unknown_encodings_are_not_comparable():
    mask = Mask("other", b"", (1, 1))
    assert decode(mask) is None
    assert similarity("brush_iou", mask, mask) is None


def test_merging_needs_every_stroke():
    good, bad = (
        Region(Mask("rle", FOUR_PIXELS, (4, 1)), frozenset("P")),
        Region(Mask("rle", b"", (4, 1)), frozenset("P")),
    )
    answers = [(good,), (good, bad), (good, Region(good.geometry, frozenset("Q")))]
    table = from_metric(answers, "brush_iou", options={"merge": "label"}).dense()
    assert np.isnan(table[0, 1])
    assert table[0, 2] == 0.5
    assert similarity("brush_labels", (good,), (Region(good.geometry, frozenset("Q")),)) == 0.0
