"""Kappas with each rater's own margin: Cohen, weighted, Light, Hubert."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from accord.coefficients import conger, fleiss
from accord.coefficients.chance import NO_VARIATION, corrected, finished, ratio
from accord.coefficients.chance_form import ChanceForm, rater_margins
from accord.coefficients.indices import indices
from accord.coefficients.pooled import CHANCE, own_details
from accord.coefficients.raters import (
    PairContext,
    PairParts,
    Rule,
    finish_pairs,
    margin_gradient,
    pair_once,
    pair_tally,
)
from accord.coefficients.refusals import refuse_slots
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Option, Options, Parts, Tally
from accord.similarity.core import Identity, Similarity
from accord.study import Study
from accord.values import BoolArray, FloatArray, Index

__all__ = ["COHEN", "HUBERT", "LIGHT", "WEIGHTED", "conger", "fleiss"]

MARGINALS = Option(
    "shared", ("shared", "all"), "Units that enter a rater's margin: those shared with the other rater, or all."
)
#: More values than this have no cross table.
MOST_VALUES = 1000
#: Numbers in the margins of all rater pairs up to which each pair has its own.
MOST_MARGINS = 1 << 25
OPTIONS = {"marginals": MARGINALS, "chance": CHANCE}


def _tally(rule: Rule, study: Study, similarity: Similarity, options: Options) -> Tally:
    return pair_tally(study, similarity, options, rule)


def _once(rule: Rule, study: Study, similarity: Similarity, options: Options) -> tuple[FloatArray, PairContext]:
    return pair_once(study, similarity, options, rule)


def _chance(rule: Rule, study: Study, similarity: Similarity, options: Options) -> ChanceForm:
    """Margins of both sides of every rater pair; with very many pairs, those of all raters stand in."""
    totals, context = pair_once(study, similarity, options, rule)
    if context.pairs * study.V > MOST_MARGINS:
        return rater_margins(study, similarity, options)
    left, right = (context.groups.unfold(totals[:, context.lead :], side)[0] for side in (context.left, context.right))
    weight = totals[0, : context.pairs] if rule == "weighted" else np.ones(context.pairs)
    return ChanceForm(
        left / np.maximum(left.sum(axis=1, keepdims=True), 1.0),
        right / np.maximum(right.sum(axis=1, keepdims=True), 1.0),
        weight / max(float(weight.sum()), 1.0),
    )


def finish(totals: FloatArray, context: PairContext) -> Parts:
    """Combine the rater pairs: means of kappas, or for Hubert kappa of means."""
    pairs = finish_pairs(totals, context)
    chosen, other = (pairs.unbiased, pairs.classical) if context.unbiased else (pairs.classical, pairs.unbiased)
    parts, value = _combine(pairs, chosen, context)
    name = "classical" if context.unbiased else "unbiased"
    details: dict[str, Any] = {name: _combine(pairs, other, context)[1]}
    notes: tuple[str, ...] = ()
    if context.possible > 1:
        known = np.isfinite(corrected(pairs.observed, chosen)).sum(axis=1)
        details |= {"rater_pairs": known, "rater_pairs_left_out": context.possible - known}
        notes = _left_out(known, context.possible)
    return replace(parts, value=value, details=details, notes=notes, skipped=context.skipped)


def _left_out(known: Index, possible: int) -> tuple[str, ...]:
    if len(known) != 1 or int(known[0]) == possible:
        return ()
    return (f"{possible - int(known[0])} of {possible} rater pairs have no kappa of their own and are left out.",)


def _combine(pairs: PairParts, expected: FloatArray, context: PairContext) -> tuple[Parts, FloatArray]:
    weight = _weights(pairs, expected, context.rule)
    total = weight.sum(axis=1)
    observed = ratio((weight * np.nan_to_num(pairs.observed)).sum(axis=1), total)
    chance = ratio_of(weight * np.isfinite(expected), expected)
    parts = finished(observed, chance, context.similarity.scale)
    if context.rule == "pooled":
        return parts, parts.value
    kappa = corrected(pairs.observed, expected)
    counted = np.isfinite(kappa)
    return parts, ratio_of(weight * counted, kappa)


def ratio_of(weight: FloatArray, value: FloatArray) -> FloatArray:
    """Weighted mean over pairs, NaN where no pair has weight."""
    return ratio((weight * np.nan_to_num(value)).sum(axis=1), weight.sum(axis=1))


def _defined(expected: FloatArray) -> BoolArray:
    return np.nan_to_num(expected) >= NO_VARIATION


def _weights(pairs: PairParts, expected: FloatArray, rule: Rule) -> FloatArray:
    """Weight of each pair; where none is defined, of all, so that observed agreement is still known."""
    shared = pairs.units > 0
    defined = shared & (np.isfinite(expected) if rule == "pooled" else _defined(expected))
    use = np.where(defined.any(axis=1, keepdims=True), defined, shared)
    return np.where(use, pairs.units if rule == "weighted" else 1.0, 0.0)


def linearize(tally: Tally, parts: Parts) -> FloatArray:
    """Influence of each unit: rows times the gradient of the value."""
    context, totals = tally.context, tally.totals()
    pairs = finish_pairs(totals, context)
    expected = (pairs.unbiased if context.unbiased else pairs.classical)[0]
    observed, units = np.nan_to_num(pairs.observed[0]), pairs.units[0]
    weight = _weights(pairs, expected[None, :], context.rule)[0]
    share = weight / weight.sum()
    by_units = np.zeros_like(share)
    if context.rule == "pooled":
        mean_observed, mean_expected = float(parts.observed_distance[0]), float(parts.expected_distance[0])
        scale = context.similarity.scale
        by_observed = -share * scale / mean_expected
        by_expected = share * mean_observed * scale / mean_expected**2
    else:
        room = np.where(share > 0.0, expected, 1.0)
        by_observed, by_expected = -share / room, share * observed / room**2
        if context.rule == "weighted":
            by_units = np.where(share > 0.0, 1.0 - observed / room - float(parts.value[0]), 0.0) / weight.sum()
    gradient = margin_gradient(totals, context, by_expected, np.nan_to_num(expected))
    k, n = context.pairs, np.maximum(units, 1.0)
    gradient[:k] += by_units - by_observed * observed / n
    gradient[k : 2 * k] += by_observed / n
    return _deviations(tally, gradient, float(parts.value[0]))


def _deviations(tally: Tally, gradient: FloatArray, value: float) -> FloatArray:
    change = tally.product(gradient)
    occurs = tally.product(_answered(tally.context, len(gradient))) > 0.0
    return np.where(occurs, value + np.count_nonzero(occurs) * change, np.nan)


def _answered(context: PairContext, width: int) -> FloatArray:
    """Mark the margin columns: a unit counts if one of its answers enters a margin."""
    mark = np.zeros(width)
    mark[context.lead :] = 1.0
    return mark


def _cohen_details(
    study: Study, similarity: Similarity, options: Options, parts: Parts, level: float
) -> Mapping[str, Any]:
    """What lies behind the kappa of two raters: its ceiling, prevalence and bias."""
    found = own_details(study, similarity, options, parts, level)
    plain = isinstance(similarity, Identity) and study.V <= MOST_VALUES and np.isfinite(parts.value).all()
    return {**found, **indices(study)} if plain else found


COHEN = COEFFICIENTS.add(
    CoefficientSpec(
        key="cohen_kappa",
        symbol="κ",
        title="Cohen's kappa",
        summary="Two raters, each with an own margin; with more raters the mean over pairs, weighted by shared units.",
        reference="Cohen 1960, Educational and Psychological Measurement 20",
        family="kappa",
        tally=partial(_tally, "weighted"),
        once=partial(_once, "weighted"),
        finish=finish,
        linearize=linearize,
        chance=partial(_chance, "weighted"),
        refuses=refuse_slots,
        details=_cohen_details,
        aliases=("cohen", "kappa"),
        options=OPTIONS,
    )
)

WEIGHTED = COEFFICIENTS.add(
    CoefficientSpec(
        key="weighted_kappa",
        symbol="κw",
        title="Weighted kappa",
        summary="Cohen's kappa where near misses on an ordered scale count in part; quadratic weights by default.",
        reference="Cohen 1968, Psychological Bulletin 70",
        family="kappa",
        tally=partial(_tally, "weighted"),
        once=partial(_once, "weighted"),
        finish=finish,
        linearize=linearize,
        chance=partial(_chance, "weighted"),
        refuses=refuse_slots,
        details=own_details,
        default_weights="quadratic",
        options=OPTIONS,
    )
)

LIGHT = COEFFICIENTS.add(
    CoefficientSpec(
        key="light_kappa",
        symbol="κ",
        title="Light's kappa",
        summary="Plain mean of Cohen's kappa over all rater pairs.",
        reference="Light 1971, Psychological Bulletin 76",
        family="kappa",
        tally=partial(_tally, "equal"),
        once=partial(_once, "equal"),
        finish=finish,
        linearize=linearize,
        chance=partial(_chance, "equal"),
        refuses=refuse_slots,
        details=own_details,
        aliases=("light",),
        options=OPTIONS,
    )
)

HUBERT = COEFFICIENTS.add(
    CoefficientSpec(
        key="hubert_kappa",
        symbol="κ",
        title="Hubert's kappa",
        summary="Kappa of the mean observed and mean expected agreement over rater pairs, pairwise deletion.",
        reference="Hubert 1977, Psychological Bulletin 84",
        family="kappa",
        tally=partial(_tally, "pooled"),
        once=partial(_once, "pooled"),
        finish=finish,
        linearize=linearize,
        chance=partial(_chance, "pooled"),
        refuses=refuse_slots,
        details=own_details,
        aliases=("hubert",),
        options=OPTIONS,
    )
)
