"""The text model that comes with Accord: mutual entailment of short English texts, offline."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from accord.equivalence.mutual import COMBINE, Combine
from accord.equivalence.onnx import OnnxEncoder, Pieces, blanked, pooled, reading_notes
from accord.equivalence.pair_head import PairHead, Read
from accord.equivalence.protocol import Places, normal
from accord.errors import DataError
from accord.values import FloatArray

WEIGHTS = Path(__file__).parent / "weights"
CARD = "model.json"
FILES = ("encoder.onnx", "head.npz", "tokenizer.json", CARD)


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the model read of V texts, and how well it could read them."""

    read: Read
    pieces: Pieces


class TextModel:
    """P(a ⇒ b), or its mutual form, from an encoder that reads each text once and a light head for pairs.

    Parameters
    ----------
    folder
        The files encoder.onnx, head.npz, tokenizer.json and model.json.
    combine
        How the two directions become one score; None scores the direction left ⇒ right alone.

    Attributes
    ----------
    fingerprint
        Hash of the weights, the tokenizer and the calibration, and the combination.
    """

    #: Seconds for one pair in both directions on a slow core: the measured rate with room.
    seconds = 5e-5
    #: The only language it reads.
    language = "en"

    def __init__(self, folder: Path, combine: Combine | None = "sqrt") -> None:
        self._encoder, self._head, calibration, digest = _load(folder)
        self._scale, self._shift = calibration
        self._combine = combine
        self.name = "nli" if combine == "sqrt" else f"nli({combine or 'one direction'})"
        self.symmetric = combine is not None
        self.fingerprint = f"nli-{combine}:{digest}"

    def encode(self, texts: Sequence[str], /) -> Encoded:
        """Read V texts, once each."""
        pieces = self._encoder.pieces(texts)
        return Encoded(self._read(pieces), pieces)

    def compare(self, encoded: Encoded, i: Places, j: Places, /) -> FloatArray:
        """Scores of pairs of encoded texts, (n,); NaN where a text holds nothing the model can read."""
        i, j = np.asarray(i), np.asarray(j)
        z = self._head.logits(encoded.read, i, j).astype(np.float64) * self._scale + self._shift
        p = 1.0 / (1.0 + np.exp(-np.clip(z, -500.0, 500.0)))
        scores = p[:, 0] if self._combine is None else COMBINE[self._combine](p[:, 0], p[:, 1])
        return blanked(scores, encoded.pieces.unreadable, i, j)

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs of texts, (n,); equal normal forms score 1."""
        a, b = list(map(normal, left)), list(map(normal, right))
        texts = list(dict.fromkeys((*a, *b)))
        at = {t: k for k, t in enumerate(texts)}
        i, j = (np.fromiter(map(at.__getitem__, side), dtype=np.int64, count=len(side)) for side in (a, b))
        return np.where(i == j, 1.0, self.compare(self.encode(texts), i, j))

    def vectors(self, texts: Sequence[str], /) -> FloatArray:
        """Unit sentence vectors, (V, 384)."""
        return self.encode(texts).read.sentence.astype(np.float64)

    def notes(self, texts: Sequence[str]) -> tuple[str, ...]:
        """What the model could not read of these texts."""
        return reading_notes(self._encoder.pieces(texts), self._encoder.longest)

    def _read(self, pieces: Pieces) -> Read:
        length = np.array([max(1, len(row) - 2) for row in pieces.rows], dtype=np.int64)
        read = self._head.blank(length)
        for places, ids, (hidden,) in self._encoder.batches(pieces.rows):
            read.sentence[places] = pooled(hidden)
            inner = ids[:, 1:-1]
            at = read.start[places][:, None] + np.arange(inner.shape[1])
            read.tokens[at] = self._head.features(hidden[:, 1:-1])
            # pieces outside the vocabulary are equal to nothing, not even to each other
            read.ids[at] = np.where(inner == self._encoder.unknown, -1 - at, inner)
        read.premise[:], read.hypothesis[:] = self._head.projections(read.sentence)
        return read


def nli(combine: Combine = "sqrt", *, folder: Path | None = None) -> TextModel:
    """Mutual entailment by the model that comes with Accord, or by another one made by the same program.

    Trained on names of clinical findings in English, not on sentences: docs/model-card.md says on what, how well it
    does on terms it has not seen, and where it fails.

    Parameters
    ----------
    combine
        ``sqrt`` of the product of both directions, ``min`` or ``product``.
    folder
        Weights other than the shipped ones.

    Raises
    ------
    MissingExtraError
        Without the extra ``text``.
    DataError
        If the weights are incomplete or damaged.

    References
    ----------
    Nighojkar and Licato 2021, Improving paraphrase detection with the adversarial paraphrasing task. Parikh et al.
    2016, A decomposable attention model for natural language inference.
    """
    return TextModel(folder or WEIGHTS, combine)


def entailment(*, folder: Path | None = None) -> TextModel:
    """P(left ⇒ right) by the same model: one direction, not symmetric."""
    return TextModel(folder or WEIGHTS, None)


@lru_cache(maxsize=2)
def _load(folder: Path) -> tuple[OnnxEncoder, PairHead, tuple[float, float], str]:
    """Encoder, head, scale and shift of the logits, and the hash of all files."""
    try:
        content = {name: (folder / name).read_bytes() for name in FILES}
        card = json.loads(content[CARD])
        calibration = float(card["scale"]), float(card["shift"])
        told = dict(card["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise _damaged(folder, str(problem)) from None
    made = {name: hashlib.sha256(content[name]).hexdigest() for name in FILES}
    if wrong := [name for name in FILES if name != CARD and told.get(name) != made[name]]:
        raise _damaged(folder, f"{', '.join(wrong)} is not the file that was trained.")
    encoder = OnnxEncoder(folder / FILES[0], folder / FILES[2], longest=int(card["longest"]))
    with np.load(folder / FILES[1], allow_pickle=False) as weights:
        head = PairHead(dict(weights))
    return encoder, head, calibration, hashlib.sha256("".join(made.values()).encode()).hexdigest()[:16]


def _damaged(folder: Path, problem: str) -> DataError:
    return DataError.at(
        f"the weights of the text model cannot be used: {problem}", file=str(folder), hint="Install Accord again."
    )
