"""How two answers fit together, region by region, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from accord.matching import Matching, match
from accord.values import FloatArray, Index, Region

Difference = Literal["same", "boundary", "label", "attribute"]


@dataclass(frozen=True, slots=True)
class Matched:
    """One matched pair of regions, by position in either answer."""

    left: int
    right: int
    geometry: float
    similarity: float
    difference: Difference


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two answers fit together; ``missing`` are left regions without partner, ``extra`` right ones."""

    score: float | None
    matched: tuple[Matched, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]

    @classmethod
    def of(
        cls,
        left: Sequence[Region],
        right: Sequence[Region],
        partners: tuple[Index, Index],
        geometry: FloatArray,
        similarity: FloatArray,
        matching: Matching,
        known: bool,
    ) -> Comparison:
        """Build from matched rows and columns (k,) with their geometry and similarity."""
        rows, columns = (side.tolist() for side in partners)
        pairs = tuple(
            Matched(i, j, g, s, difference(left[i], right[j], g))
            for i, j, g, s in zip(rows, columns, geometry.tolist(), similarity.tolist(), strict=True)
        )
        missing = tuple(sorted(set(range(len(left))) - set(rows)))
        extra = tuple(sorted(set(range(len(right))) - set(columns)))
        if not left or not right:
            score: float | None = float(len(left) == len(right))
        else:
            total = 1 if matching == "last" else len(pairs) + len(missing) + len(extra)
            score = sum(pair.similarity for pair in pairs) / total if known else None
        return cls(score, pairs, missing, extra)


def compare(
    left: Sequence[Region],
    right: Sequence[Region],
    geometry: FloatArray,
    similarity: FloatArray,
    *,
    matching: Matching = "optimal",
    min_overlap: float = 0.0,
) -> Comparison:
    """Match two answers and score them.

    Parameters
    ----------
    geometry, similarity
        Tables (n, m); NaN = not comparable.
    """
    known = ~(np.isnan(geometry) | np.isnan(similarity))
    if matching == "last":
        known[:-1], known[:, :-1] = False, False
    allowed = known if matching == "last" else known & (geometry > min_overlap)
    partners = match(similarity, geometry, allowed, matching)
    return Comparison.of(left, right, partners, geometry[partners], similarity[partners], matching, bool(known.any()))


def difference(a: Region, b: Region, geometry: float) -> Difference:
    """First thing in which two matched regions differ: label, attribute, boundary."""
    if a.labels != b.labels:
        return "label"
    if (a.choices, a.text, a.attributes) != (b.choices, b.text, b.attributes):
        return "attribute"
    return "same" if geometry >= 1.0 - 1e-9 else "boundary"
