"""CSV and TSV files: Arrow's reader with dictionary encoding, and messages that name the line."""

from __future__ import annotations

import codecs
import contextlib
import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from accord.errors import DataError
from accord.readers.arrow_columns import raw_column
from accord.readers.table_data import RawColumn, Table, check_columns

DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
BLOCK: Final = 1 << 20
HEADER: Final = 1 << 20
SCAN: Final = 1 << 18
QUOTE: Final = ord('"')
LARGEST: Final = (1 << 31) - 1
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
    quotes = _scan(path) if encoding == "utf8" else 1
    header, delimiter = _header(path, encoding, delimiter)
    columns = check_columns(str(path), header)
    if quotes % 2:
        _check_quotes(path, encoding, delimiter)

    def load(names: Sequence[str]) -> Mapping[str, RawColumn]:
        return _load(path, encoding, delimiter, names, quoted=quotes > 0)

    kind = "TSV" if delimiter == "\t" else "CSV"
    notes = () if delimiter in ",\t" else (f"cells separated by {DELIMITERS.get(delimiter, delimiter)}",)
    return Table(
        name=str(path),
        kind=kind if encoding == "utf8" else f"{kind} in UTF-16",
        columns=columns,
        load=load,
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


def _scan(path: Path) -> int:
    """Count the quotes of a file; a NUL byte is an error with its line."""
    quotes = 0
    with path.open("rb") as file:
        while block := file.read(SCAN):
            if b"\0" in block:
                raise _nul(path)
            if b'"' in block:
                quotes += int(np.count_nonzero(np.frombuffer(block, dtype=np.uint8) == QUOTE))
    return quotes


def _nul(path: Path) -> DataError:
    with path.open("rb") as file:
        line = next(number for number, text in enumerate(file, start=1) if b"\0" in text)
    return DataError.at(
        "the file holds a NUL byte.",
        file=str(path),
        line=line,
        hint="It is damaged, or UTF-16 without a byte order mark; save it as UTF-8.",
    )


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


def _load(path: Path, encoding: str, delimiter: str, names: Sequence[str], *, quoted: bool) -> Mapping[str, RawColumn]:
    with thrifty_memory() as release:
        table = _read(path, encoding, delimiter, names, quoted=quoted)
        waiting = [table[name] for name in reversed(names)]
        del table
        columns = {}
        for name in names:
            release()
            columns[name] = raw_column(waiting.pop(), is_text=True)
    return columns


@contextlib.contextmanager
def thrifty_memory() -> Iterator[Callable[[], None]]:
    """Let Arrow use the system's allocator, which gives memory back at once; yields what makes it do so."""
    import pyarrow as pa

    before, thrifty = pa.default_memory_pool(), pa.system_memory_pool()
    pa.set_memory_pool(thrifty)
    try:
        yield thrifty.release_unused
    finally:
        pa.set_memory_pool(before)
        thrifty.release_unused()


def _read(path: Path, encoding: str, delimiter: str, names: Sequence[str], *, quoted: bool) -> Any:
    """Read columns as dictionaries of text; blocks grow until the longest row fits."""
    import pyarrow as pa
    import pyarrow.csv as pc

    text = pa.dictionary(pa.int32(), pa.string())
    convert = pc.ConvertOptions(
        column_types=dict.fromkeys(names, text), null_values=[], strings_can_be_null=False, include_columns=list(names)
    )
    parse = pc.ParseOptions(delimiter=delimiter, newlines_in_values=quoted)
    size = BLOCK
    while True:
        reading = pc.ReadOptions(block_size=size, encoding=encoding)
        try:
            with pc.open_csv(path, read_options=reading, parse_options=parse, convert_options=convert) as reader:
                return pa.Table.from_batches(_batches(reader), reader.schema)
        except pa.ArrowInvalid as error:
            if "straddl" not in str(error) or size >= LARGEST:
                raise explain(path, encoding, delimiter, str(error)) from None
            size = min(max(path.stat().st_size + 1, 2 * size), LARGEST)


def _batches(reader: Any) -> Iterator[Any]:
    """Rows block by block; what reading them took is given back now and then."""
    import pyarrow as pa

    for number, batch in enumerate(reader):
        if number % 8 == 0:
            pa.default_memory_pool().release_unused()
        yield batch


def explain(path: Path, encoding: str, delimiter: str, message: str) -> DataError:
    """Find the line of what Arrow refused."""
    if "UTF8" in message.upper().replace("-", ""):
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
                    "the file is not UTF-8 text.",
                    file=str(path),
                    line=number,
                    found=f"byte 0x{line[error.start]:02X}" if error.start < len(line) else None,
                    hint="Save it as UTF-8 (it may be Latin-1 or Windows-1252).",
                )
    return DataError.at("the file ends within a character.", file=str(path), hint="Save it as UTF-8.")
