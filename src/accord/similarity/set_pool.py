"""Answers as sets of texts, compared by an optimal matching of their members."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from accord.equivalence.protocol import Equivalence
from accord.matching import choose_edges
from accord.similarity.core import Codes
from accord.similarity.text_pool import PairMemo, Progress, TextPool, text_of
from accord.values import FloatArray, Index, Value

SetMeasure = Literal["dice", "jaccard"]
#: Similarity of sets of sizes a and b from the total W of their best one-to-one matching.
MEASURES: Final[Mapping[str, Callable[[FloatArray, FloatArray, FloatArray], FloatArray]]] = MappingProxyType(
    {"dice": lambda total, a, b: 2.0 * total / (a + b), "jaccard": lambda total, a, b: total / (a + b - total)}
)
#: Pairs of members that are matched at a time.
CELLS: Final = 1 << 20


def members_of(value: Value) -> tuple[str, ...]:
    r"""Members of a set-valued answer in normal form, each once, in alphabetical order.

    They are the texts of a list, the lines of a text, or the texts of a JSON list.

    Examples
    --------
    >>> members_of("cough\n Fever\ncough"), members_of('["cough", "fever"]'), members_of(("rash", ""))
    (('Fever', 'cough'), ('cough', 'fever'), ('rash',))
    """
    lines = value if isinstance(value, tuple) else _lines(value)
    return tuple(sorted({text for line in lines if (text := text_of(line))}))


def _lines(value: Value) -> Sequence[Value]:
    if not isinstance(value, str):
        return (value,)
    if value.lstrip().startswith("["):
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list) and all(isinstance(line, str) for line in found):
            return found
    return value.splitlines()


class SetPool(TextPool):
    """V values as distinct sets of texts; ``texts`` are their members, a line each.

    Attributes
    ----------
    lines
        The distinct members.
    member, start, length
        Members of each set one after the other, where each set begins, and how many members it has.
    """

    def __init__(self, values: Sequence[Value]) -> None:
        super().__init__(values, lambda value: "\n".join(members_of(value)))
        sets = [text.split("\n") for text in self.texts]
        self.lines = TextPool([line for lines in sets for line in lines])
        self.member: Index = self.lines.place
        self.length: Index = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
        self.start: Index = _offset(self.length)

    def cells(self, i: Codes, j: Codes) -> tuple[Index, Index, Index]:
        """All pairs of members of pairs of sets: the pair of sets, and the number of either member in its set."""
        other = self.length[j]
        number = self.length[i] * other
        of = np.repeat(np.arange(len(i)), number)
        within = np.arange(len(of)) - np.repeat(_offset(number), number)
        return of, within // other[of], within % other[of]

    def distinct_cells(self, i: Codes, j: Codes) -> int:
        """Distinct pairs of different members that pairs of sets are made of."""
        of, row, column = self.cells(i, j)
        a, b = self.member[self.start[i][of] + row], self.member[self.start[j][of] + column]
        return len(np.unique((np.minimum(a, b) * self.lines.size + np.maximum(a, b))[a != b]))


class SetMemo(PairMemo):
    """Scores of pairs of sets; each pair of members is asked once, and ``calls`` counts those.

    The empty set equals itself and nothing else. A pair of sets with an unknown pair of members is unknown.
    """

    def __init__(
        self, pool: SetPool, model: Equivalence, measure: SetMeasure, progress: Progress | None = None
    ) -> None:
        super().__init__(pool, model, progress)
        self.name = f"matched_{measure}({model.name},empty=agree)"
        self._sets, self._measure = pool, MEASURES[measure]
        self._members = PairMemo(pool.lines, model, progress)
        self.asked = pool.lines
        self._gaps = self._members._gaps

    def _ask(self, fresh: Index) -> None:
        i, j = fresh // self.size, fresh % self.size
        block = np.cumsum(self._sets.length[i] * self._sets.length[j]) // CELLS
        ends = np.flatnonzero(np.diff(block)) + 1
        parts = [self._matched(*part) for part in zip(np.split(i, ends), np.split(j, ends), strict=True)]
        self.calls, self.failed = self._members.calls, self._members.failed
        self._keep(fresh, np.concatenate(parts))

    def _matched(self, i: Index, j: Index) -> FloatArray:
        """Scores of pairs of sets, (n,)."""
        pool = self._sets
        of, row, column = pool.cells(i, j)
        a, b = pool.length[i], pool.length[j]
        score = self._members.at(pool.member[pool.start[i][of] + row], pool.member[pool.start[j][of] + column])
        unknown = np.bincount(of[np.isnan(score)], minlength=len(i)) > 0
        edge = score > 0
        left, right = _offset(a)[of] + row, _offset(b)[of] + column
        of, score = of[edge], score[edge]
        chosen = choose_edges(left[edge], right[edge], score)
        total = np.bincount(of[chosen], score[chosen], len(i)).astype(np.float64)
        return np.where(unknown, np.nan, self._measure(total, a.astype(np.float64), b.astype(np.float64)))

    def _every_pair(self) -> FloatArray:
        self._members.table()
        table = np.eye(self.size)
        left, right = np.triu_indices(len(self.pool.texts), 1)
        table[left, right] = table[right, left] = self.at(left, right)
        self.calls, self.failed = self._members.calls, self._members.failed
        return table


def _offset(length: Index) -> Index:
    """Where each of several runs of these lengths begins."""
    return np.cumsum(length) - length
