"""Sentences that say how far an interval can be trusted."""

from __future__ import annotations

import numpy as np

from accord.inference.undefined import Counts
from accord.study import Study
from accord.values import IntArray, Kind

FEW_UNITS, FEW_POSITIVE, FEW_CLUSTERS = 30, 10, 20
_CATEGORICAL = (Kind.LABEL, Kind.SIDE, Kind.RATING)


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
    """Labels that occur, but in fewer than FEW_POSITIVE units."""
    most = int(study.m.max(initial=0)) if not study.is_complete else study.R
    suspects = (study.counts > 0) & (study.counts < FEW_POSITIVE * most)
    if not suspects.any():
        return []
    cells = np.flatnonzero(suspects[study.code])
    pairs = np.unique(study.code[cells].astype(np.int64) * study.U + study.unit[cells])
    units = np.bincount(pairs // study.U, minlength=study.V)
    return [str(study.values[v]) for v in np.flatnonzero((units > 0) & (units < FEW_POSITIVE)).tolist()]


def cluster_note(groups: IntArray | None) -> tuple[str, ...]:
    """Few clusters."""
    if groups is None:
        return ()
    clusters = int(groups.max(initial=-1)) + 1
    if clusters >= FEW_CLUSTERS:
        return ()
    return (f"Only {clusters} clusters: the interval is approximate below {FEW_CLUSTERS}.",)
