"""Raters as a sample too: variance over units plus variance over raters.

The jackknife over raters holds what raters of one kind add; the linearised variance over units holds what units add.
The share that belongs to single answers is in both, so the sum errs on the safe side.
"""

from __future__ import annotations

from accord.coefficients.spec import CoefficientSpec, Options
from accord.inference.analytic import Variance, jackknife_variance
from accord.inference.jackknife import without_each_rater
from accord.similarity.core import Similarity
from accord.study import Study

#: Fewer raters say nothing about raters in general; below the second number the result is shaky.
FEWEST_RATERS, ENOUGH_RATERS = 5, 10


def why_not(study: Study, raters: int) -> str | None:
    """Why this data says nothing about other raters, or None."""
    if study.slots:
        return "The interval holds for these raters only: a counts table does not say who gave which answer."
    if raters < FEWEST_RATERS:
        return (
            f"The interval holds for these raters only: {raters} are too few to speak of others "
            f"(at least {FEWEST_RATERS} are needed)."
        )
    return None


def rater_variance(spec: CoefficientSpec, study: Study, similarity: Similarity, options: Options) -> Variance:
    """Jackknife variance of the value over raters."""
    return jackknife_variance(without_each_rater(spec, study, similarity, options))


def together(units: Variance, raters: Variance) -> Variance:
    """Sum of both variances; degrees of freedom by Satterthwaite."""
    total = units.value + raters.value
    if not total > 0.0:
        return Variance(total, min(units.df, raters.df), units.support)
    df = total**2 / (units.value**2 / max(units.df, 1.0) + raters.value**2 / max(raters.df, 1.0))
    return Variance(total, max(1.0, df), units.support)
