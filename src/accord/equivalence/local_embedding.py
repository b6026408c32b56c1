"""Cosine of sentence vectors by an encoder on this machine: the shipped one, or any in ONNX form."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.equivalence.nli import WEIGHTS
from accord.equivalence.onnx import OnnxEncoder, Pieces, pooled, reading_notes, unit
from accord.equivalence.protocol import Places, normal
from accord.errors import DataError
from accord.values import FloatArray

#: Pairs whose vectors are gathered at a time.
PAIRS = 65_536
WARNING = (
    "Cosine similarity of embeddings tells topics apart better than meanings: negations, sides and sibling findings "
    "score high. Prefer mutual entailment."
)


class LocalEmbedding:
    """(1 + cosine) / 2 of unit vectors; every text is read once.

    Parameters
    ----------
    graph
        An encoder in ONNX form with the input ``input_ids``; its first output holds vectors of word pieces, (n, T, d),
        which are averaged, or of texts, (n, d). Texts are read one by one, so that no score depends on the others.
    tokenizer
        Its tokenizer.json.
    longest
        Word pieces of a text that are read, with the two marks.
    language
        The only language it reads, as ``en``; None where that is not known.

    Raises
    ------
    MissingExtraError
        Without the extra ``text``.
    DataError
        If a file cannot be read, or the vectors are not finite.
    """

    name = "embedding"
    symmetric = True
    slope = offset = 0.5

    def __init__(self, graph: Path, tokenizer: Path, *, longest: int = 128, language: str | None = None) -> None:
        self.language = language
        self._encoder = OnnxEncoder(graph, tokenizer, longest=longest, batch=1)
        digest = hashlib.sha256(graph.read_bytes() + tokenizer.read_bytes()).hexdigest()[:16]
        self.fingerprint = f"cosine-{longest}:{digest}"

    def vectors(self, texts: Sequence[str], /) -> FloatArray:
        """Unit vectors of texts, (V, d); NaN for a text that holds nothing the encoder can read."""
        pieces = self._encoder.pieces(texts)
        return np.where(pieces.unreadable[:, None], np.nan, self._vectors(pieces))

    encode = vectors

    def compare(self, encoded: FloatArray, i: Places, j: Places, /) -> FloatArray:
        """Scores of pairs of encoded texts, (n,); NaN where a text could not be read."""
        i, j = np.asarray(i), np.asarray(j)
        scores = np.empty(len(i))
        for start in range(0, len(i), PAIRS):
            some = slice(start, start + PAIRS)
            scores[some] = np.einsum("nd,nd->n", encoded[i[some]], encoded[j[some]])
        return (1.0 + scores) / 2.0

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs of texts, (n,); equal normal forms score 1."""
        same = np.array([normal(a) == normal(b) for a, b in zip(left, right, strict=True)], dtype=np.bool_)
        places = np.arange(len(left))
        return np.where(same, 1.0, self.compare(self.encode([*left, *right]), places, places + len(left)))

    def notes(self, texts: Sequence[str]) -> tuple[str, ...]:
        """The standing warning, and what could not be read of these texts."""
        return (WARNING, *reading_notes(self._encoder.pieces(texts), self._encoder.longest))

    def _vectors(self, pieces: Pieces) -> FloatArray:
        rows = [np.empty(0)] * len(pieces.rows)
        for places, _, outputs in self._encoder.batches(pieces.rows):
            made = pooled(outputs[0]) if outputs[0].ndim == 3 else unit(outputs[0])
            for place, row in zip(places.tolist(), made, strict=True):
                rows[place] = row
        vectors = np.array(rows, dtype=np.float64)
        if not np.isfinite(vectors).all():
            raise DataError.at("the encoder gives vectors that are not finite.", control=self.fingerprint)
        return vectors


def local_embedding(graph: Path | None = None, tokenizer: Path | None = None) -> LocalEmbedding:
    """Cosine by an ONNX encoder with its tokenizer (``tokenizer.json`` beside it by default), or by the shipped one.

    Raises
    ------
    MissingExtraError
        Without the extra ``text``.
    DataError
        If a file cannot be read.
    """
    if graph is None:
        return LocalEmbedding(WEIGHTS / "encoder.onnx", tokenizer or WEIGHTS / "tokenizer.json", language="en")
    return LocalEmbedding(graph, tokenizer or graph.with_name("tokenizer.json"))
