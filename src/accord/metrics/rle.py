"""Label Studio's bit-packed masks, decoded to runs of pixels without ever building the image."""

from __future__ import annotations

import numpy as np

from accord.metrics.bit_packed import BitStream
from accord.metrics.runs import Runs, merged

MAX_PIXELS = 1 << 28
_CHANNELS = 4
#: Bytes that hold the header, and the bit after it.
_HEADER, _FIRST_BLOCK = 7, 53
#: Channels of a PNG by colour type.
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
#: Bytes that one byte of a compressed stream can stand for, a little above the limit of deflate.
_MOST_SQUEEZED = 1100


def alpha_runs(data: bytes, size: tuple[int, int] | None) -> Runs | None:
    """Pixels whose alpha is above 0, row by row; None if the stream does not fit the image.

    Parameters
    ----------
    data
        32 bits number of values, 5 bits word size, four times 4 bits run-length sizes, then runs.
    size
        Width and height in pixels; the number of values must be 4 x width x height, or width x height for a mask of
        one channel.
    """
    if len(data) < _HEADER:
        return None
    values, rest = int.from_bytes(data[:4], "big"), int.from_bytes(data[4:7], "big")
    channels = _channels(values, size)
    if channels is None:
        return None
    first, second, third, fourth = (1 + (rest >> shift & 15) for shift in (15, 11, 7, 3))
    return _visible(BitStream(data, 1 + (rest >> 19), (first, second, third, fourth)), values, channels)


def _channels(values: int, size: tuple[int, int] | None) -> int | None:
    """Channels per pixel, None if the header cannot be true."""
    if values > _CHANNELS * MAX_PIXELS:
        return None
    if size is None:
        return _CHANNELS if values % _CHANNELS == 0 else None
    pixels = size[0] * size[1]
    return {_CHANNELS * pixels: _CHANNELS, pixels: 1}.get(values)


def _visible(stream: BitStream, values: int, channels: int) -> Runs | None:
    """Pixels with a positive last channel; None if the stream holds another number of values."""
    found = stream.blocks(_FIRST_BLOCK, values)
    if found is None:
        return None
    begin = np.cumsum(found.length) - found.length
    whole = np.flatnonzero(found.repeated)
    whole = whole[stream.is_set(found.values[whole])]
    runs = np.column_stack((begin[whole], begin[whole] + found.length[whole])) // channels
    apart = np.flatnonzero(~found.repeated)
    skip = (channels - 1 - begin[apart]) % channels
    count = np.maximum(found.length[apart] - skip + channels - 1, 0) // channels
    row, number = stream.set_among(found.values[apart] + skip * stream.word, count, channels * stream.word)
    pixel = (begin[apart][row] + skip[row]) // channels + number
    every = np.concatenate((runs, np.column_stack((pixel, pixel + 1))))
    return merged(every[every[:, 1] > every[:, 0]])


def _can_be_true(size: tuple[int, int], png: bytes) -> bool:
    """Whether so few bytes can hold so many pixels of their depth and colour type."""
    depth, channels = png[24], _PNG_CHANNELS.get(png[25], 1)
    pixels = size[0] * size[1]
    return pixels <= MAX_PIXELS and pixels * depth * channels <= 8 * _MOST_SQUEEZED * len(png)


def png_runs(data: bytes, size: tuple[int, int] | None) -> Runs | None:
    """Pixels of a PNG whose alpha is above 0; None if it is no image or its size is not ``size``."""
    import io
    import warnings

    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=("PNG",))
        with image:
            if not _can_be_true(image.size, data) or (size is not None and image.size != size):
                return None
            alpha = np.asarray(image.convert("RGBA").getchannel("A")).ravel() > 0
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    edges = np.flatnonzero(np.diff(np.concatenate(([False], alpha, [False])).astype(np.int8)))
    return Runs(edges[::2], edges[1::2])
