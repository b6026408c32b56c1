"""Distances within units (observed) and between units (expected), as counts that add up over units.

Observed pairs are counted by value pair; expected pairs follow from how often each value was given. Both are exact
while there are few distinct values. Beyond that the expected pairs are a sample, drawn once with a seed and
reweighted for every resample and subset.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accord.coefficients.spec import Options, Tally
from accord.similarity.core import Drawn, Similarity
from accord.study import Study
from accord.values import FloatArray, Index, IntArray

#: Distinct value pairs up to which the expected distances are exact.
EXACT_PAIRS = 100_000
#: Distances are equal if they agree to this many decimals.
DECIMALS = 12
#: Numbers held at a time while expected pairs are weighted.
BLOCK = 2**22

Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Frame:
    """What the columns of a summed row mean: V value counts, then K counts of observed value pairs.

    ``levels`` are the distinct distances (L,), ``observed`` the level of each observed value pair (K,), -1 if it
    cannot be compared. The E expected value pairs are sorted by ``level``: ``left``, ``right`` are their values,
    ``within`` the observed value pair that is the same one (-1 = none), ``share`` what one pair counts.
    """

    values: int
    levels: FloatArray
    observed: Index
    left: IntArray
    right: IntArray
    level: Index
    within: Index
    share: FloatArray
    exact: bool

    def masses(self, totals: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Observed and expected pairs at each level, (b, L) each, for blocks of replicates."""
        step = max(1, BLOCK // max(1, len(self.left), len(self.levels)))
        for start in range(0, len(totals), step):
            block = totals[start : start + step]
            yield self._observed(block), self._expected(block)

    def _observed(self, totals: FloatArray) -> FloatArray:
        mass = np.zeros((len(totals), len(self.levels)))
        known = np.flatnonzero(self.observed >= 0)
        order = known[np.argsort(self.observed[known], kind="stable")]
        return _add_by_level(mass, totals[:, self.values + order], self.observed[order])

    def _expected(self, totals: FloatArray) -> FloatArray:
        mass = np.zeros((len(totals), len(self.levels)))
        counts = totals[:, : self.values]
        pairs = possible_pairs(counts[:, self.left], counts[:, self.right], self.left == self.right)
        inside = self.within >= 0
        pairs[:, inside] -= totals[:, self.values + self.within[inside]]
        return _add_by_level(mass, np.maximum(pairs, 0.0) * self.share, self.level)


def _add_by_level(mass: FloatArray, weights: FloatArray, level: Index) -> FloatArray:
    """Add up columns that are sorted by level."""
    if len(level):
        first = np.flatnonzero(np.concatenate(([True], level[1:] != level[:-1])))
        mass[:, level[first]] = np.add.reduceat(weights, first, axis=1)
    return mass


def possible_pairs(left: FloatArray, right: FloatArray, same: npt.NDArray[np.bool_]) -> FloatArray:
    """Unordered pairs of answers with two given values, wherever they were given."""
    return np.where(same, left * (left - 1) / 2, left * right)


def tally(study: Study, similarity: Similarity, options: Options) -> Tally:
    """Value counts and observed value pairs of each unit, (U, V + K), sparse."""
    from scipy.sparse import csr_array

    first, second = study.pairs
    found, column = np.unique(_key(study.code[first], study.code[second], study.V), return_inverse=True)
    unit = np.concatenate((study.unit, study.unit[first]))
    columns = np.concatenate((study.code, study.V + column))
    rows = csr_array((np.ones(len(unit)), (unit, columns)), shape=(study.U, study.V + len(found)))
    frame = _frame(study, similarity, (found, np.bincount(column)), options)
    return Tally(rows=rows, context=frame, skipped=int((frame.observed[column] < 0).sum()))


def _key(left: Codes, right: Codes, values: int) -> Index:
    return np.minimum(left, right).astype(np.int64) * values + np.maximum(left, right)


def _frame(study: Study, similarity: Similarity, observed: tuple[Index, Index], options: Options) -> Frame:
    """Choose the expected value pairs and find the level of every distance."""
    found, times = observed
    seen = np.flatnonzero(study.counts)
    sampled = getattr(similarity, "drawn", None)
    given = sampled() if sampled is not None else None
    if given is not None:
        return _frame_of(study, similarity, observed, _with_equal(seen, given))
    exact = len(seen) * (len(seen) + 1) // 2 <= EXACT_PAIRS
    if exact:
        first, second = np.triu_indices(len(seen))
        left, right = seen[first].astype(np.int32), seen[second].astype(np.int32)
    else:
        left, right = _sample(study, int(options.get("sample", 20_000)), int(options.get("sample_seed", 0)))
    share = np.ones(len(left))
    if not exact:
        within = _lookup(found, _key(left, right, study.V))
        inside = np.where(within >= 0, times[within], 0)
        counts = study.counts.astype(np.float64)
        share /= possible_pairs(counts[left], counts[right], left == right) - inside
    return _frame_of(study, similarity, observed, Drawn(left, right, share), exact=exact)


def _with_equal(seen: Index, given: Drawn) -> Drawn:
    """Pairs that a similarity drew, and the pairs of equal values, which need no draw."""
    weight = np.concatenate((np.ones(len(seen)), given.weight))
    return Drawn(np.concatenate((seen, given.left)), np.concatenate((seen, given.right)), weight)


def _frame_of(
    study: Study, similarity: Similarity, observed: tuple[Index, Index], expected: Drawn, *, exact: bool = False
) -> Frame:
    """Find the level of every distance; expected pairs count as much as their weights say."""
    found, _ = observed
    left, right, share = expected.left.astype(np.int32), expected.right.astype(np.int32), expected.weight
    within = _lookup(found, _key(left, right, study.V))
    distance = 1.0 - np.concatenate((similarity.at(found // study.V, found % study.V), similarity.at(left, right)))
    levels, level = np.unique(np.round(distance, DECIMALS), return_inverse=True)
    level[np.isnan(distance)] = -1
    mine = level[len(found) :]
    known = np.flatnonzero(mine >= 0)
    known = known[np.argsort(mine[known], kind="stable")]
    return Frame(
        values=study.V,
        levels=levels[np.isfinite(levels)],
        observed=level[: len(found)],
        left=left[known],
        right=right[known],
        level=mine[known],
        within=within[known],
        share=share[known],
        exact=exact,
    )


def _lookup(found: Index, wanted: Index) -> Index:
    """Return where each wanted key stands in the sorted keys, -1 if nowhere."""
    if not len(found):
        return np.full(len(wanted), -1)
    at = np.minimum(np.searchsorted(found, wanted), len(found) - 1)
    return np.where(found[at] == wanted, at, -1)


def _sample(study: Study, size: int, seed: int) -> tuple[IntArray, IntArray]:
    """Values of pairs of answers to different units, drawn with equal probability."""
    generator = np.random.default_rng(seed)
    left, right = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
    drawn = 0
    for _ in range(64):
        first, second = generator.integers(0, study.C, (2, size))
        apart = study.unit[first] != study.unit[second]
        left.append(study.code[first[apart]])
        right.append(study.code[second[apart]])
        drawn += int(apart.sum())
        if drawn >= size:
            break
    return np.concatenate(left)[:size], np.concatenate(right)[:size]
