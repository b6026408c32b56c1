"""One task as a reviewer sees it: what was annotated, and every control's answers beside each other."""

from __future__ import annotations

import hashlib
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from markupsafe import Markup

from accord.dataset import Column, Dataset
from accord.pipeline.detail import answer
from accord.pipeline.report import Answer, TaskRow
from accord.reporting import answers, tasks, words
from accord.values import Kind


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One annotator's answer to one control; ``letter`` stands for the annotator where names are hidden."""

    letter: str
    annotation: str
    text: str
    spans: tuple[tuple[int, int, str], ...] = ()
    parts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One control of a task and all answers to it; ``part`` names the region or item where it is asked of parts."""

    control: str
    kind: Kind
    words: str
    part: str
    agreement: float | None
    pairs: int
    given: tuple[GivenAnswer, ...]

    @property
    def differ(self) -> bool:
        """Whether the answers are not all the same."""
        return len({(given.text, given.spans, given.parts) for given in self.given}) > 1

    @property
    def row(self) -> TaskRow:
        """The same as the report shows it."""
        shown = tuple(Answer(given.letter, given.text, given.spans, given.parts) for given in self.given)
        return TaskRow(self.part, float("nan"), shown)

    @property
    def marked(self) -> tuple[tuple[GivenAnswer, Markup], ...]:
        """Answers with what not everybody said marked."""
        return tuple(zip(self.given, tasks.marked_texts(self.row, self.kind), strict=True))


def letters(annotations: Sequence[str], salt: str) -> Mapping[str, str]:
    """Letter of each annotation, in an order that says nothing about who or when.

    Examples
    --------
    >>> sorted(letters(["7", "8", "9"], "task 1").values())
    ['A', 'B', 'C']
    """
    order = sorted(annotations, key=lambda key: hashlib.sha256(f"{salt}/{key}".encode("utf-8", "replace")).digest())
    return {key: _letter(i) for i, key in enumerate(order)}


def _letter(i: int) -> str:
    alphabet = string.ascii_uppercase
    return alphabet[i] if i < 26 else f"{_letter(i // 26 - 1)}{alphabet[i % 26]}"


def questions(
    dataset: Dataset, letter_of: Mapping[str, str], scores: Mapping[str, tuple[float, int]]
) -> tuple[Question, ...]:
    """Everything that was asked about the task a dataset holds, in the order of the label config.

    ``letter_of`` maps annotation ids to letters, ``scores`` a control to its agreement on this task and the pairs it
    rests on.
    """
    found: list[Question] = []
    for column in dataset.columns.values():
        found += _parts(dataset, column, letter_of, scores.get(column.control.name))
    return tuple(found)


def _parts(
    dataset: Dataset, column: Column, letter_of: Mapping[str, str], score: tuple[float, int] | None
) -> list[Question]:
    control, units = column.control, np.unique(column.unit).tolist()
    value, pairs = score if score is not None else (None, 0)
    return [
        Question(
            control=control.name,
            kind=control.kind,
            words=words.kind(control),
            part=str(dataset.units[unit]) if len(units) > 1 else "",
            agreement=value,
            pairs=pairs,
            given=_given(dataset, column, unit, letter_of),
        )
        for unit in units
    ]


def _given(dataset: Dataset, column: Column, unit: int, letter_of: Mapping[str, str]) -> tuple[GivenAnswer, ...]:
    found = []
    for cell in np.flatnonzero(column.unit == unit).tolist():
        place = -1 if column.annotation is None else int(column.annotation[cell])
        key = dataset.annotations.ids[place] if dataset.annotations is not None and place >= 0 else ""
        said = answer("", column.values[column.code[cell]], column.control.kind)
        found.append(GivenAnswer(letter_of.get(key, "?"), key, said.text, said.spans, said.parts))
    return tuple(sorted(found, key=lambda given: (len(given.letter), given.letter)))


def passages(dataset: Dataset, asked: Sequence[Question], most: int = 20) -> tuple[tuple[str, str], ...]:
    """Texts that were annotated, (name, text) each."""
    del asked
    found = []
    for name, texts in dataset.context.items():
        text = next((text for text in texts if text), None)
        if text is not None:
            found.append((name, text))
    return tuple(found[:most])


def drawn(text: str, question: Question | None) -> Markup:
    """Text with the spans of one control drawn below it, a lane for each annotator."""
    if question is None:
        return tasks.passage(replace(TaskRow("", 0.0), context=text), [])
    row = replace(question.row, context=text)
    return tasks.passage(row, [given.spans for given in row.answers])


LANES = answers.LANES
