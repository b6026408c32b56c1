"""Arrow columns as raw columns: texts by their dictionary, numbers by counting, lists as sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.readers.answer_types import answers_of
from accord.readers.dictionaries import one_dictionary
from accord.readers.table_data import (
    ArrowTexts,
    RawColumn,
    Table,
    check_columns,
    column_of,
    column_of_numbers,
    named_columns,
    row_place,
    used_values,
)


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
    return column_of(column.to_pylist())


def _from_dictionary(column: Any, *, is_text: bool) -> RawColumn:
    import pyarrow as pa

    if not column.num_chunks:
        return RawColumn(np.empty(0, dtype=np.int32), [], is_text)
    tables, values = one_dictionary([chunk.dictionary for chunk in column.chunks])
    codes = np.empty(len(column), dtype=np.int32)
    begin = 0
    for chunk, table in zip(column.chunks, tables, strict=True):
        index = _indices(chunk)
        codes[begin : begin + len(index)] = index if table is None else table[index]
        begin += len(index)
    if pa.types.is_string(values.type) and not values.null_count:
        column = RawColumn(codes, ArrowTexts(values), is_text)
    else:
        column = RawColumn(codes, answers_of(values.to_pylist()), is_text)
    return column if is_text else used_values(column)


def _indices(chunk: Any) -> npt.NDArray[np.integer[Any]]:
    """Indices of a dictionary array, -1 = null."""
    import pyarrow as pa

    indices = chunk.indices
    if indices.null_count:
        indices = indices.cast(pa.int64()).fill_null(-1)
    return indices.to_numpy(zero_copy_only=False)


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
        return named_columns(wanted, lambda column: raw_column(found[column]), row_place(name))

    return Table(name=name, kind=kind, columns=check_columns(name, names), load=load, stem=stem)
