"""What a disagreeing annotator may say: concepts that are unrelated, siblings, broader, or look alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.equivalence.lexical import grams
from accord.errors import DataError, UnknownNameError
from accord.metrics.sets import membership
from accord.terminology.concepts import Terminology
from accord.values import FloatArray

#: Look-alikes that are taken of each concept, and draws after which an unrelated concept is looked for one by one.
NEAREST, TRIES = 3, 100
#: Concepts looked at before a terminology is said to be unfit.
PATIENCE = 20_000


class Negatives:
    """Draws concepts that are not the one asked about, of each kind.

    Look-alikes are the unrelated concepts with a name that shares most sequences of three characters with one of the
    concept's names.
    """

    def __init__(self, table: Terminology) -> None:
        self.table = table
        self.concepts = list(table.concepts)
        named = [(grams(name), c) for c, v in table.concepts.items() for name in v.names]
        self._owner = [c for _, c in named]
        self._rows: dict[str, list[int]] = {}
        for row, c in enumerate(self._owner):
            self._rows.setdefault(c, []).append(row)
        self._member = membership([found for found, _ in named])
        self._turned = self._member.T.tocsr()
        self._size: FloatArray = np.array([len(found) for found, _ in named], dtype=np.float64)
        self._alike: dict[str, list[str]] = {}

    def options(self, concept: str, kind: str) -> list[str]:
        """Concepts that may be taken; for ``random`` one of them."""
        match kind:
            case "random":
                found = self._unrelated(concept, np.random.default_rng(0))
                return [] if found is None else [found]
            case "sibling":
                return self.table.siblings(concept)
            case "general":
                return self._above(concept)
            case "lexical":
                if concept not in self._alike:
                    self._alike[concept] = self._look_alikes(concept)
                return self._alike[concept]
        raise UnknownNameError.among("kind of negative", kind, ("random", "sibling", "general", "lexical"))

    def draw(self, concept: str, kind: str, rng: np.random.Generator) -> str:
        """One concept of a kind."""
        if kind == "random" and (found := self._unrelated(concept, rng)) is not None:
            return found
        options = self.options(concept, kind)
        return options[int(rng.integers(len(options)))]

    def fit(self, kinds: Sequence[str], synonyms: bool, rng: np.random.Generator) -> Fit:
        """Concepts about which every kind of question can be asked, in random order."""
        return Fit(self, kinds, synonyms, rng)

    def _above(self, concept: str) -> list[str]:
        parents = self.table.concepts[concept].parents
        second = [a for p in parents for a in self.table.concepts[p].parents if a != concept]
        return list(dict.fromkeys((*parents, *second)))

    def _unrelated(self, concept: str, rng: np.random.Generator) -> str | None:
        for _ in range(TRIES):
            found = self.concepts[int(rng.integers(len(self.concepts)))]
            if not self.table.related(concept, found):
                return found
        return next((c for c in self.concepts if not self.table.related(concept, c)), None)

    def _look_alikes(self, concept: str) -> list[str]:
        rows = self._rows[concept]
        shared = (self._member[rows] @ self._turned).toarray()
        likeness = (shared / (self._size[rows][:, None] + self._size - shared)).max(axis=0)
        found: list[str] = []
        for row in np.argsort(-likeness, kind="stable").tolist():
            other = self._owner[row]
            if likeness[row] <= 0.0 or len(found) == NEAREST:
                break
            if other not in found and not self.table.related(concept, other):
                found.append(other)
        return found


class Fit:
    """The concepts of a terminology that can be asked about, drawn without replacement until none is left."""

    def __init__(self, negatives: Negatives, kinds: Sequence[str], synonyms: bool, rng: np.random.Generator) -> None:
        self._negatives, self._kinds, self._synonyms = negatives, kinds, synonyms
        self._order = rng.permutation(len(negatives.concepts)).tolist()

    def take(self, count: int) -> list[str]:
        """Distinct concepts.

        Raises
        ------
        DataError
            If there are not so many.
        """
        found: list[str] = []
        looked = 0
        while len(found) < count and self._order and looked < PATIENCE:
            concept = self._negatives.concepts[self._order.pop()]
            looked += 1
            if self._is_fit(concept):
                found.append(concept)
        if len(found) < count:
            raise DataError.at(
                f"only {len(found)} concepts have all that is asked for: a synonym, and negatives of the kinds "
                f"{', '.join(self._kinds)}; {count} are needed.",
                hint="Ask for fewer items or kinds, or take a larger terminology.",
            )
        return found

    def _is_fit(self, concept: str) -> bool:
        if self._synonyms and len(self._negatives.table.concepts[concept].names) < 2:
            return False
        return all(self._negatives.options(concept, kind) for kind in self._kinds)
