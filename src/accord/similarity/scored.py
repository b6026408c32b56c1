"""A metric over the values of a study: pairs on demand, whole rows for sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from accord.metrics.spec import MetricSpec
from accord.similarity.core import Codes
from accord.similarity.placed import Placed
from accord.values import EMPTY, BoolArray, FloatArray, Index, Value

ROWS = 512
CACHED_VALUES = 2048
SLACK = 1e-12


class MetricSimilarity:
    """A metric over V distinct values: pairs on demand, whole blocks of rows for sums.

    EMPTY equals itself and nothing else; ``empty`` (V,) says which values are EMPTY. A metric with a direction counts
    as the mean of both. With a threshold, scores become 1 or 0.
    """

    scale = 1.0

    def __init__(
        self,
        values: Sequence[Value],
        spec: MetricSpec,
        options: Mapping[str, Any],
        threshold: float | None,
        seed: int = 0,
    ) -> None:
        self.name = signature(spec, options, threshold)
        self.size = len(values)
        self._values, self._seed = values, seed
        self._spec, self._options, self._threshold = spec, options, threshold
        self.empty: BoolArray = np.array([value is EMPTY for value in values], dtype=np.bool_)
        forms = spec.prepared(values, options)
        self._pool = [None if value is EMPTY else form for value, form in zip(values, forms, strict=True)]
        self.cost = spec.pair_cost(self._pool)
        self._keys: Index = np.empty(0, dtype=np.int64)
        self._scores: FloatArray = np.empty(0)
        self._table: FloatArray | None = None
        self._last: tuple[FloatArray, FloatArray, FloatArray] | None = None

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Similarities of value pairs, (n,); each distinct pair is scored once and kept."""
        keys = np.minimum(i, j).astype(np.int64) * self.size + np.maximum(i, j)
        wanted = np.unique(keys)
        fresh = wanted[~np.isin(wanted, self._keys, assume_unique=True)]
        if len(fresh):
            scores = self._score(fresh // self.size, fresh % self.size)
            order = np.argsort(np.concatenate((self._keys, fresh)), kind="stable")
            self._keys = np.concatenate((self._keys, fresh))[order]
            self._scores = np.concatenate((self._scores, scores))[order]
        return self._scores[np.searchsorted(self._keys, keys)]

    @property
    def forms(self) -> Sequence[Any]:
        """Working forms of the values, (V,); None for EMPTY and for values that do not fit."""
        return self._pool

    def of(self, values: Sequence[Value]) -> MetricSimilarity:
        """Return the same metric over other values."""
        return MetricSimilarity(values, self._spec, self._options, self._threshold)

    def scores(self, i: Index, j: Index) -> FloatArray:
        """Similarities of value pairs that are asked for once, (n,)."""
        return self._score(i, j)

    @cached_property
    def placed(self) -> Placed:
        """What to expect of the same regions at random places."""
        return Placed(self._values, self, self._seed)

    def named(self, threshold: float) -> str:
        """Name of the same metric with a threshold."""
        return signature(self._spec, self._options, threshold)

    def times(self, p: FloatArray, /) -> FloatArray:
        """Sum_v s(u, v) p(..., v), shape (..., V)."""
        return self._sums(p)[0]

    def known(self, p: FloatArray, /) -> FloatArray:
        """Sum of p(..., v) over the values v that u can be compared with, shape (..., V)."""
        return self._sums(p)[1]

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V)."""
        if self._table is not None:
            return self._table
        table = np.empty((self.size, self.size))
        for rows, block in self.upper():
            table[rows, rows.start :] = block
            table[rows.start :, rows] = block.T
        if self.size <= CACHED_VALUES:
            self._table = table
        return table

    def _sums(self, p: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Both sums in one pass; the last answer is kept, for callers ask for one after the other."""
        if self._last is not None and np.array_equal(self._last[0], p):
            return self._last[1], self._last[2]
        if self.size <= CACHED_VALUES:
            scored, comparable = row_sums(p, self.dense())
        else:
            scored, comparable = np.zeros(p.shape), np.zeros(p.shape)
            for rows, block in self.upper():
                for total, part in zip((scored, comparable), row_sums(p[..., rows.start :], block), strict=True):
                    total[..., rows] += part
                below = slice(rows.stop, self.size)
                turned = block[:, rows.stop - rows.start :].T
                for total, part in zip((scored, comparable), row_sums(p[..., rows], turned), strict=True):
                    total[..., below] += part
        self._last = p.copy(), scored, comparable
        return scored, comparable

    def upper(self) -> Iterator[tuple[slice, FloatArray]]:
        """Rows of the matrix from the diagonal on, a few hundred at a time: O(rows x V) memory."""
        for start in range(0, self.size, ROWS):
            rows = slice(start, min(start + ROWS, self.size))
            if self._table is not None:
                yield rows, self._table[rows, start:]
            elif self._spec.shape == "pair" and self._spec.block is None:
                i, j = np.meshgrid(np.arange(start, rows.stop), np.arange(start, self.size), indexing="ij")
                yield rows, self.at(i.ravel(), j.ravel()).reshape(i.shape)
            else:
                yield rows, self._rectangle(rows)

    def _rectangle(self, rows: slice) -> FloatArray:
        left, right = self._pool[rows], self._pool[rows.start :]
        block = self._spec.rectangle(left, right, self._options)
        if not self._spec.is_symmetric(self._options):
            block = (block + self._spec.rectangle(right, left, self._options).T) / 2.0
        return self._finished(block, self.empty[rows, None], self.empty[None, rows.start :])

    def _score(self, i: Index, j: Index) -> FloatArray:
        scores = self._spec.pairs(self._pool, i, j, self._options)
        if not self._spec.is_symmetric(self._options):
            scores = (scores + self._spec.pairs(self._pool, j, i, self._options)) / 2.0
        return self._finished(scores, self.empty[i], self.empty[j])

    def _finished(self, scores: FloatArray, left: BoolArray, right: BoolArray) -> FloatArray:
        """Apply the threshold and the rules for EMPTY."""
        if self._threshold is None and not self.empty.any():
            return scores
        if self._threshold is not None:
            scores = cut(scores, self._threshold)
        return np.where(left & right, 1.0, np.where(left | right, 0.0, scores))


def cut(scores: FloatArray, threshold: float) -> FloatArray:
    """1 where a score reaches the threshold, else 0; NaN stays."""
    return np.where(np.isnan(scores), np.nan, (scores >= threshold - SLACK).astype(np.float64))


def row_sums(p: FloatArray, block: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sums of p with the scores of some rows, and over their comparable values, two arrays (..., rows)."""
    scored = p @ block.T
    if not np.isnan(block.sum()):
        return scored, np.broadcast_to(p.sum(axis=-1, keepdims=True), scored.shape)
    unknown = np.isnan(block)
    return p @ np.where(unknown, 0.0, block).T, p @ (~unknown).astype(np.float64).T


def signature(spec: MetricSpec, options: Mapping[str, Any], threshold: float | None) -> str:
    """Name of a metric with the options that differ from their defaults, or are always stated."""
    known = spec.options
    changed = [f"{k}={value}" for k, value in options.items() if known[k].stated or value != known[k].default]
    if threshold is not None:
        changed.append(f"threshold={threshold:g}")
    return f"{spec.key}({','.join(changed)})" if changed else spec.key
