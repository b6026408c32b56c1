"""From answers to integer codes: integers by counting, other values by one pass through a dictionary.

Labels are equal if they are the same text in Unicode form NFC; numbers if they are the same number (1.0 is 1).
Text and numbers, or True and 1, in one column are an error that names both. None, NaN and blank text are missing.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from accord.errors import DataError, UsageError
from accord.readers.answer_types import as_value, distinct_answers, is_missing, told_apart
from accord.values import EMPTY, LARGEST, SMALLEST, Index, IntArray, Kind, Level, Ranking, Value, canonical

EXACT: Final = 2**53
FAMILIES: Final = {bool: "truth values", int: "numbers", float: "numbers", str: "text", frozenset: "sets"}


@dataclass(frozen=True, slots=True)
class Coded:
    """Codes (n,), -1 = missing, and the values they index, declared ones first.

    ``outside`` holds the values that are not in the declared domain; ``merged`` counts texts that became one
    label in form NFC.
    """

    codes: IntArray
    values: tuple[Value, ...]
    outside: tuple[Value, ...] = ()
    merged: int = 0


def code_integers(
    array: npt.NDArray[np.integer[Any]], missing: Iterable[Value] = (), domain: Sequence[Value] | None = None
) -> Coded:
    """Code an integer array of any shape; codes are flat, in the order of the array."""
    if not array.size:
        return settle(np.empty(0, dtype=np.int32), [], missing, domain)
    low, high = int(array.min()), int(array.max())
    if high - low < 4 * array.size + 1024:
        flat = array.ravel() if low == 0 and array.dtype.kind == "i" else _shifted(array, low)
        used = np.bincount(flat) > 0
        if used.all():
            return settle(flat.astype(np.int32), range(low, high + 1), missing, domain)
        present = np.flatnonzero(used)
        renumber = np.cumsum(used, dtype=np.int32) - np.int32(1)
        return settle(renumber[flat], (present + low).tolist(), missing, domain)
    distinct, inverse = np.unique(array.ravel(), return_inverse=True)
    return settle(inverse.astype(np.int32), distinct.tolist(), missing, domain)


def _shifted(array: npt.NDArray[np.integer[Any]], low: int) -> Index:
    """Subtract the smallest value without overflow."""
    if array.dtype.kind == "u":
        return (array - array.dtype.type(low)).ravel().astype(np.int64)
    return array.ravel().astype(np.int64) - low


def code_floats(
    array: npt.NDArray[np.floating[Any]], missing: Iterable[Value] = (), domain: Sequence[Value] | None = None
) -> Coded:
    """Code a float array; NaN is missing, whole numbers become integers, infinity is an error."""
    flat = array.ravel()
    given = ~np.isnan(flat)
    known = flat if given.all() else flat[given]
    if np.isinf(known).any():
        raise DataError.at("infinity is not an answer.", found="inf", allowed="finite numbers; NaN for missing")
    if len(known) and (known == np.rint(known)).all() and np.abs(known).max() < EXACT:
        inner = code_integers(known.astype(np.int64), missing, domain)
    else:
        distinct, inverse = np.unique(known, return_inverse=True)
        inner = settle(inverse.astype(np.int32), distinct.tolist(), missing, domain)
    if given.all():
        return inner
    codes = np.full(len(flat), -1, dtype=np.int32)
    codes[given] = inner.codes
    return Coded(codes, inner.values, inner.outside, inner.merged)


def code_objects(items: Sequence[Any], missing: Iterable[Value] = (), domain: Sequence[Value] | None = None) -> Coded:
    """Code a flat sequence of Python values: text, numbers, truth values, sets, region tuples."""
    if not len(items) or type(items[0]) is not str:
        kinds = set(map(type, items))
        if kinds <= {int, float, type(None)} and kinds:
            numbers = _as_numbers(items, kinds)
            if numbers is not None:
                coder = code_integers if numbers.dtype.kind == "i" else code_floats
                return coder(numbers, missing, domain)
    items, firsts = told_apart(items)
    place = {value: number for number, value in enumerate(firsts)}
    codes = np.fromiter(map(place.__getitem__, items), dtype=np.int32, count=len(items))
    distinct = distinct_answers(firsts, items)
    _refuse_truth_as_number(items, distinct)
    return settle(codes, distinct, missing, domain)


def _as_numbers(items: Sequence[Any], kinds: set[type]) -> npt.NDArray[Any] | None:
    if kinds == {int}:
        try:
            return np.array(items, dtype=np.int64)
        except OverflowError:
            return None
    if int in kinds and any(type(item) is int and abs(item) >= EXACT for item in items):
        return None
    return np.array(items, dtype=np.float64)


def _refuse_truth_as_number(items: Sequence[Any], distinct: list[Any]) -> None:
    """Refuse True beside 1: a dictionary takes them for the same key, so the types of all items are looked at."""
    if any(isinstance(value, frozenset) for value in distinct):
        items = [part for item in items if isinstance(item, frozenset | list | set) for part in item]
        distinct = list(dict.fromkeys(items))
    if not any(isinstance(value, int | float) and value in (0, 1) for value in distinct):
        return
    first = {type(item): item for item in reversed(items) if isinstance(item, int | float)}
    if bool in first and len(first) > 1:
        raise mixed(first[bool], next(value for kind, value in first.items() if kind is not bool))


def settle(
    codes: IntArray, distinct: Sequence[Value], missing: Iterable[Value], domain: Sequence[Value] | None
) -> Coded:
    """Turn codes of raw distinct values into codes of clean ones: missing out, NFC, domain first, then sorted.

    A raw code of -1 is missing and stays so.
    """
    extra = frozenset(missing)
    if not extra and domain is None and isinstance(distinct, range):
        return Coded(codes, tuple(distinct))
    declared = () if domain is None else declared_values(domain)
    gone = extra | {str(value) for value in extra}
    clean = [None if is_missing(v) or v in gone or _spelled(v) in gone else _normal(v) for v in distinct]
    given = [value for value in clean if value is not None]
    check_types([*declared, *given])
    check_types(part for value in (*declared, *given) if isinstance(value, frozenset) for part in value)
    known = dict.fromkeys(given)
    outside = ordered(value for value in known if value not in frozenset(declared))
    values = (*declared, *outside)
    place = {value: number for number, value in enumerate(values)}
    table = np.array([*(-1 if value is None else place[value] for value in clean), -1], dtype=np.int32)
    merged = sum(isinstance(value, str) for value in given) - sum(isinstance(value, str) for value in known)
    if not np.array_equal(table[:-1], np.arange(len(clean))):
        codes = table[codes]
    return Coded(codes, values, () if domain is None else outside, merged)


def declared_values(domain: Sequence[Value]) -> tuple[Value, ...]:
    """Clean a declared domain; a value named twice is an error."""
    if isinstance(domain, str):
        raise UsageError(f"A domain is a list of values, not the text {domain!r}.")
    declared = tuple(_normal(as_value(value)) for value in domain)
    if len(set(declared)) < len(declared):
        twice = next(value for value in declared if declared.count(value) > 1)
        raise UsageError(f"The domain names {twice!r} twice.")
    return declared


def _spelled(value: Value) -> str | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > LARGEST:
        return None
    return str(value)


def _normal(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < EXACT else _bounded(value)
    if type(value) is int:
        return _bounded(value)
    if isinstance(value, frozenset):
        return frozenset(map(_normal, value))
    return value


def _bounded(value: float) -> float:
    if isinstance(value, float) and not math.isfinite(value):
        what = "infinity" if math.isinf(value) else "NaN"
        raise DataError.at(f"{what} is not an answer.", found=str(value), allowed="finite numbers")
    if abs(value) > LARGEST:
        raise DataError.at("a number is too large to be an answer.", allowed=f"numbers up to {LARGEST:g}")
    if 0.0 < abs(value) < SMALLEST:
        raise DataError.at("a number is too small to be an answer.", found=str(value), allowed=f"0, or {SMALLEST:g} on")
    return value


def check_types(values: Iterable[Value]) -> None:
    """Refuse text beside numbers, or truth values beside either; the error names one of each."""
    first: dict[str, Value] = {}
    for value in values:
        if value is EMPTY:
            continue
        first.setdefault(FAMILIES.get(type(value), type(value).__name__), value)
        if len(first) > 1:
            raise mixed(*first.values())


def mixed(one: Value, other: Value) -> DataError:
    """Build the error for two types in one column."""
    named = " and ".join(f"{value!r} ({type(value).__name__})" for value in (one, other))
    return DataError.at(
        f"answers of different types cannot be told equal or different: {named}.",
        hint="Write all answers of a control (and its domain) in one type.",
    )


def ordered(values: Iterable[Value]) -> tuple[Value, ...]:
    """Sort values of one type so that the order of the rows does not matter; EMPTY comes last."""
    known = list(values)
    plain = [value for value in known if value is not EMPTY]
    try:
        simple = all(isinstance(value, str | int | float) for value in plain)
        plain = sorted(plain) if simple else sorted(plain, key=canonical)  # type: ignore[type-var]
    except TypeError:
        plain = sorted(plain, key=canonical)
    return (*plain, *(value for value in known if value is EMPTY))


def kind_of(values: Sequence[Value], domain: Sequence[Value] | None = None) -> tuple[Kind, Level]:
    """Kind and level of answers by what they are: sets, numbers with decimals and no domain, else labels."""
    if any(isinstance(value, frozenset) for value in values):
        return Kind.LABELS, Level.NOMINAL
    if any(isinstance(value, Ranking) for value in values):
        return Kind.RANKING, Level.NOMINAL
    if domain is None and any(isinstance(value, float) for value in values):
        return Kind.NUMBER, Level.INTERVAL
    return Kind.LABEL, Level.NOMINAL


def cell_index(codes: IntArray, shape: tuple[int, int]) -> tuple[IntArray, IntArray, Index | None]:
    """Unit and rater of every given cell of a table (U, R), and the cells kept (None = all)."""
    units, raters = shape
    unit = np.empty(shape, dtype=np.int32)
    unit[:] = np.arange(units, dtype=np.int32)[:, None]
    rater = np.empty(shape, dtype=np.int32)
    rater[:] = np.arange(raters, dtype=np.int32)
    if len(codes) and int(codes.min()) >= 0:
        return unit.ravel(), rater.ravel(), None
    kept = np.flatnonzero(codes >= 0)
    return unit.ravel()[kept], rater.ravel()[kept], kept
