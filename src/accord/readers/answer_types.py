"""Which Python values are answers: one rule for lists, arrays, mappings, dataframes and files.

Text, numbers, truth values, dates and times; tuples of these; sets of these; Accord's own values. Two answers must be
told equal or different by what they say, on every run, and be written down again: an object known by its address, a
complex number or half a character cannot.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import numpy as np

from accord.errors import DataError
from accord.values import EMPTY, Geometry, Ranking, Region, Value

FLAT: Final = "texts, numbers, truth values, dates and times, and lists of these"
NOT_AVAILABLE: Final = frozenset({"NAType", "NaTType"})
_PLAIN: Final = (int, float, Decimal, dt.date, dt.time, dt.timedelta, Region, Ranking, Geometry)
_HASHABLE: Final = frozenset({str, int, float, bool, type(None), frozenset, tuple, dt.date, dt.datetime, dt.time})
_TEXTS: Final = frozenset({str, type(None)})
_SETS: Final = frozenset({list, set})
_ADVICE: Final = {
    bytes: "Decode it to text.",
    complex: "Give its parts as two controls.",
}


class RefusedError(DataError):
    """A value that is no answer; ``index`` says which of several it is."""

    index: int = 0


def as_value(item: Any) -> Value:
    """Python form of one answer: lists and sets become frozen sets, scalars and texts of numpy Python ones.

    Raises
    ------
    RefusedError
        The value is no answer.
    """
    kind = type(item)
    if kind is str:
        return item if item.isascii() else _whole(item)
    if kind is int or kind is float or item is None or item is EMPTY:
        return item
    if kind.__name__ in NOT_AVAILABLE:
        return None
    if isinstance(item, np.generic):
        return _scalar(item)
    if isinstance(item, set | frozenset | list | np.ndarray):
        return frozenset(map(_member, item)) or EMPTY
    if isinstance(item, tuple):
        return tuple(map(_member, item))
    return _single(item)


def _single(item: Any) -> Value:
    """One value of a kind that is not the most common."""
    if isinstance(item, str):
        return _whole(str.__str__(item))
    if isinstance(item, UUID):
        return str(item)
    if isinstance(item, Decimal) and item.is_nan():
        return None
    if isinstance(item, Decimal) and item.is_infinite():
        raise RefusedError.at("infinity is not an answer.", found=str(item), allowed="finite numbers")
    if isinstance(item, _PLAIN):
        return int(item) if isinstance(item, int) and not isinstance(item, bool) else item
    raise _refused(item)


def _scalar(item: np.generic) -> Value:
    if isinstance(item, np.datetime64 | np.timedelta64):
        return _moment(item)
    plain = item.item()
    return as_value(float(plain) if isinstance(plain, np.floating) else plain)


def _moment(item: np.datetime64 | np.timedelta64) -> Value:
    """Date, time or duration; numpy gives those that Python does not know as numbers."""
    if np.isnat(item):
        return None
    plain = item.item()
    if isinstance(plain, int):
        micro = item.astype(item.dtype.str[:3] + "[us]")
        plain = micro.item() if micro == item else None
    if not isinstance(plain, dt.date | dt.timedelta):
        raise RefusedError.at(
            "a date or time has no form in Python.", found=str(item), allowed="years 1 to 9999, whole microseconds"
        )
    return plain


def _member(item: Any) -> Value:
    """Member of a set or tuple: one answer, and a given one."""
    value = as_value(item)
    if is_missing(value) and not isinstance(value, str):
        raise RefusedError.at("a list holds something missing.", found=repr(item), hint="Leave it out.")
    if isinstance(value, frozenset) or value is EMPTY:
        raise RefusedError.at("an answer is a list of lists or objects.", found=repr(item), allowed=FLAT)
    return value


def _whole(text: str) -> str:
    """Text, if all its characters are whole."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RefusedError.at(
            "a text holds half a character (a lone surrogate), which no file can hold.",
            found=text,
            hint='Replace it, as with text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").',
        ) from None
    return text


def _refused(item: Any) -> RefusedError:
    if isinstance(item, dict):
        return RefusedError.at("an answer is an object.", found=str(item), allowed=FLAT)
    kind = type(item)
    advice = next((words for known, words in _ADVICE.items() if isinstance(item, known)), None)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return RefusedError.at(f"a value of type {name} is no answer.", allowed=FLAT, hint=advice)


def told_apart(items: Sequence[Any]) -> tuple[Sequence[Any], dict[Any, None]]:
    """Answers in a form that a dictionary can tell apart, and the distinct ones in order of appearance.

    Texts need no look at every item: what equals a text is one.
    """
    if len(items) and type(items[0]) in _TEXTS:
        try:
            distinct = dict.fromkeys(items)
        except TypeError:
            distinct = {}
        if distinct and _TEXTS.issuperset(map(type, distinct)):
            return items, distinct
    items = hashable(items)
    return items, dict.fromkeys(items)


def hashable(items: Sequence[Any]) -> Sequence[Any]:
    """Answers that a dictionary can tell apart; those of other types in their Python form, with members checked."""
    kinds = frozenset(map(type, items))
    if kinds <= _HASHABLE:
        return items
    if kinds <= _HASHABLE | _SETS:
        try:
            return [frozenset(item) if type(item) in _SETS else item for item in items]
        except TypeError:
            pass
    return answers_of(items)


def distinct_answers(distinct: Iterable[Any], items: Sequence[Any]) -> list[Value]:
    """Python form of the distinct ones among ``items``; an error knows the index among the items."""
    try:
        return answers_of(distinct)
    except RefusedError:
        answers_of(items)
        raise


def answers_of(items: Iterable[Any]) -> list[Value]:
    """Python form of many answers; the error of the first that is none knows its index."""
    found: list[Value] = []
    try:
        for item in items:
            found.append(as_value(item))  # noqa: PERF401 - how many there are tells which one is refused
    except RefusedError as error:
        error.index = len(found)
        raise
    return found


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or blank text."""
    if value is None:
        return True
    if isinstance(value, str):
        return not value or value.isspace()
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in NOT_AVAILABLE
