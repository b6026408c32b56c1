"""One task as a reviewer sees it: what was annotated, and every control's answers beside each other."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from accord.dataset import Control, Dataset
from accord.pipeline.detail import answer
from accord.pipeline.drawing import drawing
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.pipeline.region_matches import RegionMatches
from accord.pipeline.report import Answer, TaskRow
from accord.readers.given_tasks import read_tasks
from accord.readers.label_config import parse_label_config
from accord.reporting import tasks, words
from accord.reporting.drawings.regions import DrawnTask, colours, drawn_task
from accord.values import Kind
from accord.workspace.task_views import TaskView


@dataclass(frozen=True, slots=True)
class Given:
    """One annotator of a task; ``name`` is empty where names are hidden."""

    letter: str
    annotation: int
    name: str
    own: bool
    cancelled: bool
    accepted: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """One control of a task, or of a part of it, and the answers to it in the order of their letters."""

    control: Control
    part: str
    agreement: float | None
    row: TaskRow
    annotations: tuple[int, ...]

    @property
    def marked(self) -> list[tuple[int, str, Markup]]:
        """Annotation, letter and answer of each annotator; what not everybody said is marked."""
        texts = tasks.marked_texts(self.row, self.control.kind)
        return [
            (number, given.rater, text)
            for number, given, text in zip(self.annotations, self.row.answers, texts, strict=True)
        ]

    @property
    def kind_words(self) -> str:
        """Kind of the control in words."""
        return words.kind(self.control)

    @property
    def drawn(self) -> DrawnTask | None:
        """Picture of the regions of all annotators."""
        return drawn_task(self.row, self.control, colours((self.row,)))

    @property
    def passage(self) -> Markup | None:
        """Text with the spans of every annotator in a lane of its own; None where nothing lies on a text."""
        spans = [given.spans for given in self.row.answers]
        ends = [end for lane in spans for _, end, _ in lane]
        if self.row.context is None or not ends or max(ends) > len(self.row.context):
            return None
        return tasks.passage(self.row, spans)


@dataclass(frozen=True, slots=True)
class Sides:
    """A task side by side: its texts and other data, who answered, what was asked."""

    texts: tuple[tuple[str, str], ...]
    data: tuple[tuple[str, str], ...]
    given: tuple[Given, ...]
    asked: tuple[Asked, ...]


MOST_SHOWN = 4000


def sides(view: TaskView, label_config: str | None, plan: Plan) -> Sides:
    """Lay out a task; answers that were skipped are named and not compared."""
    counted = [row for row in view.annotations if not row.cancelled]
    letter = dict(zip([row.id for row in view.annotations], map(_letter, range(len(view.annotations))), strict=True))
    if view.blinded:
        letter = {row.id: row.rater for row in view.annotations}
    task = {
        "id": view.task.key,
        "data": dict(view.task.data),
        "annotations": [{"id": row.id, "completed_by": letter[row.id], "result": list(row.result)} for row in counted],
    }
    config = None if label_config is None else parse_label_config(label_config)
    dataset = read_tasks([task], name="task", config=config, context=True).dataset
    asked = [one for name in dataset.columns for one in _asked(dataset, name, plan, view.task.by_control)]
    texts = _texts(dataset)
    given = [
        Given(letter[row.id], row.id, "" if view.blinded else row.rater, row.own, row.cancelled, row.accepted)
        for row in view.annotations
    ]
    return Sides(tuple(texts.items()), _rest(view.task.data, texts), tuple(given), tuple(asked))


def _letter(i: int) -> str:
    alphabet = string.ascii_uppercase
    return alphabet[i] if i < 26 else f"{_letter(i // 26 - 1)}{alphabet[i % 26]}"


def _asked(dataset: Dataset, name: str, plan: Plan, scores: Mapping[str, float]) -> list[Asked]:
    question = Question.of(dataset, name, replace(plan, answers="all", first=None, cluster=None))
    study, column = question.study, question.column
    matches = RegionMatches.of(question) if study.kind.is_region and study.kind is not Kind.RELATIONS else None
    number = _annotations(dataset, name)
    found = []
    for unit in range(study.U):
        cells = range(int(study.start[unit]), int(study.start[unit + 1]))
        answers = tuple(_answer(question, cell) for cell in cells)
        context = _context(dataset, column.control, int(question.places[unit]))
        row = TaskRow(
            str(study.unit_names[unit]), float("nan"), answers, context, drawing=drawing(question, matches, unit)
        )
        ids = tuple(number[given.rater] for given in answers)
        part = row.unit if study.U > 1 else ""
        found.append(Asked(column.control, part, scores.get(name), row, ids))
    return found


def _answer(question: Question, cell: int) -> Answer:
    study = question.study
    return answer(str(study.rater_names[study.rater[cell]]), study.values[study.code[cell]], study.kind)


def _annotations(dataset: Dataset, name: str) -> dict[str, int]:
    """Annotation of each annotator who answered a control; each has one."""
    column, table = dataset[name], dataset.annotations
    if table is None or column.annotation is None:
        return {}
    pairs = zip(column.rater.tolist(), column.annotation.tolist(), strict=True)
    return {dataset.raters[rater].name: int(table.ids[place]) for rater, place in pairs}


def _context(dataset: Dataset, control: Control, unit: int) -> str | None:
    return next((dataset.context[name][unit] for name in control.objects if name in dataset.context), None)


def _texts(dataset: Dataset) -> dict[str, str]:
    """Texts that were annotated, by the name of their object."""
    found = {name: next((text for text in texts if text), None) for name, texts in dataset.context.items()}
    return {name: text for name, text in found.items() if text is not None}


def _rest(data: Mapping[str, Any], texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Fields of the task's data that are not shown as texts."""
    shown: Sequence[str] = tuple(texts.values())
    return tuple((str(key), words.clip(str(value), MOST_SHOWN)) for key, value in data.items() if value not in shown)
