"""Triangles of pairs: raters against raters, labels against labels. Values are printed in the cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.reporting.markup import join, label, picture, rect
from accord.reporting.words import clip, short

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


def triangle(
    title: str, names: Sequence[str], cell: Callable[[int, int], PairCell | None], *, diagonal: bool, tail: Markup
) -> Markup:
    """Lower triangle of a symmetric table; rows below columns, names numbered when they are long."""
    rows = range(0 if diagonal else 1, len(names))
    columns = range(len(names) if diagonal else len(names) - 1)
    numbered = len(names) > 4 or any(len(name) > 9 for name in names)
    left = _gutter(names)
    size = min(74.0, (298 - left) / max(len(columns), 1))
    parts: list[Markup] = []
    for place, i in enumerate(rows):
        y = 5 + place * size
        words = f"{i + 1} {clip(names[i], 12)}" if numbered else names[i]
        if size >= 11:
            parts.append(label(left - 8, y + size / 2 + 4, words, "q" if size >= 18 else "q t10", "end"))
        for j in range(min(i + (1 if diagonal else 0), len(columns))):
            found = cell(i, j)
            if found is not None:
                parts.append(_cell(left + j * size, y, size, found))
    bottom = 5 + len(rows) * size
    for j in columns if size >= 11 else ():
        words = str(j + 1) if numbered else names[j]
        parts.append(label(left + (j + 0.5) * size, bottom + 16, words, "q", "middle"))
    return picture(300, bottom + 50, title, *parts, _moved(tail, bottom + 26))


def _gutter(names: Sequence[str]) -> float:
    numbered = len(names) > 4 or any(len(name) > 9 for name in names)
    longest = max((min(len(name), 12) for name in names), default=0) + (2 if numbered else 0)
    return min(100.0, 14 + 6.6 * longest)


def _cell(x: float, y: float, size: float, cell: PairCell) -> Markup:
    gap = 2 if size > 12 else 0.5
    box = rect(x, y, size - gap, size - gap, f"cell-{cell.shade}")
    if size < 22 or not cell.main:
        return box
    centre, middle = x + (size - gap) / 2, y + (size - gap) / 2
    ink = f"on-{cell.shade}"
    if size < 46 or not cell.below:
        return join(box, label(centre, middle + 4, cell.main, f"{ink} {'t11' if size < 36 else 'strong'}", "middle"))
    patch = rect(centre - 24, middle - 15, 48, 30, "patch") if cell.shade == "hatch" else Markup("")
    main = label(centre, middle, cell.main, f"{ink} t11" if cell.shade == "hatch" else f"{ink} strong", "middle")
    return join(box, patch, main, label(centre, middle + 15, cell.below, f"{ink} t10", "middle"))


def _moved(tail: Markup, y: float) -> Markup:
    return Markup('<g transform="translate(0 {:.1f})">{}</g>').format(y, tail)


def scale(symbol: str, left: float = 60) -> Markup:
    """Key of the one-hue scale with its steps."""
    width = 34.0
    parts = [label(left - 8, 9, symbol, "q t11", "end")]
    parts += [rect(left + k * width, 2, width, 7, f"cell-{k}") for k in range(6)]
    parts += [label(left + (k + 1) * width, 21, short(step), "q t11", "middle") for k, step in enumerate(STEPS)]
    return join(*parts)
