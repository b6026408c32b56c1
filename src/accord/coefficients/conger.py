"""Conger's kappa in Gwet's form: chance from each rater's own margin over all answers.

A row is (1, comparable, mean distance, one column for each rater and value).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord.coefficients.chance import corrected, distances_to, finished, mean_distance, ratio
from accord.coefficients.chance_form import rater_margins
from accord.coefficients.groups import Groups, grouped
from accord.coefficients.pooled import CHANCE, MARGINALS, own_details
from accord.coefficients.raters import PairContext, finish_pairs, margin_gradient, pair_tally
from accord.coefficients.refusals import refuse_slots
from accord.coefficients.rows import assemble
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts, Tally
from accord.coefficients.within import within
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

LEAD = 3


@dataclass(frozen=True, slots=True)
class RaterMargins:
    """What finishing needs besides the totals."""

    similarity: Similarity
    groups: Groups
    skipped: int


def _tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    if options.get("chance") == "unbiased":
        return pair_tally(study, similarity, {**options, "marginals": "all"}, "items")
    inside = within(study, similarity)
    groups, column = grouped(study.rater, study.code, study.R, study.V)
    enters = inside.usable if options.get("marginals") == "shared" else (study.m > 0).astype(np.float64)
    lead = [enters, inside.usable, inside.mean]
    rows = assemble(lead, column, enters[study.unit], study, len(groups.code))
    return Tally(rows=rows, context=RaterMargins(similarity, groups, inside.skipped), skipped=inside.skipped)


def finish(totals: FloatArray, context: RaterMargins | PairContext) -> Parts:
    """Turn totals (B, k) into kappa."""
    if isinstance(context, PairContext):
        return _finish_unbiased(totals, context)
    observed = ratio(totals[:, 2], totals[:, 1])
    everyone = np.zeros((len(totals), context.groups.values))
    own, own_mass = np.zeros(len(totals)), np.zeros(len(totals))
    for block in context.groups.blocks(context.groups.count, len(totals)):
        share = _shares(totals, context, block)
        apart, mass = mean_distance(context.similarity, share, share)
        own += apart.sum(axis=1)
        own_mass += mass.sum(axis=1)
        everyone += share.sum(axis=1)
    total, mass = mean_distance(context.similarity, everyone, everyone)
    return finished(observed, ratio(total - own, mass - own_mass), context.similarity.scale, skipped=context.skipped)


def _shares(totals: FloatArray, context: RaterMargins, block: slice) -> FloatArray:
    """Distribution of some raters' answers, zero for raters without any, (B, raters, V)."""
    some = np.arange(context.groups.count)[block]
    counts = context.groups.unfold(totals[:, LEAD:], some)
    return counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1.0)


def _finish_unbiased(totals: FloatArray, context: PairContext) -> Parts:
    """Observed by units, chance as the mean over rater pairs on different units."""
    pairs = finish_pairs(totals, context)
    observed = ratio(totals[:, context.lead - 1], totals[:, context.lead - 2])
    expected, classical = _mean(pairs.unbiased), _mean(pairs.classical)
    parts = finished(observed, expected, context.similarity.scale, skipped=context.skipped)
    return replace(parts, details={"classical": corrected(observed, classical)})


def _mean(values: FloatArray) -> FloatArray:
    known = np.isfinite(values)
    return ratio(np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1))


def linearize(tally: Tally, parts: Parts) -> FloatArray:
    """Gwet's linearisation: k_i - 2 (1 - kappa) (pe_i - pe) / (1 - pe)."""
    context, totals = tally.context, tally.totals()
    value, room = float(parts.value[0]), 1.0 - float(parts.expected[0])
    if isinstance(context, PairContext):
        rise = np.full(context.pairs, (1.0 - value) / room)
        expected = finish_pairs(totals, context).unbiased[0]
        known = np.isfinite(expected)
        share = np.where(known, rise / np.count_nonzero(known), 0.0)
        gradient = margin_gradient(totals, context, share, np.nan_to_num(expected))
        usable, distance = _columns(tally, context.lead - 2, context.lead)
        entered, n = np.ones(len(usable), dtype=bool), float(len(usable))
    else:
        entering, usable, distance = _columns(tally, 0, LEAD)
        entered, n = entering > 0.0, float(entering.sum())
        gradient = 2.0 * (1.0 - value) / room * _margin_gradient(totals, context, room)
    z = n / usable.sum() * (usable - distance / room) + n * tally.product(gradient)
    return np.where(entered, z, np.nan)


def _columns(tally: Tally, first: int, last: int) -> FloatArray:
    """Some columns of the rows, (columns, U)."""
    some = tally.rows[:, first:last]
    return (some if isinstance(some, np.ndarray) else some.toarray()).T


def _margin_gradient(totals: FloatArray, context: RaterMargins, expected: FloatArray | float) -> FloatArray:
    """Half the derivative of the expected distance by every column."""
    blocks = list(context.groups.blocks(context.groups.count, 1))
    everyone = np.zeros(context.groups.values)
    for block in blocks:
        everyone += _shares(totals, context, block)[0].sum(axis=0)
    gradient, mass = np.zeros(totals.shape[1]), 0.0
    for block in blocks:
        share = _shares(totals, context, block)[0]
        to_values, pairs_to = distances_to(context.similarity, everyone[None, :] - share)
        mass += float((pairs_to * share).sum())
        pull = to_values - expected * pairs_to
        pull -= (pull * share).sum(axis=1, keepdims=True)
        column, place = context.groups.columns(np.arange(context.groups.count)[block])
        counts = context.groups.unfold(totals[:, LEAD:], np.arange(context.groups.count)[block])[0]
        gradient[LEAD + column] = (pull / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)).ravel()[place]
    return gradient / mass


CONGER = COEFFICIENTS.add(
    CoefficientSpec(
        key="conger_kappa",
        symbol="κ",
        title="Conger's kappa",
        summary="Any number of raters, each with an own margin over all answers (Gwet's form).",
        reference="Conger 1980, Psychological Bulletin 88; Gwet 2014, Handbook of Inter-Rater Reliability",
        family="kappa",
        tally=_tally,
        finish=finish,
        linearize=linearize,
        chance=rater_margins,
        refuses=refuse_slots,
        details=own_details,
        aliases=("conger",),
        options={"marginals": MARGINALS, "chance": CHANCE},
        compared_vary=True,
    )
)
