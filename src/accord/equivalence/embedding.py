"""Cosine of embedding vectors from a server: near in topic, which is not the same as equivalent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np

from accord.equivalence.cached import VectorStore, key_of
from accord.equivalence.endpoint import Endpoint, at
from accord.equivalence.protocol import Embedder, Places, notes_of
from accord.errors import DataError
from accord.values import FloatArray

Mapping = Literal["rescale", "clip", "raw"]
Protocol = Literal["openai", "texts"]
#: Texts sent at a time.
BATCH: Final = 64
WARNING: Final = (
    "Cosine of embeddings: texts about the same thing are near, whether or not they say the same. It is no measure "
    "of equivalence until people have checked it."
)


class EndpointEmbedding:
    """Vectors from a server, compared by their cosine.

    Parameters
    ----------
    endpoint
        The server.
    model
        Name sent with every request.
    protocol
        ``openai``: POST /v1/embeddings {"model", "input"}; ``texts``: POST {"texts": [...]} to the address itself.
    store
        Vectors already paid for.
    """

    symmetric = True
    seconds = 1e-6

    def __init__(
        self, endpoint: Endpoint, model: str = "", protocol: Protocol = "openai", store: VectorStore | None = None
    ) -> None:
        self._endpoint, self._model, self._protocol, self._store = endpoint, model, protocol, store
        self.name = f"embedding({model})" if model else "embedding"
        self.fingerprint = key_of("embedding", endpoint.url, model, protocol).hex()
        self.sent = 0

    @property
    def remote(self) -> str | None:
        """Other machine that texts are sent to."""
        return self._endpoint.remote

    def vectors(self, texts: Sequence[str], /) -> FloatArray:
        """Unit vectors of texts, (V, d).

        Raises
        ------
        DataError
            If the server sends anything but one finite vector of the same length for each text.
        """
        keys = [key_of(self.fingerprint, text) for text in texts]
        kept = {} if self._store is None else self._store.get(keys)
        fresh = [k for k, key in enumerate(keys) if key not in kept]
        for start in range(0, len(fresh), BATCH):
            some = fresh[start : start + BATCH]
            found = self._asked([texts[k] for k in some])
            self.sent += len(some)
            kept |= {keys[k]: row for k, row in zip(some, found, strict=True)}
            if self._store is not None:
                self._store.put((keys[k], kept[keys[k]]) for k in some)
        return self._stacked([kept[key] for key in keys])

    def _asked(self, texts: Sequence[str]) -> list[FloatArray]:
        if self._protocol == "openai":
            answer = self._endpoint.post("/v1/embeddings", {"model": self._model, "input": list(texts)})
            rows = at(answer, "data")
            if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
                rows = [row.get("embedding") for row in sorted(rows, key=lambda row: _order(row.get("index")))]
        else:
            answer = self._endpoint.post("", {"texts": list(texts)})
            rows = answer if isinstance(answer, list) else at(answer, "embeddings") or at(answer, "vectors")
        if not isinstance(rows, list) or len(rows) != len(texts):
            count = len(rows) if isinstance(rows, list) else "no"
            raise self._wrong(f"sent {count} vectors for {len(texts)} texts")
        return [self._vector(row) for row in rows]

    def _vector(self, row: Any) -> FloatArray:
        try:
            vector = np.asarray(row, dtype=np.float64)
        except (TypeError, ValueError):
            raise self._wrong("sent a vector that does not hold numbers") from None
        if vector.ndim != 1 or not len(vector):
            raise self._wrong(f"sent a vector of shape {vector.shape}")
        with np.errstate(over="ignore"):
            length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0.0:
            raise self._wrong("sent a vector that is zero or not finite")
        return vector / length

    def _stacked(self, rows: list[FloatArray]) -> FloatArray:
        sizes = {len(row) for row in rows}
        if len(sizes) > 1:
            raise self._wrong(f"sent vectors of different lengths: {', '.join(map(str, sorted(sizes)))}")
        return np.stack(rows) if rows else np.empty((0, 1))

    def _wrong(self, what: str) -> DataError:
        return DataError.at(
            f"{what}.", file=self._endpoint.url, hint="Check that the address and the model make embeddings."
        )


def _order(index: Any) -> int:
    return index if isinstance(index, int) else 0


class _Linear:
    """(1 + cosine) / 2, whose sums over all pairs have a closed form."""

    symmetric = True
    seconds = 1e-6
    slope = offset = 0.5

    def __init__(self, embedding: Any) -> None:
        self._embedding = embedding
        self.name = embedding.name
        self.fingerprint = key_of("cosine", embedding.fingerprint).hex()

    @property
    def remote(self) -> str | None:
        """Other machine that texts are sent to."""
        return getattr(self._embedding, "remote", None)

    def vectors(self, texts: Sequence[str], /) -> FloatArray:
        """Unit vectors of texts, (V, d)."""
        return np.asarray(self._embedding.vectors(texts), dtype=np.float64)

    encode = vectors

    def compare(self, encoded: FloatArray, i: Places, j: Places, /) -> FloatArray:
        """Scores of pairs of encoded texts, (n,)."""
        return (1.0 + np.einsum("nd,nd->n", encoded[i], encoded[j])) / 2.0

    def block(self, encoded: FloatArray, rows: slice, columns: slice, /) -> FloatArray:
        """Scores of all pairs of two ranges of texts."""
        return (1.0 + encoded[rows] @ encoded[columns].T) / 2.0

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs, (n,)."""
        places = np.arange(len(left))
        return self.compare(self.encode([*left, *right]), places, places + len(left))

    def notes(self, texts: Sequence[str]) -> tuple[str, ...]:
        """The standing warning."""
        del texts
        return (WARNING,)


class _Clipped:
    """The cosine, with what is below 0 cut off, from a model that gives (1 + cosine) / 2."""

    symmetric = True
    seconds = 1e-6

    def __init__(self, linear: Any) -> None:
        self.inner = linear
        self.name = f"{linear.name}[clip]"
        self.fingerprint = key_of("clip", linear.fingerprint).hex()

    def encode(self, texts: Sequence[str], /) -> Any:
        """What the model reads of V texts."""
        return self.inner.encode(texts)

    def compare(self, encoded: Any, i: Places, j: Places, /) -> FloatArray:
        """Scores of pairs of encoded texts, (n,)."""
        return np.clip(2.0 * self.inner.compare(encoded, i, j) - 1.0, 0.0, 1.0)

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs, (n,)."""
        return np.clip(2.0 * self.inner.score(left, right) - 1.0, 0.0, 1.0)

    def notes(self, texts: Sequence[str]) -> tuple[str, ...]:
        """What the model says about these texts."""
        return notes_of(self.inner, texts)


def cosine(embedding: Any, mapping: Mapping = "rescale") -> Any:
    """Compare the vectors of an embedding by their cosine, brought to [0, 1].

    ``rescale`` is (1 + cosine) / 2, ``clip`` cuts negative cosines off. ``raw`` is the cosine itself as far as a
    similarity can be: coefficients are the same as under ``rescale``, because they do not change when every similarity
    is moved the same way, so ``raw`` is ``rescale`` by another name.
    """
    linear = embedding if isinstance(embedding, Embedder) else _Linear(embedding)
    return linear if mapping in ("rescale", "raw") else _Clipped(linear)
