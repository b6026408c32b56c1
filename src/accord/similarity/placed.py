"""What similarity to expect of two answers once their regions lie at random places: seeded draws, with their error."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from accord.metrics.placing import Movable, movable, reach_of
from accord.similarity.core import Codes
from accord.values import EMPTY, BoolArray, FloatArray, Index, Value, canonical

#: Draws for all pairs of answers together where three raters answer everything, and those of one pair.
DRAWS = 20_000
FEWEST, MOST = 4, 400
#: What all draws may cost, in units of 100 ns: fewer are taken of costly metrics.
AFFORDABLE = 3e7
#: Answers scored at once.
AT_ONCE = 1 << 14


class Scorer(Protocol):
    """A metric over some values; a pair costs ``cost`` times 100 ns."""

    cost: float

    def of(self, values: Sequence[Value]) -> Scorer: ...
    def scores(self, i: Index, j: Index) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected similarities of n pairs of answers: NaN = a region cannot be moved, or not be compared.

    ``variance`` is that of ``mean``; pairs of one ``group`` were drawn together.
    """

    mean: FloatArray
    variance: FloatArray
    group: Index


class Placed:
    """Draws over V distinct values.

    Every region of an answer is put down anew, on its own and anywhere it could lie; its size, shape and label stay.
    Random numbers come from both answers of a pair and the seed: their order does not matter.
    """

    def __init__(self, values: Sequence[Value], scorer: Scorer, seed: int = 0) -> None:
        self._values, self._scorer, self._seed = values, scorer, seed
        total = min(DRAWS, AFFORDABLE / max(scorer.cost, 1.0))
        self._draws = int(np.clip(total // max(len(values), 1), FEWEST, MOST))
        self._known: dict[tuple[int, int, float], tuple[float, float]] = {}
        self._movable: dict[tuple[int, float], tuple[Movable, ...] | None] = {}

    @cached_property
    def reach(self) -> FloatArray:
        """How far the regions of each value reach along a text, recording or video, (V,); 0 on images."""
        return np.array([reach_of(value) for value in self._values], dtype=np.float64)

    @cached_property
    def possible(self) -> BoolArray:
        """Which values are EMPTY, or regions that can all be moved, (V,)."""
        every = [value is EMPTY or self._parts(k, 0.0) is not None for k, value in enumerate(self._values)]
        return np.array(every, dtype=np.bool_)

    def _parts(self, k: int, end: float) -> tuple[Movable, ...] | None:
        """Regions of a value that can be moved, found once."""
        if (k, end) not in self._movable:
            self._movable[k, end] = movable(self._values[k], end)
        return self._movable[k, end]

    def expected(self, i: Codes, j: Codes, reach: FloatArray) -> Expected:
        """Expected similarities of pairs of values in units that reach so far, n of each."""
        low, high = np.minimum(i, j), np.maximum(i, j)
        keys, group = np.unique(np.stack((low, high, reach)), axis=1, return_inverse=True)
        triples = [(int(a), int(b), float(end)) for a, b, end in keys.T.tolist()]
        fresh = [triple for triple in triples if triple not in self._known]
        step = max(1, AT_ONCE // self._draws)
        for first in range(0, len(fresh), step):
            some = fresh[first : first + step]
            self._known.update(zip(some, self._drawn(some), strict=True))
        found = np.array([self._known[triple] for triple in triples], dtype=np.float64).reshape(-1, 2)
        group = group.ravel()
        return Expected(found[group, 0], found[group, 1], group)

    def _drawn(self, triples: Sequence[tuple[int, int, float]]) -> Iterator[tuple[float, float]]:
        """Mean similarity of some pairs and its variance."""
        draws = self._draws
        answers: list[Value] = []
        for i, j, end in triples:
            answers += self._anew(i, j, end, draws)
        order = np.arange(len(answers)).reshape(len(triples), 2, draws)
        scores = self._scorer.of(answers).scores(order[:, 0].ravel(), order[:, 1].ravel()).reshape(-1, draws)
        known = self.possible[[i for i, _, _ in triples]] & self.possible[[j for _, j, _ in triples]]
        mean = np.where(known, scores.mean(axis=1), np.nan)
        return zip(mean.tolist(), (scores.var(axis=1, ddof=1) / draws).tolist(), strict=True)

    def _anew(self, i: int, j: int, end: float, draws: int) -> list[Value]:
        """Both answers at random places, all draws of one and then of the other."""
        marks = [zlib.crc32(canonical(self._values[k]).encode()) for k in (i, j)]
        chance = np.random.default_rng([self._seed, *sorted(marks)])
        turn = (i, j) if marks[0] <= marks[1] else (j, i)
        made = [_placed(self._values[k], self._parts(k, end), draws, chance) for k in turn]
        return made[0] + made[1] if turn == (i, j) else made[1] + made[0]


def _placed(value: Value, parts: tuple[Movable, ...] | None, draws: int, chance: np.random.Generator) -> list[Value]:
    if parts is None or not parts:
        return [value] * draws
    moved = [part.anew(chance.random((len(part.sides), draws))) for part in parts]
    return list(zip(*moved, strict=True))
