"""Records of Parquet files, where a tool keeps its export in them."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from accord.errors import DataError
from accord.readers.decoding import decoding
from accord.readers.exports.entries import Entry

ENDING: Final = ".parquet"


def columns_of(entry: Entry) -> Mapping[str, Any]:
    """Names of the columns, as keys of a record; none where they cannot be read, which the reader of tables tells."""
    import pyarrow.parquet

    try:
        with decoding(Path(entry.shown), "this is no Parquet file"):
            file = io.BytesIO(entry.content()) if entry.path is None else entry.path
            return dict.fromkeys(pyarrow.parquet.read_schema(file).names)
    except DataError:
        return {}


def rows_of(entry: Entry) -> list[dict[str, Any]]:
    """Rows as records.

    Raises
    ------
    DataError
        The file is broken.
    """
    import pyarrow.parquet

    with decoding(Path(entry.shown), "this is no Parquet file"):
        table = pyarrow.parquet.read_table(io.BytesIO(entry.content()), page_checksum_verification=True)
        return list(table.to_pylist())
