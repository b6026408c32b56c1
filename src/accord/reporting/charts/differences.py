"""Bland-Altman picture: difference of two answers against their mean, with the limits of agreement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.reporting.markup import element, join, label, line, picture, rect
from accord.reporting.words import compact

LEFT, RIGHT, TOP, BOTTOM = 44.0, 246.0, 10.0, 210.0


@dataclass(frozen=True, slots=True)
class Limit:
    """One horizontal line: its value, its interval and its name."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan


def bland_altman(title: str, points: Sequence[tuple[float, float, int]], limits: Sequence[Limit]) -> Markup:
    """Points (mean, difference, how many) with bias and limits; intervals of the lines are shaded."""
    xs = _range([mean for mean, _, _ in points])
    ys = _range([d for _, d, _ in points] + [v for m in limits for v in (m.value, m.low, m.high)] + [0.0])
    parts = [_limit(limit, ys) for limit in limits]
    parts.append(line(LEFT, _y(0, ys), RIGHT, _y(0, ys), "ax"))
    parts += [_point(point, xs, ys) for point in points]
    parts += [line(LEFT, BOTTOM, RIGHT, BOTTOM, "gr"), line(LEFT, TOP, LEFT, BOTTOM, "gr")]
    parts += [label(_x(v, xs), BOTTOM + 16, compact(v), "q t11", "middle") for v in _ticks(xs)]
    parts += [label(LEFT - 6, _y(v, ys) + 4, compact(v), "q t11", "end") for v in _ticks(ys)]
    parts.append(label((LEFT + RIGHT) / 2, BOTTOM + 34, "mean of the two answers", "q t11", "middle"))
    return picture(300, BOTTOM + 42, title, join(*parts))


def _range(values: Sequence[float]) -> tuple[float, float]:
    finite = [v for v in values if math.isfinite(v)] or [0.0]
    low, high = min(finite), max(finite)
    pad = (high - low or 1.0) * 0.04
    return low - pad, high + pad


def _ticks(ends: tuple[float, float]) -> list[float]:
    """Three to six round numbers inside a range."""
    low, high = ends
    power = 10.0 ** math.floor(math.log10((high - low) / 3))
    step = next(s * power for s in (5, 2, 1) if (high - low) / (s * power) >= 3)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _x(value: float, xs: tuple[float, float]) -> float:
    return LEFT + 8 + (value - xs[0]) / (xs[1] - xs[0]) * (RIGHT - LEFT - 16)


def _y(value: float, ys: tuple[float, float]) -> float:
    return BOTTOM - (value - ys[0]) / (ys[1] - ys[0]) * (BOTTOM - TOP)


def _limit(limit: Limit, ys: tuple[float, float]) -> Markup:
    if not math.isfinite(limit.value):
        return Markup("")
    y = _y(limit.value, ys)
    known = math.isfinite(limit.low) and math.isfinite(limit.high)
    high = _y(limit.high, ys) if known else y
    band = rect(LEFT, high, RIGHT - LEFT, (_y(limit.low, ys) if known else y) - high, "b2")
    words = join(label(RIGHT + 5, y - 1, limit.name, "q t10"), label(RIGHT + 5, y + 11, compact(limit.value), "t11"))
    return join(band, line(LEFT, y, RIGHT, y, "all"), words)


def _point(point: tuple[float, float, int], xs: tuple[float, float], ys: tuple[float, float]) -> Markup:
    mean, difference, times = point
    radius = min(7.0, 2.2 + 0.7 * math.sqrt(max(times, 1)))
    return element("circle", cx=_x(mean, xs), cy=_y(difference, ys), r=radius, class_="dot")
