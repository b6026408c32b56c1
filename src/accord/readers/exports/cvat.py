"""CVAT 1.1 XML: shapes, tags and attributes on images, tracks of boxes on video."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from accord.errors import DataError
from accord.readers.exports.cvat_shapes import keypoints, outline
from accord.readers.exports.cvat_tracks import track_of
from accord.readers.exports.export import OBJECTS, ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import Size, answered, marked, size_of, sized, task, within
from accord.readers.exports.opening import xml_of

_POINTS: Final = frozenset({"points", "skeleton"})
_TYPED: Final = {"number": "number", "text": "text"}


@dataclass(slots=True)
class Attributes:
    """Labels of a file, and its attributes by label and name: form of the question, and values to choose from."""

    labels: list[str] = field(default_factory=list)
    declared: dict[tuple[str, str], tuple[str, list[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Any) -> Attributes:
        """Read what the meta says."""
        labels = root.iterfind("meta//labels/label")
        found = cls([one.findtext("name", "") for one in labels if not one.findtext("parent")])
        for label in root.iterfind("meta//label"):
            for one in label.iterfind("attributes/attribute"):
                key = label.findtext("name", ""), one.findtext("name", "")
                form = _TYPED.get(one.findtext("input_type", ""), "choices")
                values = one.findtext("values", "").splitlines() if form == "choices" else []
                found.declared[key] = form, values
        return found


def tasks(source: Source) -> Iterator[Task]:
    """Every image, and the video of every file with tracks, is a task; a file is the work of one rater."""
    for document, entry in source.documents():
        root = xml_of(entry)
        if root.tag != "annotations":
            raise DataError.at("this is no CVAT file.", file=entry.shown, found=root.tag, allowed="annotations")
        attributes = Attributes.of(root)
        for image in root.iterfind("image"):
            name = source.notices.task = image.get("name") or image.get("id") or ""
            size = size_of(image.get("width"), image.get("height"), source.notices)
            numbers = map(str, count(1))
            items = [item for shape in image for item in _shape(shape, size, attributes, next(numbers), source)]
            yield task(name, {"image": name}, {source.rater: items})
        is_video = root.findtext("meta//mode") == "interpolation" and root.find("image") is None
        if is_video or root.find("track") is not None:
            yield _video(root, document, attributes.labels, source)


def _video(root: Any, document: str, labels: list[str], source: Source) -> Task:
    name = source.notices.task = root.findtext("meta/source") or root.findtext("meta/task/source") or document
    source.export.ask("tracks", "tracks", "video", labels=labels)
    items = []
    for number, track in enumerate(root.iterfind("track"), 1):
        item = track_of(track, root, str(number), source)
        items += [] if item is None else [item]
    return task(name, {"video": name}, {source.rater: items})


def _shape(shape: Any, size: Size | None, attributes: Attributes, number: str, source: Source) -> Iterator[Item]:
    label = shape.get("label", "")
    if shape.tag == "tag":
        name = source.export.ask("tags", "choices", "image", multiple=True)
        yield answered(name, "choices", "image", [label])
        yield from _answers(shape, label, attributes, source, prefix=f"{label}.")
    elif shape.tag in _POINTS:
        yield from keypoints(shape, size, source)
    elif shape.tag == "polyline":
        name = source.export.ask("lines", "vectors", "image")
        yield sized(marked(name, "vectors", "image", outline(shape, size, source.notices)[1], [label], number), size)
    else:
        form, value = outline(shape, size, source.notices)
        if not form:
            source.notices.add("unknown-shape", shape.tag)
            return
        source.export.ask(OBJECTS, form, "image", labels=attributes.labels)
        if shape.get("occluded") == "1":
            source.notices.add("note-left-out", f"occluded {label}")
        region = sized(marked(OBJECTS, form, "image", value, [label], number), size)
        yield region
        for answer in _answers(shape, label, attributes, source, region=True):
            yield within(region, answer)


def _answers(
    shape: Any, label: str, attributes: Attributes, source: Source, *, prefix: str = "", region: bool = False
) -> Iterator[Item]:
    """Attributes of a shape or tag; an empty one is not answered."""
    for one in shape.iterfind("attribute"):
        name, text = one.get("name", ""), one.text or ""
        form, values = attributes.declared.get((label, name), ("choices", []))
        if not text:
            continue
        asked = source.export.ask(f"{prefix}{name}", form, "image", labels=values, per_region=region)
        yield answered(asked, form, "image", text if form == "number" else [text])


def _recognises(look: Look) -> bool:
    return look.root == "annotations" and ("<version>1.1" in look.head or "<image " in look.head)


FORMAT: Final = ExportFormat(
    key="cvat",
    title="CVAT 1.1 XML (images, video)",
    raters="one file each, named after it",
    endings=(".xml",),
    tasks=tasks,
    recognises=_recognises,
    unit="an image, or the video of a file",
    note="Cuboids, and tracks of other shapes than boxes, are counted and left out.",
    one_a_folder=True,
    one_a_file=True,
    nothing=(OBJECTS, "boxes", "image"),
)
