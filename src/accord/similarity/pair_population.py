"""All pairs of answers whose texts were not scored yet: what a sample for chance agreement is drawn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.similarity.core import Codes
from accord.values import FloatArray, Index


@dataclass(frozen=True)
class PairPopulation:
    """Pairs of different texts: places left < right (K,), and how many pairs of answers have them (K,).

    ``counts`` (T,) is how often each text was given.
    """

    left: Index
    right: Index
    multiplicity: Index
    counts: FloatArray

    @classmethod
    def of(cls, counts: FloatArray, known: tuple[Codes, Codes]) -> PairPopulation:
        """All pairs of texts that were given, but those known already."""
        texts = len(counts)
        left, right = np.triu_indices(texts, 1)
        fresh = np.ones((texts, texts), dtype=np.bool_)
        fresh[known[0], known[1]] = fresh[known[1], known[0]] = False
        keep = fresh[left, right] & (counts[left] > 0) & (counts[right] > 0)
        left, right = left[keep], right[keep]
        whole = np.rint(counts).astype(np.int64)
        return cls(left, right, whole[left] * whole[right], counts)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def pairs(self) -> int:
        """Number of pairs of answers."""
        return int(self.multiplicity.sum())

    def drawn(self, members: Index, size: int, rng: np.random.Generator) -> Index:
        """Distinct pairs of answers in random order, as members they belong to, (size,); any prefix is a sample too."""
        ends = np.cumsum(self.multiplicity[members])
        if not len(ends):
            return np.empty(0, dtype=np.int64)
        numbers = rng.choice(int(ends[-1]), min(size, int(ends[-1])), replace=False)
        return members[np.searchsorted(ends, numbers, side="right")]
