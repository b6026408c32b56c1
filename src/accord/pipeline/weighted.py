"""Label weights in coefficients: every unit's row counts as often as its weight says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord.coefficients.spec import CoefficientSpec, Options, Tally
from accord.metrics.label_weights import checked_weights, unit_weights
from accord.registry import Option
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray


def weighted(spec: CoefficientSpec, label_weights: Mapping[str, float]) -> CoefficientSpec:
    """Return the coefficient with weighted units; its signature names the weights.

    The published linearisations hold for equal weights, so errors come from the value without each unit. A weight
    common to all units would change nothing: that of the control matters only between controls.
    """
    weights = checked_weights(label_weights)
    tally = spec.tally
    name = ",".join(f"{label}={weight:g}" for label, weight in sorted(weights.items()))
    options = {**spec.options, "label_weights": Option(name)}
    if tally is None or spec.rows == "refit":
        return replace(spec, options=options, refuses=_no_rows)

    def weigh(study: Study, similarity: Similarity, chosen: Options) -> Tally:
        plain = tally(study, similarity, chosen)
        rows = _scaled(plain.rows, _relative(study, weights))
        return Tally(rows=rows, context=plain.context, skipped=plain.skipped)

    return replace(spec, options=options, tally=weigh, once=None, linearize=None)


def _relative(study: Study, weights: Mapping[str, float]) -> FloatArray:
    """Weight of each unit, mean 1, so that counts keep their size, (U,)."""
    found = unit_weights(study, weights)
    return found / found.mean() if found.sum() > 0 else found


def _scaled(rows: Any, weight: FloatArray) -> Any:
    if isinstance(rows, np.ndarray):
        return rows * weight[:, None]
    from scipy.sparse import diags_array

    return (diags_array(weight) @ rows).tocsr()


def _no_rows(_study: Study, _similarity: Similarity, _options: Options) -> str:
    return "it is not a sum over units, so units cannot be weighted"
