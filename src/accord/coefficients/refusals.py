"""Sentences that say why a coefficient does not apply to a study."""

from __future__ import annotations

import numpy as np

from accord.coefficients.spec import Options
from accord.similarity.core import Similarity
from accord.similarity.unfit import Unfit
from accord.study import Study
from accord.values import Kind

#: Kinds whose answers come from a list fixed in advance, or are counted as if they did.
CLOSED_KINDS = frozenset({Kind.LABEL, Kind.RATING, Kind.NUMBER, Kind.SIDE, Kind.DATETIME})


def refuse_similarity(study: Study, similarity: Similarity, options: Options) -> str | None:
    """Refuse a similarity that means nothing on these values."""
    del study, options
    return similarity.reason if isinstance(similarity, Unfit) else None


def refuse_two(study: Study, similarity: Similarity, options: Options) -> str | None:
    """Refuse more than two raters."""
    raters = active_raters(study)
    if raters > 2:
        return f"it is defined for two raters, and {raters} answered"
    return refuse_similarity(study, similarity, options)


def refuse_slots(study: Study, similarity: Similarity, options: Options) -> str | None:
    """Refuse answers without rater names: each rater's own margin is part of the coefficient."""
    if study.slots:
        return "it uses each rater's own margin, and the data do not say who gave which answer"
    return refuse_similarity(study, similarity, options)


def refuse_open(study: Study, similarity: Similarity, options: Options) -> str | None:
    """Refuse an open inventory: the number of categories is part of the coefficient."""
    if study.domain is None and study.kind not in CLOSED_KINDS:
        return "it needs the list of categories fixed in advance, and this control has none"
    return refuse_similarity(study, similarity, options)


def active_raters(study: Study) -> int:
    """Number of raters with an answer (for slots: the most answers of a unit)."""
    if study.slots:
        return int(study.m.max(initial=0))
    if study.is_complete:
        return study.R
    return int(np.count_nonzero(np.bincount(study.rater, minlength=study.R)))
