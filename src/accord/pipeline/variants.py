"""Three readings of alpha where "nothing" is an answer: joint, on marked units, and presence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from accord.coefficients.alpha_placed import WITHIN
from accord.coefficients.empties import marked_units
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec
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


def spec_of(key: str) -> CoefficientSpec:
    """Coefficient behind a key, variants of alpha included."""
    return COEFFICIENTS.catalog()[base_key(key)]


def share_unmarked(study: Study) -> float:
    """Share of the units with two answers or more on which nobody marked anything."""
    if not study.kind.is_set or EMPTY not in study.values:
        return 0.0
    compared = study.m >= 2
    if not compared.any():
        return 0.0
    return float((~marked_units(study))[compared].mean())


def in_places(options: Mapping[str, Any], study: Study) -> Mapping[str, Any]:
    """Options without the rule for regions where answers are none: presence, a label against the rest, other kinds."""
    if options.get("chance") != WITHIN or study.kind.is_region:
        return options
    return {name: value for name, value in options.items() if name != "chance"}
