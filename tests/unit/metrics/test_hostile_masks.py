"""Streams of masks made to break a decoder: random, cut, changed, and with headers that claim what is not there."""

import io
import resource
import subprocess
import sys
import time
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from accord.metrics.coco import list_runs, string_runs
from accord.metrics.masks import decode
from accord.metrics.rle import MAX_PIXELS, alpha_runs, png_runs
from accord.similarity.metric import similarity
from accord.values import Mask

SIZES = (3, 4, 8, 16)
HEAD = f"{7:05b}" + "".join(f"{size - 1:04b}" for size in SIZES)
masks = st.integers(1, 12).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=8)
)


def packed(bits):
    bits += "0" * (-len(bits) % 8)
    return int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:]


def stream(values, literal=()):
    """Values of four channels as a stream: equal neighbours as a run, those at ``literal`` positions word by word."""
    bits, at = f"{len(values):032b}" + HEAD, 0
    while at < len(values):
        length = 1
        while at + length < len(values) and values[at + length] == values[at] and length < 65536:
            length += 1
        if at in literal:
            length = min(4, len(values) - at)
        field = next(number for number, size in enumerate(SIZES) if length <= 1 << size)
        bits += ("0" if at in literal else "1") + f"{field:02b}" + f"{length - 1:0{SIZES[field]}b}"
        words = values[at : at + length] if at in literal else values[at : at + 1]
        bits += "".join(f"{value:08b}" for value in words)
        at += length
    return packed(bits)


def slowly(data):
    """Every value of a stream, by the letter of the format; None if it ends early or runs over."""
    bits = "".join(f"{byte:08b}" for byte in data)
    place = 0

    def take(count):
        nonlocal place
        place += count
        return int(bits[place - count : place], 2) if place <= len(bits) else None

    head = [take(count) for count in (32, 5, 4, 4, 4, 4)]
    if None in head:
        return None
    found: list[int] = []
    while len(found) < head[0]:
        repeated, field = take(1), take(2)
        length = None if field is None else take(head[2 + field] + 1)
        if length is None:
            return None
        words = [take(head[1] + 1) for _ in range(1 if repeated else length + 1)]
        if None in words:
            return None
        found += words * (length + 1) if repeated else words
    return found if len(found) == head[0] else None


def pixels(runs):
    return [p for a, b in zip(runs.start.tolist(), runs.stop.tolist(), strict=True) for p in range(a, b)]


def is_sound(runs, size):
    """Whether runs are rising, apart, not empty and on the image."""
    ends = np.column_stack((runs.start, runs.stop)).ravel()
    return bool((np.diff(ends) > 0).all()) and (len(ends) == 0 or (ends[0] >= 0 and ends[-1] <= size[0] * size[1]))


def rgba(mask, colours):
    """Values of a painted mask, row by row; what lies under transparent pixels does not matter."""
    return [v for row in mask for on in row for v in (*colours, 255 if on else 0)]


@given(masks, st.lists(st.integers(0, 255), min_size=3, max_size=3), st.sets(st.integers(0, 60)))
def test_a_stream_is_read_as_the_format_says(mask, colours, literal):
    size = (len(mask[0]), len(mask))
    runs = alpha_runs(stream(rgba(mask, colours), literal), size)
    assert pixels(runs) == np.flatnonzero(np.ravel(mask)).tolist()


@given(masks, st.data())
def test_a_stream_that_is_cut_is_unusable(mask, data):
    whole = stream(rgba(mask, (0, 0, 0)))
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert alpha_runs(whole[:cut], (len(mask[0]), len(mask))) is None


@given(masks, st.data())
def test_a_changed_stream_gives_what_the_format_says_or_nothing(mask, data):
    changed = bytearray(stream(rgba(mask, (0, 0, 0))))
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    size = (len(mask[0]), len(mask))
    runs = alpha_runs(bytes(changed), size)
    values = slowly(bytes(changed)) if int.from_bytes(changed[:4], "big") == 4 * size[0] * size[1] else None
    if values is None:
        one_channel = int.from_bytes(changed[:4], "big") == size[0] * size[1]
        assert runs is None or one_channel
    else:
        assert pixels(runs) == [p for p, alpha in enumerate(values[3::4]) if alpha]


@given(st.integers(1, 40), st.integers(1, 40), st.binary(max_size=200), st.sampled_from([1, 4]))
def test_random_bytes_behind_a_fitting_header(width, height, rest, channels):
    data = (channels * width * height).to_bytes(4, "big") + rest
    runs = alpha_runs(data, (width, height))
    values = slowly(data)
    assert (runs is None) == (values is None)
    if runs is not None:
        assert is_sound(runs, (width, height))
        assert pixels(runs) == [p for p, alpha in enumerate(values[channels - 1 :: channels]) if alpha]


@given(st.binary(max_size=120), st.sampled_from([None, (4, 1), (7, 5), (640, 480), (1, 1)]))
def test_random_bytes_in_every_encoding(data, size):
    for read in (alpha_runs, png_runs, string_runs, list_runs):
        runs = read(data, size)
        assert runs is None or (len(runs.start) == len(runs.stop) and bool((runs.start < runs.stop).all()))
        if runs is not None and size is not None:
            assert is_sound(runs, size)


def chunk(kind, body):
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def picture(width, height):
    """A PNG that claims a size and holds one row."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 6, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(9))) + chunk(b"IEND", b"")


#: Few bytes that claim many pixels, each with a size of the image that fits the claim.
CLAIMS = {
    "all 32 bits": ("rle", packed(f"{2**32 - 1:032b}" + HEAD), None),
    "all 32 bits and an image": ("rle", packed(f"{2**32 - 4:032b}" + HEAD), (2**30 - 1, 1)),
    "2^32 pixels": ("rle", packed(f"{0:032b}" + HEAD), (65536, 65536)),
    "most that is allowed": ("rle", packed(f"{4 * MAX_PIXELS:032b}" + HEAD + "1" * 60), (MAX_PIXELS, 1)),
    "literal words": ("rle", packed(f"{4 * MAX_PIXELS:032b}" + HEAD + "011" + "1" * 16 + "1" * 64), (MAX_PIXELS, 1)),
    "widest words": ("rle", packed(f"{4 * MAX_PIXELS:032b}" + "1" * 21 + "1" * 90), (MAX_PIXELS, 1)),
    "picture": ("png", picture(60_000, 60_000), (60_000, 60_000)),
    "picture below the limit": ("png", picture(12_000, 12_000), (12_000, 12_000)),
    "picture of no size": ("png", picture(2**31 - 1, 2**31 - 1), None),
    "counts": ("coco_counts", b"[0, 1e99]", (65536, 65536)),
    "counts beyond 64 bits": ("coco_counts", b"[0, " + b"9" * 30 + b"]", (10, 10)),
    "string": ("coco", b"0" + b"o" * 6 + b"O", (65536, 65536)),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_costs_no_memory(name):
    encoding, data, size = CLAIMS[name]
    decode(Mask("png", picture(1, 1), (1, 1)))
    tracemalloc.start()
    try:
        assert decode(Mask(encoding, data, size)) is None
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


LIMITED = f"""
import resource
from accord.metrics.masks import decode
from accord.values import Mask
picture = {picture(1, 1)!r}
decode(Mask("png", picture, (1, 1)))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
try:
    bytearray(1 << 30)
except MemoryError:
    print("limited", [decode(Mask(*claim)) for claim in {list(CLAIMS.values())!r}].count(None))
"""


def test_a_picture_of_one_colour_is_read():
    """What compresses best: 16 million equal pixels in 63 kB."""
    image = Image.new("RGBA", (4000, 4000), (9, 9, 9, 255))
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=9)
    assert png_runs(buffer.getvalue(), (4000, 4000)).length == 16_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is that of Linux")
def test_claims_in_a_process_that_may_use_little_memory():
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["limited", str(len(CLAIMS))]
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != 64 << 20


def worst(count):
    """The most runs that fit in some bytes: one value each, every other one on."""
    values = "".join("100000" + f"{255 if number % 8 < 4 else 0:08b}" for number in range(count))
    return packed(f"{count:032b}" + HEAD + values), (count // 4, 1)


def test_time_grows_with_the_data():
    """Eight times the data take at most twenty times as long, at any length."""
    seconds = []
    for count in (20_000, 160_000):
        data, size = worst(count)
        times = []
        for _ in range(3):
            begin = time.process_time()
            assert alpha_runs(data, size).length == count // 8
            times.append(time.process_time() - begin)
        seconds.append(min(times))
    assert seconds[1] < 20 * seconds[0]
    assert seconds[1] < 5


@pytest.mark.parametrize("name", CLAIMS)
def test_an_unusable_mask_matches_nothing(name):
    encoding, data, size = CLAIMS[name]
    good = Mask("rle", stream([0, 0, 0, 255]), (1, 1))
    assert similarity("brush_iou", good, Mask(encoding, data, size)) is None
