"""Dataframes of pandas, polars, pyarrow and others as tables, through narwhals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.errors import UsageError
from accord.readers.table_data import RawColumn, Table, check_columns, column_of, named_columns, row_place
from accord.readers.table_roles import recognised


def open_frame(frame: Any, name: str = "dataframe") -> Table:
    """Open a dataframe, or a mapping of column names to lists.

    Raises
    ------
    UsageError
        The object is not a dataframe.
    """
    if isinstance(frame, Mapping):
        lists = {str(key): list(column) for key, column in frame.items()}
        _check_lengths(name, lists)
        names = check_columns(name, list(lists))
        return Table(
            name=name,
            kind="columns",
            columns=names,
            load=lambda wanted: named_columns(wanted, lambda key: column_of(lists[key]), row_place(name)),
        )
    import narwhals as nw

    try:
        native = nw.from_native(frame)
    except TypeError:
        raise UsageError(
            f"{type(frame).__name__} is not data that can be read. Give a Study, an array or list of lists, "
            "a path, or a dataframe of pandas, polars or pyarrow."
        ) from None
    eager = _with_index(native.collect() if isinstance(native, nw.LazyFrame) else native)
    library = str(eager.implementation.value if hasattr(eager.implementation, "value") else eager.implementation)
    columns = check_columns(name, [str(column) for column in eager.columns])
    originals = dict(zip(columns, eager.columns, strict=True))

    def load(wanted: Sequence[str]) -> Mapping[str, RawColumn]:
        return named_columns(wanted, lambda key: _series(eager[originals[key]]), row_place(name))

    return Table(name=name, kind=f"{library} dataframe", columns=columns, load=load)


def _with_index(frame: Any) -> Any:
    """Keep a pandas index as a column if it has a name, or if no column names the items."""
    import narwhals as nw

    native = frame.to_native()
    index = nw.maybe_get_index(frame)
    if index is None or type(index).__name__ == "RangeIndex":
        return frame
    unnamed = all(name is None for name in index.names)
    if unnamed and (len(index.names) > 1 or recognised("unit", map(str, frame.columns))):
        return frame
    return nw.from_native(native.reset_index(names="index") if unnamed else native.reset_index())


def _check_lengths(name: str, lists: Mapping[str, Sequence[Any]]) -> None:
    lengths = {key: len(column) for key, column in lists.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{key}: {length}" for key, length in lengths.items())
        raise UsageError(f"The columns of {name} differ in length ({found}).")


def _series(series: Any) -> RawColumn:
    """Code a series; one of Python objects keeps the types of its items."""
    import narwhals as nw

    from accord.readers.arrow_columns import raw_column

    if series.dtype in (nw.Object, nw.Unknown):
        return column_of(series.to_list())
    import pyarrow as pa

    try:
        array = series.to_arrow()
    except (pa.ArrowException, UnicodeEncodeError):
        return column_of(series.to_list())
    return raw_column(array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array]))
