"""What regions carry beside their place: labels, nested choices, nested texts; compared once per distinct pair."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np

from accord.metrics.sets import cross_overlaps, pair_overlaps
from accord.metrics.strings import edit_similarity
from accord.metrics.texts import Normal, normal_text
from accord.values import FloatArray, Index, Region

Content: TypeAlias = tuple[frozenset[str], frozenset[str]]
Thing = TypeVar("Thing", bound=Hashable)
TABLE = 512


class Contents:
    """Labels and texts of N regions."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self._regions = regions
        self._texts: dict[Normal, tuple[Index, tuple[str, ...]]] = {}

    @cached_property
    def labels(self) -> Index:
        """Number of the label set of every region, (N,)."""
        return self._coded[0]

    @cached_property
    def _coded(self) -> tuple[Index, tuple[Content, ...]]:
        labels, label_sets = numbered([region.labels for region in self._regions])
        nested, choice_sets = numbered([region.choices for region in self._regions])
        keys, codes = np.unique(labels * max(len(choice_sets), 1) + nested, return_inverse=True)
        pairs = [divmod(key, len(choice_sets)) for key in keys.tolist()]
        merged, contents = numbered([(label_sets[a], choice_sets[b] or frozenset()) for a, b in pairs])
        return merged[codes], contents

    @cached_property
    def _sets(self) -> list[frozenset[Hashable]]:
        """Distinct label sets; a choice is never taken for a label."""
        return [frozenset(("label", x) for x in a) | {("choice", x) for x in b} for a, b in self._coded[1]]

    @cached_property
    def _table(self) -> FloatArray:
        return _jaccard(*cross_overlaps(self._sets, self._sets))

    def label_similarity(self, left: Index, right: Index, rule: str) -> FloatArray:
        """Jaccard similarity of label sets, or their equality, (n,); NaN where neither region carries any."""
        a, b = self.labels[left], self.labels[right]
        if rule == "equal":
            bare = np.array([not any(content) for content in self._coded[1]], dtype=np.bool_)
            return np.where(bare[a] & bare[b], np.nan, a == b)
        if len(self._sets) <= TABLE:
            return self._table[a, b]
        return by_distinct(a, b, len(self._sets), lambda x, y: _jaccard(*pair_overlaps(self._sets, x, y)))

    def text_similarity(self, left: Index, right: Index, normalize: Normal) -> FloatArray:
        """Edit similarity of nested texts, (n,); NaN where neither region carries any."""
        if normalize not in self._texts:
            forms = [normal_text(region.text or "", normalize=normalize) or "" for region in self._regions]
            self._texts[normalize] = numbered(forms)
        codes, texts = self._texts[normalize]
        return by_distinct(codes[left], codes[right], len(texts), lambda x, y: edit_similarity(texts, x, y))


def numbered(things: Sequence[Thing]) -> tuple[Index, tuple[Thing, ...]]:
    """Number of every thing by first appearance, (N,), and the distinct things."""
    index = {thing: number for number, thing in enumerate(dict.fromkeys(things))}
    codes = np.fromiter(map(index.__getitem__, things), np.int64, len(things))
    return codes, tuple(index)


def by_distinct(a: Index, b: Index, size: int, score: Callable[[Index, Index], FloatArray]) -> FloatArray:
    """Score every distinct pair of numbers below ``size`` once."""
    distinct, place = np.unique(a * size + b, return_inverse=True)
    return score(distinct // size, distinct % size)[place]


def _jaccard(common: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    total = left + right - common
    return np.where(total > 0, common / np.where(total > 0, total, 1.0), np.nan)
