"""Averages over controls: for gates and for the platform's rules, never a headline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from accord.coefficients.estimate import UNDEFINED, Estimate
from accord.inference.undefined import Counts as Compared
from accord.inference.undefined import before
from accord.pipeline.joint import joint_interval, tasks_of
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.pipeline.report import ControlReport, MeanOfControls, Score
from accord.pipeline.scores import group_mean
from accord.pipeline.summary import mean_of
from accord.values import FloatArray

LEVELS = "overall.levels"
#: Pairs of answers averaged at a time.
MOST_SCORED = 1_000_000
Part: TypeAlias = tuple[Question, Estimate]


def overall_pairwise(questions: Sequence[Question], plan: Plan) -> Score:
    """Platform's pairwise method: score each pair of annotations, average over controls, pairs, then tasks.

    Control weights of the plan apply to the average over controls.
    """
    if not any(question.study.P for question in questions):
        return Score(undefined=_nothing(questions))
    mean = unit_agreement(questions)
    known = np.flatnonzero(np.isfinite(mean))
    if not len(known):
        return Score(undefined="nothing_comparable")
    task = tasks_of(questions[0].dataset, plan)[known]
    clusters = None if len(np.unique(task)) == len(task) else task
    return mean_of(mean[known], plan.ci, clusters)


def unit_agreement(questions: Sequence[Question]) -> FloatArray:
    """Agreement of each unit of the dataset: mean over controls, then over pairs of raters, (U,); NaN = no score.

    All questions are about one dataset, and there is one at least.
    """
    asked = [question for question in questions if question.wish.weight > 0 and question.study.P]
    mean = np.full(len(questions[0].dataset.units), np.nan)
    for first, stop in _stretches(asked) if asked else ():
        mean[first:stop] = _task_means(asked, first, stop)
    return mean


def _stretches(questions: Sequence[Question]) -> Iterator[tuple[int, int]]:
    """Ranges over the units of the dataset with about MOST_SCORED pairs of answers each."""
    size = len(questions[0].dataset.units)
    pairs = np.zeros(size, dtype=np.int64)
    for question in questions:
        pairs[question.places] += question.study.m * (question.study.m - 1) // 2
    ends, first = np.cumsum(pairs), 0
    while first < size:
        done = int(ends[first - 1]) if first else 0
        stop = max(first + 1, int(np.searchsorted(ends, done + MOST_SCORED, side="right")))
        yield first, stop
        first = stop


def _task_means(questions: Sequence[Question], first: int, stop: int) -> FloatArray:
    """Agreement of some units of the dataset: mean over controls, then over pairs of raters, NaN where there is none.

    With one control without weights of labels it is the mean over pairs.
    """
    if len(questions) == 1 and not questions[0].wish.label_weights:
        return _single(questions[0], first, stop)
    size = len(questions[0].dataset.raters)
    key, value, weight = [np.empty(0, np.int64)], [np.empty(0)], [np.empty(0)]
    for question in questions:
        study = question.study
        place = {rater.name: i for i, rater in enumerate(question.dataset.raters)}
        who = np.array([place[name] for name in study.rater_names], dtype=np.int64)
        begin, end = np.searchsorted(question.places, (first, stop)).tolist()
        for pairs in question.scores.between(begin, end):
            unit = question.places[study.unit[pairs.left]] - first
            key.append((unit * size + who[study.rater[pairs.left]]) * size + who[study.rater[pairs.right]])
            value.append(pairs.score)
            weight.append(question.wish.weight * pairs.weight)
    keys, values, weights = np.concatenate(key), np.concatenate(value), np.concatenate(weight)
    known = np.isfinite(values) & (weights > 0)
    found, index = np.unique(keys[known], return_inverse=True)
    mass = np.bincount(index, weights[known])
    per_pair = np.bincount(index, values[known] * weights[known]) / mass
    return group_mean(found // (size * size), per_pair, stop - first)


def _single(question: Question, first: int, stop: int) -> FloatArray:
    mean = np.full(stop - first, np.nan)
    begin, end = np.searchsorted(question.places, (first, stop)).tolist()
    mean[question.places[begin:end] - first] = question.scores.per_unit[begin:end]
    return mean


def _nothing(questions: Sequence[Question]) -> str:
    """Why there is no pair in any control: the last reason in the order of the reasons that any control gives."""
    given = {before(question.study, Compared.of(question.study)) for question in questions}
    return next((reason for reason in ("no_overlap", "one_rater") if reason in given), "no_answers")


def overall_coefficients(
    questions: Sequence[Question], controls: Sequence[ControlReport], plan: Plan
) -> Mapping[str, MeanOfControls]:
    """Mean of each coefficient over the controls where it exists, with those left out and why.

    Numbers made with different similarities (levels of measurement) are not mixed, unless the platform's rules or the
    setting ``overall.levels=mixed`` ask for it: the mean is over the similarity most controls share.
    """
    names = list(dict.fromkeys(key for control in controls for key in control.coefficients))
    return {name: _mean(name, questions, controls, plan) for name in names}


def _mean(name: str, questions: Sequence[Question], controls: Sequence[ControlReport], plan: Plan) -> MeanOfControls:
    left_out, known = [], []
    for question, control in zip(questions, controls, strict=True):
        estimate = control.coefficients.get(name)
        why = _why_not(question, estimate)
        if why is None and estimate is not None:
            known.append((question, estimate))
        else:
            left_out.append((question.name, why or ""))
    if not (plan.compat or plan.settings.get(LEVELS) == "mixed"):
        known, others = _one_similarity(known)
        left_out += others
    if not known:
        return MeanOfControls(float("nan"), 0, len(controls), tuple(left_out))
    weights = np.array([question.wish.weight for question, _ in known])
    mean = float(np.average([estimate.value for _, estimate in known], weights=weights))
    interval = joint_interval(name, known, mean, weights, plan)
    return MeanOfControls(mean, len(known), len(controls), tuple(left_out), interval)


def _why_not(question: Question, estimate: Estimate | None) -> str | None:
    if estimate is None:
        return "not computed for this kind of answer"
    if estimate.undefined:
        return estimate.reason or UNDEFINED[estimate.undefined]
    return None if question.wish.weight > 0 else "its weight is 0"


def _one_similarity(known: Sequence[Part]) -> tuple[list[Part], list[tuple[str, str]]]:
    """Keep the similarity most controls share (the first of those that tie) and say what others use."""
    if not known:
        return [], []
    common, _ = Counter(estimate.similarity for _, estimate in known).most_common(1)[0]
    others = [
        (question.name, f"compared as {estimate.similarity}, the mean is over {common}")
        for question, estimate in known
        if estimate.similarity != common
    ]
    return [part for part in known if part[1].similarity == common], others
