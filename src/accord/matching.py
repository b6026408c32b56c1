"""One-to-one matching of things on the left with things on the right, for many sparse bipartite graphs at once.

Only pairs that may match are edges. Most of them are settled at sight, for they outweigh all their rivals; what is
left are small tangles, settled by trying every assignment, all in arrays. Large tangles go to a linear assignment.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any, Literal

import numpy as np

from accord.values import BoolArray, FloatArray, Index

Matching = Literal["optimal", "greedy", "last"]

SMALL = 5
DENSE_CELLS = 4_000_000
_WORTH_IT = 0.95
_SECOND = 1e-9
_THIRD = 1e-13


def match(
    similarity: FloatArray, geometry: FloatArray, allowed: BoolArray, how: Matching = "optimal"
) -> tuple[Index, Index]:
    """Pair rows with columns one to one, only where ``allowed``.

    ``optimal`` maximises the total similarity, then total geometry, then the number of pairs; ``greedy`` takes the
    best remaining pair again and again; ``last`` pairs the last row with the last column.

    Parameters
    ----------
    similarity, geometry, allowed
        Tables (n, m), finite where allowed.

    Returns
    -------
    rows, columns
        Two arrays (k,), rows ascending.

    Examples
    --------
    >>> s = np.array([[0.9, 0.8], [0.8, 0.1]])
    >>> rows, columns = match(s, s, s > 0)
    >>> columns.tolist()
    [1, 0]
    """
    if how == "last":
        last = np.zeros_like(allowed)
        last[-1, -1] = True
        allowed = allowed & last
    rows, columns = np.nonzero(allowed)
    chosen = choose_edges(rows, columns, edge_weights(similarity[allowed], geometry[allowed]), how)
    return rows[chosen], columns[chosen]


def edge_weights(similarity: FloatArray, geometry: FloatArray) -> FloatArray:
    """What a matching maximises, (E,): similarity, then geometry, then the number of pairs."""
    return similarity + _SECOND * geometry + _THIRD


def choose_edges(left: Index, right: Index, weight: FloatArray, how: Matching = "optimal") -> BoolArray:
    """Which edges a one-to-one matching keeps, (E,).

    Parameters
    ----------
    left, right
        Ends of every edge, (E,): numbers from 0 on either side. Graphs that share no number are matched apart.
    weight
        Positive weights, (E,).

    Examples
    --------
    >>> choose_edges(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.8])).tolist()
    [False, True, True]
    """
    if how == "greedy":
        return _greedy(left, right, weight)
    return _optimal(left, right, weight)


def _optimal(left: Index, right: Index, weight: FloatArray) -> BoolArray:
    chosen = np.zeros(len(left), dtype=np.bool_)
    edges = np.arange(len(left))
    before = np.inf
    while len(edges) and len(edges) <= before * _WORTH_IT:
        before = len(edges)
        a, b = left[edges], right[edges]
        sure = _outweighs_its_rivals(a, b, weight[edges])
        chosen[edges[sure]] = True
        edges = edges[~(_holds(a, a[sure]) | _holds(b, b[sure]))]
    if len(edges):
        chosen[edges] = _tangled(left[edges], right[edges], weight[edges])
    return chosen


def _outweighs_its_rivals(left: Index, right: Index, weight: FloatArray) -> Index:
    """Edges at least as heavy as the heaviest rival at one end and that at the other end together.

    A matching without such an edge loses nothing by taking it in place of the edges at its ends.
    """
    best_left, rival_left = _two_heaviest(left, weight)
    best_right, rival_right = _two_heaviest(right, weight)
    edges = best_left[left]
    edges = np.flatnonzero((edges == np.arange(len(left))) & (edges == best_right[right]))
    return edges[weight[edges] >= rival_left[left[edges]] + rival_right[right[edges]]]


def _two_heaviest(ends: Index, weight: FloatArray) -> tuple[Index, FloatArray]:
    """Heaviest edge at every number, the first of equals, and the weight of the next one, 0 if there is none."""
    count = int(ends.max()) + 1
    most, next_most = np.zeros(count), np.zeros(count)
    np.maximum.at(most, ends, weight)
    heavy = np.flatnonzero(weight == most[ends])[::-1]
    best = np.zeros(count, dtype=np.int64)
    best[ends[heavy]] = heavy
    others = weight.copy()
    others[best[ends[heavy]]] = 0.0
    np.maximum.at(next_most, ends, others)
    return best, next_most


def _holds(numbers: Index, some: Index) -> BoolArray:
    """Which numbers are among ``some``."""
    held = np.zeros(int(numbers.max()) + 1, dtype=np.bool_)
    held[some] = True
    return held[numbers]


def _tangled(left: Index, right: Index, weight: FloatArray) -> BoolArray:
    """Match component by component, small ones of one size together."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    a, b = _ranks(left), _ranks(right)
    n, m = int(a.max()) + 1, int(b.max()) + 1
    graph = coo_array((np.ones(len(a), dtype=np.int8), (a, b + n)), shape=(n + m, n + m))
    count, component = connected_components(graph, directed=False)
    row, rows = _place_within(component[:n], count)
    column, columns = _place_within(component[n:], count)
    of_edge = component[a]
    row, column, size = row[a], column[b], np.maximum(rows, columns)
    chosen = np.zeros(len(a), dtype=np.bool_)
    for k in range(1, SMALL + 1):
        edges = np.flatnonzero(size[of_edge] == k)
        if len(edges):
            chosen[edges] = _by_trial(_ranks(of_edge[edges]), row[edges], column[edges], weight[edges], k)
    large = np.flatnonzero(size[of_edge] > SMALL)
    large = large[np.argsort(of_edge[large], kind="stable")]
    for edges in np.split(large, np.flatnonzero(np.diff(of_edge[large])) + 1) if len(large) else ():
        chosen[edges] = _assign(row[edges], column[edges], weight[edges])
    return chosen


def _ranks(numbers: Index) -> Index:
    """Numbers renamed 0, 1, 2 ... in ascending order without gaps."""
    used = np.zeros(int(numbers.max()) + 1, dtype=np.bool_)
    used[numbers] = True
    return (np.cumsum(used) - 1)[numbers]


def _place_within(group: Any, count: int) -> tuple[Index, Index]:
    """Place of every element within its group, and the size of every group."""
    sizes = np.bincount(group, minlength=count)
    order = np.argsort(group, kind="stable")
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, sizes


@cache
def _orders(size: int) -> Index:
    """All orders of 0 .. size - 1, (size!, size)."""
    return np.array(list(permutations(range(size))), dtype=np.int64)


def _by_trial(component: Index, row: Index, column: Index, weight: FloatArray, size: int) -> BoolArray:
    """Try every assignment of components with at most ``size`` things on either side."""
    table = np.zeros((int(component.max()) + 1, size, size))
    table[component, row, column] = weight
    orders = _orders(size)
    totals = np.zeros((len(table), len(orders)))
    for place in range(size):
        totals += table[:, place, :][:, orders[:, place]]
    best = orders[np.argmax(totals, axis=1)]
    return np.asarray(best[component, row] == column)


def _assign(row: Index, column: Index, weight: FloatArray) -> BoolArray:
    """Linear assignment of one component."""
    n, m = int(row.max()) + 1, int(column.max()) + 1
    if n * m > DENSE_CELLS and n * m > 16 * len(row):
        return _assign_sparse(row, column, weight, n, m)
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((n, m))
    table[row, column] = weight
    partner = np.full(n, -1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    partner[rows] = columns
    return np.asarray(partner[row] == column)


def _assign_sparse(row: Index, column: Index, weight: FloatArray, n: int, m: int) -> BoolArray:
    """Linear assignment in memory O(edges): every row may also stay alone, at the cost of a weight of 0."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    alone = np.arange(n)
    worst = float(weight.max()) + 1.0
    cost = np.concatenate((worst - weight, np.full(n, worst)))
    ends = np.concatenate((row, alone)), np.concatenate((column, m + alone))
    rows, columns = min_weight_full_bipartite_matching(coo_array((cost, ends), shape=(n, m + n)).tocsr())
    partner = np.full(n, -1)
    partner[rows] = columns
    return np.asarray(partner[row] == column)


def _greedy(left: Index, right: Index, weight: FloatArray) -> BoolArray:
    """Take edges that are the best at both ends until none is left: the same as taking the best one again and again."""
    chosen = np.zeros(len(left), dtype=np.bool_)
    edges = np.lexsort((np.arange(len(left)), -weight))
    while len(edges):
        first = _is_first(left[edges]) & _is_first(right[edges])
        taken = edges[first]
        chosen[taken] = True
        edges = edges[~(_holds(left[edges], left[taken]) | _holds(right[edges], right[taken]))]
    return chosen


def _is_first(numbers: Index) -> BoolArray:
    """Whether a number occurs for the first time."""
    first = np.zeros(len(numbers), dtype=np.bool_)
    first[np.unique(numbers, return_index=True)[1]] = True
    return first
