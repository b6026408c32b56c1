"""COCO: objects with boxes, outlines and masks, key points, captions; and its lists of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from accord.errors import DataError
from accord.readers.exports.export import OBJECTS, ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import (
    Size,
    answered,
    box_in_percent,
    marked,
    paired,
    percent,
    ring_in_percent,
    size_of,
    sized,
    task,
)
from accord.readers.exports.opening import json_of, listed_objects
from accord.readers.exports.parts import joined

Image: TypeAlias = tuple[str, Size | None]

_LISTS: Final = frozenset({"images", "annotations"})
_RESULT: Final = frozenset({"image_id", "category_id"})


def tasks(source: Source) -> Iterator[Task]:
    """Every image is a task; a file is the work of one rater. An image without annotations has nothing on it."""
    for _, entry in source.documents():
        source.notices.task = ""
        content = json_of(entry, source.notices)
        if isinstance(content, list):
            images, annotations = dict(source.export.images), listed_objects(content, "the list", entry.shown)
            if source.several and not images:
                hint = "Name the file with the images first, and the results behind it."
                raise DataError.at("a list of results names images by id alone.", file=entry.shown, hint=hint)
        elif isinstance(content, dict) and content.keys() >= _LISTS:
            images = _declare(content, source)
            annotations = listed_objects(content["annotations"], "annotations", entry.shown)
        else:
            found = str(sorted(content) if isinstance(content, dict) else content)
            allowed = "an object with images and annotations, or a list of results"
            raise DataError.at("this is no COCO file.", file=entry.shown, found=found, allowed=allowed)
        yield from _of_images(images, annotations, source)


def _declare(content: Mapping[str, Any], source: Source) -> dict[str, Image]:
    """Images by id; categories become the labels of the questions."""
    shown = source.notices.file
    for category in listed_objects(content.get("categories"), "categories", shown):
        source.export.categories[str(category.get("id"))] = str(category.get("name", category.get("id")))
    images: dict[str, Image] = {}
    for image in listed_objects(content["images"], "images", shown):
        identity = str(image.get("id"))
        size = size_of(image.get("width"), image.get("height"), source.notices)
        images[identity] = str(image.get("file_name", identity)), size
    source.export.images.update(images)
    named = {str(c.get("id")): c.get("keypoints") for c in content.get("categories") or ()}
    source.export.skeletons.update({key: [str(n) for n in names] for key, names in named.items() if _is_list(names)})
    return images


def _is_list(given: Any) -> bool:
    return isinstance(given, list)


def _of_images(images: dict[str, Image], annotations: Sequence[Mapping[str, Any]], source: Source) -> Iterator[Task]:
    items: dict[str, list[Item]] = {identity: [] for identity in images}
    for number, annotation in enumerate(annotations, 1):
        identity = str(annotation.get("image_id"))
        name, size = images.setdefault(identity, (identity, None))
        source.notices.task = name
        items.setdefault(identity, []).extend(_items(annotation, size, str(number), source))
    for identity, (name, _) in images.items():
        yield task(name, {"image": name}, {source.rater: items[identity]})


def _items(annotation: Mapping[str, Any], size: Size | None, number: str, source: Source) -> Iterator[Item]:
    category = str(annotation.get("category_id", ""))
    if "caption" in annotation:
        name = source.export.ask("caption", "text", "image")
        yield answered(name, "text", "image", [str(annotation["caption"])])
        return
    if annotation.get("attributes"):
        source.notices.add("note-left-out", str(annotation["attributes"]))
    label = source.export.categories.get(category, category or None)
    value, form = _shape(annotation, size, source)
    if form:
        name = source.export.ask(OBJECTS, form, "image", labels=source.export.categories.values())
        yield sized(marked(name, form, "image", value, [label], number), size)
    if _is_list(annotation.get("keypoints")):
        yield from _keypoints(annotation["keypoints"], source.export.skeletons.get(category, ()), size, source)
    elif not form:
        source.notices.add("no-value", str(dict(annotation)))


def _shape(annotation: Mapping[str, Any], size: Size | None, source: Source) -> tuple[Item, str]:
    """Value of the shape that says most, and its form; "" where there is none."""
    shape = annotation.get("segmentation")
    if isinstance(shape, Mapping):
        return {"counts": shape.get("counts"), "size": shape.get("size")}, "masks"
    if isinstance(shape, list) and shape:
        rings = [paired(part if isinstance(part, list) else [None]) for part in shape]
        return joined([ring_in_percent(ring, size) for ring in rings], source.notices), "polygons"
    box = annotation.get("bbox")
    if isinstance(box, list) and box:
        return box_in_percent(box if len(box) == 4 else [None] * 4, size), "boxes"
    return {}, ""


def _keypoints(given: Sequence[Any], names: Sequence[str], size: Size | None, source: Source) -> Iterator[Item]:
    """Points that are labelled: of x, y, v, where v is 0 for one that is not."""
    name = source.export.ask("keypoints", "keypoints", "image", labels=names)
    if len(given) % 3:
        source.notices.add("bad-geometry", f"{len(given)} numbers of key points", control=name)
        return
    for place, at in enumerate(range(0, len(given), 3)):
        x, y, visible = given[at : at + 3]
        if visible in (0, None):
            continue
        across, along = size or (100.0, 100.0)
        value = {"x": percent(x, across), "y": percent(y, along), "width": 0}
        yield sized(marked(name, "keypoints", "image", value, [_named(names, place)]), size)


def _named(names: Sequence[str], place: int) -> str:
    return names[place] if place < len(names) else str(place + 1)


def _recognises(look: Look) -> bool:
    record = look.record
    is_file = _is_list(record.get("images")) and _is_list(record.get("annotations"))
    return is_file or (record.keys() >= _RESULT and bool({"bbox", "segmentation", "keypoints"} & record.keys()))


FORMAT: Final = ExportFormat(
    key="coco",
    title="COCO",
    raters="one file each, named after it",
    endings=(".json",),
    tasks=tasks,
    recognises=_recognises,
    unit="an image (file_name)",
    note="Of two shapes the segmentation is read. A list of results comes behind the file with the images.",
    one_a_folder=True,
    one_a_file=True,
    nothing=(OBJECTS, "boxes", "image"),
)
