"""Sentences that say how far an interval can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.inference.undefined import Counts
from accord.similarity.core import Codes
from accord.study import Study
from accord.values import IntArray, Kind, Value

FEW_UNITS, FEW_POSITIVE, FEW_CLUSTERS = 30, 10, 20
FIRST_ANSWERS = 2**16
_CATEGORICAL = (Kind.LABEL, Kind.LABELS, Kind.SIDE, Kind.RATING)


def size_notes(study: Study, counts: Counts) -> tuple[str, ...]:
    """Few units, or a label seen in few units."""
    notes = []
    if counts.units < FEW_UNITS:
        notes.append(f"Only {counts.units} units have two answers: the interval is approximate below {FEW_UNITS}.")
    rare = rare_labels(study) if study.kind in _CATEGORICAL else []
    if rare:
        shown = ", ".join(rare[:3]) + (" and others" if len(rare) > 3 else "")
        notes.append(f"Labels in fewer than {FEW_POSITIVE} units ({shown}): the interval is approximate.")
    return tuple(notes)


def rare_labels(study: Study) -> list[str]:
    """Labels that occur, but in fewer than FEW_POSITIVE units; members of sets count one by one."""
    most = int(study.m.max(initial=0)) if not study.is_complete else study.R
    if _all_common(study, FEW_POSITIVE * most):
        return []
    names, unit, label = _label_cells(study)
    count = np.bincount(label, minlength=len(names))
    suspects = (count > 0) & (count < FEW_POSITIVE * most)
    if not suspects.any():
        return []
    cells = np.flatnonzero(suspects[label])
    pairs = np.unique(label[cells].astype(np.int64) * study.U + unit[cells])
    units = np.bincount(pairs // study.U, minlength=len(names))
    return [str(names[v]) for v in np.flatnonzero((units > 0) & (units < FEW_POSITIVE)).tolist()]


def _all_common(study: Study, enough: int) -> bool:
    """Whether the first answers alone show every label often enough; a look that spares a pass over all of them."""
    if study.kind is Kind.LABELS or study.V * enough > FIRST_ANSWERS:
        return False
    return bool((np.bincount(study.code[:FIRST_ANSWERS], minlength=study.V) >= enough).all())


def _label_cells(study: Study) -> tuple[Sequence[Value], Codes, Codes]:
    """Names of labels, and unit and label of every answer; an answer that is a set counts once for each member."""
    if study.kind is not Kind.LABELS:
        return study.values, study.unit, study.code
    numbers: dict[Value, int] = {}
    members = [
        [numbers.setdefault(label, len(numbers)) for label in value] if isinstance(value, frozenset) else []
        for value in study.values
    ]
    size = np.array([len(labels) for labels in members], dtype=np.int64)
    flat = np.array([label for labels in members for label in labels], dtype=np.int64)
    repeat = size[study.code]
    first = (np.cumsum(size) - size)[study.code]
    place = np.arange(int(repeat.sum())) - np.repeat(np.cumsum(repeat) - repeat, repeat)
    return list(numbers), np.repeat(study.unit, repeat), flat[np.repeat(first, repeat) + place]


def cluster_note(groups: IntArray | None) -> tuple[str, ...]:
    """Few clusters."""
    if groups is None:
        return ()
    clusters = int(groups.max(initial=-1)) + 1
    if clusters >= FEW_CLUSTERS:
        return ()
    return (f"Only {clusters} clusters: the interval is approximate below {FEW_CLUSTERS}.",)
