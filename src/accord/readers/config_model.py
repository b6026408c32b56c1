"""What a label config says: questions and the objects they are about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from accord.dataset import Condition, Control

Indices = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectTag:
    """What is shown: a text, an image, ...; ``key`` is the field of the task's data it comes from."""

    name: str
    tag: str
    key: str = ""
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
