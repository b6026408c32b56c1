"""Gamma, gamma-cat and gamma-k: agreement on units of a continuum through their best alignment.

Several continua (documents) are added up: disorder counts by the mean number of units of a rater, and chance comes
from random continua drawn for each document.

References
----------
Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma for inter-annotator
agreement measure and alignment. Computational Linguistics 41, 437-479.
Mathet, Y. (2017). The agreement measure gamma-cat. Computational Linguistics 43, 661-681.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.coefficients.gamma_measured import Measured, continua_of, measured
from accord.coefficients.segments import segments_of, why_no_segments
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Option, Options, Parts, Tally
from accord.errors import DataError
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray

#: More units on one continuum than this are not aligned: the tables grow with the square.
MOST_UNITS = 5000


def _tally(study: Study, _similarity: Similarity, options: Options) -> Tally:
    found = measured(study, options)
    columns = (found.size * found.observed, found.size * found.chance, found.size)
    rows = np.column_stack([_by_unit(found, column, study.U) for column in columns])
    total = float(found.size.sum())
    error = math.sqrt(float(found.size**2 @ found.error**2)) / total if total else 0.0
    return Tally(rows=rows, context=(error, _companions(found)))


def _by_unit(found: Measured, column: FloatArray, units: int) -> FloatArray:
    total = np.zeros(units)
    np.add.at(total, found.unit, column)
    return total


def _companions(found: Measured) -> Mapping[str, Any]:
    """Gamma-cat and gamma-k of the whole sample, and what was counted."""
    both = _ratio(found.category.sum(axis=0)), _ratio(found.chance_category.sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(both[1] > 0, 1.0 - both[0] / both[1], np.nan)
    return {
        "gamma_cat": float(value[-1]),
        "gamma_k": dict(zip(found.names, value[:-1].tolist(), strict=True)),
        "unitary_alignments": found.unitary,
        "samples": found.samples,
    }


def _ratio(sums: FloatArray) -> FloatArray:
    return np.divide(sums[:, 0], sums[:, 1], out=np.zeros(len(sums)), where=sums[:, 1] > 0)


def _finish(totals: FloatArray, context: tuple[float, Mapping[str, Any]]) -> Parts:
    observed, expected, size = totals.T
    error, details = context
    return _parts(observed, expected, size, size, details, error)


def _parts(
    observed: FloatArray,
    expected: FloatArray,
    size: FloatArray,
    chance_size: FloatArray,
    details: Mapping[str, Any],
    error: float | None = None,
) -> Parts:
    """Value from disorders; agreements have no scale of their own here, so they stay unknown."""
    with np.errstate(divide="ignore", invalid="ignore"):
        d_o, d_e = observed / size, expected / chance_size
        varies = d_e > 0
        return Parts(
            value=np.where(varies, 1.0 - d_o / d_e, np.nan),
            observed=np.full(len(observed), np.nan),
            expected=np.where(varies, np.nan, 1.0),
            observed_distance=d_o,
            expected_distance=d_e,
            details=details,
            expected_error=error,
        )


def _tally_category(study: Study, _similarity: Similarity, options: Options) -> Tally:
    found = measured(study, options)
    name = options.get("category")
    which = -1 if name is None else found.names.index(name)
    sums = np.column_stack((found.category[:, which], found.chance_category[:, which]))
    rows = np.column_stack([_by_unit(found, column, study.U) for column in sums.T])
    return Tally(rows=rows, context={"samples": found.samples})


def _finish_category(totals: FloatArray, context: Mapping[str, Any]) -> Parts:
    observed, size, expected, chance_size = totals.T
    return _parts(observed, expected, size, chance_size, context)


def _refuses(study: Study, _similarity: Similarity, options: Options) -> str | None:
    reason = why_no_segments(study)
    if reason is not None:
        return reason
    continua, unit, labels = continua_of(study)
    for marks, number in zip(continua, unit.tolist(), strict=True):
        if len(marks.rater) > MOST_UNITS:
            return (
                f"unit {study.unit_names[number]!r} holds {len(marks.rater):,} stretches, and at most {MOST_UNITS:,} "
                "of one continuum are aligned"
            )
    if "category" in options and options["category"] not in set().union(*labels):
        return f"option category must be a label in use; nobody marked {options['category']!r}"
    return _too_dense(study, options) if any(marks.raters > 2 for marks in continua) else None


def _too_dense(study: Study, options: Options) -> str | None:
    """Try the alignments with few random continua, to say before the work whether they can be found."""
    try:
        measured(study, {**options, "samples": 2, "precision": None})
    except DataError as error:
        return str(error)
    return None


def _notes(study: Study, _options: Options) -> tuple[str, ...]:
    if why_no_segments(study) is not None:
        return ()
    notes = []
    instants = segments_of(study).instants
    if instants:
        notes.append(f"{instants} stretches without length are left out.")
    if study.U > 1:
        notes.append("Chance is drawn with the habits of the full sample; the interval takes them as known.")
    return tuple(notes)


def _details(
    _study: Study, _similarity: Similarity, _options: Options, parts: Parts, _level: float
) -> Mapping[str, Any]:
    return parts.details


_OPTIONS = {
    "alpha": Option(1.0, help="weight of the positional dissimilarity"),
    "beta": Option(1.0, help="weight of the categorical dissimilarity"),
    "delta_empty": Option(1.0, help="dissimilarity from nothing"),
    "samples": Option(30, help="random continua to draw, over all documents; at least two of each"),
    "precision": Option(None, help="draw until the expected disorder is known to this share of it, for example 0.02"),
    "start": Option(0.0, help="where continua start"),
    "unaligned": Option(
        "count", ("count", "skip"), help="whether stretches aligned with nothing count in gamma-cat and gamma-k"
    ),
    "sampler_seed": Option(0, help="seed of the random continua"),
}

COEFFICIENTS.add(
    CoefficientSpec(
        key="gamma",
        symbol="γ",
        title="Gamma",
        reference="Mathet, Widlöcher & Métivier 2015",
        summary="Agreement on where units of a continuum are and what they are, through their best alignment.",
        family="gamma",
        tally=_tally,
        finish=_finish,
        refuses=_refuses,
        details=_details,
        notes=_notes,
        needs="segments",
        form=False,
        options=_OPTIONS,
    )
)
COEFFICIENTS.add(
    CoefficientSpec(
        key="gamma_cat",
        symbol="γ-cat",
        title="Gamma-cat",
        reference="Mathet 2017",
        summary="Agreement on the categories of units that gamma's best alignment puts together.",
        family="gamma",
        tally=_tally_category,
        finish=_finish_category,
        refuses=_refuses,
        details=_details,
        notes=_notes,
        needs="segments",
        form=False,
        options=_OPTIONS,
    )
)
COEFFICIENTS.add(
    CoefficientSpec(
        key="gamma_k",
        symbol="γ-k",
        title="Gamma-k",
        reference="Mathet 2017",
        summary="Agreement on one category, among aligned units of which at least one has it.",
        family="gamma",
        tally=_tally_category,
        finish=_finish_category,
        refuses=_refuses,
        details=_details,
        notes=_notes,
        needs="segments",
        form=False,
        options=_OPTIONS | {"category": Option(None, help="the category")},
    )
)
