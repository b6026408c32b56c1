"""The tasks on which most agreement is lost, and for regions what it is lost to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.cli.printing import print_table
from accord.coefficients.estimate import finite
from accord.pipeline.differences import ALONE
from accord.pipeline.region_report import LOSSES
from accord.pipeline.report import ControlReport, TaskRow
from accord.pipeline.words import number

#: Tasks that are listed for a control.
LISTED = 10


def most_lost(controls: Sequence[ControlReport]) -> list[dict[str, Any]]:
    """Return the JSON form: for every control its tasks with least agreement, and what each lost."""
    return [
        {
            "control": control.control.name,
            "tasks": [
                {"unit": task.unit, "value": finite(task.value)}
                | ({"losses": finite(dict(losses[task.unit]))} if task.unit in losses else {})
                for task in _worst(control)
            ],
        }
        for control in controls
        for losses in (_losses(control),)
    ]


def print_most_lost(controls: Sequence[ControlReport]) -> None:
    """Print a table for every control."""
    for control in controls:
        name, losses, worst = control.control.name, _losses(control), _worst(control)
        if not worst:
            continue
        kinds = (ALONE, *LOSSES[2:]) if losses else ()
        rows = [(task.unit, number(task.value), *_amounts(losses.get(task.unit))) for task in worst]
        print_table(
            f"{name}: where most is lost", ("task", "agreement", *kinds), rows, numeric=range(1, 2 + len(kinds))
        )


def _worst(control: ControlReport) -> Sequence[TaskRow]:
    """Tasks with least agreement, in the order of the source where it is equal; none on which all agree."""
    return sorted((task for task in control.tasks if task.value < 1.0), key=lambda task: task.value)[:LISTED]


def _losses(control: ControlReport) -> Mapping[str, Mapping[str, float]]:
    """Loss of each task by its kind; empty where regions are not matched."""
    if control.regions is None:
        return {}
    names, table = control.regions.matches.study.unit_names, control.regions.units.losses
    known = np.flatnonzero(np.isfinite(table).all(axis=1)).tolist()
    return {str(names[unit]): dict(zip(LOSSES, table[unit].tolist(), strict=True)) for unit in known}


def _amounts(losses: Mapping[str, float] | None) -> list[str]:
    """Losses as printed: which of two raters marked a region alone says nothing over all pairs of a task."""
    if losses is None:
        return []
    alone = losses["missing"] + losses["extra"]
    return [number(lost) if lost else "–" for lost in (alone, *(losses[kind] for kind in LOSSES[2:]))]
