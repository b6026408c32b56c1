"""Readiness: how far a project is, as a weighted mean of what is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from accord.dataset import Dataset, Flag
from accord.pipeline.report import ControlReport, Readiness
from accord.study import Study
from accord.values import Kind

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"coverage": 0.35, "agreement": 0.35, "gold coverage": 0.15, "class balance": 0.15}
)
REQUIRED_ANSWERS = 2


def readiness(
    dataset: Dataset, controls: Sequence[ControlReport], studies: Mapping[str, Study], agreement: float
) -> Readiness:
    """Combine the four parts; unknown parts are left out and the weights of the others renormalised.

    ``agreement`` is the mean agreement of tasks (not chance-corrected), NaN if unknown.
    """
    known = {
        "coverage": _coverage(controls),
        "agreement": None if np.isnan(agreement) else agreement,
        "gold coverage": _gold(dataset),
        "class balance": _balance(studies),
    }
    how = {
        "coverage": f"tasks with {REQUIRED_ANSWERS} answers or more to a control / tasks answered, mean over controls",
        "agreement": "mean agreement of tasks, not corrected for chance",
        "gold coverage": "tasks with a ground-truth annotation / tasks",
        "class balance": "entropy of the answers / log of the number of categories, mean over classification controls; "
        "an uneven truth is not a defect",
    }
    parts = tuple((name, weight, known[name], how[name]) for name, weight in WEIGHTS.items())
    total = sum(weight for _, weight, value, _ in parts if value is not None)
    value = sum(weight * value for _, weight, value, _ in parts if value is not None) / total if total else None
    return Readiness(value, parts)


def _coverage(controls: Sequence[ControlReport]) -> float | None:
    shares = []
    for control in controls:
        answered = control.counts.two_or_more + control.counts.one
        if answered:
            shares.append(control.counts.two_or_more / answered)
    return float(np.mean(shares)) if shares else None


def _gold(dataset: Dataset) -> float | None:
    table = dataset.annotations
    if table is None or not len(table):
        return None
    gold = np.unique(table.unit[(table.flags & Flag.GROUND_TRUTH) > 0])
    return len(gold) / len(np.unique(table.unit)) if len(gold) else None


def _balance(studies: Mapping[str, Study]) -> float | None:
    balances = []
    for study in studies.values():
        if study.kind in (Kind.LABEL, Kind.SIDE) and study.q >= 2 and study.C:
            p = study.counts[study.counts > 0] / study.C
            balances.append(float(-(p * np.log(p)).sum() / np.log(study.q)))
    return float(np.mean(balances)) if balances else None
