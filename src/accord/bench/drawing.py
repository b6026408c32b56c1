"""Simulated studies: two annotators name the concepts of the same items, and disagree in a known way.

One draw holds everything random of a replicate. Levels of agreement and rates of synonyms only choose among what was
drawn, so that they are compared on the same items. Letters: E elements (answers of single items, or members of sets).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from accord.bench.negatives import Negatives
from accord.bench.settings import Settings
from accord.equivalence.protocol import normal
from accord.values import BoolArray, FloatArray, Index


@dataclass(frozen=True, slots=True)
class Answers:
    """One annotator's answers: item, concept and text of each element, (E,)."""

    item: Index
    concept: Index
    text: Index


@dataclass(frozen=True)
class Draw:
    """One replicate.

    Attributes
    ----------
    texts, owner
        The distinct texts (T,) and the number of the concept each of them names.
    item, concept, other
        Item of each element, its concept, and the concept that a disagreeing annotator names, (E,).
    first, agreeing, differing
        Text of each element by synonym rate, (rates, E): of the first annotator, and of the second one.
    ease
        The second annotator agrees where this is below the wanted share, (E,).
    """

    items: int
    texts: list[str]
    owner: Index
    item: Index
    concept: Index
    other: Index
    first: Index
    agreeing: Index
    differing: Index
    ease: FloatArray

    def answers(self, agreement: float, rate: int) -> tuple[Answers, Answers]:
        """Answers of both annotators when a share ``agreement`` of the elements agrees, at a synonym rate by number."""
        same: BoolArray = self.ease < agreement
        concept = np.where(same, self.concept, self.other)
        text = np.where(same, self.agreeing[rate], self.differing[rate])
        return (
            Answers(self.item, self.concept, self.first[rate]),
            _once(Answers(self.item, concept, text)),
        )

    @property
    def fingerprint(self) -> str:
        """Hash of everything drawn."""
        digest = hashlib.sha256("\n".join(self.texts).encode("utf-8", "surrogatepass"))
        for part in (self.item, self.concept, self.other, self.first, self.agreeing, self.differing, self.ease):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:16]


def _once(answers: Answers) -> Answers:
    """Every concept at most once an item; the first text stays."""
    pairs = np.stack((answers.item, answers.concept), axis=1)
    keep = np.sort(np.unique(pairs, axis=0, return_index=True)[1])
    return Answers(answers.item[keep], answers.concept[keep], answers.text[keep])


def draws(negatives: Negatives, settings: Settings, form: str, replicate: int) -> Mapping[str, Draw]:
    """One replicate of each kind of negative, over the same items."""
    seed = (settings.seed, settings_number(form), replicate)
    rng = np.random.default_rng(seed)
    size = np.ones(settings.items, dtype=np.int64)
    if form == "sets":
        size = rng.integers(1, settings.set_size + 1, settings.items)
    synonyms = any(rate > 0 for rate in settings.rates)
    fit = negatives.fit(settings.negatives, synonyms, rng)
    concepts = fit.take(int(size.sum()))
    item = np.repeat(np.arange(settings.items), size)
    names = _Names(negatives, settings.rates)
    first, agreeing = names.render(concepts, rng), names.render(concepts, rng)
    ease = rng.random(len(concepts))
    made = {}
    for number, kind in enumerate(settings.negatives):
        own = np.random.default_rng((*seed, number))
        others = [negatives.draw(c, kind, own) for c in concepts]
        made[kind] = _drawn(settings.items, item, concepts, others, (first, agreeing, names.render(others, own)), ease)
    return made


def settings_number(form: str) -> int:
    """Number of a form, for seeds."""
    return int(form == "sets")


class _Names:
    """Renders concepts as names."""

    def __init__(self, negatives: Negatives, rates: tuple[float, ...]) -> None:
        self._concepts = negatives.table.concepts
        self._rates = rates

    def render(self, concepts: list[str], rng: np.random.Generator) -> list[list[str]]:
        """One list of names a rate: the preferred name, or at that rate any of them, the same one at all rates."""
        luck = rng.random(len(concepts))
        chosen = []
        for c in concepts:
            names = self._concepts[c].names
            chosen.append(names[int(rng.integers(len(names)))])
        plain = [self._concepts[c].names[0] for c in concepts]
        return [
            [name if u < rate else preferred for name, preferred, u in zip(chosen, plain, luck, strict=True)]
            for rate in self._rates
        ]


def _drawn(
    items: int,
    item: Index,
    concepts: list[str],
    others: list[str],
    names: tuple[list[list[str]], list[list[str]], list[list[str]]],
    ease: FloatArray,
) -> Draw:
    """Number the concepts and the texts."""
    number = {c: k for k, c in enumerate(dict.fromkeys((*concepts, *others)))}
    concept, other = (np.array([number[c] for c in some], dtype=np.int64) for some in (concepts, others))
    place: dict[str, int] = {}
    owner: list[int] = []
    coded = []
    for rendered, meant in zip(names, (concept, concept, other), strict=True):
        rows = []
        for row in rendered:
            for name, c in zip(row, meant.tolist(), strict=True):
                if place.setdefault(normal(name), len(owner)) == len(owner):
                    owner.append(c)
            rows.append([place[normal(name)] for name in row])
        coded.append(np.array(rows, dtype=np.int64))
    first, agreeing, differing = coded
    return Draw(items, list(place), np.array(owner), item, concept, other, first, agreeing, differing, ease)
