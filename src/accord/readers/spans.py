"""One-dimensional regions: text, paragraphs, HTML, audio, time series, timelines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from accord.readers.coordinates import tell_unusable
from accord.readers.frequent import span_of
from accord.readers.here import Dialogue, Here, Shown, from_utf16
from accord.readers.slots import Slot
from accord.readers.times import parse
from accord.values import MOST_FRAMES, Frames, Geometry, Span, finite

N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class UnclearSpan:
    """A span whose offsets count characters or UTF-16 units; which, the other spans of the project tell."""

    scope: int
    characters: Span
    utf16: Span


def text_span(value: Mapping[str, Any], item: Mapping[str, Any], here: Here, slot: Slot) -> Any:
    """Span on a text; offsets are the truth, the text stored with them is a check."""
    start, end, stored = value["start"], value["end"], value.get("text")
    name = item.get("to_name")
    shown = here.shown(name)
    whole = type(start) is type(end) is int and 0 <= start < end
    if whole and shown is not None and end <= len(shown.text) and not shown.wide and shown.text[start:end] == stored:
        return span_of(start, end)
    ends = _offsets(value, start, end, slot)
    if ends is None:
        return None
    start, end = ends
    if shown is None:
        return Span(start, end)
    if shown.wide:
        return _unclear(start, end, stored, shown, here, slot)
    length = len(shown.text)
    if start < 0 or end > length:
        here.notices.add("span-range", f"{start} to {end} of {length}", control=slot.name)
        start, end = max(0, min(start, length)), max(0, min(end, length))
    if stored is not None and shown.text[start:end] != stored and not alike(shown.text[start:end], stored):
        here.notices.add("text-mismatch", f"{stored!r} at {start}", control=slot.name)
    return Span(start, end)


def _unclear(start: int, end: int, stored: Any, shown: Shown, here: Here, slot: Slot) -> Any:
    """Span in the unit in which the stored text fits; where it fits in both or neither, the project tells later."""
    text = shown.text
    plain = Span(max(0, min(start, len(text))), max(0, min(end, len(text))))
    units = Span(min(from_utf16(text, start), len(text)), min(from_utf16(text, end), len(text)))
    if plain == units:
        return plain
    if isinstance(stored, str):
        fits = here.fits.setdefault(here.scope, [0, 0])
        as_plain = alike(text[int(plain.start) : int(plain.end)], stored)
        as_units = alike(text[int(units.start) : int(units.end)], stored)
        fits[0] += as_plain
        fits[1] += as_units
        if as_plain != as_units:
            if as_units:
                here.notices.add("utf16-offsets", f"{stored!r} at {start}", control=slot.name)
            return plain if as_plain else units
        if not as_plain:
            here.notices.add("text-mismatch", f"{stored!r} at {start}", control=slot.name)
    here.unclear = True
    return UnclearSpan(here.scope, plain, units)


def alike(one: str, other: Any) -> bool:
    """Whether two texts are equal but for white space."""
    if not isinstance(other, str):
        return False
    return "".join(one.split()) == "".join(other.replace("\\n", " ").split())


def node_span(value: Mapping[str, Any], item: Mapping[str, Any], here: Here, slot: Slot) -> Any:
    """Span given by nodes and offsets in them: paragraphs by number, HTML by path."""
    start = value.get("start")
    if isinstance(start, int) or (isinstance(start, str) and start.strip().isdecimal()):
        return _paragraph_span(value, item, here, slot)
    return _html_span(value, here, slot)


def _offsets(value: Mapping[str, Any], start: Any, end: Any, slot: Slot) -> tuple[int, int] | None:
    """Whole numbers in rising order, None if one is no number; whatever is not so is counted."""
    first, last = finite(start), finite(end)
    if first is None or last is None:
        tell_unusable(value, slot)
        return None
    if last < first or first % 1 or last % 1:
        slot.notices.add("span-range", f"{start} to {end}", control=slot.name)
    return int(min(first, last)), int(max(first, last))


def _html_span(value: Mapping[str, Any], here: Here, slot: Slot) -> Geometry | None:
    offsets = value.get("globalOffsets")
    if isinstance(offsets, Mapping) and finite(offsets.get("start")) is not None is not finite(offsets.get("end")):
        ends = _offsets(value, offsets["start"], offsets["end"], slot)
        return None if ends is None else Span(*ends)
    first, last = _whole(value.get("startOffset")), _whole(value.get("endOffset"))
    start_path, end_path = value.get("start"), value.get("end")
    if first is None or last is None or not isinstance(start_path, str) or not isinstance(end_path, str):
        tell_unusable(value, slot)
        return None
    if start_path == end_path:
        here.notices.add("html-global-offsets", start_path, control=slot.name)
        return Span(*_in_order(first, last, slot), start_path)
    here.notices.add("html-xpath", f"{start_path} to {end_path}", control=slot.name)
    return Span(0, 1, f"{start_path}:{first} {end_path}:{last}")


def _paragraph_span(value: Mapping[str, Any], item: Mapping[str, Any], here: Here, slot: Slot) -> Geometry | None:
    numbers = [_whole(value.get(key)) for key in ("start", "end", "startOffset", "endOffset")]
    if any(number is None for number in numbers):
        tell_unusable(value, slot)
        return None
    start, end, first, last = (int(number) for number in numbers if number is not None)
    dialogue = here.dialogue(item.get("to_name"))
    if dialogue is not None and 0 <= start < len(dialogue.texts) and 0 <= end < len(dialogue.texts):
        return Span(*_in_order(_on_axis(dialogue, start, first), _on_axis(dialogue, end, last), slot))
    here.notices.add("paragraph-no-text", f"paragraph {start}", control=slot.name)
    if start == end:
        return Span(*_in_order(first, last, slot), f"paragraph {start}")
    return Span(0, 1, f"paragraph {start}:{first} to {end}:{last}")


def _on_axis(dialogue: Dialogue, paragraph: int, offset: int) -> int:
    """Place on the joined text; offsets in a paragraph count UTF-16 units."""
    return dialogue.begins[paragraph] + from_utf16(dialogue.texts[paragraph], offset)


def time_span(value: Mapping[str, Any], item: Mapping[str, Any], here: Here, slot: Slot) -> Geometry | None:
    """Span on a recording, in seconds; channels are axes, and the first is the one where none is named."""
    del item, here
    start, end = _number(value.get("start"), slot), _number(value.get("end"), slot)
    if start is None or end is None:
        tell_unusable(value, slot)
        return None
    if min(start, end) < 0:
        slot.notices.add("outside-image", f"{start} to {end}", control=slot.name)
    channel = value.get("channel")
    return Span(*_in_order(start, end, slot), str(channel) if channel not in (None, 0, "0", 0.0) else "")


def series_span(value: Mapping[str, Any], item: Mapping[str, Any], here: Here, slot: Slot) -> Geometry | None:
    """Span on a time series: numbers as they are, texts in the series' format as epoch milliseconds."""
    tag = here.object(item.get("to_name"))
    pattern = tag.attributes.get("timeformat", "") if tag is not None else ""
    given = value.get("start"), value.get("end")
    start, end = (_moment(place, pattern) for place in given)
    if start is not None and end is not None:
        return Span(*_in_order(start, end, slot))
    if not all(isinstance(place, str | int | float) for place in given):
        tell_unusable(value, slot)
        return None
    here.notices.add("time-format", f"{given[0]} to {given[1]}", control=slot.name)
    return Span(0, 1, f"{given[0]} to {given[1]}")


def _moment(given: Any, pattern: str) -> float | None:
    if not isinstance(given, str):
        return finite(given)
    moment = parse(given, pattern) if pattern else None
    if moment is None:
        try:
            moment = datetime.fromisoformat(given)
        except ValueError:
            return finite(given)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000


def timeline(value: Mapping[str, Any], item: Mapping[str, Any], here: Here, slot: Slot) -> Geometry | None:
    """Frame ranges, both ends included; an end that is missing is the other one."""
    del item, here
    given = value.get("ranges")
    found = [_frames(part, slot) for part in given] if isinstance(given, list) else []
    ranges = sorted(pair for pair in found if pair is not None)
    if ranges:
        return Frames(tuple(ranges))
    if not found:
        tell_unusable(value, slot)
    return None


def _frames(given: Any, slot: Slot) -> tuple[int, int] | None:
    """Frames of one range; None if it has none that can be true."""
    ends = [_whole(given.get(key)) for key in ("start", "end")] if isinstance(given, Mapping) else []
    known = [end for end in ends if end is not None]
    if not known or min(known) < 1 or max(known) > MOST_FRAMES:
        slot.notices.add("bad-geometry", f"a range without possible frames: {given}", control=slot.name)
        return None
    if len(known) == 1:
        slot.notices.add("range-open", f"frame {known[0]}", control=slot.name)
    return _in_order(known[0], known[-1], slot)


def unclear_as(span: UnclearSpan, fits: Mapping[int, list[int]]) -> Span:
    """The span in the unit that fits more spans of its project."""
    plain, utf16 = fits.get(span.scope, (0, 0))
    return span.utf16 if utf16 > plain else span.characters


def _in_order(start: N, end: N, slot: Slot) -> tuple[N, N]:
    """Both ends, the smaller one first."""
    if start <= end:
        return start, end
    slot.notices.add("span-range", f"{start} to {end}", control=slot.name)
    return end, start


def _whole(given: Any) -> int | None:
    number = finite(given)
    return None if number is None else int(number)


def _number(given: Any, slot: Slot) -> float | None:
    if isinstance(given, str):
        slot.notices.add("number-as-text", given, control=slot.name)
    return finite(given)
