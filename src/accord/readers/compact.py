"""The compact exports of Label Studio, JSON-MIN, CSV and TSV: one record for each annotation.

A record mixes the task's data with the answers, and answers lose their types. A label config says which columns are
answers; without one, columns are told by the shape of what they hold or by whether they vary within a task.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from accord.errors import DataError
from accord.readers.json_stream import layout_of, stream
from accord.readers.json_text import CHUNK, Progress
from accord.readers.payloads import PAYLOADS

if TYPE_CHECKING:
    from accord.readers.labelstudio import LabelStudioReader

OWN: Final = frozenset(
    {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "history"}
)
#: Longest text, in characters, and share of distinct ones for which plain answers are taken for labels.
_LABEL_LENGTH: Final = 40
_LABEL_SHARE: Final = 0.5
_FEW: Final = 20


@dataclass(slots=True)
class Seen:
    """What a column holds, from a first pass: answers by shape, texts, whether they vary within a task."""

    shaped: set[str] = field(default_factory=set)
    distinct: set[str] = field(default_factory=set)
    filled: int = 0
    longest: int = 0
    varies: bool = False
    plain: bool = True
    first: dict[str, str] = field(default_factory=dict)


def read_compact(
    reader: LabelStudioReader, path: Path, kind: str, controls: tuple[Any, Any], *, progress: Progress | None = None
) -> str:
    """Read a compact export; returns in words what was read."""
    is_csv = kind == "labelstudio-csv"
    columns = reader.declared or _named(controls)
    words = ""
    if not columns:
        columns, data = _infer(_records(path, is_csv, None))
        if not columns:
            raise DataError.at(
                "no column of this export can be recognised as answers.",
                file=str(path),
                hint="Give the label config, or name the controls.",
            )
        words = f"; without a label config {', '.join(sorted(columns))} were taken for answers"
        reader.notice_inferred(str(path), f"answers: {', '.join(sorted(columns))}; data: {', '.join(sorted(data))}")
    records = _records(path, is_csv, progress, reader.repaired)
    reader.read_file((_task(record, columns) for record in records), str(path))
    return f"{'CSV' if is_csv else 'JSON-MIN'}, one record for each annotation{words}"


def _named(controls: tuple[Any, Any]) -> dict[str, str]:
    """Controls that the caller named: name -> type."""
    found: dict[str, str] = {}
    for given, type_ in zip(controls, ("choices", "textarea"), strict=True):
        names = [] if given is None else given.split(",") if isinstance(given, str) else given
        found |= {name.strip(): type_ for name in names}
    return found


def _records(
    path: Path, is_csv: bool, progress: Progress | None, repaired: Callable[[str], None] | None = None
) -> Iterator[Mapping[str, Any]]:
    if is_csv:
        yield from _csv_records(path, progress)
        return
    for record in stream(path, layout_of(path, OWN), progress=progress, repaired=repaired):
        if not isinstance(record, Mapping):
            raise DataError.at("this is not a record of an annotation.", file=str(path), found=str(record))
        yield record


def _csv_records(path: Path, progress: Progress | None) -> Iterator[Mapping[str, Any]]:
    limit = csv.field_size_limit(sys.maxsize)
    size = path.stat().st_size
    try:
        with path.open("rb") as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            rows = csv.DictReader(file, delimiter="\t" if "\t" in head and "," not in head else ",", strict=True)
            for number, row in enumerate(rows):
                if None in row or None in row.values():
                    raise DataError.at(
                        f"the row does not have {len(rows.fieldnames or ())} cells.", file=str(path), line=rows.line_num
                    )
                if progress is not None and number % CHUNK == 0:
                    progress(raw.tell(), size)
                yield row
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError.at(f"the file cannot be read as CSV: {error}.", file=str(path)) from None
    finally:
        csv.field_size_limit(limit)


def _infer(records: Iterator[Mapping[str, Any]]) -> tuple[dict[str, str], list[str]]:
    """Columns that hold answers with their type, and those that hold data."""
    seen: dict[str, Seen] = {}
    for record in records:
        task = str(record.get("id"))
        for name, cell in record.items():
            if name not in OWN and cell not in (None, ""):
                _look(seen.setdefault(name, Seen()), cell, task)
    columns = {name: _type(look) for name, look in seen.items() if look.shaped or look.varies}
    return columns, [name for name in seen if name not in columns]


def _look(seen: Seen, cell: Any, task: str) -> None:
    seen.filled += 1
    parsed = parse_cell(cell)
    text = cell if isinstance(cell, str) else json.dumps(cell, sort_keys=True)
    if seen.first.setdefault(task, text) != text:
        seen.varies = True
    for value in parsed if isinstance(parsed, list) else [parsed]:
        if isinstance(value, Mapping):
            known = [k for k in value if k in PAYLOADS or k.endswith("labels") or k in ("ranges", "sequence")]
            seen.shaped.update(known)
    if not isinstance(parsed, str):
        seen.plain = False
    elif len(seen.distinct) <= seen.filled:
        seen.distinct.add(text)
        seen.longest = max(seen.longest, len(text))


def _type(seen: Seen) -> str:
    """Type of a column's bare texts: free text or choice."""
    if "text" in seen.shaped and not any(key.endswith("labels") for key in seen.shaped):
        return "textarea"
    if "choices" in seen.shaped:
        return "choices"
    many = seen.filled > _FEW and len(seen.distinct) > _LABEL_SHARE * seen.filled
    return "textarea" if many or seen.longest > _LABEL_LENGTH else "choices"


def _task(record: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """Record as a task with one annotation."""
    data = {
        name.removeprefix("_data_"): cell for name, cell in record.items() if name not in OWN and name not in columns
    }
    result = [item for name, type_ in columns.items() for item in _items(name, type_, record.get(name))]
    annotation = {
        "id": record.get("annotation_id"),
        "completed_by": record.get("annotator"),
        "created_at": record.get("created_at"),
        "updated_at": record.get("updated_at"),
        "lead_time": _seconds(record.get("lead_time")),
        "result": result,
    }
    return {"id": record.get("id"), "data": data, "annotations": [annotation] if _is_annotated(record) else []}


def _is_annotated(record: Mapping[str, Any]) -> bool:
    return record.get("annotation_id") not in (None, "") or record.get("annotator") not in (None, "")


def _items(name: str, type_: str, cell: Any) -> Iterator[dict[str, Any]]:
    if cell is None or cell == "":
        return
    bare = type_ in ("choices", "textarea")
    parsed = parse_cell(cell, structured=not bare)
    if isinstance(parsed, list) and all(isinstance(value, Mapping) for value in parsed):
        values: list[Any] = parsed
    elif isinstance(parsed, Mapping):
        values = [parsed]
    else:
        values = [{_KEYS.get(type_, type_): [cell] if bare else parsed}]
    for value in values:
        yield {"from_name": name, "type": type_ if bare and not _is_region(value) else "", **_envelope(value)}


def _envelope(value: Mapping[str, Any]) -> dict[str, Any]:
    """Give back to the item what the export put into its value."""
    moved = {key: value[key] for key in ("original_width", "original_height", "image_rotation") if key in value}
    return {**moved, "value": {key: part for key, part in value.items() if key not in moved}}


def _is_region(value: Mapping[str, Any]) -> bool:
    return any(key.endswith("labels") for key in value)


_KEYS: Final = {"textarea": "text", "pairwise": "selected"}


def parse_cell(cell: Any, *, structured: bool = False) -> Any:
    """Content of a cell: JSON where it holds a list or an object (or a number, ``structured``), else the text."""
    if not isinstance(cell, str):
        return cell
    if not structured and cell[:1] not in "[{":
        return cell
    try:
        parsed = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    if structured or isinstance(parsed, Mapping):
        return parsed
    return parsed if isinstance(parsed, list) and parsed and all(isinstance(p, Mapping) for p in parsed) else cell


def _seconds(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    try:
        return float(cell)
    except ValueError:
        return cell or None
