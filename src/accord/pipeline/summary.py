"""Means of scores over units as part of the report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from accord.inference.estimate import estimate
from accord.inference.scores import mean_score
from accord.pipeline.question import Question, spec_of
from accord.pipeline.report import Score
from accord.similarity.core import Similarity
from accord.values import FloatArray, IntArray


def mean_of(
    per_unit: FloatArray, ci: float | None, clusters: IntArray | None = None, weights: FloatArray | None = None
) -> Score:
    """Weighted mean of per-unit scores as a Score; ``ci`` None gives no interval."""
    value, interval = mean_score(per_unit, level=ci or 0.95, clusters=clusters, weights=weights)
    units = int(np.isfinite(per_unit).sum())
    return Score(value, interval if ci else None, units, None if units else "nothing_comparable")


def as_asked(question: Question, score: Score, key: str, similarity: Similarity, **options: float) -> Score:
    """Give a mean over units the kind of interval that was asked for, through the coefficient with the same value."""
    plan = question.plan
    if plan.interval in (None, "score") or score.interval is None or question.wish.label_weights:
        return score
    found = estimate(
        spec_of(key),
        question.study,
        similarity,
        options=options,
        ci=plan.ci,
        interval=cast(Any, plan.interval),
        resamples=plan.resamples,
        seed=plan.seed,
    )
    return replace(score, interval=found.interval or score.interval)
