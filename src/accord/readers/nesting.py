"""Answers that depend on others: answers about a region, and questions behind a condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from accord.dataset import Condition, Control
from accord.readers.builder import Place
from accord.readers.config_model import Question
from accord.readers.payloads import BAD, canonical_json
from accord.readers.slots import Slot
from accord.values import EMPTY, Kind, Ranking, Raw, Region

NestedPlace: TypeAlias = Literal["choices", "text", "attributes"]
_CHOICES: Final = frozenset({Kind.LABEL, Kind.LABELS, Kind.PATHS})


def place_of(control: Control) -> NestedPlace:
    """Where a region would keep the answer to a question about it, were it the first of its sort."""
    if control.kind in _CHOICES and control.tag != "Taxonomy":
        return "choices"
    return "text" if control.kind is Kind.TEXT else "attributes"


def with_answer(region: Region, slot: Slot, answer: Any, place: NestedPlace) -> Region:
    """Region with the answer to a question about it."""
    if slot.control.kind in _CHOICES:
        answer = answer if isinstance(answer, frozenset) else frozenset((answer,))
    if place == "choices":
        return replace(region, choices=frozenset("/".join(m) if isinstance(m, tuple) else str(m) for m in answer))
    if place == "text":
        return replace(region, text=" ".join(answer) if isinstance(answer, tuple) else answer)
    attributes = dict(region.attributes) | {slot.name: canonical_json(_plain(answer))}
    return replace(region, attributes=tuple(sorted(attributes.items())))


def _plain(answer: Any) -> Any:
    if isinstance(answer, frozenset):
        return sorted((list(m) if isinstance(m, tuple) else m for m in answer), key=str)
    if isinstance(answer, Ranking):
        return dict(answer.buckets)
    return answer.json if isinstance(answer, Raw) else answer


def holds(condition: Condition, given: Mapping[tuple[str, Place], Any], place: Place) -> bool:
    """Whether a condition shows its question: by the parent's answer at the same place, or for the whole task."""
    answer = given.get((condition.parent, place), given.get((condition.parent, ())))
    if answer is None or answer is BAD or answer is EMPTY or answer == ():
        said = False
    elif not condition.values:
        said = True
    else:
        said = bool(condition.values & _said(answer))
    return said != condition.negated


def _said(answer: Any) -> set[str]:
    """Labels in an answer; a path says each of its steps and itself."""
    members = answer if isinstance(answer, frozenset | tuple) else (answer,)
    said: set[str] = set()
    for member in members:
        if isinstance(member, Region):
            said |= member.labels
        elif isinstance(member, tuple):
            said |= {*map(str, member), "/".join(map(str, member))}
        else:
            said.add(str(member))
    return said


def repeats_of(question: Question, data: Mapping[str, Any]) -> int | None:
    """How often a question repeats in a task, None where the data does not say."""
    if len(question.repeats) != 1:
        return None
    rows = data.get(question.repeats[0])
    return len(rows) if isinstance(rows, list) else None


def region_id(item: Mapping[str, Any]) -> str:
    """Id of a region, "" where it has none that could be meant again."""
    given = item.get("id")
    if type(given) is str:
        return given
    return str(given) if type(given) is int else ""
