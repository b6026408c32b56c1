"""Detail behind a control's headline: rater pairs, labels, raters, tasks."""

from __future__ import annotations

import numpy as np

from accord.inference.influence import unit_influence
from accord.pipeline.drawing import DRAWN_TASKS, drawing
from accord.pipeline.question import Question
from accord.pipeline.region_matches import RegionMatches
from accord.pipeline.report import Answer, TaskRow
from accord.pipeline.words import show
from accord.values import Kind, Region, Span, Value

MOST_LABELS = 100
MOST_PAIRS = 2000
MOST_TASKS = 1000
MARKED_UP = frozenset({"HyperTextLabels", "HtmlLabels"})


def task_values(question: Question) -> tuple[TaskRow, ...]:
    """Agreement of every task with a score, without answers."""
    per_unit = question.scores.per_unit
    names = question.study.unit_names
    return tuple(TaskRow(str(names[i]), float(per_unit[i])) for i in np.flatnonzero(np.isfinite(per_unit)).tolist())


def disagreed_tasks(
    question: Question, content: bool, matches: RegionMatches | None = None
) -> tuple[tuple[TaskRow, ...], int]:
    """Most telling disagreed tasks first, with their answers; and how many disagreed tasks there are.

    The most telling are those that pull the headline down most. Regions of the first ones are drawn, as ``matches`` has
    them.
    """
    per_unit, study = question.scores.per_unit, question.study
    disagreed = np.flatnonzero(per_unit < 1.0)
    spec, options = question.rule(question.headline)
    influence = unit_influence(spec, study, question.similarity_of(question.spec), options=options)
    order = disagreed[np.lexsort((per_unit[disagreed], np.nan_to_num(influence[disagreed])))][:MOST_TASKS]
    rows = tuple(
        TaskRow(
            str(study.unit_names[i]),
            float(per_unit[i]),
            _answers(question, i, content),
            _context(question, i) if content else None,
            float(influence[i]),
            drawing(question, matches, i) if place < DRAWN_TASKS else None,
        )
        for place, i in enumerate(order.tolist())
    )
    return rows, len(disagreed)


def _answers(question: Question, unit: int, content: bool) -> tuple[Answer, ...]:
    study = question.study
    found = []
    for cell in range(int(study.start[unit]), int(study.start[unit + 1])):
        value = study.values[study.code[cell]]
        found.append(answer(str(study.rater_names[study.rater[cell]]), value, study.kind, content))
    return tuple(found)


def answer(rater: str, value: Value, kind: Kind, content: bool = True) -> Answer:
    """One answer in words, with its spans or members; ``content`` False withholds what was written freely."""
    hidden = not content and kind in (Kind.TEXT, Kind.OTHER, Kind.ANNOTATION)
    return Answer(rater, "(withheld)" if hidden else show(value, content), _spans(value), _members(value, kind))


def _members(value: Value, kind: Kind) -> tuple[str, ...] | None:
    """Members of a set-valued answer in words; None for all other kinds."""
    if kind not in (Kind.LABELS, Kind.PATHS):
        return None
    return tuple(sorted(map(show, value))) if isinstance(value, frozenset) else ()


def _spans(value: Value) -> tuple[tuple[int, int, str], ...]:
    if not isinstance(value, tuple):
        return ()
    return tuple(
        (int(region.geometry.start), int(region.geometry.end), ", ".join(sorted(region.labels)))
        for region in value
        if isinstance(region, Region) and isinstance(region.geometry, Span) and _counts_characters(region.geometry)
    )


def _counts_characters(span: Span) -> bool:
    """Whether a span may be one of characters: it has no axis of its own, and whole ends."""
    return not span.axis and float(span.start).is_integer() and float(span.end).is_integer()


def _context(question: Question, unit: int) -> str | None:
    """Text that was annotated; none for spans of HTML, which count the characters without their tags."""
    if question.column.control.tag in MARKED_UP:
        return None
    for name in question.column.control.objects:
        texts = question.dataset.context.get(name)
        if texts is not None:
            return texts[int(question.places[unit])]
    return None
