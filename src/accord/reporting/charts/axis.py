"""Shared horizontal axis for values and intervals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from accord.coefficients.estimate import Interval
from accord.reporting.markup import element, join, label, line, rect
from accord.reporting.words import short

THIN_UNITS = 10


@dataclass(frozen=True, slots=True)
class Axis:
    """Linear map from ``low`` … ``high`` to pixels ``left`` … ``right``."""

    left: float
    right: float
    low: float = 0.0
    high: float = 1.0

    def at(self, value: float) -> float:
        """Pixel of ``value``, held inside the picture."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)


def lower_end(values: Iterable[float | None]) -> float:
    """Return 0, or the step of 0.2 below the lowest finite value, but never below -1."""
    lowest = min((v for v in values if v is not None and math.isfinite(v)), default=0.0)
    return 0.0 if lowest >= 0 else max(-1.0, -0.2 * math.ceil(-lowest / 0.2 - 1e-9))


def backdrop(axis: Axis, top: float, bottom: float, bands: tuple[float, ...]) -> Markup:
    """Reading bands, base line and the mark at zero."""
    edges = [*bands, 1.0]
    shades = [
        rect(axis.at(a), top, axis.at(b) - axis.at(a), bottom - top, f"b{min(i, 2)}")
        for i, (a, b) in enumerate(itertools.pairwise(edges), start=1)
    ]
    base = line(axis.left, bottom, axis.right, bottom, "gr")
    return join(*shades, base, line(axis.at(0), top, axis.at(0), bottom + 4, "ax"))


def ticks(axis: Axis, y: float, marks: Iterable[float]) -> Markup:
    """Tick labels, leaving out those that would touch the one before."""
    drawn: list[Markup] = []
    last = -math.inf
    for mark in sorted({0.0, 1.0, *marks}):
        x = axis.at(mark)
        near_end = mark < 1 and axis.right - x < 16
        if x - last < 17 or near_end:
            continue
        drawn.append(label(x, y, short(mark), "q t11", "middle"))
        last = x
    return join(*drawn)


def estimate(axis: Axis, y: float, value: float, interval: Interval | None, *, thin: bool, caps: bool = True) -> Markup:
    """Interval as a line with a point at the value; small samples dashed with an open point."""
    parts: list[Markup] = []
    if interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high):
        low, high = axis.at(interval.low), axis.at(interval.high)
        parts.append(line(low, y, high, y, "iv dash" if thin else "iv"))
        if caps:
            parts += [line(x, y - 4, x, y + 4, "iv") for x in (low, high)]
    if math.isfinite(value):
        parts.append(element("circle", cx=axis.at(value), cy=y, r=4.5, class_="pto" if thin else "pt"))
    return join(*parts)
