"""Likeness of wording: token sets, character n-grams, edits. Cheap, deterministic, and blind to synonyms."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from accord.equivalence.protocol import Places, normal
from accord.errors import UnknownNameError
from accord.metrics.sets import cross_overlaps, pair_overlaps
from accord.metrics.strings import cross_scores, distances, share_kept
from accord.values import FloatArray

_WORD = re.compile(r"\w+")
_GRAM = 3


def tokens(text: str) -> tuple[str, ...]:
    """Words of a text, case folded; its signs where it has no word.

    Examples
    --------
    >>> tokens("Chest-pain, severe"), tokens("?!")
    (('chest', 'pain', 'severe'), ('?', '!'))
    """
    folded = normal(text).casefold()
    return tuple(_WORD.findall(folded)) or tuple(folded.replace(" ", ""))


def grams(text: str) -> frozenset[str]:
    """Sequences of three characters of a text with a space at both ends, case folded."""
    folded = normal(text).casefold()
    padded = f" {folded} " if folded else ""
    return frozenset(padded[k : k + _GRAM] for k in range(len(padded) - _GRAM + 1))


def folded(text: str) -> str:
    """Text without differences of case."""
    return normal(text).casefold()


def sorted_tokens(text: str) -> str:
    """Words of a text in alphabetical order."""
    return " ".join(sorted(tokens(text)))


def _jaccard(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    return _share(shared, left + right - shared)


def _dice(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    return _share(2.0 * shared, left + right)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.where(whole > 0, part / np.maximum(whole, 1.0), 1.0)


def _set_pairs(formula: Callable[..., FloatArray]) -> Callable[[Any, Places, Places], FloatArray]:
    return lambda pool, i, j: formula(*pair_overlaps(pool, i, j))


def _set_block(formula: Callable[..., FloatArray]) -> Callable[[Any, Any], FloatArray]:
    return lambda left, right: formula(*cross_overlaps(left, right))


def _edit_pairs(pool: Sequence[str], i: Places, j: Places) -> FloatArray:
    size = np.fromiter(map(len, pool), dtype=np.float64, count=len(pool))
    return np.nan_to_num(share_kept(distances(pool, i, j), np.maximum(size[i], size[j])), nan=1.0)


def _edit_block(left: Sequence[str], right: Sequence[str]) -> FloatArray:
    return cross_scores(left, right, "normalized_similarity")


def _jaro_winkler_pairs(pool: Sequence[str], i: Places, j: Places) -> FloatArray:
    from rapidfuzz.distance import JaroWinkler

    return distances(pool, i, j, JaroWinkler.similarity)


def _jaro_winkler_block(left: Sequence[str], right: Sequence[str]) -> FloatArray:
    from rapidfuzz import process
    from rapidfuzz.distance import JaroWinkler

    return process.cdist(left, right, scorer=JaroWinkler.similarity, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Lexical:
    """A measure of wording; reads each text once (``form``), compares pairs or whole blocks."""

    name: str
    summary: str
    form: Callable[[str], Any]
    pairs: Callable[[Any, Places, Places], FloatArray]
    grid: Callable[[Any, Any], FloatArray]
    symmetric: bool = True
    seconds: float = 2e-7

    @property
    def fingerprint(self) -> str:
        """Name and version of the formula."""
        return f"lexical-{self.name}-1"

    def encode(self, texts: Sequence[str], /) -> list[Any]:
        """Working forms of V texts."""
        return list(map(self.form, texts))

    def compare(self, encoded: Any, i: Places, j: Places, /) -> FloatArray:
        """Scores of pairs of texts by place, (n,)."""
        return self.pairs(encoded, np.asarray(i), np.asarray(j))

    def block(self, encoded: Any, rows: slice, columns: slice, /) -> FloatArray:
        """Scores of all pairs of two ranges of texts, (n, m)."""
        return self.grid(encoded[rows], encoded[columns])

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs, (n,)."""
        places = np.arange(len(left))
        return self.compare(self.encode([*left, *right]), places, places + len(left))


def _equal_pairs(pool: Sequence[str], i: Places, j: Places) -> FloatArray:
    return np.fromiter((pool[a] == pool[b] for a, b in zip(i.tolist(), j.tolist(), strict=True)), np.float64, len(i))


def _equal_block(left: Sequence[str], right: Sequence[str]) -> FloatArray:
    return np.equal.outer(np.array(left, dtype=object), np.array(right, dtype=object)).astype(np.float64)


_ALL = (
    Lexical("exact", "1 for equal texts, else 0.", normal, _equal_pairs, _equal_block),
    Lexical(
        "jaccard",
        "Shared words over all words.",
        lambda t: frozenset(tokens(t)),
        _set_pairs(_jaccard),
        _set_block(_jaccard),
    ),
    Lexical(
        "dice",
        "Twice the shared words over the words of both.",
        lambda t: frozenset(tokens(t)),
        _set_pairs(_dice),
        _set_block(_dice),
    ),
    Lexical(
        "ngrams",
        "Shared sequences of three characters over all of them.",
        grams,
        _set_pairs(_jaccard),
        _set_block(_jaccard),
    ),
    Lexical("edit", "1 - Levenshtein distance / length of the longer text.", folded, _edit_pairs, _edit_block),
    Lexical(
        "jaro",
        "Jaro-Winkler: a bonus of up to four common first characters where the Jaro similarity exceeds 0.7.",
        folded,
        _jaro_winkler_pairs,
        _jaro_winkler_block,
    ),
    Lexical("token_sort", "Edit likeness of the words in alphabetical order.", sorted_tokens, _edit_pairs, _edit_block),
)

LEXICAL = MappingProxyType({measure.name: measure for measure in _ALL})


def lexical(name: str) -> Lexical:
    """Measure of wording by name: exact, jaccard, dice, ngrams, edit, jaro, token_sort.

    References
    ----------
    Jaccard 1912. Dice 1945. Levenshtein 1966. Winkler 1990.

    Examples
    --------
    >>> lexical("dice").score(["acute appendicitis"], ["appendicitis"]).round(3).tolist()
    [0.667]
    """
    if name not in LEXICAL:
        raise UnknownNameError.among("measure of wording", name, LEXICAL)
    return LEXICAL[name]
