"""Sums over units in one pass, without an array of them: what a point estimate needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.blocks import blocks, value_counts
from accord.coefficients.within import distances
from accord.similarity.core import Partial, Similarity
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
    if isinstance(similarity, Partial):
        return None
    distance: dict[int, float] = {}
    units: dict[int, int] = {}
    shares, counts, single = np.zeros(study.V), np.zeros(study.V), np.zeros(study.V)
    for block in blocks(study, least=1):
        size, length = block.codes.shape
        given = value_counts(block, study.V)
        units[size] = units.get(size, 0) + length
        if size == 1:
            single += given
            continue
        distance[size] = distance.get(size, 0.0) + float(distances(block.codes, similarity)[0].sum())
        counts += given
        shares += given / size
    sizes = sorted(distance)
    return Sums(
        np.array(sizes, dtype=np.float64),
        np.array([units[size] for size in sizes], dtype=np.float64),
        np.array([distance[size] for size in sizes]),
        shares,
        counts,
        single,
    )
