"""Rows shared by the coefficients with pooled margins: Fleiss, Scott, Brennan-Prediger, Gwet.

A row is (1, comparable, mean distance, distance and pairs with oneself included, share of each value). Every unit
has the same weight, however many answers it has; units with one answer enter the margins only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.coefficients.chance import distances_to, finished, mean_distance, ratio
from accord.coefficients.rows import AnswerTally
from accord.coefficients.spec import Option, Options, Parts, Tally
from accord.coefficients.sums import sums
from accord.coefficients.within import Within, within
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

#: Columns before the shares of the values.
LEAD = 5

MARGINALS = Option("all", ("all", "shared"), "Which units enter the margins: all, or those with two answers or more.")
CHANCE = Option(
    "classical", ("classical", "unbiased"), "Whether an answer may meet itself or its own unit by chance, or not."
)


@dataclass(frozen=True, slots=True)
class Pooled:
    """What finishing needs besides the totals."""

    similarity: Similarity
    unbiased: bool = False
    skipped: int = 0
    categories: int = 0
    off_diagonal: float = 0.0


def lead_columns(inside: Within, *, shared: bool) -> tuple[list[FloatArray], FloatArray]:
    """Leading columns (U,) each, and the weight of each answer of a unit in the margins (U,)."""
    m = np.maximum(inside.size, 1.0)
    enters = inside.usable if shared else (inside.size > 0.0).astype(np.float64)
    own = inside.distance * (2.0 * enters / (m * m))
    own_pairs = (m + 2.0 * inside.pairs) / (m * m) * enters
    return [enters, inside.usable, inside.mean, own, own_pairs], enters / m


def pooled_tally(study: Study, similarity: Similarity, options: Options, context: Callable[[int], Pooled]) -> Tally:
    """Make the rows; ``context`` is given the number of skipped pairs."""
    inside = within(study, similarity)
    lead, weight = lead_columns(inside, shared=options.get("marginals") == "shared")
    return AnswerTally(study, lead, weight, context=context(inside.skipped), skipped=inside.skipped)


def pooled_once(
    study: Study, similarity: Similarity, options: Options, context: Callable[[int], Pooled]
) -> tuple[FloatArray, Pooled]:
    """Return the totals of the rows without the rows."""
    found = sums(study, similarity)
    if found is None:
        tally = pooled_tally(study, similarity, options, context)
        return tally.totals(), tally.context
    alone = 0.0 if options.get("marginals") == "shared" else 1.0
    size, apart, usable = found.size, found.distance, float(found.units.sum())
    singles = alone * float(found.single.sum())
    own = 2.0 * float((apart / size**2).sum())
    lead = (usable + singles, usable, float((apart / found.pairs).sum()), own, usable + singles)
    return np.concatenate((lead, found.shares + alone * found.single))[None, :], context(0)


def observed_distance(totals: FloatArray) -> FloatArray:
    """Mean over comparable units of their mean distance, (B,)."""
    return ratio(totals[:, 2], totals[:, 1])


def own_margins(totals: FloatArray, context: Pooled) -> tuple[Parts, FloatArray]:
    """Finish with chance from the pooled margins themselves; also the expected distance of the other convention."""
    share = totals[:, LEAD:]
    apart, pairs = mean_distance(context.similarity, share, share)
    classical = ratio(apart, pairs)
    unbiased = ratio(apart - totals[:, 3], pairs - totals[:, 4])
    chosen, other = (unbiased, classical) if context.unbiased else (classical, unbiased)
    return finished(observed_distance(totals), chosen, context.similarity.scale, skipped=context.skipped), other


def linear_terms(tally: AnswerTally, parts: Parts) -> FloatArray:
    """Return the first term of the published linearisation, (U,)."""
    entered, usable, distance, _, _ = tally.lead
    room = 1.0 - float(parts.expected[0])
    return float(entered.sum() / usable.sum()) * (usable - distance / room)


def counted(z: FloatArray, tally: AnswerTally) -> FloatArray:
    """NaN for the units that do not count."""
    return np.where(tally.lead[0] > 0.0, z, np.nan)


def linearize_own(tally: Tally, parts: Parts) -> FloatArray:
    """Gwet's linearisation for chance from the pooled margins."""
    if not isinstance(tally, AnswerTally):
        raise TypeError("the linearisation needs the answers")
    totals = tally.totals()
    share, room, value = totals[:, LEAD:], 1.0 - float(parts.expected[0]), float(parts.value[0])
    to_values, pairs_to = distances_to(tally.context.similarity, share)
    mass = float((pairs_to * share).sum())
    per_column = np.concatenate((np.zeros((1, LEAD)), to_values - room * pairs_to), axis=1)[0]
    n = float(totals[0, 0])
    if tally.context.unbiased:
        mass -= float(totals[0, 4])
        per_column[3], per_column[4] = -1.0, room
    pull = tally.product(per_column) * (n / mass)
    return counted(linear_terms(tally, parts) + 2.0 * (1.0 - value) / room * pull, tally)


def own_details(
    study: Study, similarity: Similarity, options: Options, parts: Parts, level: float
) -> Mapping[str, Any]:
    """Pass the details of the parts on as plain numbers."""
    del study, similarity, options, level
    return {key: np.ravel(value)[0].item() for key, value in parts.details.items()}
