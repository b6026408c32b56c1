"""What a model of equivalence offers, and the normal form of texts that all of them see."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from accord.values import BoolArray, FloatArray

#: Seconds for one pair by a model that does not say (attribute ``seconds``).
TYPICAL_SECONDS = 0.01

Places = npt.NDArray[np.integer]


class Equivalence(Protocol):
    """Scores pairs of texts: 1 = either may stand for the other, 0 = they say different things.

    ``name`` is shown to people; ``fingerprint`` changes whenever a score could change (weights, options, prompts,
    normal form); ``symmetric`` says whether s(a, b) = s(b, a). Batching is the model's business.

    Optional methods: ``notes(texts)``, sentences on what people must know about these texts under this model
    (truncation, a standing warning); ``block(encoded, rows, columns)``, scores of all pairs of two ranges of encoded
    texts; and those of ``Encoder``, ``Embedder`` and ``Fallible``. Optional attributes: ``chunk``, pairs after which
    scores are worth storing; ``seconds``, what scoring one pair takes.
    """

    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def symmetric(self) -> bool: ...

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs, (n,) in [0, 1]; NaN = no answer."""
        ...


@runtime_checkable
class Encoder(Protocol):
    """A model that reads each text once and compares what it has read."""

    def encode(self, texts: Sequence[str], /) -> Any:
        """Whatever ``compare`` needs of V texts."""
        ...

    def compare(self, encoded: Any, i: Places, j: Places, /) -> FloatArray:
        """Scores of pairs of encoded texts, (n,)."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """A model whose score is ``slope * cosine + offset`` of two vectors, which are what it encodes to."""

    slope: float
    offset: float

    def vectors(self, texts: Sequence[str], /) -> FloatArray:
        """Unit vectors of texts, (V, d); a row of NaN for a text that cannot be read."""
        ...


@runtime_checkable
class Fallible(Protocol):
    """A model that may fail to answer: what was not answered can be asked again, a NaN that was answered cannot."""

    def attempt(self, left: Sequence[str], right: Sequence[str], /) -> tuple[FloatArray, BoolArray]:
        """Scores of pairs, (n,), and which of them were answered, (n,)."""
        ...


def normal(text: str) -> str:
    r"""Text as every model of equivalence sees it: NFKC, outer white space off, inner runs of it one space.

    Examples
    --------
    >>> normal("  ﬁne\n needle ")
    'fine needle'
    """
    return " ".join(unicodedata.normalize("NFKC", text).split())


def attempt(model: Equivalence, left: Sequence[str], right: Sequence[str]) -> tuple[FloatArray, BoolArray]:
    """Scores of pairs, (n,), and which of them were answered, (n,)."""
    if isinstance(model, Fallible):
        return model.attempt(left, right)
    return model.score(left, right), np.ones(len(left), dtype=np.bool_)


def innermost(model: Any) -> Any:
    """The model itself, without the cache or the two directions around it (attribute ``inner``)."""
    while hasattr(model, "inner"):
        model = model.inner
    return model


def notes_of(model: Equivalence, texts: Sequence[str]) -> tuple[str, ...]:
    """Sentences of the model on these texts."""
    said = getattr(model, "notes", None)
    return said(texts) if said else ()
