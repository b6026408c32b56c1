"""Strings that look alike and mean different things: the lexical negatives."""

from __future__ import annotations

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from accord.terminology.concepts import Terminology, key

_BLOCK = 500


class Strings:
    """All strings of a terminology in order, their concepts, and for each the nearest unrelated strings.

    Nearness is the cosine of character-trigram vectors weighted by rarity.
    """

    def __init__(self, table: Terminology, neighbours: int = 10) -> None:
        self.table = table
        pairs = [(n, c) for c, v in table.concepts.items() for n in v.names]
        self.text = [n for n, _ in pairs]
        self.concept = [c for _, c in pairs]
        self.at: dict[str, list[int]] = {}
        for i, c in enumerate(self.concept):
            self.at.setdefault(c, []).append(i)
        self.near = self._nearest(neighbours)

    def _nearest(self, count: int) -> list[list[int]]:
        keys = [key(t) for t in self.text]
        vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), dtype=np.float32).fit_transform(keys).tocsr()
        columns = vectors.T.tocsr()
        out = []
        for start in range(0, len(keys), _BLOCK):
            scores = (vectors[start : start + _BLOCK] @ columns).tocsr()
            for row in range(scores.shape[0]):
                low, high = scores.indptr[row], scores.indptr[row + 1]
                found, value = scores.indices[low:high], scores.data[low:high]
                if len(found) > 4 * count:
                    top = np.argpartition(-value, 4 * count)[: 4 * count]
                    found, value = found[top], value[top]
                out.append(self._unrelated(start + row, found[np.argsort(-value, kind="stable")], count))
        return out

    def _unrelated(self, i: int, candidates: np.ndarray, count: int) -> list[int]:
        kept = [int(j) for j in candidates if not self.table.related(self.concept[i], self.concept[int(j)])]
        return kept[:count]
