"""Krippendorff's alpha: any number of raters, missing answers, any similarity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients import alpha_ordinal, alpha_placed
from accord.coefficients.alpha_without import chance_without
from accord.coefficients.chance import corrected, distances_to, finished, mean_distance, ratio
from accord.coefficients.chance_form import answer_margins
from accord.coefficients.empties import READINGS
from accord.coefficients.pooled import own_details
from accord.coefficients.rows import AnswerTally
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts, Rows, Tally
from accord.coefficients.sums import sums
from accord.coefficients.within import Within, within
from accord.similarity.core import Similarity
from accord.similarity.ordinal import Ordinal
from accord.study import Study
from accord.values import FloatArray, Index

#: Columns before the counts: distance weighted by m, m, sum of distances and number of pairs.
LEAD = 4


@dataclass(frozen=True, slots=True)
class Counted:
    """What finishing needs besides the totals."""

    similarity: Similarity
    unbiased: bool = False
    skipped: int = 0


def _unbiased(options: Options) -> bool:
    return options.get("chance") == "unbiased"


def _lead(inside: Within) -> list[FloatArray]:
    alike = inside.usable.strides == (0,) and inside.pairs.strides == (0,)
    m = inside.size if alike else inside.size * inside.usable
    head = slice(1) if alike else slice(None)
    return [inside.distance * (m[head] / np.maximum(inside.pairs[head], 1.0)), m, inside.distance, inside.pairs]


def _tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    if options.get("chance") == alpha_placed.WITHIN:
        return alpha_placed.tally(study, similarity)
    unbiased = _unbiased(options)
    if isinstance(similarity, Ordinal) and not similarity.frozen:
        return alpha_ordinal.tally(study, similarity, unbiased=unbiased)
    inside = within(study, similarity)
    context = Counted(similarity, unbiased, inside.skipped)
    return AnswerTally(study, _lead(inside), inside.usable, context=context, skipped=inside.skipped)


def _once(study: Study, similarity: Similarity, options: Options) -> tuple[FloatArray, Counted]:
    """Return totals without rows; at the full sample the ordinal metric is a fixed one."""
    if isinstance(similarity, Ordinal) and not similarity.frozen:
        similarity = similarity.on(study)
    found = None if options.get("chance") == alpha_placed.WITHIN else sums(study, similarity)
    if found is None:
        tally = _tally(study, similarity, options)
        return tally.totals(), tally.context
    weighted = 2.0 * float((found.distance / (found.size - 1.0)).sum())
    lead = (weighted, float((found.size * found.units).sum()), float(found.distance.sum()))
    pairs = float((found.pairs * found.units).sum())
    return np.concatenate((lead, (pairs,), found.counts))[None, :], Counted(similarity, _unbiased(options))


def finish(totals: FloatArray, context: Counted | alpha_ordinal.OrdinalCounts | alpha_placed.PlacedContext) -> Parts:
    """Turn totals (B, k) into alpha."""
    if isinstance(context, alpha_placed.PlacedContext):
        return alpha_placed.finish(totals, context)
    if isinstance(context, alpha_ordinal.OrdinalCounts):
        return alpha_ordinal.finish(totals, context)
    weighted, answers, apart, pairs = totals[:, :LEAD].T
    counts = totals[:, LEAD:]
    among, among_pairs = mean_distance(context.similarity, counts, counts)
    return combined(weighted, answers, apart, pairs, among, among_pairs, context.similarity.scale, context)


def combined(
    weighted: FloatArray,
    answers: FloatArray,
    apart: FloatArray,
    pairs: FloatArray,
    among: FloatArray,
    among_pairs: FloatArray,
    scale: FloatArray | float,
    context: Counted | alpha_ordinal.OrdinalCounts,
) -> Parts:
    """Combine sums within units with sums over all ordered pairs of answers, for either convention of chance."""
    classical = ratio(weighted, answers), ratio(among, among_pairs - answers)
    unbiased = ratio(apart, pairs), ratio(among - 2.0 * apart, among_pairs - answers - 2.0 * pairs)
    chosen, other = (unbiased, classical) if context.unbiased else (classical, unbiased)
    details = {"classical" if context.unbiased else "unbiased": corrected(*other)}
    return finished(*chosen, scale, details, context.skipped)


def without_each(
    rows: Rows, totals: FloatArray, context: Counted | alpha_ordinal.OrdinalCounts | alpha_placed.PlacedContext
) -> tuple[Index, FloatArray] | None:
    """Alpha without single rows: which rows, and the value without each of them, (n,) each."""
    if not isinstance(context, Counted):
        return None
    found = chance_without(rows, totals, LEAD, context.similarity)
    if found is None:
        return None
    use, among, among_pairs = found
    weighted, answers, apart, pairs = (totals[:, :LEAD] - rows[use][:, :LEAD].toarray()).T
    scale = context.similarity.scale
    return use, combined(weighted, answers, apart, pairs, among, among_pairs, scale, context).value


def linearize(tally: Tally, parts: Parts) -> FloatArray:
    """Gwet's linearisation for alpha over the units with two answers or more."""
    if isinstance(tally.context, alpha_placed.PlacedContext):
        return alpha_placed.linearize(tally, parts)
    if not isinstance(tally, AnswerTally):
        return alpha_ordinal.linearize(tally, parts)
    counts = tally.totals()[:, LEAD:]
    to_values, pairs_to = distances_to(tally.context.similarity, counts)
    total, pairs = float((to_values * counts).sum()), float((pairs_to * counts).sum())
    level = _level(tally, total, pairs) if tally.context.unbiased else total / pairs
    pull = tally.product(np.concatenate((np.zeros(LEAD), (to_values - level * pairs_to)[0])))
    if tally.context.unbiased:
        z = _other_units(tally, pull, pairs, level)
    else:
        pull /= pairs
        z = _published(tally, pull, level)
    z += float(parts.value[0])
    answered = tally.lead[1] > 0.0
    if not answered.all():
        z[~answered] = np.nan
    return z


def _published(tally: AnswerTally, pull: FloatArray, expected: float) -> FloatArray:
    """Deviation of each unit; ``pull`` is how far its answers lie from all answers, beyond the mean."""
    weighted, m, _, _ = tally.lead
    n, answers = int(np.count_nonzero(m)), float(m.sum())
    observed, mean = float(weighted.sum()) / answers, answers / n
    pull *= 2.0 * observed / expected * n
    pull -= weighted / mean
    pull += observed * m / mean
    pull /= expected
    return pull


def _level(tally: AnswerTally, total: float, pairs: float) -> float:
    """Expected distance between answers of different units."""
    _, m, own, own_pairs = tally.lead
    return (total - 2.0 * float(own.sum())) / (pairs - float(m.sum()) - 2.0 * float(own_pairs.sum()))


def _other_units(tally: AnswerTally, pull: FloatArray, pairs: float, expected: float) -> FloatArray:
    """Deviation of each unit where chance comes from other units only."""
    _, m, own, own_pairs = tally.lead
    n, within_pairs = int(np.count_nonzero(m)), float(own_pairs.sum())
    among_pairs = pairs - float(m.sum()) - 2.0 * within_pairs
    observed = float(own.sum()) / within_pairs
    near = (own - observed * own_pairs) / within_pairs
    far = 2.0 * (pull - 2.0 * own + expected * (m + 2.0 * own_pairs)) / among_pairs
    return n / expected * (observed / expected * far - near)


ALPHA = COEFFICIENTS.add(
    CoefficientSpec(
        key="krippendorff_alpha",
        symbol="α",
        title="Krippendorff's alpha",
        summary="Any number of raters, missing answers, any level of measurement or similarity.",
        reference="Krippendorff 2004, Content Analysis; Hayes and Krippendorff 2007",
        family="alpha",
        tally=_tally,
        once=_once,
        finish=finish,
        without=without_each,
        linearize=linearize,
        df="answered",
        chance=answer_margins,
        refuses=alpha_placed.refuse,
        details=own_details,
        aliases=("alpha", "krippendorff"),
        options={"chance": alpha_placed.CHANCE, "empty": READINGS},
    )
)
