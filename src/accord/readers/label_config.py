"""Label configs: which questions were asked, about what, with which answers allowed.

Tag and attribute names are case-insensitive, as in the editor; entities and external references are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from accord.dataset import Condition, Control

Indices = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectTag:
    """What is shown: a text, an image, ...; ``field`` is the key of the task's data."""

    name: str
    tag: str
    field: str = ""
    is_list: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A control with what only a reader needs.

    ``multiple``: several choices allowed; None where the config does not say. ``nested``: answers are paths.
    ``labeling``: a taxonomy that marks regions. ``repeats``: data fields of the repeaters around it.
    ``conditions`` hold the control's own condition and those of the views around it.
    """

    control: Control
    multiple: bool | None = False
    nested: bool = False
    labeling: bool = False
    dynamic: bool = False
    per_item: bool = False
    conditions: tuple[Condition, ...] = ()
    repeats: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelConfig:
    """All controls and objects of a label config, in order."""

    questions: Mapping[str, Question] = field(default_factory=dict)
    objects: Mapping[str, ObjectTag] = field(default_factory=dict)

    @property
    def controls(self) -> tuple[Control, ...]:
        """The controls, in the order of the config."""
        return tuple(question.control for question in self.questions.values())

    def find(self, name: str) -> tuple[str, Indices] | None:
        """Control of an answer's ``from_name``, and its place in the repeaters; the longest template wins."""
        if name in self.questions:
            return name, ()
        found = [
            (template, match)
            for template, question in self.questions.items()
            if question.pattern is not None and (match := question.pattern.fullmatch(name))
        ]
        if not found:
            return None
        template, match = max(found, key=lambda pair: len(pair[0]))
        return template, tuple(int(number) for number in match.groups())


def parse_label_config(source: str | bytes | Path | Mapping[str, Any]) -> LabelConfig:
    """Parse a label config.

    Parameters
    ----------
    source
        XML as text or bytes, a path of an XML or JSON file, or the parsed form that the API gives: a mapping of
        control names to ``type``, ``to_name``, ``inputs``, ``labels``.

    Raises
    ------
    DataError
        The config is not well-formed, holds entities, nests too deeply, or names a control twice.

    Examples
    --------
    >>> from accord.readers.label_config import parse_label_config
    >>> config = parse_label_config(
    ...     '<View><Text name="t" value="$text"/>'
    ...     '<Choices name="mood" toName="t"><Choice value="good"/><Choice value="bad"/></Choices></View>'
    ... )
    >>> config.controls[0].name, config.controls[0].domain
    ('mood', ('good', 'bad'))
    """
    from accord.readers.config_parsed import from_parsed
    from accord.readers.config_xml import from_xml, load

    content, file = load(source)
    config = from_parsed(content, file) if isinstance(content, Mapping) else from_xml(content, file)
    return LabelConfig(questions=MappingProxyType(config.questions), objects=MappingProxyType(config.objects))
