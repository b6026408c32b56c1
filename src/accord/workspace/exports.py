"""What reviewers decided and how answers are spread, for those who train on it: Label Studio JSON and tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection

from accord.dataset import Column, Control
from accord.pipeline.words import show
from accord.values import EMPTY, BoolArray, Kind, Value, canonical
from accord.workspace.database import Database
from accord.workspace.decisions import Accepted, Review, accepted, reviews_of
from accord.workspace.loading import Loaded, load
from accord.workspace.projects import project_row
from accord.workspace.stored_tasks import StoredTask, stored_tasks

#: Kinds of answers whose distribution is a soft label.
SOFT: Final = frozenset({Kind.LABEL, Kind.LABELS, Kind.PATHS, Kind.RATING, Kind.SIDE})


class Exports:
    """Results of the projects of a workspace; each is made row by row, for files of any size."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def accepted_tasks(self, project_id: int) -> Iterator[Mapping[str, Any]]:
        """Tasks with accepted answers only, in the form of Label Studio: accepted annotations, marked as ground truth.

        An answer that a reviewer composed is an annotation of its own, by that reviewer.
        """
        with self._database.read() as connection:
            project_row(connection, project_id)
            for task, now in _decided(connection, project_id):
                annotations = [*_accepted_annotations(task, now), *_composed_annotations(task, now)]
                if annotations:
                    yield {**task.task, "annotations": annotations}

    def accepted_rows(self, project_id: int) -> Iterator[dict[str, Any]]:
        """One row for each item of an accepted answer: task, annotation, control, type, value as JSON."""
        for task in self.accepted_tasks(project_id):
            for annotation in task["annotations"]:
                for item in annotation.get("result") or ():
                    if isinstance(item, Mapping):
                        yield {
                            "task": task["id"],
                            "annotation": annotation.get("id"),
                            "composed": "composed_by" in annotation,
                            "control": item.get("from_name"),
                            "type": item.get("type"),
                            "value": json.dumps(item.get("value"), ensure_ascii=False),
                        }

    def decision_rows(self, project_id: int) -> Iterator[dict[str, Any]]:
        """One row for each decision, undone ones included: task, reviewer, outcome, reason, note, times."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            made = reviews_of(connection, project_id)
            for task in stored_tasks(connection, project_id):
                yield from (_decision_row(task, review) for review in made.get(task.id, ()))

    def soft_label_rows(self, project_id: int) -> Iterator[dict[str, Any]]:
        """Share of each label among the answers to each unit: unit, control, label, answers, share.

        For several choices a share is that of the answers that hold the label, so shares need not add up to 1.
        """
        with self._database.read() as connection:
            project_row(connection, project_id)
            loaded = load(connection, project_id)
        for column in _soft(loaded):
            for unit, shares, count in _shares_of(column):
                for label, share in shares.items():
                    yield {
                        "unit": str(loaded.dataset.units[unit]),
                        "control": column.control.name,
                        "label": show(label),
                        "answers": count,
                        "share": share,
                    }

    def soft_label_tasks(self, project_id: int) -> Iterator[Mapping[str, Any]]:
        """Soft labels in the form of Label Studio: tasks with a prediction whose items are labels scored by share."""
        with self._database.read() as connection:
            project_row(connection, project_id)
            loaded = load(connection, project_id)
            parts = _parts(loaded)
            of_task: dict[int, list[dict[str, Any]]] = {}
            for column in _soft(loaded):
                for unit, shares, _ in _shares_of(column):
                    items = [_soft_item(column.control, label, share) for label, share in shares.items()]
                    if parts[unit]:
                        items = [item | {"unit": str(loaded.dataset.units[unit])} for item in items]
                    of_task.setdefault(int(loaded.tasks[unit]), []).extend(items)
            for task in stored_tasks(connection, project_id):
                if task.id in of_task:
                    result = of_task[task.id]
                    yield {
                        "id": task.task["id"],
                        "data": task.task.get("data"),
                        "predictions": [{"model_version": "soft labels", "result": result}],
                    }


def _decided(connection: Connection, project_id: int) -> Iterator[tuple[StoredTask, Accepted]]:
    decided = {task: accepted(made) for task, made in reviews_of(connection, project_id).items()}
    for task in stored_tasks(connection, project_id):
        if task.id in decided:
            yield task, decided[task.id]


def _accepted_annotations(task: StoredTask, now: Accepted) -> Iterator[dict[str, Any]]:
    for number, annotation in zip(task.annotations, task.task["annotations"], strict=True):
        if number in now.annotations:
            yield {**annotation, "ground_truth": True}


def _composed_annotations(task: StoredTask, now: Accepted) -> Iterator[dict[str, Any]]:
    for place, items in enumerate(now.composed, 1):
        yield {
            "id": f"composed-{task.id}-{place}",
            "completed_by": "reviewer",
            "composed_by": "reviewer",
            "ground_truth": True,
            "was_cancelled": False,
            "result": list(items),
        }


def _decision_row(task: StoredTask, review: Review) -> dict[str, Any]:
    return {
        "task": task.task["id"],
        "review": review.id,
        "reviewer": review.reviewer,
        "outcome": review.outcome,
        "mode": review.mode,
        "accepted": " ".join(map(str, review.accepted)),
        "reason": review.reason,
        "note": review.note,
        "blinded": review.blinded,
        "created_at": review.created_at,
        "undone_at": review.undone_at,
    }


def _soft(loaded: Loaded) -> list[Column]:
    return [column for column in loaded.dataset.columns.values() if column.control.kind in SOFT]


def _shares_of(column: Column) -> Iterator[tuple[int, dict[Value, float], int]]:
    """Units of a control with the shares of their labels, and the number of answers."""
    members = [tuple(value) if isinstance(value, frozenset) else (value,) for value in column.values]
    units, begins = np.unique(column.unit, return_index=True)
    ends = [*begins[1:].tolist(), len(column.code)][: len(units)]
    for unit, begin, end in zip(units.tolist(), begins.tolist(), ends, strict=True):
        codes = column.code[begin:end]
        counts = Counter(label for code in codes.tolist() for label in members[code] if label is not EMPTY)
        yield unit, {label: counts[label] / len(codes) for label in sorted(counts, key=canonical)}, len(codes)


#: Type of an item and the key of its value, by kind of answer.
_ITEMS: Final[Mapping[Kind, tuple[str, str]]] = {
    Kind.LABEL: ("choices", "choices"),
    Kind.LABELS: ("choices", "choices"),
    Kind.PATHS: ("taxonomy", "taxonomy"),
    Kind.RATING: ("rating", "rating"),
    Kind.SIDE: ("pairwise", "selected"),
}


def _soft_item(control: Control, label: Value, share: float) -> dict[str, Any]:
    kind, key = _ITEMS[control.kind]
    value: Any = list(label) if isinstance(label, tuple) else label
    return {
        "from_name": control.name,
        "to_name": control.objects[0] if control.objects else "",
        "type": kind,
        "value": {key: value if control.kind in (Kind.RATING, Kind.SIDE) else [value]},
        "score": share,
    }


def _parts(loaded: Loaded) -> BoolArray:
    """Which units are parts of their tasks, (U,)."""
    _, place, count = np.unique(loaded.tasks, return_inverse=True, return_counts=True)
    return count[place] > 1
