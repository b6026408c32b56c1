"""Arrow columns as raw columns: texts by their dictionary, numbers by counting, lists as sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from accord.readers.coding import as_value
from accord.readers.table_data import ArrowTexts, RawColumn, Table, check_columns, column_of, column_of_numbers
from accord.values import Index, IntArray

LARGE: Final = 1 << 16
GROUPS: Final = 16


def raw_column(column: Any, *, is_text: bool = False) -> RawColumn:
    """Code one chunked array of a table."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        column = column.cast(pa.string()).dictionary_encode()
        kind = column.type
    if pa.types.is_dictionary(kind):
        return _from_dictionary(column, is_text=is_text)
    if (
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    ) and not pa.types.is_float16(kind):
        return _from_numbers(column)
    if pa.types.is_null(kind):
        return RawColumn(np.full(len(column), -1, dtype=np.int32), [])
    return column_of([as_value(item) for item in column.to_pylist()])


def _from_dictionary(column: Any, *, is_text: bool) -> RawColumn:
    import pyarrow as pa

    if not column.num_chunks:
        return RawColumn(np.empty(0, dtype=np.int32), [], is_text)
    tables, values = _one_dictionary(column.chunks)
    codes = np.empty(len(column), dtype=np.int32)
    begin = 0
    for chunk, table in zip(column.chunks, tables, strict=True):
        index = _indices(chunk)
        codes[begin : begin + len(index)] = index if table is None else table[index]
        begin += len(index)
    if pa.types.is_string(values.type) and not values.null_count:
        return RawColumn(codes, ArrowTexts(values), is_text)
    return RawColumn(codes, [as_value(value) for value in values.to_pylist()], is_text)


def _indices(chunk: Any) -> npt.NDArray[np.integer[Any]]:
    """Indices of a dictionary array, -1 = null."""
    import pyarrow as pa

    indices = chunk.indices
    if indices.null_count:
        indices = indices.cast(pa.int64()).fill_null(-1)
    return indices.to_numpy(zero_copy_only=False)


def _one_dictionary(chunks: Sequence[Any]) -> tuple[list[IntArray | None], Any]:
    """Find one dictionary for all chunks, in order of appearance, and the new code of each old one (None = same)."""
    import pyarrow as pa

    first = chunks[0].dictionary
    if all(_is_same(chunk.dictionary, first) for chunk in chunks[1:]):
        return [None] * len(chunks), first
    every = pa.chunked_array([chunk.dictionary for chunk in chunks]).combine_chunks()
    codes, values = _distinct(every)
    ends = np.cumsum([len(chunk.dictionary) for chunk in chunks])[:-1]
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


def _from_numbers(column: Any) -> RawColumn:
    import pyarrow as pa

    given = None
    if column.null_count:
        given = column.is_valid().to_numpy()
        column = column.drop_null()
    values = column.combine_chunks().to_numpy(zero_copy_only=False) if column.num_chunks else np.empty(0)
    inner = column_of_numbers(values if not pa.types.is_boolean(column.type) else values.astype(np.bool_))
    if given is None:
        return inner
    codes = np.full(len(given), -1, dtype=np.int32)
    codes[given] = inner.codes
    return RawColumn(codes, inner.distinct)


def arrow_table(name: str, kind: str, names: Sequence[str], read: Callable[[list[str]], Any], stem: str = "") -> Table:
    """Make a table whose columns are read by ``read(names)`` as an Arrow table."""

    def load(wanted: Sequence[str]) -> Mapping[str, RawColumn]:
        found = read(list(wanted))
        return {column: raw_column(found[column]) for column in wanted}

    return Table(name=name, kind=kind, columns=check_columns(name, names), load=load, stem=stem)
