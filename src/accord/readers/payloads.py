"""Answers that are no regions: choices, paths, numbers, dates, texts, sides, rankings, anything else.

Each function turns what an answer item holds into a value: None is a blank, ``BAD`` cannot be read.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from accord.readers.slots import Slot
from accord.readers.times import date_answer
from accord.values import Kind, Ranking, Raw, Value, finite


class _Bad:
    """The answer that cannot be read."""


BAD: Final = _Bad()
Answer: TypeAlias = "Value | _Bad | None"
Read: TypeAlias = Callable[[Slot, Any], Any]


def choices(slot: Slot, raw: Any) -> Answer:
    """Read one choice as a string, several as a set; nested choices are paths."""
    if type(raw) is list:
        try:
            return slot.memo[tuple(raw)]
        except (KeyError, TypeError):
            pass
    return _choices(slot, raw)


def _choices(slot: Slot, raw: Any) -> Answer:
    if not isinstance(raw, list):
        if raw is None or raw == "":
            return None
        slot.notices.add("value-as-scalar", str(raw), control=slot.name)
        raw = [raw]
    remarks = slot.notices.total
    members = [_member(slot, part) for part in raw if part is not None and part not in ("", [])]
    if any(member is BAD for member in members):
        return _bad(slot, raw)
    value = _one_or_several(slot, members, raw)
    if slot.notices.total == remarks and value is not None:
        with contextlib.suppress(TypeError):
            slot.memo[tuple(raw)] = value
    return value


def _member(slot: Slot, part: Any) -> Any:
    as_path = slot.control.kind is Kind.PATHS
    if isinstance(part, list):
        if not all(isinstance(step, str | int | float) for step in part):
            return BAD
        path = tuple(slot.label(str(step)) for step in part)
        member: Value = path if as_path or not slot.control.declared or len(path) > 1 else path[0]
    elif isinstance(part, bool) or not isinstance(part, str | int | float):
        return BAD
    else:
        label = slot.label(part if isinstance(part, str) else str(part))
        member = (label,) if as_path else label
    slot.is_known(member)
    return member


def _one_or_several(slot: Slot, members: list[Any], raw: list[Any]) -> Value | None:
    found = frozenset(members)
    if len(found) < len(members):
        slot.notices.add("repeated-value", str(raw), control=slot.name)
    if not found:
        return None
    if slot.control.kind is Kind.PATHS:
        _note_prefixes(slot, found)
        return found
    if slot.control.kind is Kind.LABELS or any(isinstance(member, tuple) for member in found):
        return found
    if len(found) == 1:
        return members[0]
    if slot.question is not None and slot.question.multiple is False:
        slot.notices.add("several-for-single", str(raw), control=slot.name)
    return found


def _note_prefixes(slot: Slot, paths: frozenset[Any]) -> None:
    if len(paths) > 1 and any(path[:n] in paths for path in paths for n in range(1, len(path))):
        slot.notices.add("prefix-path", str(sorted(paths)), control=slot.name)


def rating(slot: Slot, raw: Any) -> Answer:
    """Read a rating; 0 is no rating."""
    if type(raw) is int and slot.known is not None and raw in slot.known:
        return raw
    number = _number(slot, raw)
    if isinstance(number, float):
        if number == 0 and slot.known is not None and 0 not in slot.known:
            slot.notices.add("rating-zero", control=slot.name)
            return None
        value = int(number) if number.is_integer() else number
        slot.is_known(value)
        return value
    return number


def number(slot: Slot, raw: Any) -> Answer:
    """Read a number."""
    value = _number(slot, raw)
    if isinstance(value, float):
        slot.is_known(value)
    return value


def _number(slot: Slot, raw: Any) -> Answer:
    if raw is None or raw == "" or raw == []:
        return None
    value = finite(raw)
    if value is None:
        return _bad(slot, raw)
    if isinstance(raw, str):
        slot.notices.add("number-as-text", raw, control=slot.name)
    return value


def moment(slot: Slot, raw: Any) -> Answer:
    """Read a date as canonical text."""
    if raw is None or raw == "":
        return None
    if not isinstance(raw, str | int | float) or isinstance(raw, bool):
        return _bad(slot, raw)
    pattern = slot.question.attributes.get("format", "") if slot.question is not None else ""
    value, understood = date_answer(raw, pattern)
    if not understood:
        slot.notices.add("bad-date", str(raw), control=slot.name)
    return value


def text(slot: Slot, raw: Any) -> Answer:
    """Read a free text; several entries stay apart as a tuple."""
    if type(raw) is list and len(raw) == 1 and type(raw[0]) is str and not raw[0].isspace() and raw[0]:
        return raw[0]
    if isinstance(raw, str):
        slot.notices.add("value-as-scalar", raw, control=slot.name)
        raw = [raw]
    if raw is None:
        return None
    if not isinstance(raw, list):
        return _bad(slot, raw)
    entries = [entry if isinstance(entry, str) else str(entry) for entry in raw if entry is not None]
    entries = [entry for entry in entries if entry.strip()]
    if not entries:
        return None
    return entries[0] if len(entries) == 1 else tuple(entries)


def side(slot: Slot, raw: Any) -> Answer:
    """Read which of two was preferred."""
    if raw is None or raw in ("", "none"):
        return None
    if not isinstance(raw, str):
        return _bad(slot, raw)
    slot.is_known(raw)
    return raw


def ranking(slot: Slot, raw: Any) -> Answer:
    """Read an order of items, in named buckets where there are several."""
    buckets = raw if isinstance(raw, Mapping) else {slot.name: raw}
    if not buckets or raw in (None, []):
        return None
    if not all(isinstance(items, list) for items in buckets.values()):
        return _bad(slot, raw)
    return Ranking(tuple((str(name), tuple(map(str, items))) for name, items in sorted(buckets.items())))


def raw_value(slot: Slot, raw: Any) -> Answer:
    """Keep an answer of unknown type whole."""
    del slot
    return None if raw is None else Raw(canonical_json(raw))


def wrong_type(slot: Slot, raw: Any) -> Answer:
    """Refuse an answer of another type than its control."""
    slot.notices.add("wrong-type", str(raw), control=slot.name)
    return BAD


def canonical_json(raw: Any) -> str:
    """JSON that is equal for equal content."""
    return json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _bad(slot: Slot, raw: Any) -> Answer:
    slot.notices.add("bad-value", str(raw), control=slot.name)
    return BAD


#: Key of an item's value -> kind of its control and how to read it.
PAYLOADS: Final[Mapping[str, tuple[Kind, Read]]] = {
    "choices": (Kind.LABEL, choices),
    "taxonomy": (Kind.PATHS, choices),
    "rating": (Kind.RATING, rating),
    "number": (Kind.NUMBER, number),
    "datetime": (Kind.DATETIME, moment),
    "selected": (Kind.SIDE, side),
    "ranker": (Kind.RANKING, ranking),
    "chatmessage": (Kind.OTHER, raw_value),
    "reactcode": (Kind.OTHER, raw_value),
    "text": (Kind.TEXT, text),
}
