"""One dictionary for the many chunks of a column, in memory that follows the distinct values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from accord.values import Index, IntArray

LARGE: Final = 1 << 16
GROUPS: Final = 16


def one_dictionary(dictionaries: Sequence[Any]) -> tuple[list[IntArray | None], Any]:
    """Find one dictionary for the chunks of a column, in order of appearance.

    Returns the new code of every old one for each chunk, -1 for null at the end (None = the codes stay), and the
    dictionary.
    """
    import pyarrow as pa

    first = dictionaries[0]
    if all(_is_same(dictionary, first) for dictionary in dictionaries[1:]):
        return [None] * len(dictionaries), first
    if sum(map(len, dictionaries)) >= LARGE:
        numbers = _whole_numbers(dictionaries)
        if numbers is not None:
            return numbers
    codes, values = _distinct(pa.chunked_array(dictionaries).combine_chunks())
    ends = np.cumsum(list(map(len, dictionaries)))[:-1]
    return [np.append(table, np.int32(-1)) for table in np.split(codes, ends)], values


def _is_same(one: Any, other: Any) -> bool:
    if len(one) != len(other) or one.offset != other.offset:
        return False
    buffers = zip(one.buffers()[1:], other.buffers()[1:], strict=True)
    return all(a is b or (a is not None and b is not None and a.address == b.address) for a, b in buffers)


def _distinct(texts: Any) -> tuple[IntArray, Any]:
    """Code texts (n,) by distinct value in order of appearance.

    Long lists are split by length and last letter first: many small hash tables take a tenth of the memory of
    one, and no more time.
    """
    import pyarrow as pa

    if len(texts) < LARGE or not pa.types.is_string(texts.type) or texts.null_count:
        encoded = texts.dictionary_encode()
        return encoded.indices.to_numpy().astype(np.int32, copy=False), encoded.dictionary
    codes = np.empty(len(texts), dtype=np.int32)
    places: list[Index] = []
    found = 0
    group = _groups(texts)
    for number in range(GROUPS):
        members = np.flatnonzero(group == number)
        encoded = texts.take(pa.array(members)).dictionary_encode()
        index = encoded.indices.to_numpy()
        codes[members] = index + found
        place = np.empty(len(encoded.dictionary), dtype=np.int64)
        place[index[::-1]] = members[::-1]
        places.append(place)
        found += len(place)
    firsts = np.concatenate(places)
    is_first = np.zeros(len(texts), dtype=np.bool_)
    is_first[firsts] = True
    renumber = np.cumsum(is_first, dtype=np.int32)[firsts] - np.int32(1)
    return renumber[codes], texts.filter(pa.array(is_first))


def _groups(texts: Any) -> npt.NDArray[np.uint8]:
    """Group of each text by its length and last byte, (n,)."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters = np.frombuffer(data, dtype=np.uint8) if data is not None and data.size else np.zeros(1, dtype=np.uint8)
    last = letters[np.maximum(ends[1:] - 1, 0)]
    return ((last + np.diff(ends).astype(np.uint8)) % GROUPS).astype(np.uint8)


def _whole_numbers(dictionaries: Sequence[Any]) -> tuple[list[IntArray | None], Any] | None:
    """Join dictionaries of whole numbers written as text by a table over their range; None if that does not do.

    Text that another number would be written like, such as 007 or +7, does not do.
    """
    import pyarrow as pa

    low, high = 0, 0
    for texts in dictionaries:
        numbers = _as_numbers(texts)
        if numbers is None:
            return None
        if len(numbers):
            low, high = min(low, int(numbers.min())), max(high, int(numbers.max()))
    if high - low > 4 * sum(map(len, dictionaries)):
        return None
    code = np.full(high - low + 1, -1, dtype=np.int32)
    tables: list[IntArray | None] = []
    found: list[Index] = []
    known = 0
    for texts in dictionaries:
        places = _plain_numbers(texts) - low
        new = places[code[places] < 0]
        code[new] = np.arange(known, known + len(new), dtype=np.int32)
        known += len(new)
        found.append(new)
        tables.append(np.append(code[places], np.int32(-1)))
    return tables, pa.array(np.concatenate(found) + low).cast(pa.string())


def _plain_numbers(texts: Any) -> Index:
    import pyarrow as pa

    return texts.cast(pa.int64()).to_numpy()


def _as_numbers(texts: Any) -> Index | None:
    """Numbers of texts that are written as numbers are; None if one is not."""
    import pyarrow as pa

    if texts.null_count or not pa.types.is_string(texts.type):
        return None
    try:
        numbers = texts.cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    return numbers.to_numpy() if numbers.cast(pa.string()).equals(texts) else None
