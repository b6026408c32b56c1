"""Three readings of alpha where "nothing" is an answer: joint, on marked units, and presence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from accord.coefficients.empties import marked_units
from accord.study import Study
from accord.values import EMPTY

ALPHA = "krippendorff_alpha"
MARKED = "krippendorff_alpha_marked"
PRESENCE = "krippendorff_alpha_presence"

#: Option ``empty`` of alpha behind each key that names a reading.
READING: Mapping[str, str] = MappingProxyType({MARKED: "marked", PRESENCE: "presence"})


def base_key(key: str) -> str:
    """Key of the coefficient behind a variant."""
    return ALPHA if key in READING else key


def share_unmarked(study: Study) -> float:
    """Share of the units with two answers or more on which nobody marked anything."""
    if not study.kind.is_set or EMPTY not in study.values:
        return 0.0
    compared = study.m >= 2
    if not compared.any():
        return 0.0
    return float((~marked_units(study))[compared].mean())
