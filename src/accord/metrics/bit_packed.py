"""Blocks of a bit-packed stream, found for all bits of a piece at once: from each bit the next block is known.

A block is one bit that says whether a value is repeated, two bits that choose one of four sizes, a length less one of
that size, and then one value, or as many as the length says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.metrics.ragged import blocks, spread
from accord.values import BoolArray, Index

Words: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]
"""From every byte of a stream on, that byte and the next ones as one number."""

#: Bytes whose bits are looked at together, and values read together.
_PIECE = 1 << 14
_VALUES = 1 << 19
#: A block's head and first value, and the bits before them in their byte, fit into the eight bytes of a window.
_WINDOW = 8


@dataclass(frozen=True, slots=True)
class Blocks:
    """N blocks of a stream: bit at which their values begin, whether one is repeated, length, all (N,)."""

    values: Index
    repeated: BoolArray
    length: Index


class BitStream:
    """Bytes read as bits, most significant first, with words of ``word`` bits (up to 32) as values."""

    def __init__(self, data: bytes, word: int, sizes: tuple[int, int, int, int]) -> None:
        padded, count = data + bytes(_WINDOW), len(data) + 1
        self._long: Words = np.ndarray((count,), dtype=">u8", buffer=padded, strides=(1,))
        self._short: Words = np.ndarray((count,), dtype=">u4", buffer=padded, strides=(1,))
        self._bits = 8 * len(data)
        self.word = word
        self._sizes = np.array(sizes, dtype=np.int64)

    def blocks(self, start: int, total: int) -> Blocks | None:
        """Blocks from a bit on that hold exactly ``total`` values; None where the stream does not."""
        found: list[Blocks] = []
        held, at = 0, start
        while held < total and at < self._bits:
            places, at = self._follow(at)
            some = self._heads(places)
            ends = held + np.cumsum(some.length)
            keep = int(np.searchsorted(ends, total)) + 1
            found.append(Blocks(some.values[:keep], some.repeated[:keep], some.length[:keep]))
            held = int(ends[min(keep, len(ends)) - 1])
        if held != total or not found:
            return None
        every = Blocks(*map(np.concatenate, zip(*((b.values, b.repeated, b.length) for b in found), strict=True)))
        last = every.values[-1] + self.word * (1 if every.repeated[-1] else every.length[-1])
        return every if last <= self._bits else None

    def is_set(self, at: Index) -> BoolArray:
        """Whether the values at some bits are above 0, (n,)."""
        shift = (at & 7).astype(np.uint64)
        return np.asarray(self._long[at >> 3].astype(np.uint64) << shift >> np.uint64(64 - self.word) > 0)

    def set_among(self, start: Index, count: Index, step: int) -> tuple[Index, Index]:
        """Of ``count`` values from each of some bits, every ``step`` bits: those above 0, as row and number in it."""
        rows, numbers = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for block in blocks(count, _VALUES):
            row = np.repeat(np.arange(block.start, block.stop), count[block])
            number = spread(np.zeros(len(count[block]), dtype=np.int64), count[block])
            use = self.is_set(start[row] + step * number)
            rows.append(row[use])
            numbers.append(number[use])
        return np.concatenate(rows), np.concatenate(numbers)

    def _follow(self, start: int) -> tuple[Index, int]:
        """Bits at which the blocks of one piece begin, and where the first block of a later piece does."""
        low = start >> 3
        high = min(low + _PIECE, len(self._long) - 1)
        step: Any = memoryview(self._steps(low, high).data)
        base, size, at, places = 8 * low, 8 * (high - low), start - 8 * low, []
        while at < size:
            places.append(at)
            at += step[at]
        return np.array(places, dtype=np.int64) + base, at + base

    def _steps(self, low: int, high: int) -> npt.NDArray[np.uint32]:
        """Bits from each bit of some bytes to the block after the one that would begin there."""
        head = (self._short[low:high].astype(np.uint32)[:, None] << np.arange(8, dtype=np.uint32)).ravel()
        kind = (head >> np.uint32(29)).astype(np.intp)
        repeated, size = np.repeat([0, 1], 4), np.tile(self._sizes, 2)
        length = (head << np.uint32(3)) >> (32 - size).astype(np.uint32)[kind]
        each = np.where(repeated, 0, self.word).astype(np.uint32)
        length *= each[kind]
        length += (3 + size + self.word).astype(np.uint32)[kind]  # the value that every block holds, or the first one
        return length

    def _heads(self, at: Index) -> Blocks:
        """What the blocks would be that begin at some bits."""
        window = self._long[at >> 3].astype(np.uint64) << (at & 7).astype(np.uint64)
        size = self._sizes.astype(np.uint64)[(window >> np.uint64(61) & np.uint64(3)).astype(np.intp)]
        length = (window << np.uint64(3) >> (np.uint64(64) - size)).astype(np.int64) + 1
        return Blocks(at + 3 + size.astype(np.int64), window >> np.uint64(63) == 1, length)
