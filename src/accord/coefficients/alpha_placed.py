"""Alpha with chance from the unit itself: what would be left of its agreement, had the regions lain anywhere.

A row is (observed distance x m, m, expected distance x m), both distances being means over the pairs of answers of a
unit. Expected distances are those of the same answers with their regions at random places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.chance import NO_VARIATION, finished, ratio
from accord.coefficients.empties import filled
from accord.coefficients.refusals import refuse_similarity
from accord.coefficients.spec import Option, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

WITHIN = "within"
CHANCE = Option(
    "classical",
    ("classical", "unbiased", WITHIN),
    "Where chance comes from. classical: all answers, an answer may meet itself; unbiased: answers of other units; "
    "within: for regions, those of the same unit at random places.",
)
#: Pairs of answers up to which regions are moved.
MOST_PAIRS = 200_000


@dataclass(frozen=True, slots=True)
class PlacedContext:
    """What finishing needs besides the totals; ``error`` is the standard error of expected distance by sampling."""

    scale: float
    error: float
    skipped: int


def refuse(study: Study, similarity: Similarity, options: Options) -> str | None:
    """Refuse random places for answers that have none, or that are too many."""
    if options.get("chance") != WITHIN:
        return refuse_similarity(study, similarity, options)
    placed = getattr(similarity, "placed", None)
    if placed is None or not study.kind.is_region or not (placed.possible & filled(study))[study.seen].any():
        return "the chance rule within moves regions to random places, and these answers hold none that can be moved"
    if study.P > MOST_PAIRS:
        return (
            f"the chance rule within moves the regions of every pair of answers, and {study.P:,} pairs are more than "
            f"{MOST_PAIRS:,}"
        )
    return refuse_similarity(study, similarity, options)


def tally(study: Study, similarity: Similarity) -> Tally:
    """Make the rows; nothing can be compared where regions cannot be moved."""
    first, second = study.pairs
    unit, i, j = study.unit[first], study.code[first], study.code[second]
    placed = getattr(similarity, "placed", None)
    if placed is None:
        nothing = PlacedContext(similarity.scale, 0.0, len(unit))
        return Tally(rows=np.zeros((study.U, 3)), context=nothing, skipped=len(unit))
    reach = np.zeros(study.U)
    np.maximum.at(reach, study.unit, placed.reach[study.code])
    chance = placed.expected(i, j, reach[unit])
    observed, expected = 1.0 - similarity.at(i, j), 1.0 - chance.mean
    known = np.isfinite(observed) & np.isfinite(expected)
    pairs = np.bincount(unit[known], minlength=study.U)
    share = (study.m / np.maximum(pairs, 1))[unit[known]]
    rows = np.column_stack(
        (
            np.bincount(unit[known], observed[known] * share, study.U),
            study.m * (pairs > 0),
            np.bincount(unit[known], expected[known] * share, study.U),
        )
    )
    weight = np.bincount(chance.group[known], share, int(chance.group.max(initial=-1)) + 1)
    spread = np.zeros(len(weight))
    spread[chance.group[known]] = chance.variance[known]
    error = float(np.sqrt(weight**2 @ spread)) / max(float(rows[:, 1].sum()), 1.0)
    skipped = int(np.count_nonzero(~known))
    return Tally(rows=rows, context=PlacedContext(similarity.scale, error, skipped), skipped=skipped)


def finish(totals: FloatArray, context: PlacedContext) -> Parts:
    """Turn totals (B, 3) into alpha."""
    observed, answers, expected = totals.T
    parts = finished(ratio(observed, answers), ratio(expected, answers), context.scale, skipped=context.skipped)
    return Parts(
        value=parts.value,
        observed=parts.observed,
        expected=parts.expected,
        observed_distance=parts.observed_distance,
        expected_distance=parts.expected_distance,
        skipped=context.skipped,
        expected_error=context.error,
    )


def linearize(rows: Tally, parts: Parts) -> FloatArray:
    """Linearise a ratio of two sums over units, (U,); NaN where there is no pair."""
    observed, answers, expected = rows.rows.T
    left = 1.0 - float(parts.value[0])
    n = int(np.count_nonzero(answers))
    z = float(parts.value[0]) - (observed - left * expected) * (n / max(float(expected.sum()), NO_VARIATION))
    return np.where(answers > 0.0, z, np.nan)
