"""Names of YOLO's classes: from data.yaml, obj.names or classes.txt beside the labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from accord.errors import DataError, MissingExtraError
from accord.readers.exports.entries import Entry
from accord.readers.exports.export import Source
from accord.readers.exports.opening import text_of

_LISTS: Final = frozenset({"obj.names", "classes.txt", "obj_names.txt", "labels.txt"})
_YAML: Final = frozenset({".yaml", ".yml"})
#: Key points of a pose, and numbers of each.
_NO_POSE: Final = (0, 0)
_MOST_POINTS: Final = 1000


@dataclass(frozen=True, slots=True)
class Classes:
    """Names by number, and the shape of poses: key points, and numbers of each."""

    names: Mapping[int, str] = field(default_factory=dict)
    points: tuple[int, int] = _NO_POSE

    def name(self, number: int) -> str:
        """Name of a class, its number where there is none."""
        return self.names.get(number, str(number))


def classes_of(source: Source) -> Classes:
    """Classes that the files of a source declare, none where they declare none."""
    for entry in source.entries:
        if entry.ending in _YAML:
            return _of_yaml(entry)
    for entry in source.entries:
        if PurePosixPath(entry.name).name in _LISTS:
            names = (line.strip() for line in text_of(entry).splitlines())
            return Classes(dict(enumerate(name for name in names if name)))
    return Classes()


def _of_yaml(entry: Entry) -> Classes:
    try:
        import yaml
    except ImportError:
        raise MissingExtraError.install(f"The class list {entry.name}", "formats") from None
    try:
        content: Any = yaml.safe_load(text_of(entry))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise DataError.at(f"this is no YAML: {error}.", file=entry.shown) from None
    given = content if isinstance(content, dict) else {}
    names = given.get("names", {})
    if isinstance(names, list):
        names = dict(enumerate(names))
    if not isinstance(names, dict) or not all(_is_class(key, name) for key, name in names.items()):
        raise DataError.at("names is no list of classes.", file=entry.shown)
    return Classes({key: str(name) for key, name in names.items()}, _points(given.get("kpt_shape"), entry))


def _is_class(key: Any, name: Any) -> bool:
    """Whether this is a number and a name; anything nested could be endless when written out."""
    return type(key) is int and isinstance(name, str | int | float)


def _points(given: Any, entry: Entry) -> tuple[int, int]:
    if given is None:
        return _NO_POSE
    whole = isinstance(given, list) and len(given) == 2 and all(type(number) is int for number in given)
    if not whole or not (0 < given[0] <= _MOST_POINTS and given[1] in (2, 3)):
        allowed = "[number of points, 2 or 3]"
        raise DataError.at("kpt_shape is no shape of a pose.", file=entry.shown, allowed=allowed)
    return given[0], given[1]
