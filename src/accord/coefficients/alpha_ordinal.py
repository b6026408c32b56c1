"""Alpha with Krippendorff's ordinal metric, whose distances follow the margins of every subset.

A row is (m, pairs, counts of each value in the order of the scale, coincidences of different values).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.coefficients.chance import corrected, finished, ratio
from accord.coefficients.rows import assemble
from accord.coefficients.spec import Parts, Rows, Tally
from accord.coefficients.within import pair_blocks
from accord.similarity.ordinal import Ordinal, mid_ranks
from accord.study import Study
from accord.values import FloatArray, Index

#: Columns before the counts: answers and pairs of answers in units with two or more.
LEAD = 2


@dataclass(frozen=True, slots=True)
class OrdinalCounts:
    """What finishing needs besides the totals: V values; ranks (low, high) of K coincidences; convention.

    The K columns hold coincidences weighted by 1/(m - 1); K more hold plain ones if m differs between units.
    """

    values: int
    low: Index
    high: Index
    size: float
    unbiased: bool = False
    skipped: int = 0


def tally(study: Study, similarity: Ordinal, *, unbiased: bool) -> Tally:
    """Make the rows."""
    rank = np.empty(study.V, dtype=np.int64)
    rank[similarity.order] = np.arange(study.V)
    paired = (study.m > 1).astype(np.float64)
    m = study.m * paired
    sizes = np.unique(study.m[study.m > 1])
    unit, key, weight = _coincidences(study, rank)
    kept, column = np.unique(key, return_inverse=True)
    lead = [m, m * (study.m - 1.0) / 2.0]
    rows = assemble(lead, rank[study.code], paired[study.unit], study, study.V)
    rows = _append(rows, unit, column, weight, len(kept))
    if len(sizes) > 1:
        rows = _append(rows, unit, column, np.ones(len(unit)), len(kept))
    context = OrdinalCounts(
        study.V, kept // study.V, kept % study.V, float(sizes[0]) if len(sizes) == 1 else np.nan, unbiased
    )
    return Tally(rows=rows, context=context)


def _coincidences(study: Study, rank: Index) -> tuple[Index, Index, FloatArray]:
    units, keys = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for unit, i, j in pair_blocks(study):
        a, b = rank[study.code[i]], rank[study.code[j]]
        differ = a != b
        units.append(unit[differ])
        keys.append(np.minimum(a, b)[differ] * study.V + np.maximum(a, b)[differ])
    unit = np.concatenate(units)
    return unit, np.concatenate(keys), np.asarray(1.0 / (study.m[unit] - 1.0), dtype=np.float64)


def _append(rows: Rows, unit: Index, column: Index, data: FloatArray, width: int) -> Rows:
    from scipy.sparse import coo_array, csr_array, hstack

    shape = (rows.shape[0], width)
    if isinstance(rows, np.ndarray) and rows.shape[1] + width <= 64:
        flat = np.bincount(unit * width + column, weights=data, minlength=shape[0] * width)
        return np.hstack((rows, flat.reshape(shape)))
    return csr_array(hstack((csr_array(rows), coo_array((data, (unit, column)), shape=shape)), format="csr"))


def finish(totals: FloatArray, context: OrdinalCounts) -> Parts:
    """Turn totals (B, k) into alpha, each with the metric of its own margins."""
    answers, pairs, counts, weighted, plain = _split(totals, context)
    position = mid_ranks(counts)
    scale = (position[:, -1] - position[:, 0]) ** 2
    scale = np.where(scale > 0.0, scale, 1.0)
    apart = (position[:, context.high] - position[:, context.low]) ** 2 / scale[:, None]
    observed, total = 2.0 * (weighted * apart).sum(axis=1), (plain * apart).sum(axis=1)
    centred = position - answers[:, None] / 2.0
    among = 2.0 * answers * (counts * centred * centred).sum(axis=1) / scale
    classical = ratio(observed, answers), ratio(among, answers * (answers - 1.0))
    unbiased = ratio(total, pairs), ratio(among - 2.0 * total, answers * (answers - 1.0) - 2.0 * pairs)
    chosen, other = (unbiased, classical) if context.unbiased else (classical, unbiased)
    details = {"classical" if context.unbiased else "unbiased": corrected(*other)}
    return finished(*chosen, scale, details)


def _split(totals: FloatArray, context: OrdinalCounts) -> tuple[FloatArray, ...]:
    counts_end, k = LEAD + context.values, len(context.low)
    weighted = totals[:, counts_end : counts_end + k]
    plain = weighted * (context.size - 1.0) if np.isfinite(context.size) else totals[:, counts_end + k :]
    return totals[:, 0], totals[:, 1], totals[:, LEAD:counts_end], weighted, plain


def linearize(tally: Tally, parts: Parts) -> FloatArray:
    """Influence of each unit, the change of the metric included: rows times the gradient of the value."""
    context, totals = tally.context, tally.totals()
    gradient = _gradient(totals, context)
    m = tally.rows[:, [0]]
    used = np.asarray(m if isinstance(m, np.ndarray) else m.toarray()).ravel() > 0.0
    z = float(parts.value[0]) + int(used.sum()) * tally.product(gradient)
    return np.where(used, z, np.nan)


def _gradient(totals: FloatArray, context: OrdinalCounts) -> FloatArray:
    """Derivative of alpha by every column."""
    answers, pairs, counts, weighted, plain = (column[0] for column in _split(totals, context))
    position = mid_ranks(counts) - answers / 2.0
    gap = position[context.high] - position[context.low]
    squares = gap * gap
    among = 2.0 * answers * float(counts @ (position * position))
    among_by_count = _through(4.0 * counts * answers * position)
    among_by_count += 2.0 * (answers * position**2 + float(counts @ position**2))
    gradient = np.zeros(totals.shape[1])
    by_count = gradient[LEAD : LEAD + context.values]
    if context.unbiased:
        apart, by_rank = float(plain @ squares), _by_count(2.0 * plain * gap, context)
        other, other_pairs = among - 2.0 * apart, answers * (answers - 1.0) - 2.0 * pairs
        near, far = other_pairs / (pairs * other), apart * other_pairs / (pairs * other**2)
        gradient[0] = -apart / (pairs * other) * 2.0 * (answers - 1.0)
        gradient[1] = near * apart / pairs + 4.0 * apart / (pairs * other)
        by_count[:] = far * (among_by_count - 2.0 * by_rank) - near * by_rank
        _coincidence_part(gradient, context)[:] = -squares * (near + 4.0 * far) * _plain_weight(context)
        return gradient
    apart, by_rank = 2.0 * float(weighted @ squares), _by_count(4.0 * weighted * gap, context)
    gradient[0] = -apart / among
    by_count[:] = answers / among * (apart / among * among_by_count - by_rank)
    gradient[LEAD + context.values :][: len(gap)] = -2.0 * answers / among * squares
    return gradient


def _by_count(pull: FloatArray, context: OrdinalCounts) -> FloatArray:
    """Derivative of a sum over coincidences by the counts, through the ranks of both values."""
    size = context.values
    up, down = np.bincount(context.high, pull, size), np.bincount(context.low, pull, size)
    return _through(np.asarray(up - down, dtype=np.float64))


def _plain_weight(context: OrdinalCounts) -> float:
    """Plain coincidences for one weighted coincidence, where m is the same for all units."""
    return context.size - 1.0 if np.isfinite(context.size) else 1.0


def _coincidence_part(gradient: FloatArray, context: OrdinalCounts) -> FloatArray:
    """Columns that hold the plain coincidences (or the weighted ones where they stand for both)."""
    first = LEAD + context.values + (0 if np.isfinite(context.size) else len(context.low))
    return gradient[first : first + len(context.low)]


def _through(by_position: FloatArray) -> FloatArray:
    """Chain rule through the mid-ranks: a count moves the ranks of all higher values, and half its own."""
    return np.cumsum(by_position[::-1])[::-1] - by_position / 2.0
