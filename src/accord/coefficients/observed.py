"""Observed agreement, without any correction for chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients import consensus
from accord.coefficients.chance import finished, ratio
from accord.coefficients.pooled import own_details
from accord.coefficients.refusals import refuse_similarity
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Option, Options, Parts, Tally
from accord.coefficients.specific import specific_agreement
from accord.coefficients.within import within
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

__all__ = ["PERCENT", "PLURALITY", "specific_agreement"]


@dataclass(frozen=True, slots=True)
class Plain:
    """What finishing needs besides the totals."""

    scale: float = 1.0
    skipped: int = 0


def _tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    del options
    inside = within(study, similarity)
    rows = np.column_stack((inside.usable, inside.mean))
    return Tally(rows=rows, context=Plain(similarity.scale, inside.skipped), skipped=inside.skipped)


def finish(totals: FloatArray, context: Plain) -> Parts:
    """Mean over units; no agreement is expected."""
    observed = ratio(totals[:, 1], totals[:, 0])
    return finished(observed, np.ones_like(observed), context.scale, skipped=context.skipped)


def linearize(tally: Tally, parts: Parts) -> FloatArray:
    """Agreement of each unit, scaled so that units with one answer count as units."""
    del parts
    usable, distance = tally.rows.T
    return len(usable) / usable.sum() * (usable - distance)


PERCENT = COEFFICIENTS.add(
    CoefficientSpec(
        key="percent_agreement",
        symbol="p_o",
        title="Percent agreement",
        summary="Mean over units of the mean similarity of their pairs of answers.",
        reference="Gwet 2014, Handbook of Inter-Rater Reliability",
        family="agreement",
        tally=_tally,
        finish=finish,
        linearize=linearize,
        refuses=refuse_similarity,
        aliases=("observed", "observed_agreement", "percent"),
    )
)


def _share_tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    found = consensus.consensus(study, similarity, threshold=options.get("threshold", 0.5))
    usable = study.m > 1
    missed = np.where(usable, 1.0 - found.share, 0.0)
    rows = np.column_stack((usable, missed, usable / np.maximum(study.m, 1), usable & found.tie))
    return Tally(rows=rows, context=Plain())


def _share_finish(totals: FloatArray, context: Plain) -> Parts:
    missed, floor = ratio(totals[:, 1], totals[:, 0]), ratio(totals[:, 2], totals[:, 0])
    return finished(missed, np.ones_like(missed), context.scale, {"floor": floor, "ties": totals[:, 3]})


def _share_linearize(tally: Tally, parts: Parts) -> FloatArray:
    del parts
    usable, missed = tally.rows.T[:2]
    return np.where(usable > 0.0, 1.0 - missed, np.nan)


PLURALITY = COEFFICIENTS.add(
    CoefficientSpec(
        key="plurality",
        symbol="plurality",
        title="Plurality share",
        summary="Mean share of raters who match the best supported answer of their unit; at least 1/m by construction.",
        reference="Fleiss, Levin and Paik 2003, Statistical Methods for Rates and Proportions",
        family="agreement",
        tally=_share_tally,
        finish=_share_finish,
        linearize=_share_linearize,
        refuses=refuse_similarity,
        details=own_details,
        aliases=("consensus", "plurality_share"),
        options={"threshold": Option(0.5, (), "Similarity from which two answers match.")},
    )
)
