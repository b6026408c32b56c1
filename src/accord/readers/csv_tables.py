"""CSV and TSV files as tables, and messages that name the line."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from accord.errors import DataError
from accord.readers.csv_cells import LARGEST, CsvForm, UnreadableError, read_cells
from accord.readers.csv_scan import Scan, scan
from accord.readers.table_data import RawColumn, Table, check_columns

DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
HEADER: Final = 1 << 20
UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
UTF32: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def open_csv(path: Path, delimiter: str | None = None) -> Table:
    """Open a delimited file; its columns are read when asked for.

    Raises
    ------
    DataError
        The file is empty, not UTF-8 or UTF-16, has a NUL byte, an open quote, or rows that differ in length.
    """
    encoding = _encoding(path)
    header, delimiter = _header(path, encoding, delimiter)
    found = scan(path, delimiter) if encoding == "utf8" else Scan(quotes=1, lines=0, plain=False)
    columns = check_columns(str(path), header)
    if found.quotes % 2:
        _check_quotes(path, encoding, delimiter)
    form = CsvForm(encoding=encoding, delimiter=delimiter, scan=found)

    kind = "TSV" if delimiter == "\t" else "CSV"
    notes = () if delimiter in ",\t" else (f"cells separated by {DELIMITERS.get(delimiter, delimiter)}",)
    return Table(
        name=str(path),
        kind=kind if encoding == "utf8" else f"{kind} in UTF-16",
        columns=columns,
        load=lambda names: _load(path, form, names),
        stem=path.stem,
        line_of=lambda row: line_of_row(path, encoding, delimiter, row),
        notes=notes,
    )


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        start = file.readline(HEADER)
    if not start:
        raise DataError.at("the file is empty.", file=str(path))
    if start[:4] in UTF32:
        raise DataError.at("the file is UTF-32.", file=str(path), hint="Save it as UTF-8.")
    if len(start) == HEADER:
        raise DataError.at(
            f"the first line has more than {HEADER} bytes; it is not the header of a table.", file=str(path), line=1
        )
    return "utf-16" if start[:2] in UTF16 else "utf8"


def _rows(path: Path, encoding: str, delimiter: str, *, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield first line and cells of every row that is not blank, by Python's slow but exact reader."""
    csv.field_size_limit(LARGEST)
    with path.open(encoding="utf-8-sig" if encoding == "utf8" else encoding, newline="") as file:
        reader = csv.reader(file, delimiter=delimiter, strict=strict)
        begin = 1
        try:
            for cells in reader:
                if cells:
                    yield begin, cells
                begin = reader.line_num + 1
        except csv.Error as error:
            raise DataError.at(f"the row cannot be read: {error}.", file=str(path), line=begin) from None
        except UnicodeDecodeError:
            raise _not_text(path, encoding) from None


def _header(path: Path, encoding: str, delimiter: str | None) -> tuple[list[str], str]:
    if delimiter is None:
        delimiter = _delimiter(path, encoding)
    for _, cells in _rows(path, encoding, delimiter):
        return [cell.strip("\ufeff") for cell in cells], delimiter
    raise DataError.at("the file is empty.", file=str(path))


def _delimiter(path: Path, encoding: str) -> str:
    """Choose the separator that makes most columns of the first line; a comma if none does."""
    widths = {sign: len(next(_rows(path, encoding, sign), (1, [""]))[1]) for sign in DELIMITERS}
    best = max(widths.values())
    return next(sign for sign, width in widths.items() if width == best)


def _check_quotes(path: Path, encoding: str, delimiter: str) -> None:
    last = 0
    try:
        for begin, _ in _rows(path, encoding, delimiter, strict=True):
            last = begin
    except DataError as error:
        if "unexpected end of data" not in str(error):
            return
        raise DataError.at(
            "a quoted cell is never closed.",
            file=str(path),
            line=_after(path, encoding, delimiter, last),
            hint='Close it with ", or write a quote within a cell twice.',
        ) from None


def _after(path: Path, encoding: str, delimiter: str, last: int) -> int:
    """Line on which the row after the one that begins at ``last`` begins."""
    for begin, _ in _rows(path, encoding, delimiter):
        if begin > last:
            return begin
    return last + 1


def line_of_row(path: Path, encoding: str, delimiter: str, row: int) -> int:
    """Line on which data row ``row`` (from 0) begins."""
    for number, (begin, _) in enumerate(_rows(path, encoding, delimiter), start=-1):
        if number == row:
            return begin
    return row + 2


def _load(path: Path, form: CsvForm, names: Sequence[str]) -> Mapping[str, RawColumn]:
    try:
        return read_cells(path, form, names)
    except UnreadableError as error:
        raise explain(path, form.encoding, form.delimiter, str(error)) from None


def explain(path: Path, encoding: str, delimiter: str, message: str) -> DataError:
    """Find the line of what Arrow refused."""
    if any(form in message.upper().replace("-", "") for form in ("UTF8", "UTF16")):
        return _not_text(path, encoding)
    width = 0
    try:
        for line, cells in _rows(path, encoding, delimiter):
            width = width or len(cells)
            if len(cells) != width:
                return DataError.at(
                    "the row has another number of cells than the header.",
                    file=str(path),
                    line=line,
                    found=f"{len(cells)} cells",
                    allowed=f"{width} cells",
                    hint="Put cells that hold the separator or a line break in quotes.",
                )
    except DataError as error:
        return error
    return DataError.at(f"the file cannot be read as a table: {message}.", file=str(path))


def _not_text(path: Path, encoding: str) -> DataError:
    decoder: Any = codecs.getincrementaldecoder("utf-8" if encoding == "utf8" else encoding)()
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                decoder.decode(line)
            except UnicodeDecodeError as error:
                return DataError.at(
                    f"the file is not {'UTF-8' if encoding == 'utf8' else 'UTF-16'} text.",
                    file=str(path),
                    line=number,
                    found=f"byte 0x{line[error.start]:02X}" if error.start < len(line) else None,
                    hint="Save it as UTF-8 (it may be Latin-1 or Windows-1252).",
                )
    return DataError.at("the file ends within a character.", file=str(path), hint="Save it as UTF-8.")
