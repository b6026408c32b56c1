"""Label configs in the parsed form that the API of the annotation tool gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.dataset import Control
from accord.errors import DataError
from accord.readers.config_domain import distinct, number_domain, rating_domain
from accord.readers.config_model import ObjectTag, Question
from accord.readers.config_tags import LEVELS, kind_of_tag, tag_name
from accord.readers.config_xml import Parsed
from accord.values import Kind, Level, Value


def from_parsed(config: Mapping[str, Any], file: str) -> Parsed:
    """Build a config from a mapping of control names to type, to_name, inputs and labels."""
    found = Parsed()
    for name, entry in config.items():
        if not isinstance(entry, Mapping) or not isinstance(entry.get("type"), str):
            raise DataError.at(
                "the parsed label config holds something that is no control.",
                file=file,
                control=str(name),
                found=str(entry),
                allowed="an object with type, to_name, inputs and labels",
            )
        found.questions[str(name)] = _question(str(name), entry, file)
        for target, source in zip(_texts(entry.get("to_name")), entry.get("inputs") or (), strict=False):
            if isinstance(source, Mapping):
                tag, key = str(source.get("type", "")).lower(), str(source.get("value", ""))
                found.objects[target] = ObjectTag(name=target, tag=tag, key=key.lstrip("$"))
    return found


def _question(name: str, entry: Mapping[str, Any], file: str) -> Question:
    tag = entry["type"].lower()
    attributes = {str(key).lower(): str(value) for key, value in entry.items() if isinstance(value, str | int | float)}
    kind = kind_of_tag(tag)
    multiple = None
    if tag == "choices" and "choice" in attributes:
        multiple = attributes["choice"] == "multiple"
        kind = Kind.LABELS if multiple else Kind.LABEL
    domain = _domain(tag, entry, attributes, name, file)
    control = Control(
        name=name,
        kind=kind,
        tag=tag_name(tag),
        level=LEVELS.get(kind, Level.NOMINAL),
        domain=domain,
        objects=_texts(entry.get("to_name")),
        declared=True,
    )
    return Question(
        control=control,
        multiple=multiple,
        nested=tag == "taxonomy",
        dynamic=bool(entry.get("dynamic_labels")),
        attributes=attributes,
    )


def _domain(
    tag: str, entry: Mapping[str, Any], attributes: dict[str, str], name: str, file: str
) -> tuple[Value, ...] | None:
    if tag == "rating":
        return rating_domain(attributes, name, file)
    if tag == "number":
        return number_domain(attributes, name, file)
    if tag == "pairwise":
        return ("left", "right")
    labels = entry.get("labels")
    if tag == "taxonomy" or not isinstance(labels, list | tuple | Mapping) or entry.get("dynamic_labels"):
        return None
    extra = entry.get("labels_attrs")
    aliases = {
        str(key): str(value["alias"])
        for key, value in (extra.items() if isinstance(extra, Mapping) else ())
        if isinstance(value, Mapping) and value.get("alias")
    }
    return distinct(aliases.get(str(label), str(label)) for label in labels) or None


def _texts(given: Any) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(str(name) for name in given) if isinstance(given, list | tuple) else ()
