"""Rows as CSV and as JSON, line by line, for files of any size."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accord.writers.tables import safe_cell


def csv_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    r"""CSV with a header from the first row; a spreadsheet that opens it runs nothing.

    Examples
    --------
    >>> list(csv_lines([{"task": 1, "note": "=1+1"}, {"task": 2, "note": None}]))
    ['task,note\r\n', "1,'=1+1\r\n", '2,\r\n']
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    header: list[str] | None = None
    for row in rows:
        if header is None:
            header = list(row)
            writer.writerow(map(safe_cell, header))
            yield _taken(buffer)
        writer.writerow(_cell(row[name]) for name in header)
        yield _taken(buffer)


def json_list(items: Iterable[Any]) -> Iterator[str]:
    r"""One JSON list of all items.

    Examples
    --------
    >>> "".join(json_list([{"id": 1}, {"id": 2}]))
    '[{"id": 1},\n{"id": 2}]'
    """
    yield "["
    for place, item in enumerate(items):
        yield (",\n" if place else "") + json.dumps(item, ensure_ascii=True)
    yield "]"


def _cell(value: Any) -> Any:
    return safe_cell(value) if isinstance(value, str) else value


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
