"""The light head of the text model: from what the encoder read of two texts to whether one follows from the other.

Every word piece is compared with what it is aligned to in the other text, from both sides; sums and maxima of the
comparisons and the sentence vectors go through a small network. Pairs whose texts have the same two lengths are
computed together, so nothing is padded. Letters: M pairs, A and B word pieces of their texts, D = 64 features.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accord.equivalence.onnx import Floats, unit
from accord.equivalence.protocol import Places

#: Pairs whose texts are prepared at a time, and word pieces compared at a time (so that they stay in a core's cache).
CHUNK = 65_536
PIECES = 1_024
#: Factor on unit vectors before they are projected, as in training.
SPREAD = 8.0


@dataclass(frozen=True, slots=True)
class Read:
    """What the encoder read of V texts; word pieces of all texts in one row.

    Attributes
    ----------
    start, length
        First word piece of each text and number of them, (V,).
    tokens, ids
        Features (N, D) and numbers (N,) of the word pieces; those the vocabulary lacks have numbers of their own.
    sentence, premise, hypothesis
        Unit vector (V, 384) and projections (V, 64) of each text.
    """

    start: Places
    length: Places
    tokens: Floats
    ids: Places
    sentence: Floats
    premise: Floats
    hypothesis: Floats


class PairHead:
    """The head with its weights; ``logits`` gives both directions of each pair at once."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        w = weights
        first = np.concatenate((w["premise_first"], w["hypothesis_first"]), axis=1)
        d = (len(first) - 2) // 4
        self._own, self._other, self._between = first[:d], first[d : 2 * d], first[2 * d : 4 * d]
        self._nearest, self._equal = first[4 * d], first[4 * d + 1]
        self._bias = np.concatenate((w["premise_first_bias"], w["hypothesis_first_bias"]))
        self._second = (
            (w["premise_second"], w["premise_second_bias"]),
            (w["hypothesis_second"], w["hypothesis_second_bias"]),
        )
        self._out = w["out_first"], w["out_first_bias"], w["out_second"], w["out_second_bias"]
        self._sharpness, self._same = w["sharpness"], w["same"]
        self._token = w["token"], w["token_bias"]
        self._sentence = (
            np.concatenate((w["premise"], w["hypothesis"]), axis=1),
            np.concatenate((w["premise_bias"], w["hypothesis_bias"])),
        )

    def blank(self, length: Places) -> Read:
        """Room for what will be read of V texts of `length` word pieces, (V,)."""
        count, total = len(length), int(length.sum())
        width, half = self._sentence[0].shape[0], self._sentence[0].shape[1] // 2
        room = [np.zeros((count, n), dtype=np.float32) for n in (width, half, half)]
        tokens = np.zeros((total, self._token[0].shape[1]), dtype=np.float32)
        return Read(np.cumsum(length) - length, length, tokens, np.full(total, -1, dtype=np.int64), *room)

    def features(self, hidden: Floats) -> Floats:
        """Features of word pieces, (..., 384) to (..., D)."""
        return hidden @ self._token[0] + self._token[1]

    def projections(self, sentence: Floats) -> tuple[Floats, Floats]:
        """Unit sentence vectors (V, 384) as premises and as hypotheses, (V, 64) each."""
        both = np.multiply(sentence, SPREAD, dtype=np.float32) @ self._sentence[0] + self._sentence[1]
        half = both.shape[1] // 2
        return both[:, :half], both[:, half:]

    def logits(self, read: Read, i: Places, j: Places) -> Floats:
        """Logits of i ⇒ j and of j ⇒ i, (M, 2)."""
        out = np.empty((len(i), 2), dtype=np.float32)
        for start in range(0, len(i), CHUNK):
            some = slice(start, start + CHUNK)
            out[some] = self._chunk(read, i[some], j[some])
        return out

    def _chunk(self, read: Read, i: Places, j: Places) -> Floats:
        table = _Prepared(self, read, i, j)
        seen = np.empty((len(i), 2, self._out[0].shape[0]), dtype=np.float32)
        a, b = read.length[i], read.length[j]
        order = np.lexsort((b, a))
        edges = np.flatnonzero(np.diff(a[order]) | np.diff(b[order])) + 1
        for group in np.split(order, edges):
            step = max(1, PIECES // int(a[group[0]] + b[group[0]]))
            for start in range(0, len(group), step):
                places = group[start : start + step]
                seen[places] = self._compare(table, i[places], j[places])
        return self._judge(seen)

    def _judge(self, seen: Floats) -> Floats:
        first, first_bias, second, second_bias = self._out
        hidden = np.maximum(seen.reshape(-1, seen.shape[-1]) @ first + first_bias, 0.0)
        return (hidden @ second + second_bias).reshape(len(seen), 2)

    def _compare(self, table: _Prepared, i: Places, j: Places) -> Floats:
        """What the last layers see of M pairs with texts of A and B word pieces, (M, 2, features)."""
        at_a, at_b = table.pieces(i), table.pieces(j)
        likeness = table.unit[at_a] @ table.unit[at_b].transpose(0, 2, 1)
        equal = table.read.ids[at_a][:, :, None] == table.read.ids[at_b][:, None, :]
        weight = np.exp(likeness * self._sharpness + equal * self._same - (self._sharpness + self._same))
        to_b = (weight / weight.sum(axis=2, keepdims=True)) @ table.offered[at_b]
        to_a = (weight / weight.sum(axis=1, keepdims=True)).transpose(0, 2, 1) @ table.offered[at_a]
        a_premise, a_hypothesis = self._side(table, at_a, to_b, likeness.max(axis=2), equal.any(axis=2))
        b_premise, b_hypothesis = self._side(table, at_b, to_a, likeness.max(axis=1), equal.any(axis=1))
        r = table.read
        cosine = np.einsum("md,md->m", r.sentence[i], r.sentence[j])[:, None]
        forward = (b_hypothesis, a_premise, *_together(r.premise[i], r.hypothesis[j]), cosine)
        back = (a_hypothesis, b_premise, *_together(r.premise[j], r.hypothesis[i]), cosine)
        return np.stack((np.concatenate(forward, axis=1), np.concatenate(back, axis=1)), axis=1)

    def _side(
        self, table: _Prepared, at: Places, aligned: Floats, nearest: Floats, equal: npt.NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        """Sum and maximum over one text's word pieces, as a premise and as a hypothesis, (M, 2 features) each."""
        own = table.read.tokens[at]
        other, rest = aligned[..., : own.shape[-1]], aligned[..., own.shape[-1] :]
        between = np.concatenate((np.abs(own - other), own * other), axis=-1)
        x = between @ self._between
        x += table.own[at]
        x += rest
        x += nearest[..., None] * self._nearest
        x += equal[..., None] * self._equal
        np.maximum(x, 0.0, out=x)
        half = x.shape[-1] // 2
        parts = []
        for columns, (weight, bias) in zip((x[..., :half], x[..., half:]), self._second, strict=True):
            y = np.maximum(np.ascontiguousarray(columns).reshape(-1, half) @ weight + bias, 0.0)
            y = y.reshape(*x.shape[:2], -1)
            parts.append(np.concatenate((y.sum(axis=1) / 4.0, y.max(axis=1)), axis=1))
        return parts[0], parts[1]


class _Prepared:
    """What the texts of a chunk bring to every pair they are in, computed once each."""

    def __init__(self, head: PairHead, read: Read, i: Places, j: Places) -> None:
        used = np.unique(np.concatenate((i, j)))
        length = read.length[used]
        flat = np.repeat(read.start[used] - np.cumsum(length) + length, length) + np.arange(length.sum())
        tokens = read.tokens[flat]
        start = np.zeros(len(read.start), dtype=np.int64)
        start[used] = np.cumsum(length) - length
        self.read = Read(start, read.length, tokens, read.ids[flat], read.sentence, read.premise, read.hypothesis)
        self.unit = unit(tokens)
        self.own = tokens @ head._own + head._bias
        self.offered = np.concatenate((tokens, tokens @ head._other), axis=1)

    def pieces(self, texts: Places) -> Places:
        """Places of the word pieces of M texts of one length, (M, A)."""
        return self.read.start[texts][:, None] + np.arange(int(self.read.length[texts[0]]))


def _together(premise: Floats, hypothesis: Floats) -> tuple[Floats, Floats]:
    return np.abs(premise - hypothesis), premise * hypothesis
