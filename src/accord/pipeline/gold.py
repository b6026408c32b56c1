"""Agreement with the answers marked as ground truth (requirements rows C2 and H1)."""

from __future__ import annotations

import numpy as np

from accord.dataset import Flag
from accord.pipeline.question import Question
from accord.pipeline.raters import MOST_RATERS
from accord.pipeline.report import GoldRow, Score
from accord.pipeline.scores import group_mean
from accord.pipeline.summary import mean_of
from accord.values import BoolArray, FloatArray


def gold_accuracy(question: Question, known: FloatArray | None) -> Score | None:
    """Mean over units of what ``against_gold`` knows; None where nothing is marked."""
    if known is None:
        return None
    if np.isnan(known).all():
        return Score(undefined="no_overlap", notes=("nobody else answered a unit with a gold answer",))
    study = question.study
    return mean_of(group_mean(study.unit.astype(np.int64), known, study.U), question.plan.ci, study.cluster)


def gold_rows(question: Question, known: FloatArray | None) -> tuple[GoldRow, ...]:
    """Each rater with an answer that a gold answer of somebody else can be compared with: mean score and its interval.

    At most MOST_RATERS of them, those with most such answers.
    """
    if known is None:
        return ()
    study = question.study
    order, begins = study.by_rater
    compared = np.bincount(study.rater, np.isfinite(known), study.R)
    busiest = np.sort(np.argsort(-compared, kind="stable")[:MOST_RATERS])
    rows = []
    for rater in busiest[compared[busiest] > 0].tolist():
        mine = order[begins[rater] : begins[rater + 1]]
        clusters = None if study.cluster is None else study.cluster[study.unit[mine]]
        rows.append(GoldRow(str(study.rater_names[rater]), mean_of(known[mine], question.plan.ci, clusters)))
    return tuple(rows)


def against_gold(question: Question) -> FloatArray | None:
    """Best score of each answer against the gold answers of its unit, (C,); None where nothing is marked.

    What was marked is not scored; NaN for it and for answers of units without gold.
    """
    gold = _gold_cells(question)
    if gold is None:
        return None
    best = np.full(question.study.C, -np.inf)
    for pairs in question.scores.parts():
        for answer, truth in ((pairs.left, pairs.right), (pairs.right, pairs.left)):
            use = gold[truth] & ~gold[answer] & np.isfinite(pairs.score)
            np.maximum.at(best, answer[use], pairs.score[use])
    return np.where(np.isfinite(best), best, np.nan)


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
