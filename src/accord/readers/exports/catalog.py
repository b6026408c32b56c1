"""The formats of other tools, and how content tells them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from accord.errors import DataError
from accord.readers.codes import Notices
from accord.readers.exports import (
    argilla,
    brat,
    coco,
    conll,
    cvat,
    doccano,
    elan,
    labelbox,
    prodigy,
    rttm,
    textgrid,
    uima,
    voc,
    yolo,
)
from accord.readers.exports.entries import Entry, entries_of
from accord.readers.exports.export import ExportFormat, Look
from accord.readers.exports.opening import first_object
from accord.readers.exports.parquet import ENDING, columns_of

_READERS: Final = (prodigy, doccano, conll, brat, coco, voc, yolo, cvat, rttm, labelbox, argilla, textgrid, elan, uima)
_FORMATS: Final = tuple(reader.FORMAT for reader in _READERS)
EXPORTS: Final[Mapping[str, ExportFormat]] = {one.key: one for one in _FORMATS}
ENDINGS: Final = frozenset(ending for one in _FORMATS for ending in one.endings)

_JSON: Final = frozenset({".json", ".jsonl", ".ndjson"})
_ROOT: Final = re.compile(r"<(?:[\w.-]+:)?(\w[\w.-]*)")
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
#: Documents of a folder that are looked at before it counts as unknown.
_LOOKS: Final = 20


def recognise(entry: Entry, record: Mapping[str, Any] | None = None) -> str | None:
    """Format of a document by its content, None if it is none of these; ``record`` is its first JSON object."""
    content = entry.head()
    head = content.decode("utf-16" if content[:2] in _UTF16 else "utf-8-sig", "replace")
    root = _ROOT.search(head) if head.lstrip().startswith("<") else None
    look = Look(entry, head, record or {}, root[1] if root else "")
    return next((one.key for one in _FORMATS if one.recognises(look)), None)


def recognise_source(path: Path) -> str | None:
    """Format of the documents in a folder or an archive, None if it is none of these.

    Raises
    ------
    DataError
        They are of several formats.
    """
    looked = [entry for entry in entries_of(path) if entry.ending in ENDINGS][:_LOOKS]
    found = dict.fromkeys(filter(None, (recognise(entry, record_of(entry)) for entry in looked)))
    if len(found) > 1:
        what = f"its documents are of several formats: {', '.join(found)}."
        raise DataError.at(what, file=str(path), hint="Name the files of one format.")
    return next(iter(found), None)


def record_of(entry: Entry) -> Mapping[str, Any]:
    """First JSON object of a document, empty where there is none; what is broken, its reader says."""
    if entry.ending == ENDING:
        return columns_of(entry)
    if entry.ending not in _JSON:
        return {}
    try:
        return first_object(entry, Notices())
    except DataError:
        return {}
