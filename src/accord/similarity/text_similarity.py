"""The similarity of free texts under a model of equivalence: pairs on demand, sums exact, closed or estimated."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from accord.similarity.core import Codes, Drawn
from accord.similarity.text_pool import PairMemo, TextPool
from accord.values import FloatArray

#: Shares of pairs without an answer from which a number is undefined: within units, and in a sample for chance.
MOST_FAILED, MOST_FAILED_SAMPLE = 0.01, 0.05


class Sums(Protocol):
    """Sums over the texts of a pool."""

    def times(self, p: FloatArray, /) -> FloatArray: ...
    def known(self, p: FloatArray, /) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class Chance:
    """How sums over pairs are had: ``design`` (exact, closed form, or how pairs were drawn), and what it took."""

    design: str
    calls: int
    pairs: int


class TextSimilarity:
    """V values through a model; the sums are made when a chance term first needs them.

    ``incomplete`` is a sentence where too many scores failed, else None.
    """

    scale = 1.0
    costly = True

    def __init__(
        self, pool: TextPool, memo: PairMemo, design: str, make: Callable[[], Sums], within: tuple[Codes, Codes]
    ) -> None:
        self.pool, self.memo, self.design = pool, memo, design
        self._make = make
        self._within = within
        self.size = len(pool.place)
        version = hashlib.sha256(memo.model.fingerprint.encode()).hexdigest()[:12]
        self.name = f"{memo.name}[{version}]" + (f"({design})" if design != "exact" else "")

    @cached_property
    def sums(self) -> Sums:
        """What knows the sums."""
        return self._make()

    def at(self, i: Codes, j: Codes, /) -> FloatArray:
        """Similarities of value pairs, (n,); each distinct pair of texts is scored once."""
        return self.memo.at(self.pool.place[i], self.pool.place[j])

    def times(self, p: FloatArray, /) -> FloatArray:
        """Sum_v s(u, v) p(..., v), shape (..., V)."""
        return self.pool.spread_out(self.sums.times(self.pool.gathered(p)))

    def known(self, p: FloatArray, /) -> FloatArray:
        """Sum of p over the values that u can be compared with, shape (..., V)."""
        gathered = self.pool.gathered(p)
        known = np.broadcast_to(self.sums.known(gathered), gathered.shape)
        return self.pool.spread_out(known)

    def dense(self) -> FloatArray:
        """Return the whole matrix (V, V); scores every pair."""
        place = self.pool.place
        return self.memo.table()[np.ix_(place, place)]

    def error(self, p: FloatArray, q: FloatArray, weight: FloatArray, /) -> float | None:
        """Standard error of sum_k weight_k p_k S q_k, p and q of shape (K, V); None where sums are exact."""
        found = getattr(self.sums, "error", None)
        return None if found is None else found(self.pool.gathered(p), self.pool.gathered(q), weight)

    def limits(self, p: FloatArray, q: FloatArray, weight: FloatArray, /) -> tuple[float, float] | None:
        """How far below and above its estimate that sum may lie (95 %); None where no more than ``error`` is known."""
        found = getattr(self.sums, "limits", None)
        return None if found is None else found(self.pool.gathered(p), self.pool.gathered(q), weight)

    @property
    def smooth(self) -> TextSimilarity:
        """The same similarity without the noise of single draws, for linearisation; itself where there is none."""
        return _Smooth(self) if hasattr(self.sums, "smooth") else self

    def drawn(self) -> Drawn | None:
        """Pairs of values that were scored and what each stands for, where sums rest on a sample."""
        found: Drawn | None = self.sums.drawn() if hasattr(self.sums, "drawn") else None
        if found is None:
            return None
        i, j, of = self.pool.expanded(found.left, found.right)
        return Drawn(i, j, found.weight[of])

    @property
    def chance(self) -> Chance:
        """How sums over pairs were had."""
        texts = len(self.memo.asked.texts)
        return Chance(self.design, self.memo.calls, texts * (texts - 1) // 2)

    @property
    def incomplete(self) -> str | None:
        """Sentence where too many scores failed."""
        i, j = self._within
        scores = self.at(i, j)
        failed = float(np.isnan(scores).mean()) if len(scores) else 0.0
        if failed > MOST_FAILED:
            return f"{self.memo.model.name} gave no score to {failed:.1%} of the pairs within units; 1 % may fail"
        share = getattr(self.sums, "failed", 0.0) if "sums" in self.__dict__ else 0.0
        if share > MOST_FAILED_SAMPLE:
            return (
                f"{self.memo.model.name} gave no score to {share:.1%} of the sample for chance agreement; 5 % may fail"
            )
        return None


class _Smooth(TextSimilarity):
    """Levels in place of the estimate."""

    def __init__(self, whole: TextSimilarity) -> None:
        sums: Any = whole.sums
        super().__init__(whole.pool, whole.memo, whole.design, lambda: sums.smooth, whole._within)
        self.name = whole.name
