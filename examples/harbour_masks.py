"""Masks as Label Studio stores them: bit-packed runs of brushes, pictures of bitmasks."""

from __future__ import annotations

import base64
import struct
import zlib
from itertools import groupby
from typing import Any

import numpy as np

Mask = np.ndarray[Any, np.dtype[np.bool_]]
FIELDS = (3, 4, 8, 16)  # bits of the four sizes of run length


def brush(mask: Mask) -> list[int]:
    """Encode a mask (height, width) as the bytes of a brush: four equal channels a pixel, runs of 0 and 255."""
    bits = [f"{4 * mask.size:032b}", f"{7:05b}", *(f"{width - 1:04b}" for width in FIELDS)]
    for on, run in groupby(mask.ravel().tolist()):
        left = 4 * sum(1 for _ in run)
        while left:
            length = min(left, 1 << 16)
            size = next(k for k, width in enumerate(FIELDS) if length <= 1 << width)
            bits.append(f"1{size:02b}{length - 1:0{FIELDS[size]}b}{255 if on else 0:08b}")
            left -= length
    text = "".join(bits)
    text += "0" * (-len(text) % 8)
    return [int(text[k : k + 8], 2) for k in range(0, len(text), 8)]


def bitmask(mask: Mask) -> str:
    """Encode a mask as the address of a picture: black where it is on, transparent elsewhere; the same bytes always."""
    height, width = mask.shape
    rows = np.hstack((np.zeros((height, 1), dtype=np.uint8), np.packbits(mask, axis=1)))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0)),
        (b"PLTE", bytes(6)),
        (b"tRNS", bytes((0, 255))),
        (b"IDAT", zlib.compress(rows.tobytes(), level=0)),
        (b"IEND", b""),
    )
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in parts)
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
