"""Label Studio's bit-packed masks, decoded to runs of pixels without ever building the image."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.metrics.runs import Runs, runs_of

MAX_PIXELS = 1 << 28
_CHANNELS = 4
#: Channels of a PNG by colour type.
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
#: Bytes that one byte of a compressed stream can stand for, a little above the limit of deflate.
_MOST_SQUEEZED = 1100


class BitReader:
    """Reads whole numbers from bytes, most significant bit first."""

    def __init__(self, data: bytes) -> None:
        self._bits = format(int.from_bytes(data, "big"), f"0{8 * len(data)}b")
        self._at = 0

    def take(self, count: int) -> int:
        """Next ``count`` bits as a number.

        Raises
        ------
        EOFError
            If the stream is shorter than it claims.
        """
        start, self._at = self._at, self._at + count
        if self._at > len(self._bits):
            raise EOFError("the stream ends early")
        return int(self._bits[start : self._at], 2)


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
    try:
        reader = BitReader(data)
        values = reader.take(32)
        channels = _channels(values, size)
        if channels is None:
            return None
        return runs_of(_visible(reader, values, channels))
    except EOFError:
        return None


def _channels(values: int, size: tuple[int, int] | None) -> int | None:
    """Channels per pixel, None if the header cannot be true."""
    if values > _CHANNELS * MAX_PIXELS:
        return None
    if size is None:
        return _CHANNELS if values % _CHANNELS == 0 else None
    pixels = size[0] * size[1]
    return {_CHANNELS * pixels: _CHANNELS, pixels: 1}.get(values)


def _visible(reader: BitReader, values: int, channels: int) -> Iterator[tuple[int, int]]:
    """Half-open runs of pixels with a positive last channel."""
    word = reader.take(5) + 1
    sizes = [reader.take(4) + 1 for _ in range(4)]
    at = 0
    while at < values:
        repeated, which = reader.take(1), reader.take(2)
        length = reader.take(sizes[which]) + 1
        if repeated:
            if reader.take(word):
                yield at // channels, (at + length) // channels
        else:
            for position in range(at, at + length):
                if reader.take(word) and position % channels == channels - 1:
                    yield position // channels, position // channels + 1
        at += length
    if at > values:
        raise EOFError("the last run is too long")


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
