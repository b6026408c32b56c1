"""Answers as distinct texts in normal form, and pairs of them scored once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from accord.equivalence.protocol import Equivalence, normal
from accord.equivalence.scoring import PairScorer
from accord.errors import DataError
from accord.metrics.texts import joined
from accord.similarity.core import Codes
from accord.values import EMPTY, FloatArray, Index, Value

#: (pairs scored, all pairs to score)
Progress = Callable[[int, int], None]
#: Pairs after which progress is told, for models that do not say after how many they can be interrupted.
CHUNK = 8192


class TextPool:
    """V values as T distinct normal texts; values that say nothing share one place, the last.

    ``place`` (V,) is the text of each value; ``form`` makes a text of a value.
    """

    def __init__(self, values: Sequence[Value], form: Callable[[Value], str] | None = None) -> None:
        index: dict[str, int] = {}
        places = []
        for value in values:
            text = (form or text_of)(value)
            places.append(index.setdefault(text, len(index)) if text else -1)
        self.texts = list(index)
        self.place: Index = np.array(places, dtype=np.int64)
        self.has_blank = bool((self.place < 0).any())
        self.place[self.place < 0] = len(self.texts)
        self.size = len(self.texts) + self.has_blank
        self._same = np.array_equal(self.place, np.arange(len(values)))

    @property
    def blank(self) -> int:
        """Place of values that say nothing; beyond all others where there are none."""
        return len(self.texts)

    def gathered(self, p: FloatArray) -> FloatArray:
        """Sums of p (..., V) over the values of each text, (..., size)."""
        if self._same:
            return p
        from scipy.sparse import csr_array

        every = np.arange(len(self.place))
        member = csr_array((np.ones(len(every)), (self.place, every)), shape=(self.size, len(every)))
        sums = (member @ p.reshape(-1, len(every)).T).T
        return np.asarray(sums, dtype=np.float64).reshape(*p.shape[:-1], self.size)

    def spread_out(self, q: FloatArray) -> FloatArray:
        """What holds for each text (..., size), for each value (..., V)."""
        return q if self._same else q[..., self.place]

    def expanded(self, left: Codes, right: Codes) -> tuple[Index, Index, Index]:
        """Pairs of values behind pairs of places: both values, and the pair of places each comes from."""
        if self._same:
            return left.astype(np.int64), right.astype(np.int64), np.arange(len(left))
        order = np.argsort(self.place, kind="stable")
        size = np.bincount(self.place, minlength=self.size)
        start = np.cumsum(size) - size
        number = size[left] * size[right]
        of = np.repeat(np.arange(len(left)), number)
        within = np.arange(int(number.sum())) - np.repeat(np.cumsum(number) - number, number)
        a, b = left[of], right[of]
        return order[start[a] + within // size[b]], order[start[b] + within % size[b]], of


def text_of(value: Value) -> str:
    """Text of an answer in normal form, several lines as one.

    Raises
    ------
    DataError
        If the answer is no text.
    """
    if value is EMPTY:
        return ""
    text = joined(value)
    if text is None:
        raise DataError.at(
            "an equivalence model compares texts.",
            found=repr(value),
            hint="Choose another similarity for this control.",
        )
    return normal(text)


class PairMemo:
    """Scores of pairs of texts, each asked once.

    What says nothing equals itself and nothing else, without a call. ``calls`` counts the pairs a model was asked for,
    ``failed`` those it gave no answer to.
    """

    def __init__(self, pool: TextPool, model: Equivalence, progress: Progress | None = None) -> None:
        #: Texts that are compared, and those whose pairs the model is asked for.
        self.pool = self.asked = pool
        self.size, self.scale, self.name = pool.size, 1.0, model.name
        self.model = model
        self.progress = progress
        self.calls = self.failed = 0
        self._gaps: list[tuple[float, int]] = []
        self._scorer: PairScorer | None = None
        self._keys: Index = np.empty(0, dtype=np.int64)
        self._scores: FloatArray = np.empty(0)
        self._table: FloatArray | None = None

    @property
    def scorer(self) -> PairScorer:
        """The model over the texts; made when first needed, because making it may encode them all."""
        if self._scorer is None:
            self._scorer = PairScorer(self.model, self.pool.texts)
        return self._scorer

    @property
    def order_gap(self) -> float:
        """Mean difference between both orders of a pair."""
        asked = sum(count for _, count in self._gaps)
        return sum(gap * count for gap, count in self._gaps) / asked if asked else 0.0

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Scores of pairs of places, (n,); NaN = no answer."""
        if self._table is not None:
            return self._table[i, j]
        low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j).astype(np.int64)
        keys = low * self.pool.size + high
        plain = (low == high) | (high == self.pool.blank)
        wanted = np.unique(keys[~plain])
        fresh = wanted[~np.isin(wanted, self._keys, assume_unique=True)]
        if len(fresh):
            self._ask(fresh)
        scores = (low == high).astype(np.float64)
        scores[~plain] = self._scores[np.searchsorted(self._keys, keys[~plain])]
        return scores

    def _ask(self, fresh: Index) -> None:
        size = self.pool.size
        step = max(1, int(getattr(self.model, "chunk", CHUNK)))
        scores = np.empty(len(fresh))
        for start in range(0, len(fresh), step):
            some = fresh[start : start + step]
            found = self.scorer.scores(some // size, some % size)
            scores[start : start + step] = found.values
            self._gaps.append((found.order_gap, len(some)))
            if self.progress:
                self.progress(start + len(some), len(fresh))
        self.calls += len(fresh)
        self.failed += int(np.isnan(scores).sum())
        self._keep(fresh, scores)

    def _keep(self, fresh: Index, scores: FloatArray) -> None:
        self._keys, self._scores = np.concatenate((self._keys, fresh)), np.concatenate((self._scores, scores))
        order = np.argsort(self._keys, kind="stable")
        self._keys, self._scores = self._keys[order], self._scores[order]

    def table(self) -> FloatArray:
        """All pairs, (size, size); kept."""
        if self._table is None:
            self._table = self._every_pair()
        return self._table

    def _every_pair(self) -> FloatArray:
        texts = len(self.pool.texts)
        table = np.eye(self.pool.size)
        block: Any = getattr(self.model, "block", None)
        left, right = np.triu_indices(texts, 1)
        if block is None or not self.model.symmetric:
            table[left, right] = table[right, left] = self.at(left, right)
            return table
        every = slice(0, texts)
        table[:texts, :texts] = block(self.scorer.encoded, every, every)
        np.fill_diagonal(table, 1.0)
        self.calls = len(left)
        self.failed = int(np.isnan(table[left, right]).sum())
        return table
