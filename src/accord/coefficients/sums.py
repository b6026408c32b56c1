"""Sums over units in one pass, without an array of them: what a point estimate needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.blocks import blocks, even_size, value_counts
from accord.coefficients.within import distances
from accord.similarity.core import Similarity, skips
from accord.study import Study
from accord.values import FloatArray


@dataclass(frozen=True, slots=True)
class Sums:
    """Units by their number of answers: sizes (S,), units of each size, their summed distance over pairs.

    ``shares`` (V,) adds up the share of each value in each unit, ``counts`` (V,) the answers in units with two or
    more; ``single`` (V,) counts answers alone in their unit.
    """

    size: FloatArray
    units: FloatArray
    distance: FloatArray
    shares: FloatArray
    counts: FloatArray
    single: FloatArray

    @property
    def pairs(self) -> FloatArray:
        """Pairs of answers in a unit of each size, (S,)."""
        return self.size * (self.size - 1.0) / 2.0


def sums(study: Study, similarity: Similarity) -> Sums | None:
    """Add up all units; None if pairs may be incomparable, so that unit sizes alone do not tell their weights."""
    if skips(similarity):
        return None
    size = even_size(study)
    return _mixed(study, similarity) if size is None else _even(study, similarity, size)


def _even(study: Study, similarity: Similarity, size: int) -> Sums:
    """All units have equally many answers: the counts of the study serve for all."""
    counts, none = study.counts.astype(np.float64), np.zeros(study.V)
    if size == 1:
        nothing = np.empty(0)
        return Sums(nothing, nothing, nothing, none, none, counts)
    total = sum(float(distances(block.codes, similarity)[0].sum()) for block in blocks(study))
    return Sums(np.array([float(size)]), np.array([float(study.U)]), np.array([total]), counts / size, counts, none)


def _mixed(study: Study, similarity: Similarity) -> Sums:
    distance: dict[int, float] = {}
    units: dict[int, int] = {}
    shares, counts, single = np.zeros(study.V), np.zeros(study.V), np.zeros(study.V)
    for block in blocks(study, least=1):
        size, length = block.codes.shape
        given = value_counts(block, study.V)
        if size == 1:
            single += given
            continue
        units[size] = units.get(size, 0) + length
        distance[size] = distance.get(size, 0.0) + float(distances(block.codes, similarity)[0].sum())
        counts += given
        shares += given / size
    sizes = sorted(distance)
    found = ([float(size) for size in sizes], [units[size] for size in sizes], [distance[size] for size in sizes])
    size_, units_, distance_ = (np.array(column, dtype=np.float64) for column in found)
    return Sums(size_, units_, distance_, shares, counts, single)
