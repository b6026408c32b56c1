"""Taxonomy answers: sets of paths that share ancestors."""

from __future__ import annotations

from collections.abc import Sequence

from accord.metrics.labels import as_set, jaccard
from accord.metrics.sets import Set
from accord.metrics.spec import Codes, metric
from accord.values import FloatArray, Kind, Value


def as_paths(value: Value) -> Set | None:
    """Paths with all their ancestors; a single path is a tuple of names."""
    if isinstance(value, tuple) and value and all(isinstance(name, str) for name in value):
        return as_set(frozenset({value}))
    return as_set(value) if isinstance(value, frozenset) else None


@metric(
    "common_subtree",
    kinds=(Kind.PATHS,),
    reference="Jaccard over ancestor-expanded paths",
    prepare=as_paths,
    shape="batch",
    block=jaccard.spec.block,  # type: ignore[attr-defined]
    aliases=("subtree",),
)
def common_subtree(pool: Sequence[Set], i: Codes, j: Codes, /) -> FloatArray:
    """Shared nodes over all nodes of the subtrees that both answers span."""
    return jaccard(pool, i, j)
