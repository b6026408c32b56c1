"""Fleiss' kappa in Gwet's generalisation, and Scott's pi: chance from the pooled margins."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from accord.coefficients.chance import corrected
from accord.coefficients.chance_form import scott_margins, unit_margins
from accord.coefficients.pooled import (
    CHANCE,
    MARGINALS,
    Pooled,
    linearize_own,
    own_details,
    own_margins,
    pooled_once,
    pooled_tally,
)
from accord.coefficients.refusals import refuse_similarity, refuse_two
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray


def _context(similarity: Similarity, options: Options, skipped: int) -> Pooled:
    return Pooled(similarity, unbiased=options.get("chance") == "unbiased", skipped=skipped)


def _tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    return pooled_tally(study, similarity, options, partial(_context, similarity, options))


def _once(study: Study, similarity: Similarity, options: Options) -> tuple[FloatArray, Pooled]:
    return pooled_once(study, similarity, options, partial(_context, similarity, options))


def _shared(options: Options) -> Options:
    return {**options, "marginals": "shared"}


def _scott_tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    return _tally(study, similarity, _shared(options))


def _scott_once(study: Study, similarity: Similarity, options: Options) -> tuple[FloatArray, Pooled]:
    return _once(study, similarity, _shared(options))


def finish(totals: FloatArray, context: Pooled) -> Parts:
    """Turn totals (B, k) into kappa."""
    parts, other = own_margins(totals, context)
    name = "classical" if context.unbiased else "unbiased"
    return replace(parts, details={name: corrected(1.0 - parts.observed, other)})


FLEISS = COEFFICIENTS.add(
    CoefficientSpec(
        key="fleiss_kappa",
        symbol="κ",
        title="Fleiss' kappa",
        summary="Any number of raters, chance from the pooled margins; any number of answers per unit (Gwet).",
        reference="Fleiss 1971; Gwet 2014, Handbook of Inter-Rater Reliability",
        family="kappa",
        tally=_tally,
        once=_once,
        finish=finish,
        linearize=linearize_own,
        chance=unit_margins,
        refuses=refuse_similarity,
        details=own_details,
        aliases=("fleiss",),
        options={"marginals": MARGINALS, "chance": CHANCE},
        compared_vary=True,
    )
)

SCOTT = COEFFICIENTS.add(
    CoefficientSpec(
        key="scott_pi",
        symbol="π",
        title="Scott's pi",
        summary="Two raters on the units both answered, chance from the pooled margins.",
        reference="Scott 1955, Public Opinion Quarterly 19",
        family="kappa",
        tally=_scott_tally,
        once=_scott_once,
        finish=finish,
        linearize=linearize_own,
        chance=scott_margins,
        refuses=refuse_two,
        details=own_details,
        aliases=("scott",),
        raters="two",
        options={"chance": CHANCE},
    )
)
