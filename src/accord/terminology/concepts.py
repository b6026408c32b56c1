"""A terminology: concepts with names and parents, and what follows from them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

_NOT_WORD = re.compile(r"[^\w\s%+/<>.-]")
_SPACE = re.compile(r"\s+")


def key(text: str) -> str:
    """Return the form under which two strings count as the same string (case, spacing and most punctuation ignored).

    Examples
    --------
    >>> key("Fracture,  closed "), key("fracture closed")
    ('fracture closed', 'fracture closed')
    """
    text = _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return _SPACE.sub(" ", text).strip(" .-/")


def distinct(names: Iterable[str]) -> list[str]:
    """Keep the first of the names with equal keys."""
    seen: dict[str, str] = {}
    for name in names:
        if k := key(name):
            seen.setdefault(k, name)
    return list(seen.values())


@dataclass
class Concept:
    """One meaning: its names (the preferred one first) and the identifiers of broader concepts."""

    names: list[str]
    parents: list[str] = field(default_factory=list)


@dataclass
class Terminology:
    """Concepts by identifier. Parents that are not concepts of the terminology are dropped on the way in.

    Examples
    --------
    >>> parts = {"1": Concept(["limb"]), "2": Concept(["arm"], ["1"]), "3": Concept(["leg"], ["1"])}
    >>> table = Terminology("body", parts)
    >>> table.siblings("2"), sorted(table.broader("2")), table.related("1", "3")
    (['3'], ['1'], True)
    """

    name: str
    concepts: dict[str, Concept]

    def __post_init__(self) -> None:
        kept = {c: v for c, v in self.concepts.items() if v.names}
        self.concepts = {c: Concept(v.names, [p for p in v.parents if p in kept and p != c]) for c, v in kept.items()}
        self._broader: dict[str, frozenset[str]] = {}

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """Narrower concepts by concept."""
        out: dict[str, list[str]] = {c: [] for c in self.concepts}
        for c, v in self.concepts.items():
            for p in v.parents:
                out[p].append(c)
        return out

    def broader(self, concept: str) -> frozenset[str]:
        """All broader concepts; not the concept itself, unless the hierarchy goes in a circle."""
        found = self._broader.get(concept)
        if found is None:
            reached: set[str] = set()
            stack = list(self.concepts[concept].parents)
            while stack:
                c = stack.pop()
                if c not in reached:
                    reached.add(c)
                    stack.extend(self.concepts[c].parents)
            found = self._broader[concept] = frozenset(reached)
        return found

    def related(self, a: str, b: str) -> bool:
        """Say whether one of two concepts is the other or broader than it."""
        return a == b or a in self.broader(b) or b in self.broader(a)

    def siblings(self, c: str) -> list[str]:
        """Concepts that share a parent with `c` and neither contain it nor are contained in it."""
        found = {s: None for p in self.concepts[c].parents for s in self.children[p]}
        return [s for s in found if not self.related(c, s)]

    def below(self, roots: Iterable[str]) -> set[str]:
        """The roots and everything narrower."""
        out: set[str] = set()
        stack = [r for r in roots if r in self.concepts]
        while stack:
            c = stack.pop()
            if c not in out:
                out.add(c)
                stack.extend(self.children[c])
        return out

    def select(self, name: str, keep: Callable[[str], bool]) -> Terminology:
        """The terminology of the concepts for which `keep` is true."""
        return Terminology(name, {c: v for c, v in self.concepts.items() if keep(c)})

    def without(self, keys: set[str]) -> Terminology:
        """The terminology without the strings whose key is among `keys`."""
        return Terminology(
            self.name,
            {c: Concept([n for n in v.names if key(n) not in keys], v.parents) for c, v in self.concepts.items()},
        )

    def keys(self) -> set[str]:
        """Keys of all strings."""
        return {key(n) for v in self.concepts.values() for n in v.names}

    def ambiguous(self) -> set[str]:
        """Keys of the strings that name more than one concept."""
        count = Counter(key(n) for v in self.concepts.values() for n in v.names)
        return {k for k, n in count.items() if n > 1}

    def unambiguous(self) -> Terminology:
        """The terminology without the strings that name more than one of its concepts."""
        return self.without(self.ambiguous())

    @property
    def strings(self) -> int:
        """Number of names."""
        return sum(len(v.names) for v in self.concepts.values())

    @property
    def with_synonyms(self) -> int:
        """Number of concepts with more than one name."""
        return sum(len(v.names) > 1 for v in self.concepts.values())

    @property
    def fingerprint(self) -> str:
        """Hash of identifiers, names and hierarchy."""
        digest = hashlib.sha256()
        for c, v in self.concepts.items():
            digest.update(repr((c, v.names, v.parents)).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    def __str__(self) -> str:
        many = self.with_synonyms
        return f"{self.name}: {len(self.concepts)} concepts, {self.strings} strings, {many} concepts with synonyms"
