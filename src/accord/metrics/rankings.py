"""Rankings: rank correlations mapped to 0..1, footrule, and overlap of the top items.

Items that one side did not rank (its ``_`` pool, or absent) share that side's last place.
"""

from __future__ import annotations

import numpy as np

from accord.metrics.spec import metric
from accord.registry import Option
from accord.values import FloatArray, Kind, Ranking, Value

POOL = "_"


def as_ranking(value: Value) -> Ranking | None:
    """Return a ranking; an ordered tuple of names is one."""
    if isinstance(value, tuple) and value and all(isinstance(item, str) for item in value):
        return Ranking((("rank", value),))
    return value if isinstance(value, Ranking) else None


def ranked(ranking: Ranking) -> tuple[str, ...]:
    """Items in order, without the pool of unranked ones."""
    return tuple(item for name, items in ranking.buckets if name != POOL for item in items)


def _places(a: Ranking, b: Ranking) -> tuple[FloatArray, FloatArray]:
    """Mid-ranks of all items on either side, two arrays (n,)."""
    items = list(dict.fromkeys((*a.order, *b.order)))
    return _mid_ranks(ranked(a), items), _mid_ranks(ranked(b), items)


def _mid_ranks(order: tuple[str, ...], items: list[str]) -> FloatArray:
    place = {item: position for position, item in enumerate(order, start=1)}
    last = (len(place) + 1 + len(items)) / 2.0
    return np.array([place.get(item, last) for item in items], dtype=np.float64)


@metric(
    "kendall_tau",
    kinds=(Kind.RANKING,),
    reference="Kendall 1945, Biometrika 33:239 (tau-b), mapped by (1 + tau) / 2",
    prepare=as_ranking,
    title="Kendall τ",
)
def kendall_tau(a: Ranking, b: Ranking, /) -> float | None:
    """Share of item pairs in the same order: (1 + tau-b) / 2."""
    left, right = _places(a, b)
    x = np.sign(left[:, None] - left[None, :])
    y = np.sign(right[:, None] - right[None, :])
    norm = np.sqrt(np.abs(x).sum() * np.abs(y).sum())
    return None if norm == 0 else float(np.clip((1.0 + (x * y).sum() / norm) / 2.0, 0.0, 1.0))


@metric(
    "spearman",
    kinds=(Kind.RANKING,),
    reference="Spearman 1904, American Journal of Psychology 15:72, mapped by (1 + rho) / 2",
    prepare=as_ranking,
    title="Spearman ρ",
)
def spearman(a: Ranking, b: Ranking, /) -> float | None:
    """Correlation of places: (1 + rho) / 2."""
    left, right = _places(a, b)
    x, y = left - left.mean(), right - right.mean()
    norm = np.sqrt((x @ x) * (y @ y))
    return None if norm == 0 else float(np.clip((1.0 + (x @ y) / norm) / 2.0, 0.0, 1.0))


@metric(
    "footrule",
    kinds=(Kind.RANKING,),
    reference="Diaconis and Graham 1977, JRSS B 39:262",
    prepare=as_ranking,
    title="Spearman's footrule",
)
def footrule(a: Ranking, b: Ranking, /) -> float | None:
    """1 - sum of displacements / the largest possible sum."""
    left, right = _places(a, b)
    largest = len(left) ** 2 // 2
    return None if largest == 0 else 1.0 - float(np.abs(left - right).sum()) / largest


@metric(
    "average_overlap",
    kinds=(Kind.RANKING,),
    reference="Fagin, Kumar and Sivakumar 2003, SIAM J. Discrete Math. 17:134",
    prepare=as_ranking,
)
def average_overlap(a: Ranking, b: Ranking, /) -> float | None:
    """Mean share of common items among the first 1, 2, ... places."""
    left, right = ranked(a), ranked(b)
    depth = max(len(left), len(right))
    if depth == 0:
        return None
    shared = (len(set(left[:k]) & set(right[:k])) / k for k in range(1, depth + 1))
    return sum(shared) / depth


@metric(
    "ranking",
    kinds=(Kind.RANKING,),
    reference="See kendall_tau, spearman, footrule, average_overlap",
    prepare=as_ranking,
    options={
        "method": Option(
            "kendall_tau",
            ("exact", "kendall_tau", "spearman", "footrule", "average_overlap"),
            "how two orders are compared",
        )
    },
)
def ranking(a: Ranking, b: Ranking, /, *, method: str) -> float | None:
    """Similarity of two rankings by a named method."""
    if method == "exact":
        return float(a == b)
    measures = {
        "kendall_tau": kendall_tau,
        "spearman": spearman,
        "footrule": footrule,
        "average_overlap": average_overlap,
    }
    return measures[method](a, b)
