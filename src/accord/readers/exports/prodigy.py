"""Prodigy's JSON lines: spans, choices, yes-or-no questions, relations, shapes on images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from accord.readers.exports.export import OBJECTS, ExportFormat, Item, Look, Source, Task
from accord.readers.exports.items import (
    answered,
    box_in_percent,
    link,
    marked,
    ring_in_percent,
    size_of,
    sized,
    task,
)
from accord.readers.exports.opening import listed_objects, objects_of
from accord.readers.task_keys import data_hash

_REGION_VIEWS: Final = frozenset({"ner", "ner_manual", "spans", "spans_manual", "relations", "image_manual"})
#: Keys of what a record asks.
_PARTS: Final = ("options", "spans", "tokens", "audio_spans", "user_input")
_ANSWERS: Final = ("accept", "reject", "ignore")


def tasks(source: Source) -> Iterator[Task]:
    """Tasks of all files; several questions about one input make one annotation of their rater."""
    kept: dict[tuple[str, str, int], tuple[dict[str, Any], list[Item]]] = {}
    times: dict[tuple[str, str, str], int] = {}
    for record in _records(source):
        data = {key: record[key] for key in ("text", "image", "audio") if isinstance(record.get(key), str)}
        name = str(record["_input_hash"]) if "_input_hash" in record else data_hash(data)
        rater = str(record.get("_annotator_id") or record.get("_session_id") or source.rater)
        question, items = _answer(record, source)
        if items is None:
            yield task(name, data, {rater: ()}, skipped=True)
            continue
        time = times[name, rater, question] = times.get((name, rater, question), 0) + 1
        kept.setdefault((name, rater, time), (data, []))[1].extend(items)
    for (name, rater, _), (data, items) in kept.items():
        yield task(name, data, {rater: items})


def _records(source: Source) -> Iterator[Mapping[str, Any]]:
    for _, entry in source.documents():
        for number, record in enumerate(objects_of(entry, source.notices), 1):
            source.notices.task = str(number)
            yield record


def _answer(record: Mapping[str, Any], source: Source) -> tuple[str, list[Item] | None]:
    """Question of a record and the items of its answer, None if it was skipped or rejected."""
    answer, about = record.get("answer", "accept"), "image" if "image" in record else "text"
    if answer not in _ANSWERS:
        source.notices.add("bad-value", str(answer))
        return "", None
    if answer == "ignore":
        return "", None
    parts = [part for part in _PARTS if part in record]
    if not parts and str(record.get("_view_id")) not in _REGION_VIEWS and isinstance(record.get("label"), str):
        name = source.export.ask(record["label"], "choices", about, labels=_ANSWERS[:2], multiple=False)
        return name, [answered(name, "choices", about, [answer])]
    if answer == "reject":
        source.notices.add("answer-rejected")
        return "", None
    return " ".join(parts), list(_items(record, about, source))


def _items(record: Mapping[str, Any], about: str, source: Source) -> Iterator[Item]:
    """Everything an accepted record answers."""
    if "options" in record:
        yield from _choice(record, about, source)
    if "audio_spans" in record:
        yield from _stretches(record, source)
    if "user_input" in record:
        name = source.export.ask("user_input", "text", about)
        yield answered(name, "text", about, [record["user_input"]])
    if "spans" in record or "tokens" in record or str(record.get("_view_id")) in _REGION_VIEWS:
        yield from _shapes(record, source) if about == "image" else _spans(record, source)
    elif not any(part in record for part in _PARTS):
        source.notices.add("no-value", ", ".join(record))


def _stretches(record: Mapping[str, Any], source: Source) -> Iterator[Item]:
    name = source.export.ask("audio_spans", "spans", "audio")
    for span in listed_objects(record["audio_spans"], "audio_spans", source.notices.file):
        value = {"start": span.get("start"), "end": span.get("end")}
        yield marked(name, "spans", "audio", value, [span.get("label")])


def _choice(record: Mapping[str, Any], about: str, source: Source) -> list[Item]:
    options = listed_objects(record["options"], "options", source.notices.file)
    config = record.get("config")
    style = config.get("choice_style") if isinstance(config, Mapping) else None
    name = source.export.ask(
        "choice",
        "choices",
        about,
        labels=[str(option.get("id", option.get("text"))) for option in options],
        multiple=True if style == "multiple" else None,
    )
    accepted = record.get("accept")
    if not isinstance(accepted, list):
        source.notices.add("no-value" if accepted is None else "bad-value", str(accepted), control=name)
        return []
    return [answered(name, "choices", about, accepted)]


def _spans(record: Mapping[str, Any], source: Source) -> list[Item]:
    name = source.export.ask("spans", "spans", "text")
    items, ends = [], {}
    for number, span in enumerate(listed_objects(record.get("spans"), "spans", source.notices.file)):
        value = {"start": span.get("start"), "end": span.get("end"), "text": span.get("text")}
        ends[_tokens(span)] = str(number)
        items.append(marked(name, "spans", "text", value, [span.get("label")], str(number)))
    return items + _relations(record, ends, source)


def _tokens(span: Any) -> str:
    """First and last token of a span, which name the ends of relations."""
    return f"{span.get('token_start')}-{span.get('token_end')}" if isinstance(span, Mapping) else "none"


def _relations(record: Mapping[str, Any], ends: Mapping[str, str], source: Source) -> list[Item]:
    """Relations between spans."""
    if "relations" not in record:
        return []
    source.export.relate()
    found = []
    for relation in listed_objects(record["relations"], "relations", source.notices.file):
        tokens = [_tokens(relation.get(side)) for side in ("head_span", "child_span")]
        head, child = (ends.get(token, f"tokens {token}") for token in tokens)
        found.append(link(head, child, str(relation.get("label", ""))))
    return found


def _shapes(record: Mapping[str, Any], source: Source) -> list[Item]:
    size = size_of(record.get("width"), record.get("height"), source.notices)
    items = []
    for shape in listed_objects(record.get("spans"), "spans", source.notices.file):
        form = "boxes" if "x" in shape and "width" in shape else "polygons"
        name = source.export.ask(OBJECTS, form, "image")
        if form == "boxes":
            value = box_in_percent([shape.get(key) for key in ("x", "y", "width", "height")], size)
        else:
            value = {"points": ring_in_percent(_points(shape.get("points")), size)}
        items.append(sized(marked(name, form, "image", value, [shape.get("label")]), size))
    return items


def _points(given: Any) -> list[Any]:
    """Points of an outline; one that cannot be used stands for all where they are none."""
    usable = isinstance(given, list) and all(isinstance(point, list) and len(point) == 2 for point in given)
    return given if usable else [(None, None)]


def _recognises(look: Look) -> bool:
    keys = look.record.keys()
    return "_input_hash" in keys or ("answer" in keys and bool({"spans", "options"} & keys))


FORMAT: Final = ExportFormat(
    key="prodigy",
    title="Prodigy JSON lines",
    raters="_annotator_id, else _session_id, else the file's name",
    endings=(".jsonl", ".json", ".ndjson"),
    tasks=tasks,
    recognises=_recognises,
    unit="the input (_input_hash)",
    note="Rejected and ignored examples are not answered; to a yes-or-no question accept and reject are answers.",
)
