"""Regions of three or more answers that mean the same thing, from their matches two by two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from accord.metrics.comparison import Comparison

Place: TypeAlias = tuple[int, int]
"""Number of an answer, and of a region in it."""


def region_clusters(
    counts: Sequence[int], comparisons: Mapping[tuple[int, int], Comparison]
) -> tuple[tuple[Place, ...], ...]:
    """Join matched regions, the most similar first; a cluster holds at most one region of an answer.

    Parameters
    ----------
    counts
        How many regions each answer has.
    comparisons
        Comparison of answers i and j under (i, j).

    Returns
    -------
    clusters
        Every region once, alone if it has no partner; in the order of the answers and of their regions.
    """
    matches = [
        (-pair.similarity, -pair.geometry, (i, pair.left), (j, pair.right))
        for (i, j), comparison in comparisons.items()
        for pair in comparison.matched
    ]
    cluster: dict[Place, dict[int, Place]] = {
        (answer, region): {answer: (answer, region)} for answer, count in enumerate(counts) for region in range(count)
    }
    for _, _, a, b in sorted(matches):
        one, other = cluster[a], cluster[b]
        if one is not other and not (one.keys() & other.keys()):
            one.update(other)
            cluster.update(dict.fromkeys(other.values(), one))
    distinct = {id(members): tuple(sorted(members.values())) for members in cluster.values()}
    return tuple(sorted(distinct.values()))
