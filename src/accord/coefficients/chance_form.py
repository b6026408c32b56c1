"""Expected agreement as a sum of bilinear forms in margins: sum_k weight_k p_k S q_k.

A similarity whose sums rest on a sample turns it into the standard error of expected agreement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.spec import CoefficientSpec, Options
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

#: Half-width of a 95 % interval in standard errors.
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class ChanceForm:
    """Margins p and q (K, V) and weights (K,)."""

    p: FloatArray
    q: FloatArray
    weight: FloatArray


def answer_margins(study: Study, similarity: Similarity, options: Options) -> ChanceForm:
    """Share of each value among the answers of units with two answers or more (Krippendorff)."""
    del similarity, options
    many = study.m[study.unit] > 1
    counts = np.bincount(study.code[many], minlength=study.V).astype(np.float64)
    return _one(counts / max(counts.sum(), 1.0))


def unit_margins(study: Study, similarity: Similarity, options: Options) -> ChanceForm:
    """Mean over units of the share of each value (Fleiss, Scott)."""
    del similarity
    shared = options.get("marginals") == "shared"
    enters = (study.m > 1) if shared else (study.m > 0)
    weight = (enters / np.maximum(study.m, 1))[study.unit]
    share = np.bincount(study.code, weight, study.V)
    return _one(share / max(share.sum(), 1.0))


def scott_margins(study: Study, similarity: Similarity, options: Options) -> ChanceForm:
    """Mean over the units both raters answered."""
    return unit_margins(study, similarity, {**options, "marginals": "shared"})


def _one(p: FloatArray) -> ChanceForm:
    return ChanceForm(p[None, :], p[None, :], np.ones(1))


def rater_margins(study: Study, similarity: Similarity, options: Options) -> ChanceForm:
    """Every two different raters, each with the margin of their own answers (Conger)."""
    del similarity
    enters = study.m[study.unit] > 1 if options.get("marginals") == "shared" else np.ones(study.C, dtype=np.bool_)
    key = study.rater[enters].astype(np.int64) * study.V + study.code[enters]
    counts = np.bincount(key, minlength=study.R * study.V).reshape(study.R, study.V).astype(np.float64)
    share = counts[counts.sum(axis=1) > 0]
    share /= share.sum(axis=1, keepdims=True)
    raters = len(share)
    p = np.concatenate((share.sum(axis=0)[None, :], share))
    weight = np.concatenate(([1.0], np.full(raters, -1.0))) / max(1, raters * (raters - 1))
    return ChanceForm(p, p, weight)


def expected_error(
    spec: CoefficientSpec, study: Study, similarity: Similarity, options: Options
) -> tuple[float, float, float] | None:
    """Standard error of expected agreement, and how far below and above it the truth may lie (95 %).

    None where sums are exact.
    """
    error = getattr(similarity, "error", None)
    if error is None or spec.chance is None:
        return None
    form = spec.chance(study, similarity, options)
    found = error(form.p, form.q, form.weight)
    if found is None:
        return None
    limits = getattr(similarity, "limits", None)
    below, above = (None if limits is None else limits(form.p, form.q, form.weight)) or (Z * found, Z * found)
    return float(found), float(below), float(above)
