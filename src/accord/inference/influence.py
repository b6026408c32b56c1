"""How much one unit or one rater moves a coefficient: the value minus the value without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.coefficients.empties import narrowed
from accord.coefficients.spec import CoefficientSpec
from accord.inference.jackknife import MOST_REFITS, parts_of, without_each_rater
from accord.inference.recipe import complete_options
from accord.inference.resample import leave_one_out
from accord.inference.rows import distinct, number
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray


def unit_influence(
    spec: CoefficientSpec, study: Study, similarity: Similarity, *, options: Mapping[str, Any] | None = None
) -> FloatArray:
    """Value minus value without each unit, (U,): negative where the unit pulls agreement down.

    NaN where nothing would be left, and everywhere for coefficients without rows on more units than can be refitted; 0
    for units that an option leaves out.
    """
    chosen = complete_options(spec, options)
    narrow = narrowed(study, similarity, chosen)
    study, similarity = narrow.study, narrow.similarity
    if narrow.units is not None:
        influence = np.zeros(len(narrow.units))
        influence[narrow.units] = unit_influence(spec, study, similarity, options=options)
        return influence
    if spec.tally is not None and spec.finish is not None:
        tally = spec.tally(study, similarity, chosen)
        value = number(spec.finish(tally.totals(), tally.context).value)
        sample = distinct(tally.rows)
        return value - leave_one_out(spec, sample, tally.context)[sample.where]
    if study.U > MOST_REFITS:
        return np.full(study.U, np.nan)
    value = number(parts_of(spec, study, similarity, chosen).value)
    units = np.arange(study.U)
    rest = [parts_of(spec, study.where(units != unit), similarity, chosen).value for unit in range(study.U)]
    return value - np.array([number(found) for found in rest], dtype=np.float64)


def rater_influence(
    spec: CoefficientSpec, study: Study, similarity: Similarity, *, options: Mapping[str, Any] | None = None
) -> FloatArray:
    """Value minus value without each rater, (R,); NaN where the rest cannot be compared."""
    chosen = complete_options(spec, options)
    narrow = narrowed(study, similarity, chosen)
    study, similarity = narrow.study, narrow.similarity
    value = number(parts_of(spec, study, similarity, chosen).value)
    return value - without_each_rater(spec, study, similarity, chosen)
