"""Averages over controls: for gates and for the platform's rules, never a headline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from accord.coefficients.estimate import UNDEFINED
from accord.pipeline.detail import mean_of
from accord.pipeline.plan import Plan
from accord.pipeline.question import Question
from accord.pipeline.report import ControlReport, MeanOfControls, Score
from accord.pipeline.scores import group_mean


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
    return mean_of(group_mean(unit_index, per_pair, len(units)), plan.ci)


def overall_coefficients(controls: Sequence[ControlReport]) -> Mapping[str, MeanOfControls]:
    """Mean of each coefficient over the controls where it exists, with those left out and why."""
    names = list(dict.fromkeys(key for control in controls for key in control.coefficients))
    result = {}
    for name in names:
        known, left_out = [], []
        for control in controls:
            estimate = control.coefficients.get(name)
            if estimate is None:
                left_out.append((control.control.name, "not computed for this kind of answer"))
            elif estimate.undefined:
                left_out.append((control.control.name, estimate.reason or UNDEFINED[estimate.undefined]))
            else:
                known.append(estimate.value)
        mean = float(np.mean(known)) if known else float("nan")
        result[name] = MeanOfControls(mean, len(known), len(controls), tuple(left_out))
    return result
