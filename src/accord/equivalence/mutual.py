"""From entailment to equivalence: two texts are equivalent if each entails the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from accord.equivalence.protocol import TYPICAL_SECONDS, Encoder, Equivalence, Places, attempt, notes_of
from accord.values import BoolArray, FloatArray

Combine = Literal["sqrt", "min", "product"]

COMBINE: MappingProxyType[str, Callable[[FloatArray, FloatArray], FloatArray]] = MappingProxyType(
    {"sqrt": lambda a, b: np.sqrt(a * b), "min": np.minimum, "product": np.multiply}
)


def mutual(entailment: Equivalence, combine: Combine = "sqrt") -> Equivalence:
    """Turn P(a entails b) into sqrt(P(a entails b) P(b entails a)), or their minimum or product.

    References
    ----------
    Nighojkar and Licato 2021, Improving paraphrase detection with the adversarial paraphrasing task.

    Examples
    --------
    >>> class Inclusion:
    ...     name, fingerprint, symmetric = "inclusion", "1", False
    ...     def score(self, left, right):
    ...         return np.array([1.0 if b in a else 0.2 for a, b in zip(left, right)])
    >>> mutual(Inclusion()).score(["severe cough"], ["cough"]).round(3).tolist()
    [0.447]
    """
    return _MutualEncoder(entailment, combine) if isinstance(entailment, Encoder) else _Mutual(entailment, combine)


class _Mutual:
    """Both directions of a model, combined."""

    symmetric = True

    def __init__(self, entailment: Equivalence, combine: Combine) -> None:
        self._model = entailment
        self._combine = COMBINE[combine]
        form = "" if combine == "sqrt" else f"({combine})"
        self.name = f"{entailment.name}{form}"
        self.fingerprint = f"mutual-{combine}:{entailment.fingerprint}"
        self.chunk: int = getattr(entailment, "chunk", 1024)
        self.seconds: float = 2.0 * getattr(entailment, "seconds", TYPICAL_SECONDS)

    def score(self, left: Sequence[str], right: Sequence[str], /) -> FloatArray:
        """Scores of pairs, (n,)."""
        return self.attempt(left, right)[0]

    def attempt(self, left: Sequence[str], right: Sequence[str], /) -> tuple[FloatArray, BoolArray]:
        """Scores, and which pairs were answered in both directions."""
        forward, known = attempt(self._model, left, right)
        back, known_back = attempt(self._model, right, left)
        return self._combine(forward, back), known & known_back

    @property
    def inner(self) -> Equivalence:
        """The model that is asked in both directions."""
        return self._model

    def notes(self, texts: Sequence[str]) -> tuple[str, ...]:
        """What the model says about these texts."""
        return notes_of(self._model, texts)


class _MutualEncoder(_Mutual):
    """The same for a model that reads each text once."""

    _model: Any

    def encode(self, texts: Sequence[str], /) -> Any:
        """Encode V texts."""
        return self._model.encode(texts)

    def compare(self, encoded: Any, i: Places, j: Places, /) -> FloatArray:
        """Scores of pairs of encoded texts, (n,)."""
        return self._combine(self._model.compare(encoded, i, j), self._model.compare(encoded, j, i))
