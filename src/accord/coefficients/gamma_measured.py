"""Observed and chance disorder of every continuum of a study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.coefficients.gamma_chance import habits_of, sample
from accord.coefficients.gamma_disorder import Disorder, Marks, Scale, disorders, label_distance
from accord.coefficients.segments import check_number, segments_of
from accord.coefficients.spec import Options
from accord.study import Study
from accord.values import FloatArray, Index

#: Never more samples of a continuum than this, whatever precision is asked for.
MOST_SAMPLES = 100_000
#: Smallest precision and cost of the empty element.
LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Measured:
    """Observed and chance disorder of T continua.

    ``unit`` (T,), ``size`` (T,) mean units of a rater, ``observed`` (T,), ``chance`` (T,) means over samples,
    ``error`` (T,) standard errors of these means; ``category`` and ``chance_category`` (T, K + 1, 2) as in Disorder.
    """

    unit: Index
    size: FloatArray
    observed: FloatArray
    chance: FloatArray
    error: FloatArray
    category: FloatArray
    chance_category: FloatArray
    names: tuple[str, ...]
    unitary: int
    samples: int

    @property
    def relative_error(self) -> float:
        """Standard error of the expected disorder over its value; 0 where there is none."""
        expected = float(self.size @ self.chance)
        return math.sqrt(float(self.size**2 @ self.error**2)) / expected if expected > 0 else 0.0


def continua_of(study: Study) -> tuple[list[Marks], Index, tuple[frozenset[str], ...]]:
    """Continua with two raters or more and their units (T,), and the label sets in use."""
    segments = segments_of(study)
    shared = np.flatnonzero(study.m[study.unit[segments.cell]] > 1)
    shared = shared[np.lexsort((segments.end[shared], segments.start[shared], segments.cell[shared]))]
    shared = shared[np.argsort(segments.track[shared], kind="stable")]
    tracks, heads = np.unique(segments.track[shared], return_index=True)
    unit = segments.track_unit[tracks].astype(np.int64)
    continua = [
        Marks(
            segments.cell[rows] - study.start[number],
            segments.start[rows],
            segments.end[rows],
            segments.label[rows],
            int(study.m[number]),
        )
        for number, rows in zip(unit.tolist(), np.split(shared, heads[1:]) if len(heads) else [], strict=True)
    ]
    return continua, unit, segments.labels


def _check(options: Options) -> None:
    for name in ("alpha", "beta"):
        check_number(options, name, low=0.0)
    check_number(options, "delta_empty", low=LEAST)
    check_number(options, "samples", low=2)
    check_number(options, "precision", low=LEAST, optional=True)
    check_number(options, "start")


def _scale(labels: tuple[frozenset[str], ...], options: Options) -> tuple[Scale, tuple[str, ...]]:
    names = tuple(sorted(set().union(*labels))) if labels else ()
    holds = np.array([[name in label for name in names] for label in labels], dtype=np.float64)
    holds = holds.reshape(len(labels), len(names))
    distance, counted = label_distance(labels), options["unaligned"] == "count"
    return Scale(options["alpha"], options["beta"], options["delta_empty"], distance, holds, counted), names


def measured(study: Study, options: Options) -> Measured:
    """Align every continuum, and as many random ones as are asked for or as the precision needs."""
    _check(options)
    continua, unit, labels = continua_of(study)
    scale, names = _scale(labels, options)
    found = disorders(continua, scale)
    drawn = _Draws(continua, scale, options)
    drawn.add(max(2, -(-int(options["samples"]) // max(1, len(continua)))))
    result = drawn.result(unit, found, names)
    if options["precision"] is not None and result.relative_error > 0:
        wanted = math.ceil(drawn.times * (1.96 * result.relative_error / options["precision"]) ** 2)
        drawn.add(min(wanted, MOST_SAMPLES) - drawn.times)
        result = drawn.result(unit, found, names)
    return result


class _Draws:
    """Random continua drawn so far, and their disorder."""

    def __init__(self, continua: Sequence[Marks], scale: Scale, options: Options) -> None:
        self.continua = continua
        self.scale = scale
        self.rng = np.random.default_rng(options["sampler_seed"])
        self.times = 0
        self.found: list[list[Disorder]] = [[] for _ in continua]
        self.habits = habits_of(continua, options["start"], len(scale.distance)) if continua else None

    def add(self, times: int) -> None:
        """Draw each continuum ``times`` more."""
        if self.habits is None or times <= 0:
            return
        self.times += times
        for marks, found in zip(self.continua, self.found, strict=True):
            found += disorders(list(sample(marks, self.habits, times, self.rng)), self.scale)

    def result(self, unit: Index, observed: list[Disorder], names: tuple[str, ...]) -> Measured:
        """Sum up."""
        values = [np.array([one.value for one in found]) for found in self.found]
        shape = (-1, len(names) + 1, 2)
        return Measured(
            unit,
            np.array([marks.per_rater for marks in self.continua]),
            np.array([one.value for one in observed]),
            np.array([drawn.mean() for drawn in values]),
            np.array([drawn.std(ddof=1) / math.sqrt(len(drawn)) for drawn in values]),
            np.array([one.category for one in observed]).reshape(shape),
            np.array([sum(one.category for one in found) / len(found) for found in self.found]).reshape(shape),
            names,
            sum(one.unitary for one in observed),
            sum(map(len, values)),
        )
