"""Answers as numbers, for the coefficients that need them."""

from __future__ import annotations

import numpy as np

from accord.coefficients.spec import Options
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Level


def answers(study: Study) -> FloatArray:
    """Return the answers as numbers, (C,).

    Raises
    ------
    TypeError
        An answer is not a number.
    """
    return study.numbers[study.code]


def centred(study: Study) -> FloatArray:
    """Return the answers minus their mean, (C,): moments of numbers far from zero stay exact."""
    x = answers(study)
    if not len(x):
        return x
    return x - (x.mean() if np.ptp(x) > 0 else x[0])


def why_not(study: Study) -> str | None:
    """Say why the answers cannot be averaged, or None."""
    try:
        x = answers(study)
    except TypeError:
        return "it needs answers that are numbers"
    return None if np.isfinite(x).all() else "it needs finite numbers, and an answer is infinite"


def not_numbers(study: Study, _similarity: Similarity, _options: Options) -> str | None:
    """Refuse answers that are not finite numbers."""
    return why_not(study)


def positions(study: Study) -> FloatArray | None:
    """Return the place of each answer on its scale, (C,): numbers, or places in an ordinal domain; None if neither."""
    if why_not(study) is None:
        return answers(study)
    declared = study.domain or 0
    if study.level is Level.ORDINAL and study.C and int(study.code.max()) < declared:
        return study.code.astype(np.float64)
    return None
