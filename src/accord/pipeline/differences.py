"""How answers differ where there is more to say than "same or not": numbers and regions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.pipeline.question import Question
from accord.pipeline.relation_types import relation_types
from accord.similarity.metric import compare_regions
from accord.study import Study
from accord.values import EMPTY, Kind, Value

MOST_PAIRS = 2000
MOST_POINTS = 2000


def differences(question: Question) -> Mapping[str, Any]:
    """Bland-Altman limits for numbers, kinds of disagreement for regions; empty for everything else."""
    study = question.study
    if study.kind is Kind.NUMBER and study.R >= 2 and not study.slots:
        return _limits(question)
    if study.kind is Kind.RELATIONS and study.P:
        return {"types": relation_types(question)}
    if study.kind.is_region and study.P:
        return {"types": _types(question)}
    return {}


def _limits(question: Question) -> Mapping[str, Any]:
    """Limits of agreement and points of the two raters with most shared units."""
    pair = question.study.only(*_busiest_pair(question))
    pair = pair.where(pair.m == 2)
    if pair.U < 3:
        return {}
    bias = question.estimate("bland_altman", pair)
    x, y = pair.numbers[pair.code[0::2]], pair.numbers[pair.code[1::2]]
    points, times = np.unique(np.column_stack([(x + y) / 2, x - y]), axis=0, return_counts=True)
    limits = bias.details
    return {
        "bland_altman": {
            "raters": tuple(map(str, pair.rater_names)),
            "points": tuple(
                (*map(float, point), int(n)) for point, n in zip(points[:MOST_POINTS], times, strict=False)
            ),
            "bias": bias.value,
            "bias_interval": None if bias.interval is None else (bias.interval.low, bias.interval.high),
            "low": limits.get("lower"),
            "high": limits.get("upper"),
            "low_interval": limits.get("lower_interval"),
            "high_interval": limits.get("upper_interval"),
        }
    }


def _busiest_pair(question: Question) -> tuple[int, int]:
    met = question.scores.rater_pairs
    if met is None or not len(met.shared):
        return 0, 1
    busiest = int(met.shared.argmax())
    return int(met.first[busiest]), int(met.second[busiest])


def _types(question: Question) -> Mapping[str, float]:
    """Loss by kind over pairs of answers: regions of one rater only, boundaries, labels.

    A region that has no partner loses 1, a matched pair loses what it lacks to 1. Many pairs: a seeded sample.
    """
    study = question.study
    left, right = study.pairs
    if len(left) > MOST_PAIRS:
        chosen = np.random.default_rng(question.plan.seed).choice(len(left), MOST_PAIRS, replace=False)
        left, right = left[chosen], right[chosen]
    loss: defaultdict[str, float] = defaultdict(float)
    options = dict(question.choice.options)
    for i, j in zip(study.code[left].tolist(), study.code[right].tolist(), strict=True):
        if i == j:
            continue
        found = compare_regions(question.choice.spec.key, _regions(study, i), _regions(study, j), **options)
        loss["marked by one rater only"] += len(found.missing) + len(found.extra)
        for pair in found.matched:
            if pair.difference:
                loss[str(pair.difference)] += 1.0 - pair.similarity
    return {kind: float(amount) for kind, amount in sorted(loss.items(), key=lambda item: -item[1]) if amount > 0}


def _regions(study: Study, code: int) -> Value:
    value = study.values[code]
    return () if value is EMPTY else value
