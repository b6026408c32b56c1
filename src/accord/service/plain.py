"""The JSON form of page data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import date
from enum import Enum
from typing import Any

from pydantic import BaseModel

from accord.service.roles import Role


def plain(value: Any) -> Any:
    """Return dataclasses and models as objects, times as ISO text, roles by name, and null for what is not a number.

    Examples
    --------
    >>> plain({"role": Role.ADMIN, "values": (1.0, float("nan"))})
    {'role': 'admin', 'values': [1.0, None]}
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Role):
        return value.word
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, BaseModel):
        return plain(dict(value))
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")
