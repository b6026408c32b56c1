"""Triangles of pairs: raters against raters, labels against labels. Values are printed in the cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.reporting.markup import join, label, picture, rect
from accord.reporting.words import short, squeeze

STEPS = (0.2, 0.4, 0.6, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class PairCell:
    """What one cell shows: shade 0 … 5, ``hatch`` (too few) or ``outline`` (diagonal)."""

    shade: str
    main: str
    below: str = ""


def shade(value: float, steps: Sequence[float] = STEPS) -> str:
    """Step of the one-hue scale; ``none`` for NaN."""
    return "none" if math.isnan(value) else str(sum(value >= step for step in steps))


@dataclass(frozen=True, slots=True)
class Grid:
    """Layout of a lower triangle: names are numbered when they are long or many."""

    names: Sequence[str]
    diagonal: bool

    @property
    def rows(self) -> range:
        """Names that have a row."""
        return range(0 if self.diagonal else 1, len(self.names))

    @property
    def columns(self) -> range:
        """Names that have a column."""
        return range(len(self.names) if self.diagonal else len(self.names) - 1)

    @property
    def numbered(self) -> bool:
        """Whether columns carry numbers instead of names."""
        return len(self.names) > 4 or any(len(self.short(i)) > 9 for i in range(len(self.names)))

    @property
    def left(self) -> float:
        """Room for the names of the rows."""
        longest = max((len(self.short(i)) for i in range(len(self.names))), default=0) + 3 * self.numbered
        return min(104.0, 14 + 6.6 * longest)

    @property
    def size(self) -> float:
        """Side of a cell."""
        return min(74.0, (298 - self.left) / max(len(self.columns), 1))

    @property
    def roomy(self) -> bool:
        """Whether a cell holds two lines."""
        return self.size >= 46

    def short(self, i: int) -> str:
        """Name cut to fit."""
        return squeeze(self.names[i], 12)

    def row_name(self, i: int) -> str:
        """Words before a row."""
        return f"{i + 1} {self.short(i)}" if self.numbered else self.short(i)

    def column_name(self, j: int) -> str:
        """Words below a column."""
        return str(j + 1) if self.numbered else self.short(j)


def triangle(title: str, grid: Grid, cell: Callable[[int, int], PairCell | None], tail: Markup) -> Markup:
    """Lower triangle of a symmetric table; rows below columns."""
    size, left = grid.size, grid.left
    parts: list[Markup] = []
    for place, i in enumerate(grid.rows):
        y = 5 + place * size
        if size >= 11:
            parts.append(label(left - 8, y + size / 2 + 4, grid.row_name(i), "q" if size >= 18 else "q t10", "end"))
        found = ((j, cell(i, j)) for j in range(i + 1 if grid.diagonal else i))
        parts += [_cell(left + j * size, y, size, content) for j, content in found if content is not None]
    bottom = 5 + len(grid.rows) * size
    if size >= 11:
        columns = ((left + (j + 0.5) * size, grid.column_name(j)) for j in grid.columns)
        parts += [label(x, bottom + 16, words, "q", "middle") for x, words in columns]
    return picture(300, bottom + 50, title, *parts, _moved(tail, bottom + 26))


def _cell(x: float, y: float, size: float, cell: PairCell) -> Markup:
    gap = 2 if size > 12 else 0.5
    box = rect(x, y, size - gap, size - gap, f"cell-{cell.shade}")
    centre, middle = x + (size - gap) / 2, y + (size - gap) / 2
    ink = f"on-{cell.shade}"
    if size < 46:
        return join(box, _small(centre, middle, size, cell))
    patch = rect(centre - 24, middle - 15, 48, 30, "patch") if cell.shade == "hatch" else Markup("")
    main = label(centre, middle, cell.main, f"{ink} t11" if cell.shade == "hatch" else f"{ink} strong", "middle")
    return join(box, patch, main, label(centre, middle + 15, cell.below, f"{ink} t10", "middle"))


def _small(x: float, y: float, size: float, cell: PairCell) -> Markup:
    """One line in a small cell, if it fits; 0.48 becomes .48 where room is short."""
    words = cell.main.removeprefix("0") if size < 36 and cell.main.startswith("0.") else cell.main
    font = next(
        (f for f, width in (("strong", 9.0), ("t11", 6.5), ("t10", 6.0)) if width * len(words) < size - 3), None
    )
    if cell.shade == "hatch" or font is None or size < 22:
        return Markup("")
    return label(x, y + 4, words, f"on-{cell.shade} {font}", "middle")


def _moved(tail: Markup, y: float) -> Markup:
    return Markup('<g transform="translate(0 {:.1f})">{}</g>').format(y, tail)


def scale(symbol: str, left: float = 60) -> Markup:
    """Key of the one-hue scale with its steps."""
    width = 34.0
    parts = [label(left - 8, 9, symbol, "q t11", "end")]
    parts += [rect(left + k * width, 2, width, 7, f"cell-{k}") for k in range(6)]
    parts += [label(left + (k + 1) * width, 21, short(step), "q t11", "middle") for k, step in enumerate(STEPS)]
    return join(*parts)
