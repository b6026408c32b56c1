"""Which part of "nothing" a coefficient looks at: all answers, units where somebody marked something, or presence."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord.coefficients.spec import Option, Options
from accord.similarity.core import Identity, Similarity
from accord.study import Study
from accord.values import EMPTY, BoolArray, Kind, Level

READINGS = Option(
    "joint",
    ("joint", "marked", "presence"),
    "Where nothing is an answer: joint takes all answers; marked only units where somebody marked something; "
    "presence asks whether anything was marked.",
)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Answers and similarity that a coefficient works on, and which units are left, (U,), None = all."""

    study: Study
    similarity: Similarity
    units: BoolArray | None = None


def narrowed(study: Study, similarity: Similarity, options: Options) -> Narrowed:
    """Apply the option ``empty``; nothing changes a second time, nor where nothing is no answer."""
    reading = options.get("empty", "joint")
    if reading == "joint" or not (study.kind.is_set or EMPTY in study.values):
        return Narrowed(study, similarity)
    if reading == "presence":
        return Narrowed(binary(study, filled(study)), Identity(2))
    units = marked_units(study)
    return Narrowed(study, similarity) if units.all() else Narrowed(study.where(units), similarity, units)


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


def filled(study: Study) -> BoolArray:
    """Which values hold something, (V,)."""
    return np.array([value is not EMPTY for value in study.values], dtype=np.bool_)


def marked_units(study: Study) -> BoolArray:
    """Units where somebody marked something, (U,)."""
    return np.bincount(study.unit, filled(study)[study.code], study.U) > 0
