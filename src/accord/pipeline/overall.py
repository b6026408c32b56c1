"""Averages over controls: for gates and for the platform's rules, never a headline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from accord.coefficients.estimate import UNDEFINED, Estimate
from accord.pipeline.detail import mean_of
from accord.pipeline.joint import joint_interval, tasks_of
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.pipeline.report import ControlReport, MeanOfControls, Score
from accord.pipeline.scores import group_mean

LEVELS = "overall.levels"
Part: TypeAlias = tuple[Question, Estimate]


def overall_pairwise(questions: Sequence[Question], plan: Plan) -> Score:
    """Platform's pairwise method: score each pair of annotations, average over controls, pairs, then tasks.

    Control weights of the plan apply to the average over controls.
    """
    keys, values, weights = [], [], []
    size = 1 + max((len(q.dataset.raters) for q in questions), default=0)
    for question in questions:
        scores, study = question.scores, question.study
        place = {rater.name: i for i, rater in enumerate(question.dataset.raters)}
        who = np.array([place[name] for name in study.rater_names], dtype=np.int64)
        unit = np.asarray(question.unit_index, dtype=np.int64)[scores.unit] if len(scores.unit) else scores.unit
        keys.append((unit * size + who[study.rater[scores.left]]) * size + who[study.rater[scores.right]])
        values.append(scores.score)
        weights.append(question.wish.weight * scores.weight)
    if not keys or not sum(map(len, keys)):
        return Score(undefined="no_overlap")
    key, value, weight = np.concatenate(keys), np.concatenate(values), np.concatenate(weights)
    known = np.isfinite(value) & (weight > 0)
    if not known.any():
        return Score(undefined="nothing_comparable")
    pair, index = np.unique(key[known], return_inverse=True)
    mass = np.bincount(index, weight[known])
    per_pair = np.bincount(index, value[known] * weight[known]) / mass
    units, unit_index = np.unique(pair // (size * size), return_inverse=True)
    task = tasks_of(questions[0].dataset, plan)[units]
    clusters = None if len(np.unique(task)) == len(task) else task
    return mean_of(group_mean(unit_index, per_pair, len(units)), plan.ci, clusters)


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
