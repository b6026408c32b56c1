"""Values as JSON and back: what a bundle needs to recompute every number."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from accord import values as kinds
from accord.errors import DataError
from accord.values import EMPTY, Value

TYPES: Mapping[str, Callable[..., Value]] = {
    cls.__name__: cls
    for cls in (
        kinds.Span,
        kinds.Frames,
        kinds.Box,
        kinds.Ellipse,
        kinds.Polygon,
        kinds.Vector,
        kinds.KeyPoint,
        kinds.Mask,
        kinds.KeyFrame,
        kinds.Track,
        kinds.Link,
        kinds.Raw,
        kinds.Region,
        kinds.Ranking,
    )
}


def encode(value: Value) -> Any:
    """Return a JSON form that keeps types apart."""
    if value is EMPTY:
        return {"type": "empty"}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, frozenset):
        return {"type": "set", "items": sorted((encode(item) for item in value), key=repr)}
    if isinstance(value, tuple):
        return {"type": "tuple", "items": [encode(item) for item in value]}
    if isinstance(value, bytes):
        return {"type": "bytes", "base64": base64.b64encode(value).decode("ascii")}
    name = type(value).__name__
    if name in TYPES:
        return {"type": name} | {
            field: encode(getattr(value, field)) for field in getattr(value, "__dataclass_fields__", ())
        }
    raise TypeError(f"{type(value).__name__} has no JSON form")


def decode(data: Any) -> Value:
    """Undo ``encode``.

    Raises
    ------
    DataError
        If the JSON was not made by ``encode``.
    """
    if not isinstance(data, dict):
        return data
    try:
        kind = data["type"]
        if kind == "empty":
            return EMPTY
        if kind in ("set", "tuple"):
            items = map(decode, data["items"])
            return frozenset(items) if kind == "set" else tuple(items)
        if kind == "bytes":
            return base64.b64decode(data["base64"])
        return TYPES[kind](**{name: decode(item) for name, item in data.items() if name != "type"})
    except (KeyError, TypeError, ValueError) as error:
        raise DataError.at(f"value cannot be read back ({error}).", found=str(data)) from None
