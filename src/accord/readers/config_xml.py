"""Label configs as XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from accord.dataset import Condition, Control
from accord.errors import DataError
from accord.readers.config_domain import choices_domain, labels_domain, number_domain, rating_domain
from accord.readers.config_model import ObjectTag, Question
from accord.readers.config_tags import KINDS, LEVELS, NOT_CONTROLS, TOOLS, kind_of_tag, tag_name
from accord.values import Kind, Level, Value

DEPTH: Final = 200
_INDEX: Final = "{{idx}}"


@dataclass(slots=True)
class Parsed:
    """Config while it is parsed."""

    questions: dict[str, Question] = field(default_factory=dict)
    objects: dict[str, ObjectTag] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Around:
    """What surrounds an element: conditions of views, repeaters (data field, index flag)."""

    conditions: tuple[Mapping[str, str], ...] = ()
    repeaters: tuple[tuple[str, str], ...] = ()


def load(source: str | bytes | Path | Mapping[str, Any]) -> tuple[bytes | Mapping[str, Any], str]:
    """Content of a config, as XML bytes or a parsed mapping, and the name of its file."""
    if isinstance(source, Mapping):
        return source, "label config"
    if isinstance(source, bytes) or (isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<")):
        return _bytes(source), "label config"
    path = Path(source)
    try:
        if path.exists() and not path.is_file():
            raise DataError.at("this is not a file.", file=str(path), hint="Give the name of a label config (XML).")
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError.at(f"the label config cannot be read: {why}.", file=str(path)) from None
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _json(content, str(path)), str(path)
    return content, str(path)


def _bytes(source: str | bytes) -> bytes:
    if isinstance(source, bytes):
        return source
    text = source.lstrip("\ufeff \t\r\n")
    text = re.sub(r"^<\?xml[^>]*\?>", "", text, count=1)
    return text.encode("utf-8", "surrogatepass")


def _json(content: bytes, file: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataError.at(f"the label config is not JSON: {error}.", file=file) from None
    inner = parsed.get("label_config") or parsed.get("parsed_label_config")
    return inner if isinstance(inner, Mapping) else parsed


def from_xml(content: bytes, file: str) -> Parsed:
    """Parse XML; every control in document order."""
    root = _tree(content, file)
    found = Parsed()
    for element, around in list(_walk(root, file)):
        _take(element, around, found, file)
    for name, question in found.questions.items():
        found.questions[name] = _settle(question, found)
    return _without_video_labels(found)


def _tree(content: bytes, file: str) -> Any:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        return fromstring(content, forbid_dtd=True)
    except ParseError as error:
        line = error.position[0]
        raise DataError.at(f"the label config is not well-formed XML: {error}.", file=file, line=line) from None
    except DefusedXmlException as error:
        raise DataError.at(
            f"the label config declares a document type or entities ({type(error).__name__}).",
            file=file,
            hint="Remove the DOCTYPE; a label config needs none.",
        ) from None
    except (ValueError, LookupError) as error:
        raise DataError.at(f"the label config cannot be decoded: {error}.", file=file) from None


def _walk(root: Any, file: str) -> Iterator[tuple[Any, Around]]:
    """Every element in document order with what surrounds it; no recursion, so depth is no danger."""
    stack = [(root, Around(), 0)]
    while stack:
        element, around, depth = stack.pop()
        if depth > DEPTH:
            raise DataError.at(f"the label config nests deeper than {DEPTH} levels.", file=file)
        yield element, around
        tag, attributes = _lower(element)
        inner = around
        if tag in ("view", "collapse", "panel") and "visiblewhen" in attributes:
            inner = replace(around, conditions=(*around.conditions, attributes))
        if tag == "repeater":
            repeater = (attributes.get("on", "").lstrip("$"), attributes.get("indexflag", _INDEX))
            inner = replace(around, repeaters=(*around.repeaters, repeater))
        stack += [(child, inner, depth + 1) for child in reversed(element)]


def _lower(element: Any) -> tuple[str, dict[str, str]]:
    tag = element.tag.lower() if isinstance(element.tag, str) else ""
    return tag, {key.lower(): value for key, value in element.attrib.items()}


def _take(element: Any, around: Around, found: Parsed, file: str) -> None:
    tag, attributes = _lower(element)
    name = attributes.get("name", "")
    if tag == "relations":
        name = name or "relations"
    elif not name or tag in NOT_CONTROLS:
        return
    if tag != "relations" and "toname" not in attributes:
        _take_object(tag, attributes, found)
        return
    if name in found.questions:
        raise DataError.at("two controls have the same name.", file=file, control=name, hint="Rename one of them.")
    found.questions[name] = _question(name, tag, attributes, element, around, file)


def _take_object(tag: str, attributes: dict[str, str], found: Parsed) -> None:
    value = attributes.get("value", attributes.get("valuelist", ""))
    if value.startswith("$") or tag_name(tag) != tag:
        found.objects[attributes["name"]] = ObjectTag(
            name=attributes["name"],
            tag=tag,
            key=value.lstrip("$"),
            is_list="valuelist" in attributes,
            attributes=attributes,
        )


def _question(name: str, tag: str, attributes: dict[str, str], element: Any, around: Around, file: str) -> Question:
    nested = tag == "choices" and attributes.get("allownested") == "true"
    multiple = attributes.get("choice") == "multiple" if tag == "choices" else None
    labeling = tag == "taxonomy" and attributes.get("labeling") == "true"
    kind = Kind.SPANS if labeling else kind_of_tag(tag)
    if tag == "choices":
        kind = Kind.PATHS if nested else Kind.LABELS if multiple else Kind.LABEL
    domain, dynamic = _domain(tag, nested, attributes, element, name, file)
    if labeling and domain is not None:
        domain = tuple("/".join(path) for path in domain if isinstance(path, tuple))
    control = Control(
        name=name,
        kind=kind,
        tag=tag_name(tag),
        level=LEVELS.get(kind, Level.NOMINAL),
        domain=domain,
        objects=tuple(part.strip() for part in attributes.get("toname", "").split(",") if part.strip()),
        per_region=attributes.get("perregion") == "true",
        required=attributes.get("required") == "true",
        declared=True,
    )
    return Question(
        control=control,
        multiple=multiple,
        nested=nested or tag == "taxonomy",
        labeling=labeling,
        dynamic=dynamic,
        per_item=attributes.get("peritem") == "true",
        conditions=tuple(_conditions((*around.conditions, attributes))),
        repeats=tuple(on for on, flag in around.repeaters if flag in name),
        pattern=_pattern(name, [flag for _, flag in around.repeaters]),
        attributes=attributes,
    )


def _domain(
    tag: str, nested: bool, attributes: dict[str, str], element: Any, name: str, file: str
) -> tuple[tuple[Value, ...] | None, bool]:
    """Allowed answers, and whether they come from the data of each task."""
    if tag in ("choices", "taxonomy"):
        return choices_domain(element, attributes, as_paths=nested or tag == "taxonomy")
    if tag == "rating":
        return rating_domain(attributes, name, file), False
    if tag == "number":
        return number_domain(attributes, name, file), False
    if tag == "pairwise":
        return ("left", "right"), False
    if KINDS.get(tag, Kind.OTHER).is_region and tag.endswith("labels"):
        return labels_domain(element, attributes)
    return None, False


def _conditions(attributes: tuple[Mapping[str, str], ...]) -> Iterator[Condition]:
    for given in attributes:
        parent = given.get("whentagname", "")
        when = given.get("visiblewhen", "")
        if not parent or when == "no-region-selected":
            continue
        values = given.get("whenchoicevalue") or given.get("whenlabelvalue") or ""
        yield Condition(parent, frozenset((values,)) if values else frozenset(), when == "choice-unselected")


def _pattern(name: str, flags: list[str]) -> re.Pattern[str] | None:
    used = [flag for flag in flags if flag in name]
    if not used:
        return None
    text = re.escape(name)
    for flag in used:
        text = text.replace(re.escape(flag), r"(\d{1,9})", 1).replace(re.escape(flag), r"\d{1,9}")
    return re.compile(text)


def _settle(question: Question, found: Parsed) -> Question:
    """Resolve what needs the other tags: kind of Labels by its object, values of conditions."""
    control = question.control
    if control.tag == "Labels":
        control = replace(control, kind=_labels_kind(control, found))
    conditions = tuple(_resolved(condition, found) for condition in question.conditions)
    own = conditions[-1] if conditions else None
    return replace(question, control=replace(control, condition=own), conditions=conditions)


def _labels_kind(control: Control, found: Parsed) -> Kind:
    tags = {found.objects[name].tag for name in control.objects if name in found.objects}
    if "image" in tags:
        tools = _on_same_object(control, found)
        return next((TOOLS[tool] for tool in tools if tool in TOOLS), Kind.BOXES)
    return Kind.TRACKS if "video" in tags else Kind.SPANS


def _on_same_object(control: Control, found: Parsed) -> list[str]:
    return [
        other.control.tag.lower()
        for other in found.questions.values()
        if set(other.control.objects) & set(control.objects) and other.control.name != control.name
    ]


def _resolved(condition: Condition, found: Parsed) -> Condition:
    """Split a comma list, unless the whole of it is one of the parent's values."""
    parent = found.questions.get(condition.parent)
    domain = parent.control.domain if parent else None
    known = {value[-1] if isinstance(value, tuple) else value for value in domain or ()}
    values = {
        part
        for text in condition.values
        for part in ([text] if text in known else [piece.strip() for piece in text.split(",")])
        if part
    }
    return replace(condition, values=frozenset(values))


def _without_video_labels(found: Parsed) -> Parsed:
    """On video the answer item of the rectangle carries the labels, so they are one control."""
    for name, question in list(found.questions.items()):
        control = question.control
        if control.tag != "Labels" or control.kind is not Kind.TRACKS:
            continue
        for other_name, other in list(found.questions.items()):
            same = set(other.control.objects) & set(control.objects)
            if other.control.tag == "VideoRectangle" and same:
                labelled = replace(other.control, domain=control.domain)
                found.questions[other_name] = replace(other, control=labelled)
                found.questions.pop(name, None)
    return found
