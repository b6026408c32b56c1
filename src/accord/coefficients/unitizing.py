"""Krippendorff's unitizing alpha: agreement on where stretches of a continuum begin and end.

Chance puts units and gaps of one category together at random within one continuum; several continua (documents)
count by the squared differences they hold.

References
----------
Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological Methodology 25, 47-76.
Krippendorff, K. (2004). Content analysis, 2nd edition, pages 251-256.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.coefficients.segments import Segments, check_number, ends, segments_of, why_no_segments, why_not_inside
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Option, Options, Parts, Tally
from accord.coefficients.unitizing_sections import Lines, expected, observed
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index


@dataclass(frozen=True, slots=True)
class Groups:
    """Lines of every category on every continuum, and the unit (G,) and category (G,) of each group."""

    lines: Lines
    unit: Index
    category: Index
    names: tuple[str, ...]


def groups_of(study: Study, segments: Segments, stop: FloatArray, origin: float) -> Groups:
    """Sort stretches of units with two raters or more into groups and lines; several labels count several times."""
    names = sorted(set().union(*segments.labels)) if segments.labels else []
    names = names if all(segments.labels) else ["", *names]
    number = {name: i for i, name in enumerate(names)}
    listed = [sorted(number[name] for name in label or ("",)) for label in segments.labels]
    each = np.array([len(numbers) for numbers in listed], dtype=np.int64)[segments.label]
    row = np.repeat(np.arange(len(segments)), each)
    category = np.array([n for label in segments.label.tolist() for n in listed[label]], dtype=np.int64)
    shared = study.m[study.unit[segments.cell[row]]] > 1
    row, category = row[shared], category[shared]
    keys, group = np.unique(segments.track[row] * max(1, len(names)) + category, return_inverse=True)
    unit = segments.track_unit[keys // max(1, len(names))].astype(np.int64)
    raters = study.m[unit]
    line = (np.cumsum(raters) - raters)[group] + segments.cell[row] - study.start[unit[group]]
    order = np.lexsort((segments.end[row], segments.start[row], line))
    row = row[order]
    lines = Lines(
        group[order],
        line[order],
        segments.start[row],
        segments.end[row],
        raters,
        np.full(len(unit), origin),
        stop[unit],
    )
    return Groups(lines, unit, keys % max(1, len(names)), tuple(names))


def _grouped(study: Study, options: Options) -> tuple[Groups, Segments, FloatArray]:
    segments = segments_of(study)
    stop = ends(study, segments, options["start"], options["length"])
    return groups_of(study, segments, stop, options["start"]), segments, stop


def step_of(segments: Segments, options: Options) -> float:
    """Smallest distance: as asked, else 1 if every place is a whole number and 0 if not."""
    if options["step"] is not None:
        return float(options["step"])
    whole = np.concatenate((segments.start, segments.end))
    return float(bool((whole == np.floor(whole)).all()))


def _tally(study: Study, _similarity: Similarity, options: Options) -> Tally:
    groups, segments, stop = _grouped(study, options)
    lines = groups.lines.merged() if options["overlaps"] == "merge" else groups.lines
    values = np.column_stack((observed(lines), expected(lines, step_of(segments, options))))
    size = np.where(study.m > 1, _axes(segments, study.U) * (stop - options["start"]) ** 2, 0.0)
    chosen = np.ones(len(values), dtype=np.bool_)
    if options["category"] is not None:
        chosen = np.array([name == options["category"] for name in groups.names], dtype=np.bool_)[groups.category]
    rows = np.column_stack([np.bincount(groups.unit[chosen], column[chosen], study.U) for column in values.T] + [size])
    return Tally(rows=rows, context=_by_category(groups, values, float(size.sum())))


def _axes(segments: Segments, units: int) -> Index:
    """Number of continua of each unit, (U,)."""
    return np.maximum(1, np.bincount(segments.track_unit, minlength=units))


def _by_category(groups: Groups, values: FloatArray, size: float) -> Mapping[str, Mapping[str, float]]:
    found = {}
    for number, name in enumerate(groups.names):
        d_o, d_e = (float(d) for d in values[groups.category == number].sum(axis=0))
        found[name] = {
            "value": 1.0 - d_o / d_e if d_e > 0 else np.nan,
            "observed_distance": d_o / size,
            "expected_distance": d_e / size,
        }
    return found


def _finish(totals: FloatArray, context: Mapping[str, Mapping[str, float]]) -> Parts:
    """Alpha from sums of squared differences; agreements have no scale of their own here, so they stay unknown."""
    d_o, d_e, size = totals.T
    varies = d_e > 0
    unknown = np.full(len(totals), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Parts(
            value=np.where(varies, 1.0 - d_o / d_e, np.nan),
            observed=unknown,
            expected=np.where(varies, np.nan, 1.0),
            observed_distance=d_o / size,
            expected_distance=d_e / size,
            details={"categories": context},
        )


def _refuses(study: Study, _similarity: Similarity, options: Options) -> str | None:
    check_number(options, "start")
    check_number(options, "step", low=0.0, optional=True)
    if not isinstance(options["length"], Mapping):
        check_number(options, "length", low=0.0, optional=True)
    reason = why_no_segments(study) or why_not_inside(study, options["start"], options["length"])
    if reason is not None:
        return reason
    groups, _, _ = _grouped(study, options)
    wanted = options["category"]
    if wanted is not None and wanted not in groups.names:
        return f"nobody marked {wanted!r}"
    found = np.flatnonzero(groups.lines.overlapping)
    if options["overlaps"] == "merge" or not len(found):
        return None
    group = groups.lines.group[found[0]]
    return (
        f"{len(found)} stretches overlap another of the same rater and category, the first in unit "
        f"{study.unit_names[groups.unit[group]]!r}, category {groups.names[groups.category[group]]!r}; "
        "overlaps=merge unites them"
    )


def _notes(study: Study, options: Options) -> tuple[str, ...]:
    if why_no_segments(study) is not None:
        return ()
    segments = segments_of(study)
    notes = []
    if options["length"] is None:
        notes.append("No length was given: each continuum is taken to end where the last stretch of any rater ends.")
    if segments.instants:
        notes.append(f"{segments.instants} stretches without length are left out.")
    if options["step"] is None and step_of(segments, options) == 0:
        notes.append("Places are not whole numbers: chance is taken on a continuum without smallest step.")
    if options["overlaps"] == "merge":
        count = int(np.count_nonzero(_grouped(study, options)[0].lines.overlapping))
        notes.append(f"{count} stretches that overlap another of the same rater and category are united with it.")
    return tuple(notes)


def _details(
    _study: Study, _similarity: Similarity, _options: Options, parts: Parts, _level: float
) -> Mapping[str, Any]:
    return parts.details


COEFFICIENTS.add(
    CoefficientSpec(
        key="alpha_u",
        symbol="α_U",
        title="Krippendorff's unitizing alpha",
        reference="Krippendorff 1995; finite length as in Krippendorff 2004, p. 254",
        summary="Whether raters mark the same stretches of a continuum, category by category; long ones count most.",
        family="alpha",
        tally=_tally,
        finish=_finish,
        refuses=_refuses,
        details=_details,
        notes=_notes,
        aliases=("unitizing_alpha", "krippendorff_alpha_u"),
        needs="segments",
        form=False,
        options={
            "length": Option(None, help="length of each continuum, or a mapping from unit to length"),
            "start": Option(0.0, help="where continua start"),
            "step": Option(None, help="smallest distance, 0 for none; by default 1 where all places are whole numbers"),
            "overlaps": Option("refuse", ("refuse", "merge"), help="stretches of one rater and category that overlap"),
            "category": Option(None, help="only this category"),
        },
    )
)
