"""Numbers and units in statements: how a value is drawn, the ways to write it, what it is easily taken for."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ROMAN = ("0", "I", "II", "III", "IV", "V", "VI")
REGIONS = {"C": (3, 7), "T": (1, 12), "L": (1, 5)}
MOST = {False: 2000, True: 100}


def spinal_level(r: random.Random) -> str:
    """Draw a vertebra or the disc below it."""
    letter = r.choice("CTL")
    n = r.randint(*REGIONS[letter])
    return f"{letter}{n}" if r.random() < 0.5 or n == REGIONS[letter][1] else f"{letter}{n}-{letter}{n + 1}"


@dataclass(frozen=True)
class Unit:
    """A unit: its size in the quantity's first unit, how it is written after a number, and which numbers it takes."""

    size: Fraction
    forms: tuple[str, ...]
    numbers: Sequence[int]
    spelled: bool = False

    def takes(self, n: Fraction) -> bool:
        """Say whether people would write n of this unit."""
        return n <= MOST[self.spelled] and (n if self.spelled else 10 * n).denominator == 1

    def write(self, value: Fraction, r: random.Random) -> str:
        """Write a value in this unit."""
        n = value / self.size
        number = f"{float(n):g}"
        if self.spelled and n.denominator == 1 and n < len(WORDS) and r.random() < 0.3:
            number = WORDS[int(n)]
        form = r.choice(self.forms)
        return f"{number}{form[:-1] if n == 1 and form.endswith('s') else form}"


@dataclass(frozen=True)
class Number:
    """A quantity in one unit or several, and where it stands in a phrase."""

    units: tuple[Unit, ...]
    frames: tuple[str, ...]

    def draw(self, r: random.Random) -> Fraction:
        """Draw a value."""
        unit = r.choice(self.units)
        return r.choice(unit.numbers) * unit.size

    def mistaken(self, value: Fraction, r: random.Random) -> Fraction:
        """Draw what the value is easily taken for: the same number of another unit, or the next number."""
        if len(self.units) > 1 and r.random() < 0.6:
            mine = [u for u in self.units if value / u.size in u.numbers] or [self.units[0]]
            other = r.choice([u for u in self.units if u is not mine[0]])
            return value / mine[0].size * other.size
        unit = self.units[0]
        return r.choice([n for n in unit.numbers if n * unit.size != value]) * unit.size

    def say(self, value: Fraction, r: random.Random) -> str:
        """Write a value in any unit in which it is short: at most one decimal, none where numbers are spelled out."""
        fitting = [u for u in self.units if u.takes(value / u.size)]
        return r.choice(fitting or [self.units[0]]).write(value, r)


class Rank(Number):
    """A grade, stage or type: an ordinal in Arabic or Roman figures."""

    def say(self, value: Fraction, r: random.Random) -> str:
        """Write a rank."""
        return r.choice([str(int(value)), ROMAN[int(value)]])


def _one(*forms: str, numbers: Sequence[int], spelled: bool = False) -> tuple[Unit, ...]:
    return (Unit(Fraction(1), forms, numbers, spelled),)


_SMALL, _WIDE = range(1, 13), (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75)
_DOSE = (1, 2, 5, 10, 20, 25, 40, 50, 100, 200, 250, 500)
NUMBERS: dict[str, Number] = {
    "size": Number(
        (Unit(Fraction(1), (" mm", "mm"), _WIDE), Unit(Fraction(10), (" cm", "cm", " centimetres"), range(1, 16))),
        ("{v} {x}", "{x} {v}", "{x}, {v}", "{x} measuring {v}", "{x} of {v}", "{x} ({v})"),
    ),
    "duration": Number(
        (
            Unit(Fraction(1), (" hours", " hrs"), (1, 2, 3, 4, 6, 8, 10, 12, 36), spelled=True),
            Unit(Fraction(24), (" days",), _SMALL, spelled=True),
            Unit(Fraction(168), (" weeks", " wks"), range(1, 9), spelled=True),
            Unit(Fraction(1461, 2), (" months",), _SMALL, spelled=True),
            Unit(Fraction(8766), (" years", " yrs"), (*_SMALL, 15, 20, 30, 40), spelled=True),
        ),
        ("{x} for {v}", "{v} of {x}", "{x} since {v}", "{x}, {v}"),
    ),
    "dose": Number(
        (
            Unit(Fraction(1), (" mg", "mg"), _DOSE),
            Unit(Fraction(1, 1000), (" mcg", " micrograms"), _DOSE),
            Unit(Fraction(1000), (" g", " grams"), (1, 2, 3, 5)),
        ),
        ("{v} for {x}", "{x} treated with {v}", "{x}, {v} daily"),
    ),
    "grade": Rank(_one(numbers=range(1, 6)), ("grade {v} {x}", "{x} grade {v}", "{x}, grade {v}", "{x} (grade {v})")),
    "stage": Rank(_one(numbers=range(1, 5)), ("stage {v} {x}", "{x} stage {v}", "{x}, stage {v}")),
    "type": Rank(_one(numbers=range(1, 5)), ("type {v} {x}", "{x} type {v}", "{x}, type {v}")),
    "percent": Number(
        _one("%", " %", " percent", numbers=(*range(5, 100, 5), 1, 2, 12, 33, 67)),
        ("{v} {x}", "{x} {v}", "{x} of {v}"),
    ),
    "count": Number(
        _one("", numbers=range(1, 10), spelled=True), ("{v} episodes of {x}", "{x} x {v}", "{x}, {v} episodes")
    ),
}
