"""Questions about regions as controls of their own: a unit is a cluster of matched regions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.dataset import Column, Control, Dataset, Nested
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.pipeline.region_matches import RegionMatches
from accord.pipeline.region_units import RegionUnits, region_units
from accord.values import EMPTY, Index, Kind, Ranking, Raw, Region, Value

#: Kinds whose members are kept as a list.
CHOICES = frozenset({Kind.LABEL, Kind.LABELS, Kind.PATHS})


@dataclass(frozen=True, slots=True)
class _Answers:
    """Answers about the regions of one control: cell and number of the cluster, (n,) each, and what was said."""

    question: Question
    units: RegionUnits
    cell: Index
    cluster: Index
    said: tuple[Value, ...]


def region_questions(dataset: Dataset, plan: Plan, base: Mapping[str, Question]) -> list[Question]:
    """Questions about regions that were asked for; none about regions that are not matched one to one.

    ``base`` holds questions at hand by control. A region to which nobody gave an answer counts as not asked; on the
    others several choices that were left open are EMPTY, all else that was left open is missing.
    """
    wanted = [nested for nested in dataset.nested if not plan.only or nested.control.name in plan.only]
    if not wanted:
        return []
    marked = [c.name for c in dataset.controls if c.kind.is_region and c.kind is not Kind.RELATIONS]
    clustered = [found for name in marked if (found := _clustered(dataset, plan, name, base)) is not None]
    return [question for nested in wanted if (question := _question(dataset, plan, nested, clustered)) is not None]


def question_for(dataset: Dataset, name: str, plan: Plan) -> Question:
    """Question of a control, or of one that asks about regions.

    Raises
    ------
    UnknownNameError
        If there is no such control, or its regions are not matched.
    """
    if name not in dataset.columns:
        for question in region_questions(dataset, replace(plan, only=(name,)), {}):
            return question
    return Question.of(dataset, name, plan)


def times_answered(dataset: Dataset, nested: Nested) -> int:
    """How many regions, over all annotations, carry an answer to a question about regions."""
    read, total = _reader(nested), 0
    for column in dataset.columns.values():
        given = np.bincount(column.code, minlength=len(column.values)).tolist()
        for times, value in zip(given, column.values, strict=True):
            if times and isinstance(value, tuple):
                total += times * sum(read(part) is not None for part in value if isinstance(part, Region))
    return total


def _clustered(
    dataset: Dataset, plan: Plan, name: str, base: Mapping[str, Question]
) -> tuple[Question, RegionMatches, RegionUnits] | None:
    question = base.get(name) or Question.of(dataset, name, plan)
    matches = RegionMatches.of(question)
    return None if matches is None else (question, matches, region_units(matches))


def _question(
    dataset: Dataset,
    plan: Plan,
    nested: Nested,
    clustered: Sequence[tuple[Question, RegionMatches, RegionUnits]],
) -> Question | None:
    read = _reader(nested)
    parts = [_answers(*found, read) for found in clustered]
    parts = [part for part in parts if part.said]
    if not parts:
        return None
    control, values = _settled(nested.control, [value for part in parts for value in part.said])
    column, units = _column(dataset, control, values, parts)
    both = list(zip(parts, units, strict=True))
    unit = np.concatenate([part.question.places[part.units.unit[kept]] for part, kept in both])
    names = [name for part, kept in both for name in _names(part, kept, alone=len(parts) == 1)]
    derived = replace(
        dataset,
        units=names,
        columns={control.name: column},
        clusters={name: numbers[unit] for name, numbers in _with_task(dataset).items()},
        context={name: [texts[u] for u in unit.tolist()] for name, texts in dataset.context.items()},
        nested=(),
    )
    return Question.of(derived, control.name, plan)


def _with_task(dataset: Dataset) -> Mapping[str, Any]:
    return {"task": np.arange(len(dataset.units), dtype=np.int32), **dataset.clusters}


def _names(part: _Answers, kept: Index, *, alone: bool) -> list[str]:
    """Names of clusters: that of the unit, and their number in it."""
    study, unit = part.question.study, part.units.unit
    number = np.arange(len(unit)) - np.searchsorted(unit, unit) + 1
    about = "" if alone else f" {part.question.name}"
    return [f"{study.unit_names[int(unit[k])]}{about} #{number[k]}" for k in kept.tolist()]


def _answers(
    question: Question, matches: RegionMatches, units: RegionUnits, read: Callable[[Region], Value | None]
) -> _Answers:
    """What was said about the regions of a control; one value for every region of a cluster that was asked about."""
    said = [read(region) for region in matches.regions]
    place = matches.start[question.study.code[units.cell].astype(np.int64)] + units.position
    given = np.array([value is not None for value in said], dtype=np.bool_)[place] if said else np.empty(0, np.bool_)
    asked = np.zeros(len(units.unit), dtype=np.bool_)
    asked[units.cluster[given]] = True
    use = np.flatnonzero(asked[units.cluster])
    values = tuple(EMPTY if (value := said[k]) is None else value for k in place[use].tolist())
    return _Answers(question, units, units.cell[use], units.cluster[use], values)


def _column(
    dataset: Dataset, control: Control, values: Sequence[Value], parts: Sequence[_Answers]
) -> tuple[Column, list[Index]]:
    """Column of the answers, and the clusters of every part that are units."""
    raters = {rater.name: number for number, rater in enumerate(dataset.raters)}
    pool: dict[Value, int] = {} if control.domain is None or control.kind.is_set else _numbered(control.domain)
    unit, rater, code, annotation, kept = [], [], [], [], []
    done = begin = 0
    for part in parts:
        study = part.question.study
        clusters, number = np.unique(part.cluster, return_inverse=True)
        who = np.array([raters[str(name)] for name in study.rater_names], dtype=np.int64)[study.rater[part.cell]]
        unit.append(number + done)
        rater.append(who)
        annotation.append(_annotations(dataset, part, who))
        code += [pool.setdefault(value, len(pool)) for value in values[begin : begin + len(part.said)]]
        kept.append(clusters)
        done, begin = done + len(clusters), begin + len(part.said)
    columns = [np.concatenate(unit), np.concatenate(rater), np.array(code), np.concatenate(annotation)]
    open_ = EMPTY in pool and not control.kind.is_set
    use = columns[2] != pool.get(EMPTY, -1) if open_ else np.ones(len(code), dtype=np.bool_)
    columns = [column[use] for column in columns]
    order = np.lexsort((columns[1], columns[0]))
    units, raters_, codes, rows = (column[order].astype(np.int32) for column in columns)
    missing = int((~use).sum())
    column = Column(
        control=control,
        unit=units,
        rater=raters_,
        code=codes,
        values=tuple(pool),
        annotation=None if dataset.annotations is None else rows,
        missing=missing,
        slots=parts[0].question.study.slots,
    )
    return column, kept


def _annotations(dataset: Dataset, part: _Answers, rater: Index) -> Index:
    """Annotation behind each answer, (n,); -1 where none is known."""
    column, study = part.question.column, part.question.study
    if column.annotation is None or dataset.annotations is None:
        return np.full(len(rater), -1, dtype=np.int64)
    size = len(dataset.raters)
    known = column.unit.astype(np.int64) * size + column.rater
    wanted = part.question.places[study.unit[part.cell]] * size + rater
    return column.annotation[np.minimum(np.searchsorted(known, wanted), len(known) - 1)].astype(np.int64)


def _numbered(values: Iterable[Value]) -> dict[Value, int]:
    return {value: number for number, value in enumerate(dict.fromkeys(values))}


def _settled(control: Control, values: list[Value]) -> tuple[Control, list[Value]]:
    """Control and values once all answers are known: single choices stay single only if nobody gave two."""
    control = replace(control, per_region=True, condition=None)
    if control.kind is not Kind.LABEL:
        return control, values
    if any(isinstance(value, frozenset) and len(value) != 1 for value in values):
        return replace(control, kind=Kind.LABELS), values
    return control, [next(iter(value)) if isinstance(value, frozenset) else value for value in values]


def _reader(nested: Nested) -> Callable[[Region], Value | None]:
    """Function that takes an answer from a region, None where there is none."""
    name, kind = nested.control.name, nested.control.kind
    if nested.place == "choices":
        return lambda region: region.choices
    if nested.place == "text":
        return lambda region: region.text or None
    known: dict[str, Value | None] = {}

    def read(region: Region) -> Value | None:
        for key, text in region.attributes:
            if key == name:
                if text not in known:
                    known[text] = _decoded(text, kind)
                return known[text]
        return None

    return read


def _decoded(text: str, kind: Kind) -> Value | None:
    """Answer from the JSON in which a region keeps it."""
    found = json.loads(text)
    if kind in CHOICES:
        members = (tuple(part) if isinstance(part, list) else part for part in found)
        return frozenset((m if isinstance(m, tuple) else (m,)) if kind is Kind.PATHS else m for m in members)
    if kind is Kind.RANKING and isinstance(found, dict):
        return Ranking(tuple((bucket, tuple(items)) for bucket, items in found.items()))
    if kind is Kind.TEXT and isinstance(found, list):
        return tuple(found)
    return Raw(text) if isinstance(found, list | dict) else found
