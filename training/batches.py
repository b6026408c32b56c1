"""Training batches: groups of related strings, every ordered pair of a group labelled from the terminology."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from accord.terminology.concepts import key
from training.nearest import Strings
from training.templates import follows, group

SAME_WEIGHT, ACROSS_WEIGHT = 3.5, 0.7


@dataclass(frozen=True)
class Batch:
    """Texts, their concepts (-1 = none, a statement) and labelled ordered pairs (i, j, label, weight)."""

    texts: list[str]
    classes: list[int]
    pairs: list[tuple[int, int, float, float]]


class Sampler:
    """Draws batches from one terminology."""

    def __init__(self, strings: Strings) -> None:
        self.strings = strings
        self.table = strings.table
        concepts = self.table.concepts
        self.many = [c for c, v in concepts.items() if len(v.names) > 1]
        self.placed = [c for c, v in concepts.items() if v.parents] or list(concepts)
        self.number = {c: i for i, c in enumerate(concepts)}

    def below(self, a: str, b: str) -> bool:
        """Say whether concept `a` is `b` or narrower."""
        return a == b or b in self.table.broader(a)

    def _some(self, c: str, most: int, r: random.Random) -> list[tuple[str, str]]:
        names = self.table.concepts[c].names
        return [(c, n) for n in r.sample(names, min(most, len(names)))]

    def _family(self, r: random.Random) -> list[tuple[str, str]]:
        """A concept with synonyms, a parent, a sibling and a look-alike, as (concept, name)."""
        c = r.choice(self.many if r.random() < 0.8 else self.placed)
        chosen = self._some(c, 3, r)
        if parents := self.table.concepts[c].parents:
            chosen += self._some(r.choice(parents), 2 if r.random() < 0.4 else 1, r)
        if siblings := self.table.siblings(c):
            chosen += self._some(r.choice(siblings), 2 if r.random() < 0.4 else 1, r)
        if near := self.strings.near[r.choice(self.strings.at[c])]:
            j = r.choice(near[:5])
            chosen.append((self.strings.concept[j], self.strings.text[j]))
        return chosen

    def draw(self, groups: int, templates: float, across: int, r: random.Random) -> Batch:
        """Draw `groups` groups, a share `templates` of them statements, and `across` random pairs between groups."""
        texts: list[str] = []
        concepts: list[str | None] = []
        pairs: list[tuple[int, int, float, float]] = []
        for _ in range(groups):
            start = len(texts)
            family = self._family(r)
            if r.random() < templates:
                said = group(family[:2] + family[-1:], r)
                texts += [s.text for s in said]
                concepts += [None] * len(said)
                verdicts = [[follows(a, b, self.below) for b in said] for a in said]
            else:
                texts += [n for _, n in family]
                concepts += [c for c, _ in family]
                verdicts = [[self.below(a, b) for b, _ in family] for a, _ in family]
            pairs += _labelled(texts[start:], verdicts, start)
        pairs += self._across(texts, concepts, across, r)
        return Batch(texts, [-1 if c is None else self.number[c] for c in concepts], pairs)

    def _across(
        self, texts: list[str], concepts: Sequence[str | None], count: int, r: random.Random
    ) -> list[tuple[int, int, float, float]]:
        out = []
        for _ in range(count):
            i, j = r.randrange(len(texts)), r.randrange(len(texts))
            a, b = concepts[i], concepts[j]
            if a is not None and b is not None and key(texts[i]) != key(texts[j]):
                out.append((i, j, float(self.below(a, b)), ACROSS_WEIGHT))
        return out


def _labelled(texts: list[str], verdicts: list[list[bool | None]], start: int) -> list[tuple[int, int, float, float]]:
    keys = [key(t) for t in texts]
    return [
        (start + i, start + j, float(verdict), SAME_WEIGHT if verdict else 1.0)
        for i, row in enumerate(verdicts)
        for j, verdict in enumerate(row)
        if verdict is not None and keys[i] != keys[j]
    ]
