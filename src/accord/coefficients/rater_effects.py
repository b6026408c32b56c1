"""Rater effects adjusted for units: normal equations of an incomplete design, solved for many resamples at once.

After the units are swept out, the equations are a Laplacian: raters are joined by the units they share. The full
sample is inverted once. Resamples and subsets differ little from it, so conjugate gradients with that inverse as
preconditioner end after a few steps (leaving out a unit with m answers changes m - 1 dimensions).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.values import FloatArray, Index

#: Resamples are solved in blocks of at most this many numbers.
BLOCK = 2**22
#: Steps end when the preconditioned residual has shrunk by this factor; the sum of squares is then exact to its root.
SHRUNK = 1e-24
#: A sum of 1/m above this means that two raters share a unit.
JOINED = 1e-9


@dataclass(frozen=True, slots=True)
class Equations:
    """Equations of R raters, P pairs of whom share units.

    Attributes
    ----------
    left, right
        The raters of each pair (P,).
    inverse
        Inverse of the full sample's equations, (R, R), with one constant for each connected part fixed.
    forest
        Pairs that hold the parts of the full sample together.
    parts
        Connected parts of the full sample; a rater without answers is one.
    """

    raters: int
    left: Index
    right: Index
    inverse: FloatArray
    forest: Index
    parts: int

    @classmethod
    def of(cls, pairs: tuple[Index, Index], diagonal: FloatArray, joined: FloatArray) -> Equations:
        """Invert the full sample: ``diagonal`` (R,), sums of 1/m by pair ``joined`` (P,)."""
        left, right = pairs
        raters = len(diagonal)
        label = _labels(raters, left, right, joined[None])[0]
        matrix = _laplacian(left, right, diagonal[None], joined[None])[0]
        matrix += (label[:, None] == label[None, :]) * max(1.0, float(diagonal.mean()))
        return cls(
            raters, left, right, np.linalg.inv(matrix), _forest(raters, left, right, joined), len(np.unique(label))
        )

    def solve(self, diagonal: FloatArray, joined: FloatArray, deviation: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Sum of squares of the rater effects and its degrees of freedom, (B,) each.

        Parameters
        ----------
        diagonal, deviation
            Answers less their sum of 1/m, and deviations from unit means, by rater, (B, R).
        joined
            Sums of 1/m by rater pair, (B, P).
        """
        squares = np.empty(len(diagonal))
        step = max(1, BLOCK // self.raters**2)
        for start in range(0, len(diagonal), step):
            block = slice(start, start + step)
            matrices = _laplacian(self.left, self.right, diagonal[block], joined[block])
            squares[block] = _conjugate_gradients(matrices, deviation[block], self.inverse)
        return np.maximum(0.0, squares), self.raters - self._parts(joined)

    def _parts(self, joined: FloatArray) -> FloatArray:
        """Connected parts of each resample, (B,): counted anew only where a pair of the forest is lost."""
        parts = np.full(len(joined), float(self.parts))
        lost = np.flatnonzero((joined[:, self.forest] <= JOINED).any(axis=1))
        if len(lost):
            ranked = np.sort(_labels(self.raters, self.left, self.right, joined[lost]), axis=1)
            parts[lost] = 1.0 + np.count_nonzero(np.diff(ranked, axis=1), axis=1)
        return parts


def _laplacian(left: Index, right: Index, diagonal: FloatArray, joined: FloatArray) -> FloatArray:
    """Matrices (B, R, R)."""
    size, raters = diagonal.shape
    matrix = np.zeros((size, raters, raters))
    each = np.arange(raters)
    matrix[:, each, each] = diagonal
    matrix[:, left, right] = -joined
    matrix[:, right, left] = -joined
    return matrix


def _conjugate_gradients(matrices: FloatArray, right_side: FloatArray, inverse: FloatArray) -> FloatArray:
    """Quadratic forms b' A^- b of singular but consistent systems, (B,)."""
    form = np.zeros(len(matrices))
    residual = right_side.copy()
    step = residual @ inverse
    size = (residual * step).sum(axis=1)
    enough = SHRUNK * size
    for _ in range(3 * right_side.shape[1]):
        if (size <= enough).all():
            break
        image = np.matmul(matrices, step[:, :, None])[:, :, 0]
        length = _ratio(size, (step * image).sum(axis=1))
        form += length * (step * right_side).sum(axis=1)
        residual -= length[:, None] * image
        new = residual @ inverse
        old, size = size, (residual * new).sum(axis=1)
        step = new + _ratio(size, old)[:, None] * step
    return form


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _labels(raters: int, left: Index, right: Index, joined: FloatArray) -> Index:
    """Connected part of each rater, (B, R)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    resample, pair = np.nonzero(joined > JOINED)
    edges = (np.ones(len(pair)), (resample * raters + left[pair], resample * raters + right[pair]))
    nodes = len(joined) * raters
    _, label = connected_components(coo_array(edges, shape=(nodes, nodes)), directed=False)
    return label.reshape(len(joined), raters).astype(np.int64)


def _forest(raters: int, left: Index, right: Index, joined: FloatArray) -> Index:
    """Pairs of a spanning forest with as much weight as possible: those a resample is least likely to lose."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    graph = coo_array((-joined, (left, right)), shape=(raters, raters))
    tree = minimum_spanning_tree(graph.tocsr()).tocoo()
    place = {pair: number for number, pair in enumerate(zip(left.tolist(), right.tolist(), strict=True))}
    return np.array([place[pair] for pair in zip(tree.row.tolist(), tree.col.tolist(), strict=True)], dtype=np.int64)
