"""What a source is: a Label Studio export, its compact form, a table, or the export of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from accord.errors import DataError, UsageError
from accord.readers.exports.catalog import ENDINGS, EXPORTS, recognise, recognise_source, record_of
from accord.readers.exports.entries import entries_of
from accord.readers.json_stream import layout_of, stream

FORMATS: Final = ("labelstudio", "labelstudio-min", "labelstudio-csv", "table", *EXPORTS)

JSON_ENDINGS: Final = (".json", ".jsonl", ".ndjson", "")
CSV_ENDINGS: Final = (".csv", ".tsv", ".tab", ".txt")
_TASK: Final = frozenset({"annotations", "completions", "result"})
_COMPACT: Final = frozenset({"annotation_id", "annotator", "lead_time", "created_at", "updated_at"})
_KEYS: Final = _TASK | {"id", "data", "annotation_id", "annotator"}


def sniff(source: Any, format: str | None = None) -> str:  # noqa: A002 - the public name
    """Find out what a source is, by its content and ending.

    Raises
    ------
    UsageError
        ``format`` is not known.
    DataError
        There is no such file, or it is empty.
    """
    if format is not None:
        known = format.lower().replace("_", "-")
        if known not in FORMATS:
            raise UsageError(f"Unknown format {format!r}. Allowed: {', '.join(FORMATS)}.")
        return known
    if not isinstance(source, str | Path):
        return "table"
    path = Path(source)
    ending = path.suffix.casefold()
    if not path.exists() and "#" in str(source):
        return "table"
    if path.is_dir() or ending == ".zip":
        return _sniff_documents(path)
    check_file(path)
    if ending in JSON_ENDINGS:
        return _sniff_json(path)
    if ending in CSV_ENDINGS and _is_compact(_header(path)):
        return "labelstudio-csv"
    if ending not in ENDINGS:
        return "table"
    entry = entries_of(path)[0]
    return recognise(entry, record_of(entry)) or "table"


def _sniff_documents(path: Path) -> str:
    found = recognise_source(path)
    if found is None:
        raise DataError.at(
            f"this is {'a folder' if path.is_dir() else 'an archive'} without an export of a known tool.",
            file=str(path),
            allowed=", ".join(EXPORTS),
            hint="Name the files in it, or force one of these formats.",
        )
    return found


def check_file(path: Path) -> None:
    """Refuse what is no file, cannot be read twice (pipes, devices) or is empty."""
    if path.is_dir():
        raise DataError.at("this is a folder.", file=str(path), hint="Name the files in it.")
    if not path.exists():
        raise DataError.at("there is no such file.", file=str(path))
    if not path.is_file():
        raise DataError.at("this is a pipe or a device.", file=str(path), hint="Save the data to a file first.")
    if path.stat().st_size == 0:
        raise DataError.at("the file is empty.", file=str(path))


def _sniff_json(path: Path) -> str:
    layout = layout_of(path, _KEYS)
    first = next(stream(path, layout), None)
    if not isinstance(first, dict):
        return "labelstudio"
    if _is_compact(first.keys()):
        return "labelstudio-min"
    is_task = _TASK & first.keys() or "data" in first
    return recognise(entries_of(path)[0], first) or ("labelstudio" if is_task else "table")


def _is_compact(names: Any) -> bool:
    return "annotation_id" in names and "annotator" in names and len(_COMPACT & set(names)) > 2


def _header(path: Path) -> list[str]:
    """Cells of the first line, as far as they can be told; the reader of tables is the one to complain."""
    import csv

    with path.open("rb") as file:
        line = file.readline(1 << 16)
    text = line.decode("utf-8-sig", "replace").splitlines()
    try:
        return next(csv.reader(text[:1], delimiter="\t" if b"\t" in line and b"," not in line else ","), [])
    except csv.Error:
        return []
