"""Scores of many pairs of answers at once: compare regions, match them one to one, count what is left over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.matching import Matching, choose_edges, edge_weights
from accord.metrics.overlapping import overlapping
from accord.metrics.ragged import REGION_PAIRS, Pool, RegionPairs, blocks, every_pair, last_pair
from accord.metrics.spec import Codes
from accord.values import BoolArray, FloatArray, Index


@dataclass(frozen=True, slots=True)
class Terms:
    """How regions are compared and matched under an answer's options.

    Attributes
    ----------
    geometry
        (left, right) regions -> (N,); NaN = not comparable.
    similarity
        (left, right, geometry) -> (N,): geometry combined with what the regions carry.
    bounds
        Left, top, right, bottom of every region, (4, N), or None.
    always_known
        Whether regions with comparable geometry always have a similarity.
    """

    geometry: Callable[[Index, Index], FloatArray]
    similarity: Callable[[Index, Index, FloatArray], FloatArray]
    matching: Matching
    min_overlap: float
    bounds: Callable[[], FloatArray] | None
    always_known: bool


@dataclass(frozen=True, slots=True)
class Edges:
    """Regions that may match, (E,), in P pairs of answers; ``known`` (P,) = some regions could be compared."""

    pairs: RegionPairs
    geometry: FloatArray
    similarity: FloatArray
    known: BoolArray

    def only(self, keep: Any) -> Edges:
        """Some of the edges."""
        pairs = RegionPairs(self.pairs.answers[keep], self.pairs.left[keep], self.pairs.right[keep])
        return Edges(pairs, self.geometry[keep], self.similarity[keep], self.known)


def scores(pool: Pool, i: Codes, j: Codes, terms: Terms) -> FloatArray:
    """Sum over matched regions / (matched + unmatched) for every pair of answers, (P,); NaN = not comparable."""
    n, m = pool.count[i], pool.count[j]
    sizes = np.minimum(n * m, 1) if terms.matching == "last" else n * m
    result = np.empty(len(i))
    for block in blocks(sizes):
        matched = matched_edges(pool, i[block], j[block], terms)
        result[block] = _shares(matched, n[block], m[block], terms.matching)
    return result


def _shares(matched: Edges, n: Index, m: Index, matching: Matching) -> FloatArray:
    places = matched.pairs.answers
    total = np.bincount(places, matched.similarity, minlength=len(n))
    whole = np.ones(len(n)) if matching == "last" else n + m - np.bincount(places, minlength=len(n))
    score = np.where(matched.known, total / np.maximum(whole, 1), np.nan)
    return np.where((n == 0) | (m == 0), n == m, score)


def matched_edges(pool: Pool, i: Codes, j: Codes, terms: Terms) -> Edges:
    """Matched regions of every pair of answers, in the order of the pairs and of the left regions."""
    edges = _edges(pool, i, j, terms)
    pairs = edges.pairs
    left = pairs.left + _shift(pool, i)[pairs.answers]
    right = pairs.right + _shift(pool, j)[pairs.answers]
    return edges.only(choose_edges(left, right, edge_weights(edges.similarity, edges.geometry), terms.matching))


def _shift(pool: Pool, codes: Codes) -> Index:
    """What turns numbers of regions into numbers that differ from one pair of answers to the next."""
    count = pool.count[codes]
    return np.cumsum(count) - count - pool.start[codes]


def _edges(pool: Pool, i: Codes, j: Codes, terms: Terms) -> Edges:
    parts = [_allowed(pairs, len(i), terms) for pairs in _to_compare(pool, i, j, terms)]
    known = np.logical_or.reduce([part.known for part in parts])
    if not known.all() and _is_large(pool, i, j, terms):
        known = np.array([any(_allowed(pairs, 1, terms).known[0] for pairs in _row_blocks(pool, i, j))])
    if len(parts) == 1:
        return Edges(parts[0].pairs, parts[0].geometry, parts[0].similarity, known)
    columns = [(p.pairs.answers, p.pairs.left, p.pairs.right, p.geometry, p.similarity) for p in parts]
    answers, left, right, geometry, similarity = map(np.concatenate, zip(*columns, strict=True))
    return Edges(RegionPairs(answers, left, right), geometry, similarity, known)


def _is_large(pool: Pool, i: Codes, j: Codes, terms: Terms) -> bool:
    """Whether this is one pair of answers with too many regions for one block."""
    return terms.matching != "last" and len(i) == 1 and bool(pool.count[i[0]] * pool.count[j[0]] > REGION_PAIRS)


def _to_compare(pool: Pool, i: Codes, j: Codes, terms: Terms) -> Iterator[RegionPairs]:
    """Pairs of regions, a block at a time; of large answers only those that come near each other."""
    if terms.matching == "last":
        yield last_pair(pool, i, j)
    elif not _is_large(pool, i, j, terms):
        yield every_pair(pool, i, j)
    elif terms.bounds is not None and terms.min_overlap >= 0:
        yield from _near(pool, i, j, terms.bounds())
    else:
        yield from _row_blocks(pool, i, j)


def _near(pool: Pool, i: Codes, j: Codes, bounds: FloatArray) -> Iterator[RegionPairs]:
    a, b = (slice(pool.start[k], pool.start[k] + pool.count[k]) for k in (i[0], j[0]))
    left, right = overlapping(bounds[:, a], bounds[:, b])
    yield RegionPairs(np.zeros(len(left), dtype=np.int64), left + a.start, right + b.start)


def _row_blocks(pool: Pool, i: Codes, j: Codes) -> Iterator[RegionPairs]:
    """All pairs of regions of one pair of answers, some rows at a time."""
    wide = int(pool.count[j[0]])
    start, count = int(pool.start[i[0]]), int(pool.count[i[0]])
    right = np.arange(wide) + pool.start[j[0]]
    step = max(1, REGION_PAIRS // max(wide, 1))
    for first in range(start, start + count, step):
        left = np.repeat(np.arange(first, min(first + step, start + count)), wide)
        yield RegionPairs(np.zeros(len(left), dtype=np.int64), left, np.resize(right, len(left)))


def _allowed(pairs: RegionPairs, count: int, terms: Terms) -> Edges:
    """Keep what may match."""
    geometry = terms.geometry(pairs.left, pairs.right)
    comparable = ~np.isnan(geometry)
    enough = comparable if terms.matching == "last" else geometry > terms.min_overlap
    use = np.flatnonzero(enough if terms.always_known else comparable)
    found = RegionPairs(pairs.answers[use], pairs.left[use], pairs.right[use])
    similarity = terms.similarity(found.left, found.right, geometry[use])
    if terms.always_known:
        return Edges(found, geometry[use], similarity, _any_of(pairs.answers[comparable], count))
    known = ~np.isnan(similarity)
    edges = Edges(found, geometry[use], similarity, _any_of(found.answers[known], count))
    return edges.only(known & enough[use])


def _any_of(answers: Index, count: int) -> BoolArray:
    known = np.zeros(count, dtype=np.bool_)
    known[answers] = True
    return known
