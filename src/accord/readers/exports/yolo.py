"""YOLO: a text file for each image; boxes, turned boxes, outlines or poses on each line, in shares of the image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from accord.errors import DataError
from accord.readers.exports.entries import Entry
from accord.readers.exports.export import OBJECTS, ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import marked, paired, task
from accord.readers.exports.opening import lines_of, text_of
from accord.readers.exports.yolo_classes import Classes, classes_of
from accord.values import finite

_IMAGES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp")
_LISTS: Final = frozenset({"classes.txt", "obj_names.txt", "labels.txt", "train.txt", "val.txt", "test.txt"})
_FOLDERS: Final = frozenset({"labels", "images"})
_HUNDRED: Final = 100.0


def tasks(source: Source) -> Iterator[Task]:
    """Every file is a task; a folder is the work of one rater. An image without a file has nothing on it."""
    classes = classes_of(source)
    source.export.ask(OBJECTS, "boxes", "image", labels=classes.names.values())
    items: dict[str, list[Item]] = {}
    for entry in source.entries:
        name = _place(entry) if source.document is None else source.document
        source.notices.file, source.notices.task = entry.shown, name
        if entry.ending in _IMAGES:
            items.setdefault(name, [])
        elif source.document is not None or source.format.is_document(entry):
            items[name] = [item for line in _lines(entry) for item in _shapes(line, classes, source)]
    for name, found in items.items():
        yield task(name, {"image": name}, {source.rater: found})


def _place(entry: Entry) -> str:
    """Name of an image below the folders that keep labels and images apart."""
    parts = PurePosixPath(entry.place).parts
    below = max((at for at, part in enumerate(parts[:-1], 1) if part in _FOLDERS), default=0)
    return "/".join(parts[below:])


@dataclass(frozen=True, slots=True)
class Line:
    """Numbers of one line, the first of which is the class."""

    file: str
    number: int
    numbers: Sequence[float]

    def refuse(self, text: str) -> DataError:
        """Error that says where and what is allowed."""
        return DataError.at(
            text,
            file=self.file,
            line=self.number,
            found=" ".join(f"{number:g}" for number in self.numbers[:12]),
            allowed="a class and 4 numbers of a box (or 5, with a confidence), or at least 3 points of an outline",
        )


def _lines(entry: Entry) -> Iterator[Line]:
    for number, text in lines_of(text_of(entry)):
        if not text.strip():
            continue
        found = [finite(word) for word in text.split()]
        line = Line(entry.shown, number, [value for value in found if value is not None])
        if len(line.numbers) < len(found) or line.numbers[0] < 0 or line.numbers[0] % 1:
            raise line.refuse("the line holds something else than a class and numbers.")
        yield line


def _shapes(line: Line, classes: Classes, source: Source) -> Iterator[Item]:
    """Regions of a line, told by how many numbers it has."""
    key, *numbers = line.numbers
    label = [classes.name(int(key))]
    pose = classes.points[0] * classes.points[1]
    if pose and len(numbers) in (4 + pose, 5 + pose):
        yield _box(numbers[:4], label)
        yield from _pose(numbers[4 : 4 + pose], classes.points[1], source)
    elif len(numbers) in (4, 5):
        yield _box(numbers[:4], label)
    elif len(numbers) >= 6 and len(numbers) % 2 == 0:
        points = [[_HUNDRED * x, _HUNDRED * y] for x, y in paired(numbers)]
        yield marked(OBJECTS, "polygons", "image", {"points": points}, label)
    else:
        raise line.refuse("the line has a number of numbers that no shape has.")


def _box(numbers: Sequence[float], label: Sequence[str]) -> Item:
    x, y, width, height = (_HUNDRED * number for number in numbers)
    value: Any = {"x": x - width / 2, "y": y - height / 2, "width": width, "height": height, "rotation": 0}
    return marked(OBJECTS, "boxes", "image", value, label)


def _pose(numbers: Sequence[float], width: int, source: Source) -> Iterator[Item]:
    """Key points of x, y, or of x, y, v where v is 0 for one that is not labelled."""
    count = len(numbers) // width
    name = source.export.ask("keypoints", "keypoints", "image", labels=[str(at + 1) for at in range(count)])
    for at in range(count):
        x, y, *visible = numbers[at * width : (at + 1) * width]
        if visible != [0.0]:
            value = {"x": _HUNDRED * x, "y": _HUNDRED * y, "width": 0}
            yield marked(name, "keypoints", "image", value, [str(at + 1)])


def _recognises(look: Look) -> bool:
    """Whether every line is a class and shares of the image; the last line may be cut off."""
    if look.entry.ending != ".txt" or PurePosixPath(look.entry.name).name in _LISTS or look.record:
        return False
    lines = [line.split() for line in look.head.split("\n")[:200] if line.strip()]
    has_shares = any("." in word for words in lines for word in words)
    return has_shares and all(len(words) >= 5 and words[0].isdecimal() and _is_shares(words[1:]) for words in lines)


def _is_shares(words: Sequence[str]) -> bool:
    numbers = [finite(word) for word in words]
    return all(number is not None and -1 <= number <= 2 for number in numbers)


FORMAT: Final = ExportFormat(
    key="yolo",
    title="YOLO (boxes, turned boxes, outlines, poses)",
    raters="one folder each, named after it",
    endings=(".txt",),
    tasks=tasks,
    recognises=_recognises,
    unit="an image (file)",
    note="A missing file means no boxes. Names come from data.yaml (extra `formats`), obj.names or classes.txt.",
    lists=_LISTS,
    folders=_FOLDERS,
    absent=True,
    one_a_folder=True,
)
