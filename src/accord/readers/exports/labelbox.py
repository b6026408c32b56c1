"""Labelbox's export of data rows, one a line: objects, classifications and relations on text, images and video."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from accord.readers.exports.export import ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import link, size_of, task
from accord.readers.exports.labelbox_objects import about_of, classification, marked_object
from accord.readers.exports.labelbox_video import tracks_of
from accord.readers.exports.opening import listed_objects, objects_of


def tasks(source: Source) -> Iterator[Task]:
    """Every data row is a task for each project that labelled it; its labels name who made them."""
    for _, entry in source.documents():
        for number, record in enumerate(objects_of(entry, source.notices), 1):
            source.notices.task = str(number)
            row = _object(record.get("data_row"))
            name = str(row.get("global_key") or row.get("external_id") or row.get("id") or number)
            source.notices.task = name
            about, data = about_of(record)
            labels = [
                label
                for project in _object(record.get("projects")).values()
                for label in listed_objects(_object(project).get("labels"), "labels", entry.shown)
            ]
            for label in labels:
                yield _of_label(label, name, about, data, record, source)
            if not labels:
                yield task(name, data, {})


def _object(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {}


def _of_label(
    label: Mapping[str, Any], name: str, about: str, data: dict[str, str], record: Mapping[str, Any], source: Source
) -> Task:
    details, found = _object(label.get("label_details")), _object(label.get("annotations"))
    media = _object(record.get("media_attributes"))
    skipped = _object(label.get("performance_details")).get("skipped") is True
    items: list[Item] = []
    size = None
    if about != "text" and about != "audio":
        size = size_of(media.get("width"), media.get("height"), source.notices)
    if isinstance(found.get("frames"), Mapping):
        items += tracks_of(found["frames"], media, size, source)
    if found.get("segments"):
        source.notices.add("note-left-out", "segments")
    for one in listed_objects(found.get("objects"), "objects", source.notices.file):
        items += marked_object(one, about, size, source)
    for one in listed_objects(found.get("classifications"), "classifications", source.notices.file):
        items += classification(one, about, source)
    for one in listed_objects(found.get("relationships"), "relationships", source.notices.file):
        ends = _object(one.get("unidirectional_relationship") or one.get("bidirectional_relationship"))
        source.export.relate()
        items.append(link(str(ends.get("source")), str(ends.get("target")), str(one.get("name", ""))))
    made = task(name, data, {str(details.get("created_by") or source.rater): items}, skipped=skipped)
    made["annotations"][0] |= {"created_at": details.get("created_at"), "updated_at": details.get("updated_at")}
    return made


def _recognises(look: Look) -> bool:
    return isinstance(look.record.get("data_row"), dict) and isinstance(look.record.get("projects"), dict)


FORMAT: Final = ExportFormat(
    key="labelbox",
    title="Labelbox export of data rows",
    raters="label_details.created_by, else the file's name",
    endings=(".ndjson", ".jsonl", ".json"),
    tasks=tasks,
    recognises=_recognises,
    unit="a data row (global_key, else external_id)",
    note="Masks lie behind addresses, which are not fetched.",
)
