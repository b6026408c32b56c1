"""Tasks and answer items in the one form that is read further, made from what other tools write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from accord.readers.codes import Notices
from accord.readers.exports.export import TYPES, Item, Task
from accord.values import finite

Size: TypeAlias = tuple[float, float]

#: All tasks of other tools are in one project: their names are the same whichever file they come from.
PROJECT: Final = "export"
#: Name of the document of raters who have one file each.
ONLY: Final = "document"
#: Stands for both sides of an image of unknown size, so that pixels keep their proportions.
UNKNOWN_SIDE: Final = 10_000.0


def task(name: str, data: Mapping[str, Any], by: Mapping[Any, Sequence[Item]], *, skipped: bool = False) -> Task:
    """Task with one annotation for each rater."""
    annotations = [
        {"completed_by": rater, "result": list(items), "was_cancelled": skipped} for rater, items in by.items()
    ]
    return {"id": name or ONLY, "project": PROJECT, "data": dict(data), "annotations": annotations}


def marked(control: str, form: str, about: str, value: Item, labels: Sequence[Any], identity: str = "") -> Item:
    """Item that marks a region."""
    type_ = TYPES[form]
    key = "labels" if form == "tracks" else type_
    item = {"from_name": control, "to_name": about, "type": type_, "value": {**value, key: list(labels)}}
    return {**item, "id": identity} if identity else item


def answered(control: str, form: str, about: str, answer: Any) -> Item:
    """Item that answers a question about the whole task."""
    key = {"choices": "choices", "text": "text", "ranking": "ranker"}.get(form, form)
    return {"from_name": control, "to_name": about, "type": TYPES[form], "value": {key: answer}}


def within(region: Item, item: Item) -> Item:
    """The answer of an item, about a region instead of the whole task."""
    place = {key: part for key, part in region["value"].items() if not key.endswith("labels")}
    return {**item, "id": region["id"], "value": {**place, **item["value"]}}


def link(source: str, target: str, label: str) -> Item:
    """Item that relates two regions."""
    return {"type": "relation", "from_id": source, "to_id": target, "direction": "right", "labels": [label]}


def percent(pixels: Any, side: float) -> float | None:
    """Percent of a side of the image, None where the number cannot be used."""
    number = finite(pixels)
    return None if number is None else 100.0 * number / side


def sized(item: Item, size: Size | None) -> Item:
    """Item with the size of its image."""
    return item if size is None else {**item, "original_width": size[0], "original_height": size[1]}


def size_of(width: Any, height: Any, notices: Notices) -> Size | None:
    """Size of an image in pixels, None (counted) where it is not known."""
    across, along = finite(width), finite(height)
    if across is None or along is None or min(across, along) < 1:
        notices.add("size-missing", f"{width} x {height}")
        return None
    return across, along


def box_in_percent(corner: Sequence[Any], size: Size | None, rotation: float = 0.0) -> Item:
    """Value of a box given as x, y, width, height in pixels."""
    across, along = size or (UNKNOWN_SIDE, UNKNOWN_SIDE)
    parts = [percent(part, side) for part, side in zip(corner, (across, along, across, along), strict=True)]
    return {**dict(zip(("x", "y", "width", "height"), parts, strict=True)), "rotation": rotation}


def ring_in_percent(points: Iterable[Sequence[Any]], size: Size | None) -> list[list[float | None]]:
    """Points in percent of the image, given in pixels."""
    across, along = size or (UNKNOWN_SIDE, UNKNOWN_SIDE)
    return [[percent(x, across), percent(y, along)] for x, y in points]


def paired(numbers: Sequence[Any]) -> list[Sequence[Any]]:
    """Points of numbers x, y, x, y, …; an odd one at the end makes a point that cannot be used."""
    even = len(numbers) - len(numbers) % 2
    points: list[Sequence[Any]] = [numbers[at : at + 2] for at in range(0, even, 2)]
    return points if even == len(numbers) else [*points, (None, None)]
