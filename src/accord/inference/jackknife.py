"""Delete-a-group jackknife for coefficients without rows, and the jackknife over raters."""

from __future__ import annotations

import numpy as np

from accord.coefficients.spec import CoefficientSpec, Options, Parts
from accord.inference.analytic import Variance, jackknife_variance
from accord.inference.rows import number
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, IntArray

#: Refitting more often than this costs more than it tells.
MOST_REFITS = 200


def parts_of(spec: CoefficientSpec, study: Study, similarity: Similarity, options: Options) -> Parts:
    """Compute the coefficient by its shortest way."""
    if spec.fit is not None:
        return spec.fit(study, similarity, options)
    if spec.finish is None:
        raise TypeError(f"{spec.key} has neither rows nor fit")
    if spec.once is not None:
        return spec.finish(*spec.once(study, similarity, options))
    if spec.tally is None:
        raise TypeError(f"{spec.key} has no tally")
    tally = spec.tally(study, similarity, options)
    return spec.finish(tally.totals(), tally.context)


def refit_variance(
    spec: CoefficientSpec,
    study: Study,
    similarity: Similarity,
    options: Options,
    clusters: IntArray | None,
    seed: int,
) -> Variance:
    """Jackknife over units or clusters; above MOST_REFITS units, over that many random groups of them."""
    group = np.arange(study.U, dtype=np.int32) if clusters is None else clusters
    groups = int(group.max()) + 1
    if groups > MOST_REFITS:
        group = (np.random.default_rng(seed).permutation(groups)[group] % MOST_REFITS).astype(np.int32)
        groups = MOST_REFITS
    values = [number(parts_of(spec, study.where(group != g), similarity, options).value) for g in range(groups)]
    return jackknife_variance(np.array(values, dtype=np.float64))


def without_each_rater(spec: CoefficientSpec, study: Study, similarity: Similarity, options: Options) -> FloatArray:
    """Return the value without each rater, (R,); NaN where nothing is left to compare."""
    values = np.full(study.R, np.nan)
    for rater in range(study.R):
        rest = study.cells(study.rater != rater)
        if rest.U and int(rest.m.max()) > 1:
            values[rater] = number(parts_of(spec, rest, similarity, options).value)
    return values
