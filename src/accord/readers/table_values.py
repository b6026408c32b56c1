"""What the cells of a table mean: numbers, sets, free text or labels, decided for the whole column at once."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from accord.dataset import Control
from accord.errors import DataError
from accord.readers.answer_types import as_value, is_missing
from accord.readers.table_data import RawColumn, whole
from accord.readers.times import date_answer
from accord.values import EMPTY, Kind, Level, Value

NUMBER: Final = re.compile(r"[+-]?(0|[1-9]\d*)?(\.\d+)?([eE][+-]?\d+)?")
FEW: Final = 20
LARGEST_COUNT: Final = 10**15
MISSING_WORDS: Final = frozenset({"na", "n/a", "none", "null", "nan", "-", "?"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """Values for the distinct cells of a column (None = missing), with the kind and level they make, in words."""

    values: tuple[Value | None, ...]
    kind: Kind
    level: Level
    words: str


def meaning(
    distinct: Sequence[Any],
    *,
    is_text: bool,
    missing: Iterable[Value] = (),
    declared: Control | None = None,
    free_text: bool = False,
) -> Meaning:
    """Decide what the distinct cells of a column are.

    Cells of a text file are numbers only if all of them are, written without leading zeros; a column with a JSON
    list in it holds sets. ``declared`` is the control of a label config, which decides if given.
    """
    gone = {str(value) for value in missing}
    cells = [None if is_missing(cell) or str(cell) in gone else cell for cell in distinct]
    if free_text or (declared is not None and declared.kind is Kind.TEXT):
        return Meaning(
            tuple(None if cell is None else str(cell) for cell in cells), Kind.TEXT, Level.NOMINAL, "free text"
        )
    if declared is not None:
        return _declared(cells, declared)
    if any(isinstance(cell, frozenset) or cell is EMPTY for cell in cells) or (is_text and any(map(_as_list, cells))):
        return Meaning(tuple(map(_as_set, cells)), Kind.LABELS, Level.NOMINAL, "sets of labels")
    numbers = _numbers(cells) if is_text else cells
    return _by_type(cells if numbers is None else numbers)


def _by_type(values: Sequence[Any]) -> Meaning:
    found = [value for value in values if value is not None]
    is_number = bool(found) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in found)
    if found and all(isinstance(value, dt.date | dt.time) for value in found):
        return Meaning(tuple(map(_date, values)), Kind.DATETIME, Level.NOMINAL, "dates")
    if not is_number:
        return Meaning(tuple(values), Kind.LABEL, Level.NOMINAL, "labels")
    values = [whole(value) if isinstance(value, float) else value for value in values]
    if any(isinstance(value, float) for value in values):
        return Meaning(tuple(values), Kind.NUMBER, Level.INTERVAL, "numbers")
    if len(set(values) - {None}) > FEW:
        return Meaning(tuple(values), Kind.NUMBER, Level.INTERVAL, f"numbers, as more than {FEW} differ")
    return Meaning(tuple(values), Kind.LABEL, Level.NOMINAL, "whole numbers as labels; --level sets another level")


def _date(cell: Any) -> str | None:
    """Canonical text of a date, time or text that holds one."""
    if cell is None:
        return None
    return date_answer(cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell))[0]


def _numbers(cells: Sequence[Any]) -> list[Any] | None:
    """Read all cells as numbers, or none; the text nan among numbers is missing."""
    given = [cell for cell in cells if cell is not None and cell.casefold() != "nan"]
    if not given or not all(map(_is_numeric, given)):
        return None
    numbers = [None if cell is None or cell.casefold() == "nan" else _number(cell) for cell in cells]
    if any(value is not None and math.isinf(value) for value in numbers):
        text = next(cell for cell, value in zip(cells, numbers, strict=True) if value is not None and math.isinf(value))
        raise DataError.at("infinity is not an answer.", found=text, allowed="finite numbers")
    return numbers


def _is_numeric(cell: str) -> bool:
    text = cell.strip()
    if text.casefold().lstrip("+-") in ("inf", "infinity"):
        return True
    return (
        bool(NUMBER.fullmatch(text))
        and text.strip("+-") not in ("",)
        and text[:1] != "+"
        and any(map(str.isdigit, text))
    )


def _number(cell: str) -> int | float:
    text = cell.strip()
    try:
        return int(text)
    except ValueError:
        return whole(float(text))


def _as_list(cell: Any) -> bool:
    return isinstance(cell, str) and cell.lstrip()[:1] == "[" and isinstance(_json(cell), list)


def _json(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None


def _as_set(cell: Any) -> Value | None:
    if cell is None or cell is EMPTY or isinstance(cell, frozenset):
        return cell
    members = _json(cell) if _as_list(cell) else [cell]
    if any(isinstance(member, list | dict) or member is None for member in members):
        raise DataError.at("a set of labels holds plain labels.", found=str(cell), allowed='lists such as ["a", "b"]')
    return as_value(members)


def _declared(cells: Sequence[Any], control: Control) -> Meaning:
    said = f"{control.kind} by the label config"
    if control.kind in (Kind.LABELS, Kind.PATHS):
        return Meaning(tuple(map(_as_set, cells)), control.kind, control.level, said)
    if control.kind in (Kind.RATING, Kind.NUMBER):
        numbers = _numbers([None if cell is None else str(cell) for cell in cells])
        if numbers is None and any(cell is not None for cell in cells):
            bad = next(str(cell) for cell in cells if cell is not None and not _is_numeric(str(cell)))
            raise DataError.at("an answer is not a number.", control=control.name, found=bad, allowed="numbers")
        return Meaning(tuple(numbers or cells), control.kind, control.level, said)
    if control.kind is Kind.DATETIME:
        return Meaning(tuple(map(_date, cells)), control.kind, control.level, said)
    texts = (None if cell is None else str(whole(cell) if isinstance(cell, float) else cell) for cell in cells)
    return Meaning(tuple(texts), control.kind, control.level, said)


def all_counts(column: RawColumn) -> bool:
    """Whether every cell is a whole number, none negative and none missing."""
    return all_whole(column) and all(float(cell) >= 0 for cell in column.distinct)


def all_whole(column: RawColumn) -> bool:
    """Whether every cell is a whole number and none is missing."""
    if (column.codes < 0).any() or not len(column.codes):
        return False
    return isinstance(column.distinct, range) or all(map(_is_whole, column.distinct))


def _is_whole(cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(re.fullmatch(r"-?\d{1,15}(\.0+)?", cell.strip()))
    plain = isinstance(cell, int | float) and not isinstance(cell, bool)
    return plain and abs(cell) < LARGEST_COUNT and cell == int(cell)


def numbers_of(cells: Sequence[Any]) -> list[Any]:
    """Text cells as numbers if all of them are, else as they are."""
    blank = [None if is_missing(cell) else cell for cell in cells]
    return _numbers(blank) or list(cells)


def typed_labels(names: Sequence[str]) -> tuple[Value, ...]:
    """Labels from a header: numbers if all of them are, else text."""
    return tuple(numbers_of(list(names)))
