"""Texts as words between white space: token sets, word error rate, BLEU."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from accord.metrics.sets import cross_overlaps, pair_overlaps
from accord.metrics.spec import Codes, metric
from accord.metrics.strings import edit_block, edit_cost, edit_similarity
from accord.metrics.texts import NORMALIZE, REFERENCE, refuse_unspaced, words
from accord.registry import Option
from accord.values import FloatArray, Kind

Words = tuple[str, ...]
_ORDERS = 4


def _ratio(shared: FloatArray, whole: FloatArray) -> FloatArray:
    return np.where(whole > 0, shared / np.maximum(whole, 1.0), np.nan)


def _token_jaccard(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    return _ratio(shared, left + right - shared)


def _token_dice(shared: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    return _ratio(2.0 * shared, left + right)


def _sets(texts: Sequence[Words]) -> list[frozenset[str]]:
    return list(map(frozenset, texts))


@metric(
    "token_jaccard",
    kinds=(Kind.TEXT,),
    reference="Jaccard 1912, on the sets of words",
    prepare=words,
    shape="batch",
    block=lambda left, right: _token_jaccard(*cross_overlaps(_sets(left), _sets(right))),
    options={"normalize": NORMALIZE},
    refuses=refuse_unspaced,
)
def token_jaccard(pool: Sequence[Words], i: Codes, j: Codes, /) -> FloatArray:
    """Shared words over all words, each counted once; case and punctuation count."""
    return _token_jaccard(*pair_overlaps(_sets(pool), i, j))


@metric(
    "token_dice",
    kinds=(Kind.TEXT,),
    reference="Dice 1945, on the sets of words",
    prepare=words,
    shape="batch",
    block=lambda left, right: _token_dice(*cross_overlaps(_sets(left), _sets(right))),
    options={"normalize": NORMALIZE},
    refuses=refuse_unspaced,
)
def token_dice(pool: Sequence[Words], i: Codes, j: Codes, /) -> FloatArray:
    """Twice the shared words over the sum of both numbers of distinct words."""
    return _token_dice(*pair_overlaps(_sets(pool), i, j))


@metric(
    "wer",
    kinds=(Kind.TEXT,),
    reference="Morris, Maier and Green 2004, Interspeech (error rates); denominator: the longer text",
    prepare=words,
    shape="batch",
    block=edit_block,
    cost=edit_cost,
    directed=(("reference", "left"),),
    options={"normalize": NORMALIZE, "reference": REFERENCE},
    threshold=0.85,
    refuses=refuse_unspaced,
    aliases=("word_error_rate",),
    title="WER agreement",
)
def wer(pool: Sequence[Words], i: Codes, j: Codes, /, *, reference: str) -> FloatArray:
    """1 - word errors / words of the longer text, or of the left one."""
    return edit_similarity(pool, i, j, reference)


def _grams(text: Words, order: int) -> Counter[Words]:
    return Counter(text[k : k + order] for k in range(len(text) - order + 1))


def _precisions(reference: Words, candidate: Words, orders: str) -> list[float]:
    """Clipped n-gram precisions; add-one smoothing, on order 1 too if all four orders are asked for."""
    result = []
    for order in range(1, _ORDERS + 1):
        there, here = _grams(reference, order), _grams(candidate, order)
        total, hits = here.total(), (here & there).total()
        if orders == "all":
            result.append((hits + 1) / (total + 1))
        elif total and there:
            result.append(hits / total if order == 1 else (hits + 1) / (total + 1))
    return result


def _one_way(reference: Words, candidate: Words, orders: str) -> float:
    if not reference or not candidate:
        return 0.0
    precisions = _precisions(reference, candidate, orders)
    if min(precisions) == 0.0:
        return 0.0
    brevity = min(0.0, 1.0 - len(reference) / len(candidate))
    return min(1.0, math.exp(brevity + sum(map(math.log, precisions)) / len(precisions)))


@metric(
    "bleu",
    kinds=(Kind.TEXT,),
    reference="Papineni et al. 2002, ACL; sentence level, smoothed as in Lin and Och 2004",
    prepare=words,
    directed=(("reference", "left"),),
    options={
        "normalize": NORMALIZE,
        "reference": REFERENCE,
        "orders": Option(
            "common",
            ("common", "all"),
            "common: n-gram orders both texts have, order 1 not smoothed; "
            "all: orders 1 to 4, each with add-one smoothing",
        ),
    },
    refuses=refuse_unspaced,
    title="BLEU",
)
def bleu(a: Words, b: Words, /, *, reference: str, orders: str) -> float | None:
    """Geometric mean of word n-gram precisions with brevity penalty, mean of both directions."""
    if not a and not b:
        return None
    forward = _one_way(a, b, orders)
    return forward if reference == "left" else (forward + _one_way(b, a, orders)) / 2.0
