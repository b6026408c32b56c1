"""A control while its answers are read: what is declared of it, the labels seen, and how its values end up."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from accord.dataset import Control
from accord.readers.builder import Answers, DatasetBuilder
from accord.readers.codes import Notices
from accord.readers.config_model import Question
from accord.values import EMPTY, Kind, Value

CHOICES: Final = (Kind.LABEL, Kind.LABELS, Kind.PATHS)


class Slot:
    """One control while reading.

    ``answers`` is None for controls about regions, whose answers go into these regions. ``memo`` maps raw choices
    to values that need no remark.
    """

    __slots__ = ("answers", "control", "kinds", "known", "memo", "notices", "question", "seen", "several", "spelled")

    def __init__(self, control: Control, question: Question | None, notices: Notices) -> None:
        self.control = control
        self.question = question
        self.notices = notices
        self.answers: Answers | None = None
        self.known = None if control.domain is None else frozenset(control.domain)
        self.memo: dict[Any, Any] = {}
        self.spelled: dict[str, str] = {}
        self.seen: dict[str, None] = {}
        self.kinds: dict[Kind, int] = {}
        self.several = False

    def label(self, raw: str) -> str:
        """Label in the form that counts, without remark."""
        found = self.spelled.get(raw)
        if found is None:
            found = raw if raw.isascii() else unicodedata.normalize("NFC", raw)
            if found != raw:
                self.notices.add("nfc", raw, control=self.control.name)
                self.seen[found] = None
                return found
            self.spelled[raw] = found
            self.seen[found] = None
        return found

    def is_known(self, value: Value) -> bool:
        """Whether a value is in the declared domain; counted if it is not."""
        if self.known is None or value in self.known:
            return True
        self.notices.add("unknown-value", repr(value), control=self.control.name)
        if self.answers is not None:
            self.answers.outside[value] = None
        return False

    def labels(self, raw: Any) -> frozenset[str]:
        """Labels of a region, given as a list."""
        if type(raw) is list:
            try:
                return self.memo[tuple(raw)]
            except (KeyError, TypeError):
                pass
        elif raw is None:
            return frozenset()
        else:
            self.notices.add("value-as-scalar", str(raw), control=self.control.name)
            raw = [raw]
        parts = [part for part in raw if part is not None]
        return self._labels(tuple("/".join(map(str, p)) if isinstance(p, list) else str(p) for p in parts))

    def _labels(self, key: tuple[str, ...]) -> frozenset[str]:
        before = self.notices.total
        found = frozenset(map(self.label, key))
        clean = sum(map(self.is_known, found)) == len(found)
        if clean and self.notices.total == before:
            self.memo[key] = found
        return found

    @property
    def name(self) -> str:
        """Name of the control."""
        return self.control.name

    def settle(self) -> None:
        """Decide what only the whole of the answers tells: one choice or several, labels or paths."""
        answers = self.answers
        if answers is None:
            return
        control = answers.control
        if control.kind in CHOICES:
            self._settle_choices(answers)
        elif self.kinds:
            most = max(self.kinds, key=lambda kind: (self.kinds[kind], kind))
            if len(self.kinds) > 1:
                self.notices.add("several-types", ", ".join(sorted(self.kinds)), control=control.name)
            if control.kind is not most and (not control.declared or control.kind.is_region):
                answers.control = replace(control, kind=most)

    def _settle_choices(self, answers: Answers) -> None:
        kind = answers.control.kind
        values = [value for value in answers.pool if value is not EMPTY]
        if any(isinstance(v, frozenset) and any(isinstance(m, tuple) for m in v) for v in values):
            kind = Kind.PATHS
        elif kind is Kind.LABEL and any(isinstance(value, frozenset) for value in values):
            kind = Kind.LABELS
        if kind is answers.control.kind:
            return
        was_declared = answers.control.declared and self.question is not None and self.question.multiple is not None
        answers.control = replace(answers.control, kind=kind)
        answers.blank_is_empty = kind.is_set if not was_declared else answers.blank_is_empty
        answers.values = _as_paths if kind is Kind.PATHS else _as_sets


def _as_sets(values: Sequence[Value]) -> list[Value]:
    return [value if isinstance(value, frozenset) or value is EMPTY else frozenset((value,)) for value in values]


def _as_paths(values: Sequence[Value]) -> list[Value]:
    return [
        value
        if value is EMPTY
        else frozenset(
            m if isinstance(m, tuple) else (m,) for m in (value if isinstance(value, frozenset) else (value,))
        )
        for value in values
    ]


class Slots:
    """All controls while reading, found by the names that answers carry."""

    def __init__(self, builder: DatasetBuilder, questions: dict[str, Question], notices: Notices) -> None:
        self._builder = builder
        self._notices = notices
        self._found: dict[str, Slot] = {}
        for question in questions.values():
            self._declare(question)

    def _declare(self, question: Question) -> Slot:
        slot = Slot(question.control, question, self._notices)
        self._found[question.control.name] = slot
        if not question.control.per_region:
            slot.answers = self._builder.control(question.control)
        return slot

    def __iter__(self) -> Any:
        return iter(self._found.values())

    def get(self, name: str) -> Slot | None:
        """Control of this name, if there is one."""
        return self._found.get(name)

    def discover(self, control: Control) -> Slot:
        """Make a control that no config declares."""
        slot = self._found[control.name] = Slot(control, None, self._notices)
        return slot

    def open(self, slot: Slot) -> Answers:
        """Begin to collect answers to a control that was discovered."""
        slot.answers = self._builder.control(slot.control)
        return slot.answers
