"""Masks that turn out to be unusable when they are decoded, which is after reading."""

from __future__ import annotations

import numpy as np

from accord.pipeline.question import Question
from accord.pipeline.region_matches import RegionMatches
from accord.pipeline.report import Diagnostic
from accord.pipeline.words import plural
from accord.values import Kind


def broken_masks(question: Question) -> Diagnostic | None:
    """How many masks cannot be decoded or do not fit their image; None where all can, or none are matched."""
    matches = RegionMatches.of(question) if question.study.kind is Kind.MASKS else None
    if matches is None:
        return None
    broken = [0 if answer is None else sum(shape is None for shape in answer.shapes) for answer in matches.answers]
    count = int(np.array(broken, dtype=np.int64) @ question.study.counts)
    if not count:
        return None
    text = (
        f"{plural(count, 'mask')} cannot be decoded, or not with the size of the image. Such a mask matches nothing "
        "and counts as a region that only one rater marked. Export the project again."
    )
    return Diagnostic("Masks", "look", text)
