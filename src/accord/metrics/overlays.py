"""Sets of whole numbers laid over each other: what lies in both, and in one but not the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.metrics.runs import Runs, merged


def both(sets: Sequence[Runs]) -> Runs:
    """Numbers that lie in every set.

    Examples
    --------
    >>> from accord.metrics.runs import runs_of
    >>> both([runs_of([(0, 5), (8, 9)]), runs_of([(3, 9)])]).start.tolist()
    [3, 8]
    """
    return _covered(sets, [1] * len(sets), len(sets))


def without(a: Runs, b: Runs) -> Runs:
    """Numbers in ``a`` that are not in ``b``."""
    return _covered([a, b], [1, -1], 1)


def _covered(sets: Sequence[Runs], weights: Sequence[int], least: int) -> Runs:
    """Numbers where the weights of the sets that hold them add up to ``least`` or more."""
    edges = np.concatenate([side for runs in sets for side in (runs.start, runs.stop)])
    change = np.concatenate(
        [np.full(len(runs.start), sign * w) for runs, w in zip(sets, weights, strict=True) for sign in (1, -1)]
    )
    order = np.argsort(edges, kind="stable")
    edges, level = edges[order], np.cumsum(change[order])
    use = (level[:-1] >= least) & (edges[1:] > edges[:-1])
    return merged(np.column_stack((edges[:-1][use], edges[1:][use])))
