"""Tables as data, for the page (sortable) and for Markdown and CSV."""

from __future__ import annotations

import math
from dataclasses import dataclass

from markupsafe import Markup

from accord.coefficients.estimate import Estimate, Interval
from accord.reporting import words


@dataclass(frozen=True, slots=True)
class Cell:
    """What is shown, and what it is sorted by."""

    shown: str | Markup
    key: float | str = ""
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """Title of a column."""

    title: str | Markup
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; the first cell of a row names it."""

    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def searchable(self) -> bool:
        """Whether there are enough rows for a filter to help."""
        return len(self.rows) > 12


def headings(*titles: str) -> tuple[Heading, ...]:
    """Headings from titles; a leading '#' marks a column of numbers."""
    return tuple(Heading(title.removeprefix("#"), title.startswith("#")) for title in titles)


def text(value: str | Markup, key: str | None = None) -> Cell:
    """Cell of words."""
    return Cell(value, str(value).casefold() if key is None else key)


def integer(value: int) -> Cell:
    """Cell of a count."""
    return Cell(words.count(value), value, numeric=True)


def number(value: float | None, digits: int = 2) -> Cell:
    """Cell of a number; what does not exist sorts last."""
    return Cell(words.number(value, digits), _key(value), numeric=True)


def percent(value: float | None) -> Cell:
    """Cell of a share."""
    return Cell(words.percent(value), _key(value), numeric=True)


def interval(value: Interval | None) -> Cell:
    """Cell of an interval, sorted by its lower end."""
    return Cell(words.bounds(value), "" if value is None else value.low, numeric=True)


def estimate(value: Estimate) -> Cell:
    """Cell of an estimate, or the word undefined."""
    return Cell(words.value_of(value), _key(value.value), numeric=True)


def _key(value: float | None) -> float | str:
    return "" if value is None or math.isnan(value) else value
