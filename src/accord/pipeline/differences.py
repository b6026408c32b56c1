"""How answers differ where there is more to say than "same or not": numbers and regions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.pipeline.question import Question
from accord.pipeline.region_report import RegionScores
from accord.pipeline.relation_types import RelationsLost
from accord.values import Kind

MOST_POINTS = 2000
ALONE = "one rater only"


def differences(question: Question, regions: RegionScores | None, relations: RelationsLost | None) -> Mapping[str, Any]:
    """Bland-Altman limits for numbers, kinds of disagreement for regions and relations; empty for everything else."""
    study = question.study
    if study.kind is Kind.NUMBER and study.R >= 2 and not study.slots:
        return _limits(question)
    if relations is not None:
        return {"types": relations.types}
    return {"types": _types(regions)} if regions is not None else {}


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


def _types(regions: RegionScores) -> Mapping[str, float]:
    """Loss of the mean pairwise score by kind, the largest first."""
    lost = dict(regions.losses)
    alone = {ALONE: lost.pop("missing") + lost.pop("extra")}
    return {kind: amount for kind, amount in sorted((alone | lost).items(), key=lambda item: -item[1]) if amount > 0}
