"""When a value does not exist: the table of reasons, tested in one fixed order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.study import Study

#: Below this, 1 - expected agreement counts as zero.
NO_VARIATION = 1e-12


@dataclass(frozen=True, slots=True)
class Counts:
    """What a study offers: units with at least two answers, raters who answered, pairs of answers in units."""

    units: int
    raters: int
    pairs: int

    @classmethod
    def of(cls, study: Study) -> Counts:
        """Count; a complete table needs no pass over the answers."""
        if study.is_complete:
            raters = study.R
            return cls(study.U if raters > 1 else 0, raters, study.U * raters * (raters - 1) // 2)
        m = study.m
        raters = study.R if study.slots else int(np.count_nonzero(np.bincount(study.rater, minlength=study.R)))
        return cls(int(np.count_nonzero(m > 1)), raters, int((m * (m - 1)).sum()) // 2)


def before(study: Study, counts: Counts) -> str | None:
    """Reasons that need no coefficient: no_answers, one_rater, no_overlap."""
    if study.C == 0:
        return "no_answers"
    if counts.raters < 2:
        return "one_rater"
    return "no_overlap" if counts.units == 0 else None


def all_alike(study: Study) -> bool:
    """Whether every answer that is compared with another one is the same."""
    compared = study.code[study.m[study.unit] > 1]
    return bool((compared == compared[:1]).all())


def after(value: float, expected: float, counts: Counts, skipped: int, *, chance_from_others: bool) -> str | None:
    """Reasons seen in the numbers: nothing_comparable, one_unit, no_variation."""
    if 0 < counts.pairs <= skipped:
        return "nothing_comparable"
    if counts.units == 1 and chance_from_others:
        return "one_unit"
    if 1.0 - expected < NO_VARIATION:
        return "no_variation"
    if not np.isfinite(value):
        return "one_unit" if counts.units == 1 else "no_variation"
    return None
