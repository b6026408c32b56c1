"""Allowed answers of a control, from its tag and the tags inside it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from accord.errors import DataError
from accord.values import LARGEST, Value

#: A grid of numbers larger than this is no list of categories.
LARGEST_GRID: Final = 1000

Path = tuple[str, ...]


def result_value(attributes: dict[str, str]) -> str:
    """What an answer holds for a Choice or Label: the alias, else the value."""
    return unicodedata.normalize("NFC", attributes.get("alias") or attributes.get("value", ""))


def choices_domain(
    element: Any, attributes: dict[str, str], *, as_paths: bool
) -> tuple[tuple[Value, ...] | None, bool]:
    """Distinct values of the Choice tags inside; paths from the root where answers are paths.

    None where they come from the data or from elsewhere (``value="$field"``, ``apiUrl``).
    """
    if attributes.get("value", "").startswith("$") or "apiurl" in attributes:
        return None, True
    leaves_only = attributes.get("leafsonly") == "true"
    found: dict[Value, None] = {}
    for path, is_leaf, raw in _choices(element):
        if raw.startswith("$"):
            return None, True
        if is_leaf or not leaves_only:
            found[path if as_paths else path[-1]] = None
    return tuple(found), False


def _choices(element: Any) -> Iterator[tuple[Path, bool, str]]:
    """Choice tags in document order: path of result values, whether it is a leaf, value as written."""
    stack: list[tuple[Any, Path]] = [(child, ()) for child in reversed(element)]
    while stack:
        tag, prefix = stack.pop()
        path = prefix
        if _name(tag) == "choice":
            attributes = _attributes(tag)
            path = (*prefix, result_value(attributes))
            yield (
                path,
                not any(_name(inner) == "choice" for inner in tag.iter() if inner is not tag),
                attributes.get("value", ""),
            )
        stack += [(child, path) for child in reversed(tag)]


def labels_domain(element: Any, attributes: dict[str, str]) -> tuple[tuple[Value, ...] | None, bool]:
    """Distinct values of the Label tags inside."""
    if attributes.get("value", "").startswith("$"):
        return None, True
    found = [_attributes(tag) for tag in element.iter() if _name(tag) == "label"]
    if any(label.get("value", "").startswith("$") for label in found):
        return None, True
    return tuple(dict.fromkeys(result_value(label) for label in found)), False


def rating_domain(attributes: dict[str, str], name: str, file: str) -> tuple[Value, ...]:
    """Values 1 to maxRating."""
    top = _decimal(attributes.get("maxrating", "5"), "maxRating", name, file)
    return tuple(range(1, min(max(int(top), 1), LARGEST_GRID) + 1))


def number_domain(attributes: dict[str, str], name: str, file: str) -> tuple[Value, ...] | None:
    """Grid from min to max; None where a limit is missing or the grid is large."""
    if "min" not in attributes or "max" not in attributes:
        return None
    low = _decimal(attributes["min"], "min", name, file)
    high = _decimal(attributes["max"], "max", name, file)
    step = _decimal(attributes.get("step", "1"), "step", name, file)
    if step <= 0 or high < low or (high - low) / step >= LARGEST_GRID:
        return None
    return tuple(float(low + i * step) for i in range(int((high - low) / step) + 1))


def _decimal(text: str, what: str, name: str, file: str) -> Decimal:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or abs(number) > LARGEST:
        raise DataError.at(f"{what} is not a number.", file=file, control=name, found=text)
    return number


def distinct(values: Iterable[str]) -> tuple[Value, ...]:
    """Values in NFC, each once."""
    return tuple(dict.fromkeys(unicodedata.normalize("NFC", value) for value in values))


def _name(tag: Any) -> str:
    return tag.tag.lower() if isinstance(tag.tag, str) else ""


def _attributes(tag: Any) -> dict[str, str]:
    return {key.lower(): value for key, value in tag.attrib.items()}
