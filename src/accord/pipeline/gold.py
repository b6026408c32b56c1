"""Agreement with the answers marked as ground truth (requirements rows C2 and H1)."""

from __future__ import annotations

import numpy as np

from accord.dataset import Flag
from accord.pipeline.question import Question
from accord.pipeline.report import Score
from accord.pipeline.scores import group_mean
from accord.pipeline.summary import mean_of
from accord.values import BoolArray


def gold_accuracy(question: Question) -> Score | None:
    """Mean score of answers against the gold answer of their unit; None where nothing is marked.

    The gold answer itself is not scored against itself; where a unit has several, the best match counts.
    """
    gold = _gold_cells(question)
    if gold is None:
        return None
    study = question.study
    best = np.full(study.C, -np.inf)
    for pairs in question.scores.blocks():
        for answer, truth in ((pairs.left, pairs.right), (pairs.right, pairs.left)):
            use = gold[truth] & ~gold[answer] & np.isfinite(pairs.score)
            np.maximum.at(best, answer[use], pairs.score[use])
    known = np.where(np.isfinite(best), best, np.nan)
    if np.isnan(known).all():
        return Score(undefined="no_overlap", notes=("nobody else answered a unit with a gold answer",))
    return mean_of(group_mean(study.unit.astype(np.int64), known, study.U), question.plan.ci, study.cluster)


def _gold_cells(question: Question) -> BoolArray | None:
    """Which answers of the study were marked as ground truth, (C,); None if none was."""
    dataset, column, study = question.dataset, question.column, question.study
    if dataset.annotations is None or column.annotation is None:
        return None
    marked = (dataset.annotations.flags[column.annotation] & Flag.GROUND_TRUTH) > 0
    marked &= column.annotation >= 0
    if not marked.any():
        return None
    size = len(dataset.raters)
    place = {rater.name: i for i, rater in enumerate(dataset.raters)}
    who = np.array([place[name] for name in study.rater_names], dtype=np.int64)
    gold = column.unit[marked].astype(np.int64) * size + column.rater[marked]
    return np.isin(question.places[study.unit] * size + who[study.rater], gold)
