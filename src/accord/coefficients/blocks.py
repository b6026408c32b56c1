"""Answers of many units at a time: units with equally many answers form a table, one row an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accord.study import Study
from accord.values import FloatArray, Index

Codes = npt.NDArray[np.signedinteger]

#: Answers of one block: its temporary arrays stay in the cache.
BLOCK = 1 << 17


@dataclass(frozen=True, slots=True)
class Block:
    """Units (n of them) with m answers each: codes (m, n), each row contiguous."""

    units: slice | Index
    codes: Codes


def even_size(study: Study) -> int | None:
    """Return m if every unit has m answers, else None."""
    if study.U == 0 or study.C % study.U:
        return None
    size = study.C // study.U
    if study.is_complete:
        return size
    number = np.arange(study.U, dtype=np.int32)
    even = np.array_equal(study.unit[::size], number) and np.array_equal(study.unit[size - 1 :: size], number)
    return size if even else None


def blocks(study: Study, least: int = 2, kind: type[np.signedinteger] | None = None) -> Iterator[Block]:
    """Yield all units with ``least`` answers or more, grouped by their number of answers.

    Codes have the narrowest type for comparing them, or ``kind``: ``np.intp`` where they index an array.
    """
    kind = kind or narrow(study.V)
    size = even_size(study)
    if size is None:
        yield from _by_size(study, least, kind)
    elif size >= least:
        table = study.code.reshape(study.U, size)
        step = max(1, BLOCK // size)
        for first in range(0, study.U, step):
            some = slice(first, min(first + step, study.U))
            yield Block(some, table[some].T.astype(kind, order="C"))


def _by_size(study: Study, least: int, kind: type[np.signedinteger]) -> Iterator[Block]:
    m = study.m
    sizes = np.flatnonzero(np.bincount(m))
    for size in sizes[sizes >= max(1, least)].tolist():
        members = np.flatnonzero(m == size)
        step = max(1, BLOCK // size)
        for first in range(0, len(members), step):
            some = members[first : first + step]
            cells = study.start[some] + np.arange(size)[:, None]
            yield Block(some, study.code[cells].astype(kind, copy=False))


def narrow(values: int) -> type[np.signedinteger]:
    """Smallest integer type for codes of V values: comparisons run over fewer bytes."""
    if values <= 127:
        return np.int8
    return np.int16 if values <= 32767 else np.int32


def value_counts(block: Block, values: int) -> FloatArray:
    """How often each value was given, (V,)."""
    return np.bincount(block.codes.ravel(), minlength=values).astype(np.float64)
