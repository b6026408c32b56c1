"""Detail behind a control's headline: rater pairs, labels, raters, tasks."""

from __future__ import annotations

import numpy as np

from accord.coefficients.specific import specific_agreement
from accord.inference.influence import rater_influence, unit_influence
from accord.inference.scores import mean_score
from accord.pipeline.question import Question
from accord.pipeline.report import Answer, LabelRow, RaterPair, RaterRow, Score, TaskRow
from accord.pipeline.variants import base_key, binary
from accord.pipeline.words import show
from accord.similarity.core import Identity
from accord.values import EMPTY, FloatArray, IntArray, Kind, Region, Span, Value

MOST_LABELS = 100
MOST_PAIRS = 2000
MOST_TASKS = 1000


def score_of(question: Question, per_unit: FloatArray) -> Score:
    """Mean over units (U,), NaN left out, with its interval."""
    return mean_of(per_unit, question.plan.ci, question.study.cluster)


def mean_of(
    per_unit: FloatArray, ci: float | None, clusters: IntArray | None = None, weights: FloatArray | None = None
) -> Score:
    """Weighted mean of per-unit scores as a Score; ``ci`` None gives no interval."""
    value, interval = mean_score(per_unit, level=ci or 0.95, clusters=clusters, weights=weights)
    units = int(np.isfinite(per_unit).sum())
    return Score(value, interval if ci else None, units, None if units else "nothing_comparable")


def rater_pairs(question: Question) -> tuple[RaterPair, ...]:
    """Every pair of raters that met: mean similarity, shared units, Cohen's kappa."""
    study = question.study
    if study.slots or study.R < 2:
        return ()
    mean, shared = question.scores.by_rater_pair()
    first, second = np.triu_indices(study.R, 1)
    order = np.argsort(-shared[first, second], kind="stable")[:MOST_PAIRS]
    rows = []
    for a, b in zip(first[order].tolist(), second[order].tolist(), strict=True):
        kappa = question.estimate("cohen_kappa", study.only(a, b), interval=bool(shared[a, b]))
        names = str(study.rater_names[a]), str(study.rater_names[b])
        rows.append(RaterPair(*names, int(shared[a, b]), float(mean[a, b]), kappa))
    return tuple(rows)


def labels_of(values: tuple[Value, ...], kind: Kind) -> tuple[list[str], FloatArray]:
    """Labels an answer can hold, and which values hold them, (V, L)."""
    held = [_labels(value, kind) for value in values]
    names = list(dict.fromkeys(name for labels in held for name in sorted(labels)))
    place = {name: i for i, name in enumerate(names)}
    table = np.zeros((len(values), len(names)))
    for i, labels in enumerate(held):
        table[i, [place[name] for name in labels]] = 1.0
    return names, table


def _labels(value: Value, kind: Kind) -> set[str]:
    if value is EMPTY:
        return set()
    if kind in (Kind.LABELS, Kind.PATHS) and isinstance(value, frozenset):
        return {show(item) for item in value}
    if kind.is_region and isinstance(value, tuple):
        return {label for region in value if isinstance(region, Region) for label in region.labels}
    return {show(value)}


def label_rows(question: Question) -> tuple[LabelRow, ...]:
    """Each label against the rest: count, specific agreement, headline coefficient on the binary question."""
    study = question.study
    if study.kind in (Kind.TEXT, Kind.NUMBER, Kind.RANKING, Kind.DATETIME, Kind.OTHER) or study.C == 0:
        return ()
    names, table = labels_of(study.values, study.kind)
    used = table[study.code].sum(axis=0)
    top = np.argsort(-used, kind="stable")[:MOST_LABELS]
    rows = []
    for i in sorted(top.tolist()):
        has = binary(study, table[:, i] > 0)
        agreement = question.estimate(base_key(question.headline), has, Identity(2))
        rows.append(LabelRow(names[i], int(used[i]), float(specific_agreement(has)[1]), agreement))
    return tuple(rows)


def rater_rows(question: Question) -> tuple[RaterRow, ...]:
    """Each rater: agreement with the others, influence on the headline, label shares, time."""
    study = question.study
    if study.slots:
        return ()
    per_cell = question.scores.per_rater_unit
    influence = rater_influence(
        question.spec, study, question.similarity_of(question.spec), options=question.options_of(question.spec)
    )
    names, table = labels_of(study.values, study.kind) if study.V <= 1000 else ([], np.zeros((study.V, 0)))
    times = lead_times(question)
    rows = []
    for rater in range(study.R):
        mine = study.rater == rater
        per_unit = np.full(study.U, np.nan)
        per_unit[study.unit[mine]] = per_cell[mine]
        used = table[study.code[mine]].sum(axis=0)
        shares = used / used.sum() if used.sum() else used
        rows.append(
            RaterRow(
                str(study.rater_names[rater]),
                int(mine.sum()),
                int(np.isfinite(per_unit).sum()),
                score_of(question, per_unit),
                float(influence[rater]),
                dict(zip(names[:30], shares[:30].tolist(), strict=False)),
                times.get(str(study.rater_names[rater])),
            )
        )
    return tuple(rows)


def lead_times(question: Question) -> dict[str, float]:
    """Median seconds per annotation, by rater, where the tool recorded them."""
    table = question.dataset.annotations
    if table is None:
        return {}
    found = {}
    for i, rater in enumerate(question.dataset.raters):
        seconds = table.lead_time[(table.rater == i) & np.isfinite(table.lead_time)]
        if len(seconds):
            found[rater.name] = float(np.median(seconds))
    return found


def task_values(question: Question) -> tuple[TaskRow, ...]:
    """Agreement of every task with a score, without answers."""
    per_unit = question.scores.per_unit
    names = question.study.unit_names
    return tuple(TaskRow(str(names[i]), float(per_unit[i])) for i in np.flatnonzero(np.isfinite(per_unit)).tolist())


def disagreed_tasks(question: Question, content: bool) -> tuple[tuple[TaskRow, ...], int]:
    """Most telling disagreed tasks first, with their answers; and how many disagreed tasks there are.

    The most telling are those that pull the headline down most.
    """
    per_unit, study = question.scores.per_unit, question.study
    disagreed = np.flatnonzero(per_unit < 1.0)
    influence = unit_influence(
        question.spec, study, question.similarity_of(question.spec), options=question.options_of(question.spec)
    )
    order = disagreed[np.lexsort((per_unit[disagreed], np.nan_to_num(influence[disagreed])))][:MOST_TASKS]
    rows = tuple(
        TaskRow(
            str(study.unit_names[i]),
            float(per_unit[i]),
            _answers(question, i, content),
            _context(question, i) if content else None,
            float(influence[i]),
        )
        for i in order.tolist()
    )
    return rows, len(disagreed)


def _answers(question: Question, unit: int, content: bool) -> tuple[Answer, ...]:
    study = question.study
    found = []
    for cell in range(int(study.start[unit]), int(study.start[unit + 1])):
        value = study.values[study.code[cell]]
        hidden = not content and study.kind in (Kind.TEXT, Kind.OTHER, Kind.ANNOTATION)
        text = "(withheld)" if hidden else show(value, content)
        found.append(
            Answer(str(study.rater_names[study.rater[cell]]), text, _spans(value), _members(value, study.kind))
        )
    return tuple(found)


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
        if isinstance(region, Region) and isinstance(region.geometry, Span) and not region.geometry.axis
    )


def _context(question: Question, unit: int) -> str | None:
    for name in question.column.control.objects:
        texts = question.dataset.context.get(name)
        if texts is not None:
            return texts[question.unit_index[unit]]
    return None
