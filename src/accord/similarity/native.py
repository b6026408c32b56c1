"""Answers as people hand them over: plain values, Label Studio objects, or lists of these."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from accord.similarity.native_regions import image_size, moment, region
from accord.similarity.native_relations import holds_relations, related
from accord.values import (
    EMPTY,
    LARGEST,
    Box,
    Ellipse,
    Frames,
    KeyPoint,
    Mask,
    Polygon,
    Ranking,
    Raw,
    Region,
    Regions,
    Span,
    Track,
    Value,
    Vector,
    finite,
)

_GEOMETRIES = (Span, Frames, Box, Ellipse, Polygon, Vector, KeyPoint, Mask, Track, Raw)


def native(answer: Any, *, ordered: bool = False) -> Value | None:
    """Value of an answer, None if it is missing or no answer (NaN, infinity, numbers beyond LARGEST).

    Parameters
    ----------
    answer
        Text, number, set, geometry, region, Label Studio ``value``, result item, or a list of these.
    ordered
        Whether the order of a list of texts matters (lines, rankings); otherwise it is a set of labels.
    """
    if answer is None or (isinstance(answer, int | float) and not abs(answer) <= LARGEST):
        return None
    if isinstance(answer, Mapping):
        return _object(answer)
    if isinstance(answer, _GEOMETRIES):
        return (Region(answer),)
    if isinstance(answer, Region):
        return (answer,)
    if isinstance(answer, set | frozenset):
        return frozenset(answer)
    if isinstance(answer, list | tuple):
        return related(answer, native) if holds_relations(answer) else _several(answer, ordered)
    return answer if hasattr(type(answer), "__hash__") else None


def instant(text: str) -> str:
    """One spelling for one moment: ISO in UTC; text that is no date stays as it is."""
    time = moment(text)
    return text if time is None else time.isoformat()


def _object(item: Mapping[str, Any]) -> Value | None:
    value = item.get("value", item)
    if not isinstance(value, Mapping):
        return None
    found = region(value, image_size(item), str(item.get("id", "")))
    if found is not None:
        return (found,)
    for key, read in _READERS:
        if key in value:
            return read(value[key])
    return None


def _several(items: Sequence[Any], ordered: bool) -> Value | None:
    if not items:
        return () if ordered else EMPTY
    if all(isinstance(item, str) for item in items):
        return tuple(items) if ordered else frozenset(items)
    if all(isinstance(item, list | tuple) for item in items):
        return frozenset(tuple(map(str, path)) for path in items)
    values = [native(item, ordered=ordered) for item in items]
    if all(isinstance(value, tuple) for value in values):
        return _grouped([part for value in values if isinstance(value, tuple) for part in value])
    if all(isinstance(value, frozenset) for value in values):
        return frozenset().union(*(value for value in values if isinstance(value, frozenset)))
    return values[0] if len(values) == 1 else None


def _grouped(parts: Sequence[Any]) -> Regions | None:
    """Join the items of one region: the same id in several result items."""
    if not all(isinstance(part, Region) for part in parts):
        return None
    merged: dict[Any, Region] = {}
    for position, part in enumerate(parts):
        key = part.id or position
        merged[key] = _joined(merged[key], part) if key in merged else part
    return tuple(merged.values())


def _joined(first: Region, second: Region) -> Region:
    return dataclasses.replace(
        first,
        labels=first.labels | second.labels,
        choices=first.choices if second.choices is None else (first.choices or frozenset()) | second.choices,
        text=first.text if second.text is None else second.text,
    )


def _labels(content: Any) -> Value:
    items = content if isinstance(content, list | tuple) else [content]
    if any(isinstance(item, list | tuple) for item in items):
        return _paths(items)
    return frozenset(map(str, items)) if items else EMPTY


def _paths(content: Any) -> Value:
    items = content if isinstance(content, list | tuple) else [content]
    paths = frozenset(tuple(map(str, p)) if isinstance(p, list | tuple) else (str(p),) for p in items)
    return paths or EMPTY


def _number(content: Any) -> Value | None:
    return finite(content)


def _date(content: Any) -> Value | None:
    return instant(content) if isinstance(content, str) else None


def _lines(content: Any) -> Value | None:
    if isinstance(content, list | tuple):
        return tuple(map(str, content))
    return content if isinstance(content, str) else None


def _ranking(content: Any) -> Value | None:
    if isinstance(content, list | tuple):
        return Ranking((("rank", tuple(map(str, content))),))
    if not isinstance(content, Mapping) or not all(isinstance(items, list | tuple) for items in content.values()):
        return None
    return Ranking(tuple((str(name), tuple(map(str, items))) for name, items in content.items()))


def _name(content: Any) -> Value | None:
    return content if isinstance(content, str) else None


_READERS: tuple[tuple[str, Callable[[Any], Value | None]], ...] = (
    ("choices", _labels),
    ("labels", _labels),
    ("taxonomy", _paths),
    ("rating", _number),
    ("number", _number),
    ("datetime", _date),
    ("text", _lines),
    ("selected", _name),
    ("ranker", _ranking),
)
