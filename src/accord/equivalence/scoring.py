"""Pairs of texts through a model: normal form, equal texts for free, each pair once, both orders, checked range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.equivalence.protocol import Encoder, Equivalence, Places, normal
from accord.errors import DataError
from accord.values import FloatArray

#: Rounding may push a score this far past 0 or 1; anything more is a broken model.
TOLERANCE = 1e-9
#: Mean difference between both orders of a pair from which people must be told.
ORDER_GAP = 0.1


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of pairs, (n,), NaN = no answer; and the mean difference of both orders (0 for symmetric models)."""

    values: FloatArray
    order_gap: float = 0.0


def scores(model: Equivalence, left: Sequence[str], right: Sequence[str]) -> Scores:
    """Score pairs of texts as they came.

    Texts are brought to their normal form; equal ones score 1 without a call; no pair is asked twice. A model with a
    direction is asked in both orders and averaged.

    Raises
    ------
    DataError
        If the model gives a score outside [0, 1] or the wrong number of scores.

    Examples
    --------
    >>> from accord.equivalence.lexical import lexical
    >>> scores(lexical("jaccard"), ["a cough", "Fever "], ["cough", "Fever"]).values.tolist()
    [0.5, 1.0]
    """
    texts = list(dict.fromkeys(map(normal, (*left, *right))))
    place = {text: code for code, text in enumerate(texts)}
    codes = np.fromiter((place[normal(text)] for text in (*left, *right)), dtype=np.int64, count=2 * len(left))
    i, j = codes[: len(left)], codes[len(left) :]
    low, high = np.minimum(i, j), np.maximum(i, j)
    keys, back = np.unique(low * len(texts) + high, return_inverse=True)
    found = PairScorer(model, texts).scores(keys // max(1, len(texts)), keys % max(1, len(texts)))
    return Scores(found.values[back], found.order_gap)


class PairScorer:
    """A model over V distinct normal texts: pairs by place. A model that encodes reads every text once."""

    def __init__(self, model: Equivalence, texts: Sequence[str]) -> None:
        self.model = model
        self.texts = list(texts)
        self.encoded = model.encode(self.texts) if isinstance(model, Encoder) else None

    def scores(self, i: Places, j: Places) -> Scores:
        """Scores of pairs of places, (n,); 1 where both are the same place."""
        values = np.ones(len(i))
        ask = np.flatnonzero(i != j)
        if not len(ask):
            return Scores(values)
        a, b = i[ask], j[ask]
        values[ask] = self._one_way(a, b)
        if self.model.symmetric:
            return Scores(values)
        back = self._one_way(b, a)
        gap = np.abs(values[ask] - back)
        values[ask] = (values[ask] + back) / 2.0
        known = gap[np.isfinite(gap)]
        return Scores(values, float(known.mean()) if len(known) else 0.0)

    def _one_way(self, i: Places, j: Places) -> FloatArray:
        if isinstance(self.model, Encoder):
            return checked(self.model, self.model.compare(self.encoded, i, j), len(i))
        # Texts of one length together: batches then waste little on padding.
        size = np.fromiter(map(len, self.texts), dtype=np.int64, count=len(self.texts))
        order = np.argsort(size[i] + size[j], kind="stable")
        left, right = ([self.texts[k] for k in side[order].tolist()] for side in (i, j))
        found = np.empty(len(i))
        found[order] = checked(self.model, self.model.score(left, right), len(i))
        return found


def checked(model: Equivalence, given: FloatArray, size: int) -> FloatArray:
    """Scores of a model, clipped where rounding pushed them past 0 or 1.

    Raises
    ------
    DataError
        For scores outside [0, 1], or not one a pair.
    """
    values = np.asarray(given, dtype=np.float64)
    if values.shape != (size,):
        raise DataError.at(f"the model gave scores of shape {values.shape} for {size} pairs.", control=model.name)
    wrong = values[(values < -TOLERANCE) | (values > 1.0 + TOLERANCE)]
    if len(wrong):
        raise DataError.at(
            "an equivalence is a number from 0 to 1.", control=model.name, found=f"{wrong[0]:g} ({len(wrong)} such)"
        )
    return np.clip(values, 0.0, 1.0)
