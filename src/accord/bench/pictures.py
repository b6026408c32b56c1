"""Pictures of a benchmark: errors by kind of negative, estimates against the truth, error of permutations.

Everything is an attribute of its element, so that a picture looks the same alone and inside a page with a policy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.bench.figures import Figure
from accord.reporting.markup import element, join
from accord.reporting.words import short

INK, SOFT, RULE, PAPER = "#1c1f23", "#565d66", "#d5d9de", "#ffffff"
#: Told apart without colour by their marks as well.
COLOURS = ("#1f5fa8", "#b3541e", "#2f7d4f", "#7a4fa3", "#9a7b00", "#c03a5b")
MARKS = ("circle", "square", "triangle", "diamond", "cross", "ring")
FONT = "DejaVu Sans, Arial, sans-serif"
WIDTH = 720


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a plot lies, and the numbers at its edges."""

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float

    def x(self, value: float) -> float:
        """Place of a value on the way across."""
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)


def picture(height: float, label: str, *parts: Markup) -> Markup:
    """A white picture of the common width."""
    return element(
        "svg",
        element("rect", width=WIDTH, height=height, fill=PAPER),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height:g}",
        role="img",
        aria_label=label,
        font_family=FONT,
        font_size=12,
    )


def words(x: float, y: float, text: str, anchor: str = "start", fill: str = INK, size: float = 12) -> Markup:
    """Text at a point."""
    return element("text", text, x=x, y=y, text_anchor=anchor, fill=fill, font_size=size)


def rule(x1: float, y1: float, x2: float, y2: float, colour: str = RULE, dash: str | None = None) -> Markup:
    """Straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_dasharray=dash)


def mark(kind: int, x: float, y: float) -> Markup:
    """A mark of a series."""
    colour, shape = COLOURS[kind % len(COLOURS)], MARKS[kind % len(MARKS)]
    match shape:
        case "circle":
            return element("circle", cx=x, cy=y, r=4, fill=colour)
        case "ring":
            return element("circle", cx=x, cy=y, r=4, fill=PAPER, stroke=colour, stroke_width=2)
        case "square":
            return element("rect", x=x - 3.5, y=y - 3.5, width=7, height=7, fill=colour)
        case "triangle":
            path = f"M{x:.1f},{y - 4.5:.1f} L{x + 4.5:.1f},{y + 3.5:.1f} L{x - 4.5:.1f},{y + 3.5:.1f} Z"
        case "diamond":
            path = f"M{x:.1f},{y - 5:.1f} L{x + 5:.1f},{y:.1f} L{x:.1f},{y + 5:.1f} L{x - 5:.1f},{y:.1f} Z"
        case _:
            path = f"M{x - 4:.1f},{y - 4:.1f} l8,8 m0,-8 l-8,8"
    return element("path", d=path, fill=colour, stroke=colour, stroke_width=2 if shape == "cross" else None)


def legend(names: Sequence[str], y: float, x: float = 130) -> Markup:
    """Marks with their names on one line."""
    parts: list[Markup] = []
    for kind, name in enumerate(names):
        parts += [mark(kind, x, y - 4), words(x + 10, y, name)]
        x += 26 + 7.2 * len(name)
    return join(*parts)


def intervals(title: str, axis: str, data: Mapping[str, Mapping[str, Figure]]) -> Markup:
    """One band a measure, in it one figure a series with its interval; from 0 on, or from the lowest figure."""
    series = list(next(iter(data.values())))
    ends = [v for some in data.values() for f in some.values() for v in (f.low, f.high, f.value) if math.isfinite(v)]
    step = 16
    height = 116 + len(data) * (len(series) * step + 12)
    frame = Frame(130, WIDTH - 24, 60, height - 46, min(0.0, *ends) * 1.05, max(*ends, 0.05) * 1.05)
    parts = [words(20, 24, title, size=14), legend(series, 46), *_scale(frame, axis)]
    y = frame.top + 6
    for measure, some in data.items():
        parts.append(words(120, y + len(series) * step / 2 + 6, measure, "end"))
        for kind, name in enumerate(series):
            y += step
            parts.append(_one(frame, kind, some[name], y - 4))
        y += 12
        parts.append(rule(frame.left, y, frame.right, y))
    return picture(height, title, *parts)


def _one(frame: Frame, kind: int, figure: Figure, y: float) -> Markup:
    if not math.isfinite(figure.value):
        return words(frame.left + 4, y + 4, "undefined", fill=SOFT)
    parts = [mark(kind, frame.x(figure.value), y)]
    if math.isfinite(figure.low):
        colour = COLOURS[kind % len(COLOURS)]
        parts.insert(0, rule(frame.x(figure.low), y, frame.x(figure.high), y, colour))
    return join(*parts)


def _scale(frame: Frame, axis: str) -> list[Markup]:
    """Grid lines with their numbers below, and what they mean."""
    parts = []
    for value in ticks(frame.low, frame.high):
        x = frame.x(value)
        parts += [
            rule(x, frame.top, x, frame.bottom, SOFT if value == 0 else RULE),
            words(x, frame.bottom + 16, short(value), "middle", SOFT),
        ]
    return [*parts, words((frame.left + frame.right) / 2, frame.bottom + 34, axis, "middle", SOFT)]


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between two ends, five or so.

    Examples
    --------
    >>> ticks(0.0, 0.23)
    [0.0, 0.05, 0.1, 0.15, 0.2]
    """
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def small_plots(
    title: str, across: str, up: str, data: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]]
) -> Markup:
    """One square plot a measure: a curve of points (truth, estimate) a series, and the diagonal of a perfect one."""
    size, gap, columns = 150, 24, 4
    rows = math.ceil(len(data) / columns)
    height = 70 + rows * (size + gap + 30) + 20
    series = list(next(iter(data.values())))
    values = [y for some in data.values() for points in some.values() for _, y in points if math.isfinite(y)]
    low = min(0.0, *values)
    parts = [words(20, 24, title, size=14), legend(series, 46, 20)]
    for number, (measure, some) in enumerate(data.items()):
        left, top = 30 + (number % columns) * (size + gap), 84 + (number // columns) * (size + gap + 30)
        parts.append(_square(measure, some, left, top, size, low))
    parts.append(words(WIDTH / 2, height - 8, f"across: {across}; up: {up}; grey: perfect", "middle", SOFT))
    return picture(height, title, *parts)


def _square(
    measure: str, some: Mapping[str, Sequence[tuple[float, float]]], left: float, top: float, size: float, low: float
) -> Markup:
    def place(x: float, y: float) -> tuple[float, float]:
        return left + (x - low) / (1 - low) * size, top + size - (y - low) / (1 - low) * size

    corner, end = place(low, low), place(1, 1)
    parts = [
        words(left, top - 6, measure),
        element("rect", x=left, y=top, width=size, height=size, fill="none", stroke=RULE),
        rule(*corner, *end, SOFT, "3 3"),
        words(left - 4, place(0, 0)[1] + 4, "0", "end", SOFT, 10),
        words(left - 4, top + 8, "1", "end", SOFT, 10),
        words(place(0, 0)[0], top + size + 13, "0", "middle", SOFT, 10),
        words(left + size, top + size + 13, "1", "middle", SOFT, 10),
    ]
    for kind, points in enumerate(some.values()):
        at = [place(x, y) for x, y in points if math.isfinite(y)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        colour = COLOURS[kind % len(COLOURS)]
        parts.append(element("polyline", points=line, fill="none", stroke=colour, stroke_width=1.5))
        if at:
            parts.append(mark(kind, *at[0]))
    return join(*parts)
