"""doccano's JSON lines: entities with relations, categories, boxes and outlines on images."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from accord.errors import DataError
from accord.readers.exports.export import OBJECTS, ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import answered, box_in_percent, link, marked, paired, ring_in_percent, task
from accord.readers.exports.opening import listed_objects, objects_of

_LABELS: Final = ("label", "labels")
_KEYS: Final = frozenset({*_LABELS, "text", "data", "filename", "image", "entities", "cats", "bbox", "segmentation"})
#: Columns of a table of answers, where a list of labels is one answer of many.
_RATER: Final = re.compile(r"rater|annotator|coder|worker|judge|user|label+er", re.IGNORECASE)


def tasks(source: Source) -> Iterator[Task]:
    """Tasks of all files; a file is the work of one rater."""
    for _, entry in source.documents():
        yield from _of_file(list(objects_of(entry, source.notices)), source)


def _of_file(records: Sequence[Mapping[str, Any]], source: Source) -> Iterator[Task]:
    triples = any(type(first) is list for record in records for key in _LABELS for first in _listed(record.get(key)))
    for number, record in enumerate(records, 1):
        name = str(record.get("id", number))
        source.notices.task = name
        if not _KEYS & record.keys():
            found, allowed = ", ".join(record), "text and label, entities, or filename and bbox"
            raise DataError.at(
                "this is no record of doccano.", file=source.notices.file, task=name, found=found, allowed=allowed
            )
        if "id" not in record:
            source.notices.add("no-task-id")
        if record.get("Comments"):
            source.notices.add("note-left-out", str(record["Comments"]))
        text, image = record.get("text", record.get("data")), record.get("filename", record.get("image"))
        data = {key: given for key, given in (("text", text), ("image", image)) if isinstance(given, str)}
        yield task(name, data, {source.rater: list(_items(record, source, triples=triples))})


def _listed(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list) else ()


def _items(record: Mapping[str, Any], source: Source, *, triples: bool) -> Iterator[Item]:
    if "entities" in record:
        yield from _entities(record, source)
    for key in (key for key in _LABELS if key in record):
        yield from _triples(record[key], source) if triples else _categories(record[key], source)
    if "cats" in record:
        yield from _categories(record["cats"], source)
    yield from _shapes(record, source)


def _entities(record: Mapping[str, Any], source: Source) -> Iterator[Item]:
    name = source.export.ask("entities", "spans", "text")
    for entity in listed_objects(record["entities"], "entities", source.notices.file):
        value = {"start": entity.get("start_offset"), "end": entity.get("end_offset")}
        yield marked(name, "spans", "text", value, [entity.get("label")], str(entity.get("id", "")))
    if "relations" in record:
        source.export.relate()
        for relation in listed_objects(record["relations"], "relations", source.notices.file):
            yield link(str(relation.get("from_id")), str(relation.get("to_id")), str(relation.get("type", "")))


def _triples(given: Any, source: Source) -> Iterator[Item]:
    name = source.export.ask("entities", "spans", "text")
    for entry in _listed(given):
        if not isinstance(entry, list) or len(entry) != 3:
            source.notices.add("bad-geometry", str(entry), control=name)
            continue
        yield marked(name, "spans", "text", {"start": entry[0], "end": entry[1]}, [entry[2]])


def _categories(given: Any, source: Source) -> Iterator[Item]:
    name = source.export.ask("categories", "choices", "text")
    labels = given if isinstance(given, list) else [given]
    yield answered(name, "choices", "text", labels)


def _shapes(record: Mapping[str, Any], source: Source) -> Iterator[Item]:
    """Boxes and outlines in pixels; the export does not know the size of the image."""
    for form, key in (("boxes", "bbox"), ("polygons", "segmentation")):
        if key not in record:
            continue
        name = source.export.ask(OBJECTS, form, "image")
        for shape in listed_objects(record[key], key, source.notices.file):
            if form == "boxes":
                value = box_in_percent([shape.get(side) for side in ("x", "y", "width", "height")], None)
            else:
                value = {"points": ring_in_percent(paired(_listed(shape.get("points"))), None)}
            yield marked(name, form, "image", value, [shape.get("label")])


def _recognises(look: Look) -> bool:
    record = look.record
    labels = record.get("label", record.get("labels", record.get("entities")))
    shapes = isinstance(record.get("bbox", record.get("segmentation")), list) and "filename" in record
    return (isinstance(labels, list) and "text" in record and not any(map(_RATER.search, record))) or shapes


FORMAT: Final = ExportFormat(
    key="doccano",
    title="doccano JSON lines",
    raters="one file each, named after it",
    endings=(".jsonl", ".json"),
    tasks=tasks,
    recognises=_recognises,
    unit="the id",
    note="Offsets count characters, so projects in grapheme mode do not fit. Images come without their size.",
    one_a_file=True,
)
