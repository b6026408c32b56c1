"""JSON lines, JSON lists of flat objects, and Excel sheets as tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import DataError, MissingExtraError
from accord.readers.decoding import decoding
from accord.readers.table_data import RawColumn, Table, check_columns, column_of, named_columns, row_place


def open_json_lines(path: Path) -> Table:
    """Open a file with one flat JSON object a line."""
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip(b"\xef\xbb\xbf \t\r\n")
            if text:
                records.append(_record(path, number, text))
                lines.append(number)
    return _records_table(path, "JSON lines", records, lines)


def open_json_list(path: Path) -> Table:
    """Open a file with one JSON list of flat objects."""
    found = _parse(path, None, path.read_bytes())
    if not isinstance(found, list):
        raise DataError.at("a table in JSON is a list of objects.", file=str(path), found=type(found).__name__)
    records = []
    for number, item in enumerate(found, start=1):
        if not isinstance(item, dict):
            raise DataError.at("each row is an object.", file=f"{path}, row {number}", found=repr(item))
        records.append(item)
    return _records_table(path, "JSON", records, None)


def _record(path: Path, line: int, text: bytes) -> dict[str, Any]:
    found = _parse(path, line, text)
    if not isinstance(found, dict):
        raise DataError.at("each line holds one JSON object.", file=str(path), line=line, found=repr(found))
    return found


def _parse(path: Path, line: int | None, text: bytes) -> Any:
    def constant(name: str) -> float:
        if name == "NaN":
            return float("nan")
        raise DataError.at("infinity is not an answer.", file=str(path), line=line, found=name)

    try:
        return json.loads(text.decode("utf-8-sig"), parse_constant=constant)
    except UnicodeDecodeError:
        raise DataError.at("the file is not UTF-8 text.", file=str(path), line=line, hint="Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        place = error.lineno if line is None else line
        raise DataError.at(
            f"this is not JSON: {error.msg} at character {error.colno}.", file=str(path), line=place
        ) from None
    except RecursionError:
        raise DataError.at("the JSON is nested too deeply for a table.", file=str(path), line=line) from None
    except ValueError:
        raise DataError.at("a number has too many digits.", file=str(path), line=line) from None


def _records_table(path: Path, kind: str, records: Sequence[Mapping[str, Any]], lines: Sequence[int] | None) -> Table:
    if not records:
        raise DataError.at("the file is empty.", file=str(path))
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = check_columns(str(path), names)

    line_of = None if lines is None else lines.__getitem__
    place = row_place(str(path), line_of)

    def load(wanted: Sequence[str]) -> Mapping[str, RawColumn]:
        return named_columns(wanted, lambda name: column_of([record.get(name) for record in records]), place)

    return Table(name=str(path), kind=kind, columns=columns, load=load, stem=path.stem, line_of=line_of)


def open_excel(path: Path, sheet: str | None = None) -> Table:
    """Open one sheet of a workbook; by default the first that holds anything."""
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        raise MissingExtraError.install("Reading Excel files", "excel") from None
    with decoding(path, "the workbook cannot be read"):
        book = CalamineWorkbook.from_path(str(path))
        names = list(book.sheet_names)
        if sheet is not None and sheet not in names:
            raise DataError.at(f"there is no sheet {sheet!r}.", file=str(path), allowed=", ".join(names))
        chosen = names if sheet is None else [sheet]
        found = ((name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)) for name in chosen)
        name, rows = next(((name, rows) for name, rows in found if any(map(_filled, rows))), ("", []))
    if not rows:
        raise DataError.at("the sheet is empty." if sheet else "the workbook is empty.", file=str(path))
    return _sheet_table(path, name, rows, len(names))


def _filled(row: Iterable[Any]) -> bool:
    return any(cell not in ("", None) for cell in row)


def _sheet_table(path: Path, sheet: str, rows: Sequence[Sequence[Any]], sheets: int) -> Table:
    kept = [(number, row) for number, row in enumerate(rows, start=1) if _filled(row)]
    width = max(place + 1 for _, row in kept for place, cell in enumerate(row) if cell not in ("", None))
    header = [str(cell) for cell in kept[0][1][:width]]
    columns = check_columns(f"{path}, sheet {sheet!r}", header)
    lines = [number for number, _ in kept[1:]]

    name = f"{path}, sheet {sheet!r}"

    def column(title: str) -> RawColumn:
        at = columns.index(title)
        return column_of([row[at] for _, row in kept[1:]])

    return Table(
        name=name,
        kind=f"Excel sheet {sheet!r}",
        columns=columns,
        load=lambda wanted: named_columns(wanted, column, row_place(name, lines.__getitem__)),
        stem=path.stem,
        line_of=lines.__getitem__,
        notes=(f"one of {sheets} sheets",) if sheets > 1 else (),
    )
