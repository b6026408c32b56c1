"""chrF: F-score of character n-grams, counted once per text and compared as sparse rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.metrics.spec import Codes, metric
from accord.metrics.texts import NORMALIZE, REFERENCE, Normal, normal_text
from accord.registry import Option
from accord.values import FloatArray, Kind, Value

_ORDERS = 6
_BETA_SQUARED = 4.0
_CHUNK = 4096


def chrf_text(value: Value, *, normalize: Normal = "nfc", convention: str = "accord") -> str | None:
    """Text as chrF sees it: spaces kept, or dropped in sacreBLEU's convention."""
    text = normal_text(value, normalize=normalize)
    return "".join(text.split()) if text is not None and convention == "sacrebleu" else text


def _counts(texts: Sequence[str], order: int) -> Any:
    """Counts of n-grams, sparse (V, G)."""
    from scipy.sparse import csr_array

    index: dict[str, int] = {}
    columns: list[int] = []
    data: list[int] = []
    pointers = [0]
    for text in texts:
        grams = Counter(text[k : k + order] for k in range(len(text) - order + 1))
        columns.extend(index.setdefault(gram, len(index)) for gram in grams)
        data.extend(grams.values())
        pointers.append(len(columns))
    parts = (np.array(data, dtype=np.float64), np.array(columns, dtype=np.int64), np.array(pointers))
    return csr_array(parts, shape=(len(texts), max(len(index), 1)))


def _f_score(precision: FloatArray, recall: FloatArray) -> FloatArray:
    weight = _BETA_SQUARED * precision + recall
    return np.where(weight > 0, (1 + _BETA_SQUARED) * precision * recall / np.where(weight > 0, weight, 1.0), 0.0)


def _averages(tables: Sequence[Any], i: Codes, j: Codes) -> tuple[FloatArray, FloatArray]:
    """Mean shares of the right and of the left n-grams that match, over the orders both texts have, two (n,)."""
    right, left, orders = np.zeros(len(i)), np.zeros(len(i)), np.zeros(len(i))
    for table in tables:
        a, b = table[i], table[j]
        size_a, size_b = a.sum(axis=1), b.sum(axis=1)
        hits = a.minimum(b).sum(axis=1)
        exists = (size_a > 0) & (size_b > 0)
        right += np.where(exists, hits / np.maximum(size_b, 1.0), 0.0)
        left += np.where(exists, hits / np.maximum(size_a, 1.0), 0.0)
        orders += exists
    return right / np.maximum(orders, 1.0), left / np.maximum(orders, 1.0)


@metric(
    "chrf",
    kinds=(Kind.TEXT,),
    reference="Popovic 2015, WMT; n = 1..6, beta = 2",
    prepare=chrf_text,
    shape="batch",
    directed=(("reference", "left"),),
    options={
        "normalize": NORMALIZE,
        "reference": REFERENCE,
        "convention": Option("accord", ("accord", "sacrebleu"), "sacrebleu drops white space"),
    },
    title="chrF",
)
def chrf(pool: Sequence[str], i: Codes, j: Codes, /, *, reference: str) -> FloatArray:
    """F-score of character n-grams 1 to 6 that both texts share, mean of both directions."""
    tables = [_counts(pool, order) for order in range(1, _ORDERS + 1)]
    size = np.fromiter(map(len, pool), dtype=np.int64, count=len(pool))
    scores = np.empty(len(i))
    for start in range(0, len(i), _CHUNK):
        part = slice(start, start + _CHUNK)
        right, left = _averages(tables, i[part], j[part])
        forward = _f_score(right, left)
        scores[part] = forward if reference == "left" else (forward + _f_score(left, right)) / 2.0
    return np.where(size[i] + size[j] > 0, np.minimum(scores, 1.0), np.nan)
