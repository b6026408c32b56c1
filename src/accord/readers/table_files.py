"""Open a source as a table by what it is: a dataframe, or a file by its ending."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from accord.errors import DataError, UsageError
from accord.readers.csv_tables import open_csv
from accord.readers.decoding import decoding
from accord.readers.frames import open_frame
from accord.readers.record_tables import open_excel, open_json_lines, open_json_list
from accord.readers.table_data import Table

EXCEL: Final = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
ENDINGS: Final = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".parquet", *EXCEL)


def open_table(source: Any, sheet: str | None = None) -> Table:
    """Open a path or dataframe; a sheet of a workbook may be named as ``book.xlsx#sheet``.

    Raises
    ------
    DataError
        The file does not exist or cannot be read.
    UsageError
        The ending is not known.
    """
    if isinstance(source, Table):
        return source
    if not isinstance(source, str | Path):
        return open_frame(source)
    path = Path(source)
    if sheet is None and "#" in str(source) and not path.exists():
        base, _, sheet = str(source).rpartition("#")
        path = Path(base)
    if not path.is_file():
        raise DataError.at("there is no such file.", file=str(source))
    try:
        return _open_file(path, path.suffix.casefold(), sheet)
    except OSError as error:
        raise DataError.at(f"the file cannot be read: {error.strerror or error}.", file=str(path)) from None


def _open_file(path: Path, ending: str, sheet: str | None) -> Table:
    if ending in (".tsv", ".tab"):
        return open_csv(path, "\t")
    if ending in (".csv", ".txt"):
        return open_csv(path)
    if ending in (".jsonl", ".ndjson"):
        return open_json_lines(path)
    if ending == ".json":
        return open_json_list(path)
    if ending == ".parquet":
        return _open_parquet(path)
    if ending in EXCEL:
        return open_excel(path, sheet)
    raise UsageError(f"{path}: a table does not end in {ending or 'nothing'}. Known: {', '.join(ENDINGS)}.")


def _open_parquet(path: Path) -> Table:
    import pyarrow.parquet as pq

    from accord.readers.arrow_columns import arrow_table

    with decoding(path, "this is not a Parquet file"):
        names = pq.read_schema(path).names

    def read(wanted: list[str]) -> Any:
        with decoding(path, "the Parquet file is damaged"):
            found = pq.read_table(path, columns=wanted, page_checksum_verification=True)
            found.validate(full=True)
            return found

    return arrow_table(str(path), "Parquet", names, read, path.stem)
