"""Pascal VOC: an XML file for each image, with the boxes on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from accord.errors import DataError
from accord.readers.exports.export import OBJECTS, ExportFormat, Source, Task
from accord.readers.exports.items import box_in_percent, marked, size_of, sized, task
from accord.readers.exports.opening import xml_of
from accord.values import finite

_NOTES: Final = ("pose", "truncated", "difficult", "occluded")
_SIDES: Final = ("xmin", "ymin", "xmax", "ymax")


def tasks(source: Source) -> Iterator[Task]:
    """Every file is a task; a folder is the work of one rater."""
    name = source.export.ask(OBJECTS, "boxes", "image")
    for document, entry in source.documents():
        root = xml_of(entry)
        if root.tag != "annotation":
            raise DataError.at("this is no VOC file.", file=entry.shown, found=root.tag, allowed="annotation")
        size = size_of(root.findtext("size/width"), root.findtext("size/height"), source.notices)
        items = []
        for thing in root.iter("object"):
            for note in _NOTES:
                if _text(thing, note) not in ("", "0", "Unspecified"):
                    source.notices.add("note-left-out", f"{note} {_text(thing, note)}")
            value = box_in_percent(_corner(thing.find("bndbox")), size)
            items.append(sized(marked(name, "boxes", "image", value, [_text(thing, "name")]), size))
        yield task(document, {"image": root.findtext("filename") or document}, {source.rater: items})


def _text(element: Any, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _corner(box: Any) -> list[Any]:
    """x, y, width and height in pixels from 0.

    Whole numbers count pixels from 1 and include the last one, as the format began; numbers written with a point are
    places on the image.
    """
    texts = ["" if box is None else _text(box, side) for side in _SIDES]
    numbers = [finite(text) for text in texts]
    if None in numbers:
        return [None] * 4
    left, top, right, bottom = (number or 0.0 for number in numbers)
    pixel = 0 if any("." in text for text in texts) else 1
    return [left - pixel, top - pixel, right - left + pixel, bottom - top + pixel]


FORMAT: Final = ExportFormat(
    key="voc",
    title="Pascal VOC",
    raters="one folder each, named after it",
    endings=(".xml",),
    tasks=tasks,
    recognises=lambda look: look.root == "annotation",
    unit="an image (file)",
    note="Whole numbers count pixels from 1 and include the last one; numbers written with a point are places.",
    one_a_folder=True,
)
