"""Rows of rater pairs: shared units, distance, and both margins of every pair.

A row is (1 for each pair that answered, distance for each pair, comparable, mean distance, margins).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from accord.coefficients.chance import NO_VARIATION, distances_to, mean_distance, ratio
from accord.coefficients.groups import Groups, grouped, occurring
from accord.coefficients.pair_rows import Entries, PairTally
from accord.coefficients.raters_once import fits_once, pair_columns, pair_sums
from accord.coefficients.refusals import active_raters
from accord.coefficients.spec import Options, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index

Numbers = npt.NDArray[np.integer]

Rule = Literal["weighted", "equal", "pooled", "items"]


@dataclass(frozen=True, slots=True)
class PairContext:
    """What finishing needs besides the totals: K rater pairs, the margin groups of either side, conventions."""

    similarity: Similarity
    groups: Groups
    left: Index
    right: Index
    raters: tuple[Index, Index]
    rule: Rule
    unbiased: bool
    skipped: int
    possible: int

    @property
    def pairs(self) -> int:
        """Number of rater pairs K."""
        return len(self.left)

    @property
    def lead(self) -> int:
        """Columns before the margins."""
        return 2 * self.pairs + 2


@dataclass(frozen=True, slots=True)
class PairParts:
    """Shared units, observed and expected distance of every pair, (B, K); size of the expected part."""

    units: FloatArray
    observed: FloatArray
    classical: FloatArray
    unbiased: FloatArray


def _unbiased(options: Options) -> bool:
    return options.get("chance") == "unbiased"


def possible_pairs(study: Study) -> int:
    """Number of pairs among the raters who answered."""
    raters = active_raters(study)
    return raters * (raters - 1) // 2


def pair_tally(study: Study, similarity: Similarity, options: Options, rule: Rule) -> Tally:
    """Make the rows."""
    found = Entries.of(study, similarity)
    keys, pair = occurring(found.pair, study.R**2)
    if rule == "items":
        keys, pair = _all_pairs(study.R), np.searchsorted(_all_pairs(study.R), found.pair)
    raters = keys // study.R, keys % study.R
    if options.get("marginals", "shared") == "shared":
        group = np.concatenate((2 * pair, 2 * pair + 1))
        code, unit = np.concatenate((found.first, found.second)), np.concatenate((found.unit, found.unit))
        groups, column = grouped(group, code, 2 * len(keys), study.V)
        left = 2 * np.arange(len(keys))
        right = left + 1
    else:
        unit = study.unit
        groups, column = grouped(study.rater, study.code, study.R, study.V)
        left, right = raters
    context = PairContext(
        similarity, groups, left, right, raters, rule, _unbiased(options), found.skipped, possible_pairs(study)
    )
    return PairTally(study.U, found, pair, (unit, column), context=context, width=context.lead + len(groups.code))


def pair_once(study: Study, similarity: Similarity, options: Options, rule: Rule) -> tuple[FloatArray, PairContext]:
    """Return the totals without the rows where margins are over shared units."""
    if options.get("marginals", "shared") != "shared" or not fits_once(study):
        tally = pair_tally(study, similarity, options, rule)
        return tally.totals(), tally.context
    units, apart, margins, skipped = pair_sums(study, similarity)
    left, right = np.nonzero(np.triu(units, 1))
    groups, columns = pair_columns(study, left, right, margins)
    k = len(left)
    sides = 2 * np.arange(k)
    context = PairContext(
        similarity,
        groups,
        sides,
        sides + 1,
        (left, right),
        rule,
        options.get("chance") == "unbiased",
        skipped,
        possible_pairs(study),
    )
    totals = np.concatenate((units[left, right], apart[left, right], np.zeros(2), columns))
    return totals[None, :], context


def _all_pairs(raters: int) -> Index:
    left, right = np.triu_indices(raters, 1)
    return left * raters + right


def finish_pairs(totals: FloatArray, context: PairContext) -> PairParts:
    """Observed and expected distance of every rater pair."""
    k = context.pairs
    units, apart, margins = totals[:, :k], totals[:, k : 2 * k], totals[:, context.lead :]
    total, mass = np.empty((len(totals), k)), np.empty((len(totals), k))
    for block in context.groups.blocks(k, len(totals)):
        left = context.groups.unfold(margins, context.left[block])
        right = context.groups.unfold(margins, context.right[block])
        total[:, block], mass[:, block] = mean_distance(context.similarity, left, right)
    return PairParts(units, ratio(apart, units), ratio(total, mass), ratio(total - apart, mass - units))


def margin_gradient(
    totals: FloatArray, context: PairContext, by_expected: FloatArray, expected: FloatArray
) -> FloatArray:
    """Derivative by every column of sum_k by_expected[k] D_e[k]; all of (K,), result (columns,)."""
    k = context.pairs
    gradient = np.zeros(totals.shape[1])
    margins = totals[:, context.lead :]
    for block in context.groups.blocks(k, 1):
        sides = context.left[block], context.right[block]
        left, right = (context.groups.unfold(margins, side)[0] for side in sides)
        to_right, mass_right = distances_to(context.similarity, right)
        to_left, mass_left = distances_to(context.similarity, left)
        mass = (mass_right * left).sum(axis=1)
        own = np.zeros_like(mass)
        if context.unbiased:
            own = totals[0, :k][block]
        pull = (by_expected[block] / np.maximum(mass - own, NO_VARIATION))[:, None]
        level = expected[block][:, None]
        _spread_back(gradient, context, sides[0], pull * (to_right - level * mass_right))
        _spread_back(gradient, context, sides[1], pull * (to_left - level * mass_left))
        if context.unbiased:
            gradient[:k][block] += 2.0 * (pull * level)[:, 0]
            gradient[k : 2 * k][block] -= 2.0 * pull[:, 0]
    return gradient


def _spread_back(gradient: FloatArray, context: PairContext, groups: Index, values: FloatArray) -> None:
    """Add (len(groups), V) derivatives to the columns they belong to."""
    column, place = context.groups.columns(groups)
    np.add.at(gradient, context.lead + column, values.ravel()[place])
