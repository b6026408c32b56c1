"""Texts through an ONNX encoder: word pieces, batches of one length, no padding.

Only texts of the same length share a batch, so a text's vectors do not depend on its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.equivalence.protocol import Places, normal
from accord.errors import DataError, MissingExtraError
from accord.values import BoolArray, FloatArray

Floats = npt.NDArray[np.float32]

#: Texts in a batch; more does not make a core faster.
BATCH = 64
UNKNOWN = "[UNK]"


@dataclass(frozen=True, slots=True)
class Pieces:
    """Word pieces of V texts, cut at the longest the encoder takes.

    Attributes
    ----------
    rows
        Numbers of the pieces of each text, the marks of its beginning and end included.
    truncated
        Texts that lost their end, (V,).
    unreadable
        Texts without a single piece the vocabulary knows, (V,): other scripts, signs, nothing at all.
    """

    rows: list[list[int]]
    truncated: BoolArray
    unreadable: BoolArray


class OnnxEncoder:
    """A tokenizer and an ONNX graph from ids to vectors, one core, no network.

    Parameters
    ----------
    graph, tokenizer
        Files; the tokenizer in the format of the package tokenizers.
    longest
        Word pieces of a text that are read, with the two marks.
    batch
        Texts read at a time. Graphs that were rounded to 8 bits with one scale a batch give a text other vectors in
        other company, unless each is read alone.

    Raises
    ------
    MissingExtraError
        If onnxruntime or tokenizers is not installed.
    DataError
        If a file cannot be read as what it should be.
    """

    def __init__(self, graph: Path, tokenizer: Path, *, longest: int = 128, batch: int = BATCH) -> None:
        runtime, tokenizers = _packages()
        try:
            self._pieces = tokenizers.Tokenizer.from_file(str(tokenizer))
            options = runtime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            options.log_severity_level = 3
            self._session = runtime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        except Exception as problem:  # noqa: BLE001  both packages raise bare ones for files that are cut or of another kind
            raise DataError.at(
                f"the text model cannot be read: {problem}", file=str(graph.parent), hint="Install the package again."
            ) from None
        self._pieces.no_padding()
        self._pieces.enable_truncation(longest)
        self.longest, self.batch = longest, batch
        self.unknown = self._pieces.token_to_id(UNKNOWN)
        self.inputs = {i.name for i in self._session.get_inputs()}

    def pieces(self, texts: Sequence[str]) -> Pieces:
        """Cut V texts into word pieces; lone surrogates, which no text should hold, become question marks."""
        clean = [normal(t).encode("utf-8", "replace").decode("utf-8") for t in texts]
        found = self._pieces.encode_batch_fast(clean)
        rows = [f.ids for f in found]
        return Pieces(
            rows,
            np.array([bool(f.overflowing) for f in found], dtype=np.bool_),
            np.array([all(p == self.unknown for p in row[1:-1]) for row in rows], dtype=np.bool_),
        )

    def batches(self, rows: Sequence[Sequence[int]]) -> Iterator[tuple[Places, npt.NDArray[np.int64], list[Floats]]]:
        """Places of the texts (n,), their ids (n, T) and the outputs of the graph, a batch of one length at a time."""
        length = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        order = np.argsort(length, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(length[order])) + 1):
            for start in range(0, len(group), self.batch):
                places = group[start : start + self.batch]
                ids = np.array([rows[k] for k in places.tolist()], dtype=np.int64)
                yield places, ids, self._run(ids)

    def _run(self, ids: npt.NDArray[np.int64]) -> list[Floats]:
        feed: dict[str, Any] = {"input_ids": ids}
        if "attention_mask" in self.inputs:
            feed["attention_mask"] = np.ones_like(ids)
        if "token_type_ids" in self.inputs:
            feed["token_type_ids"] = np.zeros_like(ids)
        return self._session.run(None, feed)


def unit(vectors: Floats) -> Floats:
    """Rows scaled to length 1; rows of zeros stay."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, np.where(length > 0.0, length, 1.0), dtype=np.float32)


def pooled(hidden: Floats) -> Floats:
    """Unit means over the word pieces, (n, T, d) to (n, d)."""
    return unit(hidden.mean(axis=1))


def blanked(scores: FloatArray, unreadable: BoolArray, i: Places, j: Places) -> FloatArray:
    """Scores of pairs, NaN where a text could not be read."""
    return np.where(unreadable[i] | unreadable[j], np.nan, scores)


def reading_notes(pieces: Pieces, longest: int) -> tuple[str, ...]:
    """Sentences on texts that were cut or not understood."""
    cut, lost = int(pieces.truncated.sum()), int(pieces.unreadable.sum())
    notes = []
    if cut:
        notes.append(f"{cut} of {len(pieces.rows)} texts were cut after {longest - 2} word pieces.")
    if lost:
        notes.append(f"{lost} of {len(pieces.rows)} texts hold nothing the model can read; their pairs have no score.")
    return tuple(notes)


def _packages() -> tuple[Any, Any]:
    try:
        import onnxruntime
        import tokenizers
    except ImportError:
        raise MissingExtraError.install("A text model", "text") from None
    return onnxruntime, tokenizers
