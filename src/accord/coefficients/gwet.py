"""Chance from the number of categories: Brennan-Prediger, Gwet's AC1 and AC2."""

from __future__ import annotations

from functools import partial

import numpy as np

from accord.coefficients.chance import finished
from accord.coefficients.chance_form import ChanceForm, unit_margins
from accord.coefficients.pooled import (
    LEAD,
    MARGINALS,
    Pooled,
    counted,
    linear_terms,
    observed_distance,
    own_details,
    pooled_once,
    pooled_tally,
)
from accord.coefficients.refusals import refuse_open
from accord.coefficients.rows import AnswerTally
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import EMPTY, FloatArray


def _context(study: Study, similarity: Similarity, skipped: int) -> Pooled:
    """Mean distance between different categories, over the declared domain and what was said beyond it."""
    p = _categories(study)
    apart = float(((p.sum() - similarity.times(p)) * p).sum())
    return Pooled(similarity, skipped=skipped, categories=study.q, off_diagonal=apart)


def _categories(study: Study) -> FloatArray:
    """1 for what is declared or was said, 0 else, (V,)."""
    category = (np.arange(study.V) < (study.domain or 0)) | (study.counts > 0)
    category &= np.array([value is not EMPTY for value in study.values], dtype=bool)
    return category.astype(np.float64)


def _uniform_form(study: Study, similarity: Similarity, options: Options) -> ChanceForm:
    """Every category as likely as any other."""
    del similarity, options
    p = _categories(study) / max(study.q, 1)
    return ChanceForm(p[None, :], p[None, :], np.ones(1))


def _gwet_form(study: Study, similarity: Similarity, options: Options) -> ChanceForm:
    """T sum pi (1 - pi), and T is q / (q - 1) times the mean similarity of two categories."""
    share = unit_margins(study, similarity, options).p[0]
    form, q = _uniform_form(study, similarity, options), study.q
    return ChanceForm(form.p, form.q, np.array([q / max(q - 1, 1) * float((share * (1.0 - share)).sum())]))


def _tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    return pooled_tally(study, similarity, options, partial(_context, study, similarity))


def _once(study: Study, similarity: Similarity, options: Options) -> tuple[FloatArray, Pooled]:
    return pooled_once(study, similarity, options, partial(_context, study, similarity))


def finish_uniform(totals: FloatArray, context: Pooled) -> Parts:
    """Chance as if every category were equally likely."""
    q = context.categories
    expected = np.full(len(totals), context.off_diagonal / (q * q) if q else np.nan)
    scale = context.similarity.scale
    return finished(observed_distance(totals), expected, scale, {"categories": q}, context.skipped)


def finish_gwet(totals: FloatArray, context: Pooled) -> Parts:
    """Chance of agreeing by guessing: T sum pi (1 - pi), T the sum of all similarities over q (q - 1)."""
    share = totals[:, LEAD:] / totals[:, :1]
    expected = 1.0 - _weight(context) * (share * (1.0 - share)).sum(axis=1)
    scale = context.similarity.scale
    return finished(observed_distance(totals), expected, scale, {"categories": context.categories}, context.skipped)


def _weight(context: Pooled) -> float:
    """T; with one category chance always agrees, which makes the coefficient undefined."""
    q = context.categories
    return (q * q - context.off_diagonal) / (q * (q - 1)) if q > 1 else np.nan


def linearize_uniform(tally: Tally, parts: Parts) -> FloatArray:
    """Linearise with a constant chance term."""
    if not isinstance(tally, AnswerTally):
        raise TypeError("the linearisation needs the answers")
    return counted(linear_terms(tally, parts), tally)


def linearize_gwet(tally: Tally, parts: Parts) -> FloatArray:
    """Gwet's linearisation for AC1 and AC2."""
    if not isinstance(tally, AnswerTally):
        raise TypeError("the linearisation needs the answers")
    totals = tally.totals()
    share = totals[0, LEAD:] / totals[0, 0]
    per_column = np.concatenate((np.zeros(LEAD), _weight(tally.context) * (1.0 - share)))
    chance = tally.product(per_column) - float(parts.expected[0])
    value, room = float(parts.value[0]), 1.0 - float(parts.expected[0])
    return counted(linear_terms(tally, parts) - 2.0 * (1.0 - value) / room * chance, tally)


BRENNAN_PREDIGER = COEFFICIENTS.add(
    CoefficientSpec(
        key="brennan_prediger",
        symbol="S",
        title="Brennan-Prediger",
        summary="Chance is one over the number of categories, whatever was answered.",
        reference="Brennan and Prediger 1981; Randolph 2005; Bennett, Alpert and Goldstein 1954",
        family="kappa",
        tally=_tally,
        once=_once,
        finish=finish_uniform,
        linearize=linearize_uniform,
        chance=_uniform_form,
        refuses=refuse_open,
        details=own_details,
        aliases=("bp", "randolph_kappa", "randolph", "bennett_s", "bennett", "pabak"),
    )
)

AC1 = COEFFICIENTS.add(
    CoefficientSpec(
        key="gwet_ac1",
        symbol="AC1",
        title="Gwet's AC1",
        summary="Chance from the share of each category and their number; stable when labels are skewed.",
        reference="Gwet 2008, British Journal of Mathematical and Statistical Psychology 61",
        family="kappa",
        tally=_tally,
        once=_once,
        finish=finish_gwet,
        linearize=linearize_gwet,
        chance=_gwet_form,
        refuses=refuse_open,
        details=own_details,
        aliases=("ac1", "gwet"),
        options={"marginals": MARGINALS},
    )
)

AC2 = COEFFICIENTS.add(
    CoefficientSpec(
        key="gwet_ac2",
        symbol="AC2",
        title="Gwet's AC2",
        summary="AC1 with weights: near misses on an ordered scale count in part.",
        reference="Gwet 2014, Handbook of Inter-Rater Reliability",
        family="kappa",
        tally=_tally,
        once=_once,
        finish=finish_gwet,
        linearize=linearize_gwet,
        chance=_gwet_form,
        refuses=refuse_open,
        details=own_details,
        aliases=("ac2",),
        default_weights="quadratic",
        options={"marginals": MARGINALS},
    )
)
