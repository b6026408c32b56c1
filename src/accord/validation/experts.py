"""Can the experts be trusted? Their agreement with one another, with themselves, and with what is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.coefficients.estimate import Estimate
from accord.measures.alphas import krippendorff_alpha
from accord.measures.kappas import cohen_kappa
from accord.measures.observed import percent_agreement
from accord.validation.key import Question
from accord.validation.ratings import Ratings
from accord.values import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class Expert:
    """One expert: answers given of those asked, repeats answered alike, controls answered right."""

    name: str
    answered: int
    asked: int
    repeats_alike: int
    repeats: int
    controls_right: int
    controls: int


@dataclass(frozen=True, slots=True)
class Experts:
    """All experts; ``agreement`` are coefficients of their answers on the sampled pairs, none with one expert."""

    each: tuple[Expert, ...]
    agreement: tuple[Estimate, ...]


def examined(ratings: Ratings, questions: Sequence[Question]) -> Experts:
    """Examine the experts."""
    role = np.array([q.role for q in questions])
    each = tuple(_expert(name, row, questions) for name, row in zip(ratings.experts, ratings.answers, strict=True))
    return Experts(each, _agreement(ratings, role == "pair"))


def _expert(name: str, row: FloatArray, questions: Sequence[Question]) -> Expert:
    first = {q.pair: row[k] for k, q in enumerate(questions) if q.role == "pair"}
    again = [(first[q.pair], row[k]) for k, q in enumerate(questions) if q.role == "repeat"]
    both = [(a, b) for a, b in again if math.isfinite(a) and math.isfinite(b)]
    known = [(row[k], q.expected) for k, q in enumerate(questions) if q.role == "control" and math.isfinite(row[k])]
    return Expert(
        name,
        int(np.isfinite(row).sum()),
        len(questions),
        sum(int(a == b) for a, b in both),
        len(both),
        sum(int(bool(a) == b) for a, b in known),
        len(known),
    )


def _agreement(ratings: Ratings, asked: BoolArray) -> tuple[Estimate, ...]:
    table = ratings.answers[:, asked].T
    if table.shape[1] < 2:
        return ()
    rows = [[None if math.isnan(v) else int(v) for v in row] for row in table]
    chance = cohen_kappa(rows) if table.shape[1] == 2 else krippendorff_alpha(rows)
    return percent_agreement(rows), chance


def consensus(ratings: Ratings, questions: Sequence[Question], pairs: int) -> FloatArray:
    """Mean answer to each sampled pair over experts and repeats, (n,); NaN where nobody answered."""
    total, count = np.zeros(pairs), np.zeros(pairs)
    for k, q in enumerate(questions):
        if q.pair >= 0:
            said = ratings.answers[:, k]
            total[q.pair] += np.nansum(said)
            count[q.pair] += np.isfinite(said).sum()
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
