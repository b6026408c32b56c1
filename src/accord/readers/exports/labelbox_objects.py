"""Objects and classifications of Labelbox's labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from accord.readers.exports.export import OBJECTS, Item, Source
from accord.readers.exports.items import (
    UNKNOWN_SIDE,
    Size,
    answered,
    box_in_percent,
    marked,
    percent,
    ring_in_percent,
    sized,
    within,
)

#: Kinds of data by the beginnings of asset types and MIME types.
_ABOUT: Final = {"image": "image", "video": "video", "text": "text", "audio": "audio", "conversation": "text"}
_SIDES: Final = ("left", "top", "width", "height")


def about_of(record: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Kind of a data row, and its data: the text itself where it is in the export, else where it lies."""
    media = record.get("media_attributes")
    attributes = media if isinstance(media, Mapping) else {}
    kind = str(attributes.get("asset_type") or attributes.get("mime_type") or "")
    row = record.get("data_row")
    content = row.get("row_data") if isinstance(row, Mapping) else None
    about = next((about for begin, about in _ABOUT.items() if kind.startswith(begin)), "")
    if not about:
        about = "image" if "width" in attributes else "text"
    return about, {about: content} if isinstance(content, str) else {}


def marked_object(one: Mapping[str, Any], about: str, size: Size | None, source: Source) -> Iterator[Item]:
    """Region of an object, with the answers about it."""
    control, form, value = _shape(one, size, source)
    if not form:
        source.notices.add("unknown-shape", str(one.get("annotation_kind") or sorted(one)))
        return
    name = source.export.ask(control, form, about, counted=False)
    region = sized(marked(name, form, about, value, [str(one.get("name", ""))], str(one.get("feature_id", ""))), size)
    yield region
    nested = one.get("classifications")
    for inner in nested if isinstance(nested, list) else ():
        if isinstance(inner, Mapping) and "id" in region:
            yield from (within(region, answer) for answer in classification(inner, about, source, per_region=True))


def _shape(one: Mapping[str, Any], size: Size | None, source: Source) -> tuple[str, str, Item]:
    """Control, form and value of an object; "" for a shape that is not known."""
    if isinstance(box := one.get("bounding_box"), Mapping):
        return OBJECTS, "boxes", box_in_percent([box.get(side) for side in _SIDES], size)
    if isinstance(ring := one.get("polygon"), list):
        return OBJECTS, "polygons", {"points": ring_in_percent(_points(ring), size)}
    if isinstance(line := one.get("line"), list):
        points = ring_in_percent(_points(line), size)
        vertices = [{"id": str(n), "x": x, "y": y, "prevPointId": str(n - 1) if n else None}
                    for n, (x, y) in enumerate(points)]  # fmt: skip
        return "lines", "vectors", {"vertices": vertices, "closed": False}
    if isinstance(point := one.get("point"), Mapping):
        across, along = size or (UNKNOWN_SIDE, UNKNOWN_SIDE)
        value = {"x": percent(point.get("x"), across), "y": percent(point.get("y"), along), "width": 0}
        return "keypoints", "keypoints", value
    if isinstance(place := one.get("location"), Mapping):
        return "entities", "spans", _span(place, source)
    return "", "", {}


def _points(given: Sequence[Any]) -> list[tuple[Any, Any]]:
    return [(point.get("x"), point.get("y")) if isinstance(point, Mapping) else (None, None) for point in given]


def _span(place: Mapping[str, Any], source: Source) -> Item:
    """Span with its end behind the last character; the stored text tells whether the export's is on it."""
    start, end, token = place.get("start"), place.get("end"), place.get("token")
    if type(start) is not int or type(end) is not int:
        return {"start": None, "end": None, "text": None}
    stored = token if isinstance(token, str) else None
    behind = stored is not None and _units(stored) == end - start
    if stored is None:
        source.notices.add("end-unclear", f"{start} to {end}")
    return {"start": start, "end": end if behind else end + 1, "text": stored}


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def classification(one: Mapping[str, Any], about: str, source: Source, *, per_region: bool = False) -> Iterator[Item]:
    """Answers to a question and to the questions below its answers."""
    name = str(one.get("name", ""))
    if isinstance(text := one.get("text_answer"), Mapping):
        asked = source.export.ask(name, "text", about, per_region=per_region, counted=False)
        yield answered(asked, "text", about, [str(text.get("content", ""))])
        return
    single, several = one.get("radio_answer"), one.get("checklist_answers")
    chosen = several if isinstance(several, list) else [single]
    known = [answer for answer in chosen if isinstance(answer, Mapping)]
    if not known and not isinstance(several, list):
        source.notices.add("no-value", str(dict(one)), control=name)
        return
    multiple = isinstance(several, list) or None
    asked = source.export.ask(name, "choices", about, multiple=multiple, per_region=per_region, counted=False)
    yield answered(asked, "choices", about, [str(answer.get("name", "")) for answer in known])
    for answer in known:
        inner = answer.get("classifications")
        for below in inner if isinstance(inner, list) else ():
            if isinstance(below, Mapping):
                yield from classification(below, about, source, per_region=per_region)
