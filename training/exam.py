"""Questions put to a model: pairs of each kind, and simulated studies whose true kappa is known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from accord.terminology.concepts import key
from training.nearest import Strings
from training.templates import NUMBERS, Value, draw, implies, say, usable_slots

Pair = tuple[str, str]
Meant = tuple[str, dict[str, Value]]
NEGATIVES = ("random", "sibling", "general", "lexical")
HARD = NEGATIVES[1:]
COPY = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95)


def _name(strings: Strings, c: str, r: random.Random) -> str:
    return r.choice(strings.table.concepts[c].names)


def _rich(strings: Strings) -> list[str]:
    """Concepts with a synonym, a parent and a sibling, so that every kind of question can be asked."""
    table = strings.table
    return [c for c, v in table.concepts.items() if len(v.names) > 1 and v.parents and table.siblings(c)]


def negative(strings: Strings, c: str, kind: str, r: random.Random) -> str | None:
    """Draw a concept that is not `c`: unrelated, a sibling, a parent or a look-alike."""
    table = strings.table
    if kind == "random":
        found = r.choice(list(strings.at))
        return None if table.related(c, found) else found
    if kind == "sibling":
        options = table.siblings(c)
    elif kind == "general":
        options = table.concepts[c].parents
    else:
        options = [strings.concept[j] for i in strings.at[c] for j in strings.near[i][:3]]
    return r.choice(options) if options else None


def questions(strings: Strings, count: int = 1000, seed: int = 0) -> dict[str, list[Pair]]:
    """Synonym pairs and, for each kind, pairs that are not equivalent."""
    r = random.Random(seed)
    rich = _rich(strings)
    out: dict[str, list[Pair]] = {"synonym": []}
    for c in r.sample(rich, min(count, len(rich))):
        a, b = r.sample(strings.table.concepts[c].names, 2)
        out["synonym"].append((a, b))
    for kind in NEGATIVES:
        found: list[Pair] = []
        while len(found) < count:
            pair = (
                _near_pair(strings, r.choice(rich), r) if kind == "lexical" else _pair(strings, r.choice(rich), kind, r)
            )
            if pair and key(pair[0]) != key(pair[1]):
                found.append(pair)
        out[kind] = found
    return out


def _pair(strings: Strings, c: str, kind: str, r: random.Random) -> Pair | None:
    other = negative(strings, c, kind, r)
    return None if other is None else (_name(strings, c, r), _name(strings, other, r))


def _near_pair(strings: Strings, c: str, r: random.Random) -> Pair | None:
    i = r.choice(strings.at[c])
    near = strings.near[i][:3]
    return (strings.text[i], strings.text[r.choice(near)]) if near else None


@dataclass(frozen=True)
class Study:
    """Two annotators over the same items: the second copies the first one's concept or takes a negative of it."""

    kind: str
    concepts: list[str]
    others: list[str]
    first: list[str]
    agreeing: list[str]
    differing: list[str]
    shuffles: list[list[int]]
    draw: list[float]

    def pairs(self) -> set[Pair]:
        """All pairs of texts whose score `soft_kappa` may need."""
        n = range(len(self.first))
        out = {(self.first[i], second[i]) for second in (self.agreeing, self.differing) for i in n}
        for shuffle in self.shuffles:
            out |= {(self.first[i], second[shuffle[i]]) for second in (self.agreeing, self.differing) for i in n}
        return out

    def kappas(self, copy: float, score: Mapping[Pair, float]) -> tuple[float, float]:
        """True kappa of the concepts and soft kappa of the texts when a share `copy` of the items agrees."""
        n = len(self.first)
        same = [u < copy for u in self.draw]
        second = [self.agreeing[i] if same[i] else self.differing[i] for i in range(n)]
        concepts = [self.concepts[i] if same[i] else self.others[i] for i in range(n)]
        mine, theirs = Counter(self.concepts), Counter(concepts)
        seen = sum(a == b for a, b in zip(self.concepts, concepts, strict=True)) / n
        chance = sum(k * theirs[c] for c, k in mine.items()) / n**2
        soft_seen = np.mean([score[self.first[i], second[i]] for i in range(n)])
        soft_chance = np.mean([score[self.first[i], second[s[i]]] for s in self.shuffles for i in range(n)])
        return (seen - chance) / (1 - chance), float((soft_seen - soft_chance) / (1 - soft_chance))


def studies(
    strings: Strings, items: int = 150, repeats: int = 3, shuffles: int = 3, synonym_rate: float = 0.5, seed: int = 7
) -> list[Study]:
    """Studies of every kind of negative; a text is a random name at `synonym_rate`, else the preferred name."""
    r = random.Random(seed)
    rich = _rich(strings)

    def name(c: str) -> str:
        return _name(strings, c, r) if r.random() < synonym_rate else strings.table.concepts[c].names[0]

    out = []
    for kind in NEGATIVES:
        for _ in range(repeats):
            concepts: list[str] = []
            others: list[str] = []
            while len(concepts) < items:
                c = r.choice(rich)
                if (other := negative(strings, c, kind, r)) is not None:
                    concepts.append(c)
                    others.append(other)
            out.append(
                Study(
                    kind,
                    concepts,
                    others,
                    [name(c) for c in concepts],
                    [name(c) for c in concepts],
                    [name(c) for c in others],
                    [r.sample(range(items), items) for _ in range(shuffles)],
                    [r.random() for _ in range(items)],
                )
            )
    return out


def kappa_errors(many: list[Study], score: Mapping[Pair, float]) -> dict[str, list[float]]:
    """Soft minus true kappa by kind of negative, over the studies and shares of agreement."""
    out: dict[str, list[float]] = {}
    for study in many:
        for copy in COPY:
            true, soft = study.kappas(copy, score)
            out.setdefault(study.kind, []).append(soft - true)
    return out


def statements(strings: Strings, kind: str, count: int = 500, seed: int = 11) -> tuple[list[Pair], list[Pair]]:
    """Statements on one concept that say the same, and that differ in negation, side, severity or a number."""
    r = random.Random(seed)
    same: list[Pair] = []
    other: list[Pair] = []
    concepts = list(strings.table.concepts)
    while len(same) < count:
        c = r.choice(concepts)
        slots = usable_slots(" ".join(strings.table.concepts[c].names))
        drawn = _contrast(kind, slots, r)
        if drawn is None:
            continue
        first, second = drawn

        def put(meant: Meant, c: str = c) -> str:
            return say(c, _name(strings, c, r), meant[0], meant[1], r).text

        same.append((put(first), put(first)))
        other.append((put(first), put(second)))
    return same, other


def _contrast(kind: str, slots: list[str], r: random.Random) -> tuple[Meant, Meant] | None:
    """Two meanings that differ in `kind` and nothing else."""
    if kind == "negation":
        return (("present", {}), ("absent", {})) if r.random() < 0.5 else (("absent", {}), ("present", {}))
    usable = [s for s in slots if s in NUMBERS or s == "level"] if kind == "number" else [s for s in slots if s == kind]
    if not usable:
        return None
    slot = r.choice(usable)
    values = [draw(slot, r) for _ in range(2)]
    if (
        values[0] == values[1]
        or implies(values[0], values[1]) is not False
        or implies(values[1], values[0]) is not False
    ):
        return None
    return ("present", {slot: values[0]}), ("present", {slot: values[1]})
