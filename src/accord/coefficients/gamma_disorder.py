"""Dissimilarity of stretches, and what an aligned continuum adds to gamma and its categorical companions.

References
----------
Mathet, Y., Widlöcher, A. & Métivier, J.-P. (2015). The unified and holistic method gamma for inter-annotator
agreement measure and alignment. Computational Linguistics 41, 437-479.
Mathet, Y. (2017). The agreement measure gamma-cat. Computational Linguistics 43, 661-681.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.coefficients.gamma_alignment import Alignment, Problem, best_alignments
from accord.values import FloatArray, Index


@dataclass(frozen=True, slots=True)
class Marks:
    """N stretches on one continuum, sorted by rater: arrays (N,), and how many raters there are."""

    rater: Index
    start: FloatArray
    end: FloatArray
    label: Index
    raters: int

    @property
    def per_rater(self) -> float:
        """Mean number of stretches of a rater."""
        return len(self.rater) / self.raters


@dataclass(frozen=True, slots=True)
class Scale:
    """Weights of position, category and the empty element; distances between label sets and who holds which name.

    ``distance`` is (L, L) over label sets, ``holds`` (L, K) says which of K names each label set holds;
    ``count_empty`` says whether pairs with the empty element count as categorical disagreement.
    """

    alpha: float
    beta: float
    empty: float
    distance: FloatArray
    holds: FloatArray
    count_empty: bool = True


@dataclass(frozen=True, slots=True)
class Disorder:
    """Mean disorder of the best alignment, number of unitary alignments, and weighted categorical disagreement.

    ``category`` is (K + 1, 2): weighted disagreement and weight of the pairs in which one stretch or both hold a name,
    and of all pairs in the last row.
    """

    value: float
    unitary: int
    category: FloatArray


def positional(start: FloatArray, end: FloatArray) -> FloatArray:
    """Squared ratio of the distances between starts and between ends to both lengths, (N, N)."""
    apart = np.abs(start[:, None] - start) + np.abs(end[:, None] - end)
    length = end - start
    return (apart / (length[:, None] + length)) ** 2


def label_distance(labels: tuple[frozenset[str], ...]) -> FloatArray:
    """1 minus the Jaccard index of label sets, (L, L): 0 or 1 where every stretch has one label."""
    names = sorted(set().union(*labels)) if labels else []
    holds = np.array([[name in label for name in names] for label in labels], dtype=np.float64)
    holds = holds.reshape(len(labels), len(names))
    common = holds @ holds.T
    size = holds.sum(axis=1)
    union = size[:, None] + size - common
    return 1.0 - np.divide(common, union, out=np.ones_like(common), where=union > 0)


def disorders(continua: Sequence[Marks], scale: Scale) -> list[Disorder]:
    """Align the stretches of each continuum as well as can be, and measure what is left."""
    found: list[Disorder | None] = [None] * len(continua)
    for raters in sorted({marks.raters for marks in continua}):
        some = [i for i, marks in enumerate(continua) if marks.raters == raters]
        problems = [Problem(_dissimilarity(continua[i], scale), continua[i].rater) for i in some]
        for i, alignment in zip(some, best_alignments(problems, raters, scale.empty), strict=True):
            found[i] = _measured(continua[i], scale, alignment)
    return [one for one in found if one is not None]


def _dissimilarity(marks: Marks, scale: Scale) -> FloatArray:
    differ = scale.distance[marks.label[:, None], marks.label]
    return scale.empty * (scale.alpha * positional(marks.start, marks.end) + scale.beta * differ)


def _measured(marks: Marks, scale: Scale, alignment: Alignment) -> Disorder:
    group = alignment.group
    size = np.bincount(group)
    category = _aligned(marks, scale, group, size) + _unaligned(marks, scale, group, size)
    return Disorder(alignment.disorder / marks.per_rater, len(size), category)


def _aligned(marks: Marks, scale: Scale, group: Index, size: Index) -> FloatArray:
    """Categorical disagreement of pairs of stretches, weighted by how near they are."""
    left, right = np.nonzero(np.triu(group[:, None] == group, 1))
    place = positional(marks.start, marks.end)[left, right]
    differ = scale.empty * scale.distance[marks.label[left], marks.label[right]]
    weight = np.maximum(0.0, 1.0 - scale.empty * scale.alpha * place) / (size[group[left]] - 1.0)
    either = np.maximum(scale.holds[marks.label[left]], scale.holds[marks.label[right]])
    return _sums(np.column_stack((either, np.ones(len(left)))), weight * differ, weight)


def _unaligned(marks: Marks, scale: Scale, group: Index, size: Index) -> FloatArray:
    """Pairs of a stretch and the empty element: wholly different, and wholly counted."""
    if not scale.count_empty:
        return np.zeros((scale.holds.shape[1] + 1, 2))
    own = size[group]
    weight = scale.empty * (marks.raters - own) / np.maximum(1, own - 1)
    holds = np.column_stack((scale.holds[marks.label], np.ones(len(own))))
    return _sums(holds, scale.empty * weight, weight)


def _sums(holds: FloatArray, disagreement: FloatArray, weight: FloatArray) -> FloatArray:
    return np.column_stack((holds.T @ disagreement, holds.T @ weight))
