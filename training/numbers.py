"""Numbers and units in statements: how a value is drawn, the ways to write it, and where it stands."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ROMAN = ("0", "I", "II", "III", "IV", "V", "VI")
REGIONS = {"C": (3, 7), "T": (1, 12), "L": (1, 5)}


def spinal_level(r: random.Random) -> str:
    """Draw a vertebra or the disc below it."""
    letter = r.choice("CTL")
    n = r.randint(*REGIONS[letter])
    return f"{letter}{n}" if r.random() < 0.5 or n == REGIONS[letter][1] else f"{letter}{n}-{letter}{n + 1}"


@dataclass(frozen=True)
class Number:
    """A quantity: values in one unit, and ways to write a value so that equal values may look different."""

    values: Sequence[int]
    say: Callable[[Fraction, random.Random], str]
    frames: tuple[str, ...]

    def draw(self, r: random.Random) -> Fraction:
        """Draw a value."""
        return Fraction(r.choice(self.values))


def _decimal(x: Fraction) -> str:
    return f"{float(x):g}"


def _size(v: Fraction, r: random.Random) -> str:
    forms = [f"{_decimal(v)} mm", f"{_decimal(v)}mm", f"{_decimal(v / 10)} cm", f"{_decimal(v / 10)} cm"]
    return r.choice(forms)


def _rank(v: Fraction, r: random.Random) -> str:
    return r.choice([str(int(v)), ROMAN[int(v)]])


def _counted(v: Fraction, unit: str, r: random.Random) -> str:
    n = int(v)
    said = WORDS[n] if n < len(WORDS) and r.random() < 0.3 else str(n)
    return f"{said} {unit}{'' if n == 1 else 's'}"


def _days(v: Fraction, r: random.Random) -> str:
    return _counted(v / 7, "week", r) if v % 7 == 0 and r.random() < 0.5 else _counted(v, "day", r)


def _years(v: Fraction, r: random.Random) -> str:
    return r.choice([f"{int(v)} years", f"{int(v)} yrs"])


def _hours(v: Fraction, r: random.Random) -> str:
    return _counted(v, "hour", r)


def _dose(v: Fraction, r: random.Random) -> str:
    return f"{_decimal(v / 1000)} g" if v >= 500 and r.random() < 0.5 else f"{_decimal(v)} mg"


def _percent(v: Fraction, r: random.Random) -> str:
    return r.choice([f"{int(v)}%", f"{int(v)} %", f"{int(v)} percent"])


def _count(v: Fraction, r: random.Random) -> str:
    return WORDS[int(v)] if r.random() < 0.4 else str(int(v))


_SIZES = (*range(1, 10), *range(10, 95, 5), 12, 14, 18, 22, 27, 100, 120)
_DOSES = (1, 2, 5, 10, 20, 25, 40, 50, 75, 100, 250, 500, 1000, 2000)
_TIME = ("{x} for {v}", "{v} of {x}", "{x} since {v}")
NUMBERS = {
    "size": Number(
        _SIZES,
        _size,
        ("{v} {x}", "{x} {v}", "{x}, {v}", "{x} measuring {v}", "{x} of {v}", "{x} ({v})"),
    ),
    "grade": Number(range(1, 6), _rank, ("grade {v} {x}", "{x} grade {v}", "{x}, grade {v}", "{x} (grade {v})")),
    "stage": Number(range(1, 5), _rank, ("stage {v} {x}", "{x} stage {v}", "{x}, stage {v}")),
    "type": Number(range(1, 5), _rank, ("type {v} {x}", "{x} type {v}", "{x}, type {v}")),
    "days": Number((1, 2, 3, 4, 5, 6, 7, 10, 14, 21), _days, _TIME),
    "years": Number(range(2, 61), _years, _TIME),
    "hours": Number((2, 4, 6, 8, 12, 24, 36), _hours, _TIME),
    "dose": Number(_DOSES, _dose, ("{v} for {x}", "{x} treated with {v}", "{x}, {v} daily")),
    "percent": Number((*range(5, 100, 5), 1, 2, 12, 33, 67), _percent, ("{v} {x}", "{x} {v}", "{x} of {v}")),
    "count": Number(range(1, 10), _count, ("{v} episodes of {x}", "{x} x {v}", "{x}, {v} episodes")),
}
