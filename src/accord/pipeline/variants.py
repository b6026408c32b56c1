"""Three readings of alpha where "nothing" is an answer: joint, on marked units, and presence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.similarity.core import Identity, Similarity
from accord.study import Study
from accord.values import EMPTY, BoolArray, Kind, Level

ALPHA = "krippendorff_alpha"
MARKED = "krippendorff_alpha_marked"
PRESENCE = "krippendorff_alpha_presence"


def base_key(key: str) -> str:
    """Key of the coefficient behind a variant."""
    return ALPHA if key in (MARKED, PRESENCE) else key


def variant(key: str, study: Study, similarity: Similarity) -> tuple[Study, Similarity]:
    """Answers and similarity that a variant of alpha works on."""
    if key == PRESENCE:
        return binary(study, _filled(study)), Identity(2)
    if key == MARKED:
        return study.where(_marked_units(study)), similarity
    return study, similarity


def binary(study: Study, has: BoolArray) -> Study:
    """Return the same answers as yes (code 1) or no (code 0); ``has`` (V,) says which values are a yes."""
    return replace(
        study,
        code=has[study.code].astype(np.int32),
        values=("no", "yes"),
        domain=2,
        kind=Kind.LABEL,
        level=Level.NOMINAL,
        matrix=None,
    )


def share_unmarked(study: Study) -> float:
    """Share of the units with two answers or more on which nobody marked anything."""
    if not study.kind.is_set or EMPTY not in study.values:
        return 0.0
    compared = study.m >= 2
    if not compared.any():
        return 0.0
    return float((~_marked_units(study))[compared].mean())


def _filled(study: Study) -> BoolArray:
    return np.array([value is not EMPTY for value in study.values], dtype=np.bool_)


def _marked_units(study: Study) -> BoolArray:
    return np.bincount(study.unit, _filled(study)[study.code], study.U) > 0
