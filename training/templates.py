"""Statements made from concept names, with what follows from what decided by their logical form."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from training.numbers import NUMBERS, spinal_level

POSITIVE = ("{}", "{}", "{}", "presence of {}", "evidence of {}", "{} present", "positive for {}", "signs of {}",
            "finding of {}", "patient has {}", "{} noted", "there is {}", "{} is seen", "the patient presents with {}",
            "findings consistent with {}", "shows {}", "diagnosis of {}")  # fmt: skip
NEGATIVE = ("no {}", "absence of {}", "without {}", "negative for {}", "no evidence of {}", "{} not present",
            "{} ruled out", "no sign of {}", "denies {}", "{} absent", "free of {}", "{} is not seen", "there is no {}",
            "not {}")  # fmt: skip
UNCERTAIN = ("possible {}", "suspected {}", "probable {}", "{} cannot be excluded", "question of {}", "likely {}",
             "suspicious for {}", "{}?")  # fmt: skip
SLOTS: dict[str, tuple[str, ...]] = {
    "severity": ("mild", "moderate", "severe", "profound", "borderline", "minimal"),
    "side": ("left", "right", "bilateral", "unilateral"),
    "course": ("acute", "chronic", "recurrent", "progressive", "transient", "subacute", "intermittent", "resolved"),
    "onset": ("congenital", "childhood-onset", "adult-onset", "neonatal", "late-onset"),
    "place": ("upper", "lower", "anterior", "posterior", "proximal", "distal", "medial", "lateral", "central",
              "peripheral"),
    "change": ("increased", "decreased", "worsening", "improving", "stable", "new"),
    "extent": ("focal", "diffuse", "multifocal", "localized", "generalized", "partial", "complete"),
    "nature": ("benign", "malignant", "primary", "secondary", "infectious", "traumatic", "hereditary", "drug-induced"),
}  # fmt: skip
NARROWER = {("left", "unilateral"), ("right", "unilateral")}
UNCLEAR = {("bilateral", "left"), ("bilateral", "right"), ("bilateral", "unilateral"), ("profound", "severe"),
           ("minimal", "mild"), ("multifocal", "focal"), ("diffuse", "generalized"), ("localized", "focal"),
           ("congenital", "neonatal"), ("adult-onset", "late-onset"), ("worsening", "increased"),
           ("worsening", "progressive"), ("improving", "decreased"), ("congenital", "hereditary"),
           ("improving", "resolved")}  # fmt: skip
SAID = {
    "left": ("left", "left-sided", "left sided", "on the left"),
    "right": ("right", "right-sided", "right sided", "on the right"),
    "bilateral": ("bilateral", "both-sided", "on both sides"),
    "decreased": ("decreased", "reduced"),
    "increased": ("increased", "elevated"),
}

Value = str | tuple[str, Fraction]


@dataclass(frozen=True)
class Statement:
    """A concept said to be present, absent or possible, with attributes (slot to value)."""

    concept: str
    certainty: str
    attributes: tuple[tuple[str, Value], ...]
    text: str


def implies(a: Value, b: Value) -> bool | None:
    """Say whether an attribute follows from another one; None when a matter of opinion."""
    if a == b or (a, b) in NARROWER:
        return True
    return None if (a, b) in UNCLEAR or (b, a) in UNCLEAR else False


def _narrower(a: Statement, b: Statement, below: Callable[[str, str], bool]) -> bool | None:
    """Say whether everything `b` claims of its concept holds whenever `a` does; None when a matter of opinion."""
    mine = dict(a.attributes)
    verdicts: list[bool | None] = [below(a.concept, b.concept)]
    verdicts += [implies(mine[s], v) if s in mine else False for s, v in b.attributes]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def follows(a: Statement, b: Statement, below: Callable[[str, str], bool]) -> bool | None:
    """Say whether statement `b` follows from `a`; `below(x, y)` says that x is y or narrower. None = leave out."""
    if a.certainty != b.certainty:
        return False
    return _narrower(b, a, below) if a.certainty == "absent" else _narrower(a, b, below)


def draw(slot: str, r: random.Random) -> Value:
    """Draw a value of a slot."""
    if slot == "level":
        return spinal_level(r)
    if slot in NUMBERS:
        # the slot is part of the value: grade 2 and stage 2 are no more alike than mild and left
        return slot, NUMBERS[slot].draw(r)
    return r.choice(SLOTS[slot])


def _attach(text: str, slot: str, value: Value, r: random.Random) -> str:
    if slot == "level":
        return r.choice(("{x} at {v}", "{v} {x}", "{x}, {v}")).format(x=text, v=value)
    if isinstance(value, tuple):
        number = NUMBERS[slot]
        return r.choice(number.frames).format(x=text, v=number.say(value[1], r))
    said = r.choice(SAID.get(value, (value,)))
    if said.startswith("on "):
        return f"{text} {said}"
    return r.choice(("{v} {x}", "{v} {x}", "{x}, {v}", "{x} ({v})")).format(x=text, v=said)


def uncapitalised(name: str) -> str:
    """Lower the first letter unless the word is an abbreviation."""
    return name[0].lower() + name[1:] if name[1:2].islower() else name


def say(concept: str, name: str, certainty: str, attributes: dict[str, Value], r: random.Random) -> Statement:
    """Put a concept, its certainty and its attributes into words."""
    text = uncapitalised(name)
    for slot in r.sample(sorted(attributes), len(attributes)):
        text = _attach(text, slot, attributes[slot], r)
    frame = r.choice({"present": POSITIVE, "absent": NEGATIVE, "possible": UNCERTAIN}[certainty])
    return Statement(concept, certainty, tuple(sorted(attributes.items())), frame.format(text))


def usable_slots(name: str) -> list[str]:
    """Slots whose words the name does not hold already."""
    words = set(name.casefold().replace("-", " ").split())
    plain = [s for s, values in SLOTS.items() if not words & {w for v in values for w in v.split("-")}]
    numeric = [] if any(ch.isdigit() for ch in name) or words & {"grade", "stage", "type"} else [*NUMBERS, "level"]
    return plain + numeric


def _values(slot: str, r: random.Random) -> list[Value]:
    """Three values of a slot; of a number, the second is often what the first one is easily taken for."""
    first, second, third = (draw(slot, r) for _ in range(3))
    if isinstance(first, tuple) and r.random() < 0.7:
        second = slot, NUMBERS[slot].mistaken(first[1], r)
    return [first, second, third]


def group(names: list[tuple[str, str]], r: random.Random, size: int = 7, numbers: float = 0.4) -> list[Statement]:
    """Make related statements about concepts given as (concept, name); the first concept is said most often."""
    slots = usable_slots(" ".join(n for _, n in names))
    plain, numeric = [s for s in slots if s in SLOTS], [s for s in slots if s not in SLOTS]
    kind = r.choice(numeric) if numeric and r.random() < numbers else (r.choice(plain) if plain else None)
    values = _values(kind, r) if kind else []
    other = r.choice([s for s in plain if s != kind] or [None])
    extra = draw(other, r) if other else None
    certainties = r.choice((("present",), ("present", "absent"), ("present", "absent", "possible"), ("absent",)))
    out = []
    for _ in range(size):
        concept, name = names[0] if r.random() < 0.5 else r.choice(names)
        attributes: dict[str, Value] = {}
        if kind and r.random() < 0.8:
            attributes[kind] = r.choice(values[:2]) if r.random() < 0.75 else values[2]
        if other and extra and r.random() < 0.2:
            attributes[other] = extra
        out.append(say(concept, name, r.choice(certainties), attributes, r))
    return out
