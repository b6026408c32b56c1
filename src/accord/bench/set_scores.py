"""Similarity of sets of texts from the similarity of their members: matched Dice, or matched Jaccard.

All orders of a set are tried at once, so this is for small sets only.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from accord.values import FloatArray, Index


def set_table(members: Index, scores: FloatArray, measure: str) -> FloatArray:
    """Return the similarities of all pairs of sets, (n, n).

    Parameters
    ----------
    members
        Places of the members of each set, (n, k); -1 fills up smaller sets.
    scores
        Similarities of members, (T, T), from 0 to 1; a pair of sets with an unknown one (NaN) is unknown.
    measure
        ``dice`` 2 W / (a + b), or ``jaccard`` W / (a + b - W), where W is the largest total of a one-to-one matching.

    Examples
    --------
    >>> sets = np.array([[0, 1], [0, 2]])
    >>> float(set_table(sets, np.eye(3), "dice")[0, 1]), float(set_table(sets, np.eye(3), "jaccard")[0, 1].round(3))
    (0.5, 0.333)
    """
    width = members.shape[1]
    padded = np.pad(scores, (0, 1))
    best = np.zeros((len(members), len(members)))
    for order in permutations(range(width)):
        total = np.zeros_like(best)
        for k, other in enumerate(order):
            total += padded[np.ix_(members[:, k], members[:, other])]
        np.maximum(best, total, out=best)
    size = (members >= 0).sum(axis=1)
    both = size[:, None] + size[None, :]
    return 2.0 * best / both if measure == "dice" else best / (both - best)


def distinct_sets(item: Index, member: Index, items: int) -> Index:
    """Members of each item's set in ascending order, (items, k), filled up with -1."""
    order = np.lexsort((member, item))
    item, member = item[order], member[order]
    size = np.bincount(item, minlength=items)
    table = np.full((items, int(size.max(initial=1))), -1, dtype=np.int64)
    start = np.cumsum(size) - size
    table[item, np.arange(len(item)) - start[item]] = member
    return table
