"""Readiness: how far a project is, as a weighted mean of what is known (requirements row C4)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from accord.dataset import Dataset, Flag
from accord.pipeline.report import MeanOfControls, Readiness
from accord.study import Study
from accord.values import EMPTY, IntArray, Kind

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"coverage": 0.35, "agreement": 0.35, "gold coverage": 0.15, "class balance": 0.15}
)
REQUIRED_ANSWERS = 2
#: Setting that replaces the mean agreement of tasks by a coefficient.
AGREEMENT_BY = "readiness.agreement_by"


def setting_of(part: str) -> str:
    """Name of the setting that holds the weight of a part."""
    return f"readiness.{part.replace(' ', '_')}"


def readiness(
    dataset: Dataset,
    studies: Mapping[str, Study],
    agreement: float,
    overall: Mapping[str, MeanOfControls],
    settings: Mapping[str, Any],
) -> Readiness:
    """Combine the four parts; unknown parts are left out and the weights of the others renormalised.

    ``agreement`` is the mean agreement of tasks (not chance-corrected), NaN if unknown; ``overall`` the coefficients,
    of which one may be taken instead; ``settings`` may hold other weights.
    """
    task = _task_of(dataset)
    tasks = _number_of_tasks(dataset, task)
    required = settings.get("readiness.answers", REQUIRED_ANSWERS)
    chosen, said = _agreement(agreement, overall, settings.get(AGREEMENT_BY))
    known = {
        "coverage": _covered(dataset, task, required) / tasks if tasks else None,
        "agreement": None if np.isnan(chosen) else chosen,
        "gold coverage": _gold(dataset, task, tasks),
        "class balance": _balance(studies),
    }
    how = {
        "coverage": f"tasks with answers of {required:g} raters or more / tasks",
        "agreement": said,
        "gold coverage": "tasks with a ground-truth annotation / tasks",
        "class balance": "entropy of the answers / log of the number of categories, mean over classification controls; "
        "an uneven truth is not a defect",
    }
    weights = {name: float(settings.get(setting_of(name), weight)) for name, weight in WEIGHTS.items()}
    parts = tuple((name, weights[name], known[name], how[name]) for name in WEIGHTS)
    total = sum(weight for _, weight, value, _ in parts if value is not None)
    value = sum(weight * value for _, weight, value, _ in parts if value is not None) / total if total else None
    return Readiness(value, parts)


def _task_of(dataset: Dataset) -> IntArray:
    """Task of each unit, numbered from 0."""
    units = np.arange(len(dataset.units))
    return np.unique(dataset.clusters.get("task", units), return_inverse=True)[1].astype(np.int32)


def _number_of_tasks(dataset: Dataset, task: IntArray) -> int:
    """Tasks, those without any answer included where they are known: several files may repeat them."""
    answered = int(task.max(initial=-1)) + 1
    return max(answered, dataset.report.tasks) if len(dataset.report.sources) == 1 else answered


def _covered(dataset: Dataset, task: IntArray, required: float) -> int:
    """Tasks to which enough raters gave an answer, whatever the control."""
    size = max(1, len(dataset.raters))
    met = [task[column.unit].astype(np.int64) * size + column.rater for column in dataset.columns.values()]
    pairs = np.sort(np.concatenate(met)) if met else np.empty(0, dtype=np.int64)
    once = pairs[np.concatenate((pairs[:1] >= 0, pairs[1:] != pairs[:-1]))]
    return int(np.count_nonzero(np.bincount(once // size) >= required)) if len(once) else 0


def _agreement(mean: float, overall: Mapping[str, MeanOfControls], key: Any) -> tuple[float, str]:
    if key is None:
        return mean, "mean agreement of tasks, not corrected for chance"
    found = overall[key].value if key in overall else float("nan")
    return max(found, 0.0) if found == found else found, f"{key}, mean over controls; values below 0 count as 0"


def _gold(dataset: Dataset, task: IntArray, tasks: int) -> float | None:
    table = dataset.annotations
    if table is None or not len(table):
        return None
    gold = np.unique(task[table.unit[(table.flags & Flag.GROUND_TRUTH) > 0]])
    return len(gold) / tasks if len(gold) else None


def _balance(studies: Mapping[str, Study]) -> float | None:
    balances = []
    for study in studies.values():
        if study.kind in (Kind.LABEL, Kind.SIDE) and study.q >= 2:
            said = [int(study.counts[i]) for i, value in enumerate(study.values) if value is not EMPTY]
            share = np.array([count for count in said if count]) / max(1, sum(said))
            if len(share):
                balances.append(float(-(share * np.log(share)).sum() / np.log(study.q)))
    return float(np.mean(balances)) if balances else None
