"""Mean rank correlation of the rater pairs of a ranking control.

References
----------
Spearman, C. (1904). The proof and measurement of association between two things. American J. Psychology 15, 72-101.
Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33, 239-251 (tau-b).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from accord.coefficients.rank_order import midranks, value_places
from accord.coefficients.spec import COEFFICIENTS, CoefficientSpec, Options, Parts, Tally
from accord.similarity.core import Similarity
from accord.study import Study
from accord.values import FloatArray, Index, Kind

#: Pairs of places compared at a time.
BLOCK = 2**21


@dataclass(frozen=True, slots=True)
class Shared:
    """Items that both rankings of a pair hold: pair number and the two places, three arrays."""

    pair: Index
    left: FloatArray
    right: FloatArray
    pairs: int


Score = Callable[[Shared], FloatArray]


def spearman(shared: Shared) -> FloatArray:
    """Correlation of mid-ranks, (pairs,); NaN where it does not exist."""
    ranks = [midranks(shared.pair, side)[0] for side in (shared.left, shared.right)]
    n = np.bincount(shared.pair, minlength=shared.pairs)
    a, b = (rank - (n[shared.pair] + 1) / 2 for rank in ranks)
    sums = np.array([np.bincount(shared.pair, product, shared.pairs) for product in (a * b, a * a, b * b)])
    return _correlation(sums)


def tau_b(shared: Shared) -> FloatArray:
    """Kendall's tau-b, (pairs,): concordant minus discordant item pairs, corrected for ties."""
    order = np.argsort(shared.pair, kind="stable")
    pair, left, right = shared.pair[order], shared.left[order], shared.right[order]
    n = np.bincount(pair, minlength=shared.pairs)
    start = np.concatenate(([0], np.cumsum(n)))
    later = start[pair + 1] - np.arange(len(pair)) - 1
    sums = np.zeros((3, shared.pairs))
    for low, high in _spans(later):
        first = np.repeat(np.arange(low, high), later[low:high])
        second = (
            first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later[low:high]) - later[low:high], later[low:high])
        )
        a, b = (np.sign(_step(side[first], side[second])) for side in (left, right))
        for row, product in enumerate((a * b, a * a, b * b)):
            sums[row] += np.bincount(pair[first], product, shared.pairs)
    return _correlation(sums)


def _step(first: FloatArray, second: FloatArray) -> FloatArray:
    """Difference of places; two items of the unranked pool (infinite places) tie."""
    return np.where(first == second, 0.0, np.where(first < second, -1.0, 1.0))


def _spans(cost: Index) -> list[tuple[int, int]]:
    """Cut a list into runs whose cost stays below BLOCK."""
    edges = np.searchsorted(np.cumsum(cost), np.arange(BLOCK, int(cost.sum()) + BLOCK, BLOCK), side="left") + 1
    cuts = np.unique(np.concatenate(([0], np.minimum(edges, len(cost))))).tolist()
    return list(pairwise(cuts))


def _correlation(sums: FloatArray) -> FloatArray:
    ab, aa, bb = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((aa > 0) & (bb > 0), ab / np.sqrt(aa * bb), np.nan)


def shared_items(study: Study, left: Index, right: Index) -> Shared:
    """Items that the rankings ``left`` and ``right`` (codes, (n,)) have in common."""
    value, item, place = value_places(study.values)
    items = int(item.max()) + 1 if len(item) else 1
    key = value * items + item
    order = np.argsort(key)
    size = np.bincount(value, minlength=study.V)
    start = np.concatenate(([0], np.cumsum(size)))
    each = size[left]
    pair = np.repeat(np.arange(len(left)), each)
    at = start[left[pair]] + np.arange(len(pair)) - np.repeat(np.cumsum(each) - each, each)
    wanted = right[pair] * items + item[at]
    found = np.minimum(np.searchsorted(key, wanted, sorter=order), max(0, len(key) - 1))
    other = order[found] if len(key) else found
    both = key[other] == wanted if len(key) else np.zeros(0, dtype=bool)
    return Shared(pair[both], place[at[both]], place[other[both]], len(left))


def _tally(score: Score, study: Study) -> Tally:
    """Mean score of the pairs of each unit that can be scored, (U, 2)."""
    first, second = study.pairs
    codes = np.sort(np.column_stack((study.code[first], study.code[second])), axis=1).astype(np.int64)
    distinct, which = np.unique(codes[:, 0] * study.V + codes[:, 1], return_inverse=True)
    scores = score(shared_items(study, distinct // study.V, distinct % study.V))[which]
    known = np.isfinite(scores)
    unit = study.unit[first[known]]
    pairs = np.bincount(unit, minlength=study.U)
    rows = np.zeros((study.U, 2))
    rows[:, 0] = pairs > 0
    np.divide(np.bincount(unit, scores[known], study.U), pairs, out=rows[:, 1], where=pairs > 0)
    return Tally(rows=rows, context=None, skipped=int((~known).sum()))


def _tally_spearman(study: Study, _similarity: Similarity, _options: Options) -> Tally:
    return _tally(spearman, study)


def _tally_tau(study: Study, _similarity: Similarity, _options: Options) -> Tally:
    return _tally(tau_b, study)


def _finish(totals: FloatArray, _context: None) -> Parts:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = totals[:, 1] / totals[:, 0]
    nothing = np.full_like(value, np.nan)
    return Parts(value, nothing, nothing, nothing, nothing)


def _refuses(study: Study, _similarity: Similarity, _options: Options) -> str | None:
    return None if study.kind is Kind.RANKING else "it needs rankings"


COEFFICIENTS.add(
    CoefficientSpec(
        key="mean_spearman",
        symbol="ρ",
        title="Mean Spearman correlation of rankings",
        reference="Spearman 1904",
        summary="Mean rank correlation of two raters' rankings of the items of a task.",
        family="ranks",
        tally=_tally_spearman,
        finish=_finish,
        refuses=_refuses,
        needs="ranks",
        form=False,
    )
)
COEFFICIENTS.add(
    CoefficientSpec(
        key="mean_tau",
        symbol="τ",
        title="Mean Kendall correlation of rankings",
        reference="Kendall 1945 (tau-b)",
        summary="Mean share of item pairs that two raters rank alike, less those they rank the other way round.",
        family="ranks",
        tally=_tally_tau,
        finish=_finish,
        refuses=_refuses,
        needs="ranks",
        form=False,
    )
)
