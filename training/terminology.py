"""A terminology: concepts with names and parents, and what follows from them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

_NOT_WORD = re.compile(r"[^\w\s%+/<>.-]")
_SPACE = re.compile(r"\s+")


def key(text: str) -> str:
    """Return the form under which two strings count as the same string (case, spacing and most punctuation ignored)."""
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
    """Concepts by identifier. Parents that are not concepts of the terminology are dropped on the way in."""

    name: str
    concepts: dict[str, Concept]

    def __post_init__(self) -> None:
        kept = {c: v for c, v in self.concepts.items() if v.names}
        self.concepts = {c: Concept(v.names, [p for p in v.parents if p in kept and p != c]) for c, v in kept.items()}

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """Narrower concepts by concept."""
        out: dict[str, list[str]] = {c: [] for c in self.concepts}
        for c, v in self.concepts.items():
            for p in v.parents:
                out[p].append(c)
        return out

    @cached_property
    def ancestors(self) -> dict[str, frozenset[str]]:
        """All broader concepts by concept (a concept is not its own ancestor)."""
        done: dict[str, frozenset[str]] = {}
        for start in self.concepts:
            stack = [start]
            while stack:
                c = stack[-1]
                waiting = [p for p in self.concepts[c].parents if p not in done and p not in stack]
                if waiting:
                    stack.extend(waiting)
                    continue
                stack.pop()
                done[c] = frozenset(a for p in self.concepts[c].parents for a in (p, *done.get(p, ())))
        return done

    def related(self, a: str, b: str) -> bool:
        """Say whether one of two concepts is the other or broader than it."""
        return a == b or a in self.ancestors[b] or b in self.ancestors[a]

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

    def unambiguous(self) -> Terminology:
        """The terminology without the strings that name more than one of its concepts."""
        count = Counter(key(n) for v in self.concepts.values() for n in v.names)
        return self.without({k for k, n in count.items() if n > 1})

    def __str__(self) -> str:
        many = sum(len(v.names) > 1 for v in self.concepts.values())
        strings = sum(len(v.names) for v in self.concepts.values())
        return f"{self.name}: {len(self.concepts)} concepts, {strings} strings, {many} concepts with synonyms"
