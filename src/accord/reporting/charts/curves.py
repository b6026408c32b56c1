"""Curves over a threshold, with the interval of one of them as a band."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.coefficients.estimate import Interval
from accord.reporting.charts.axis import Axis, lower_end
from accord.reporting.markup import element, join, label, line
from accord.reporting.words import short

WIDTH, HEIGHT = 560, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 544, 64, 336


@dataclass(frozen=True, slots=True)
class Curve:
    """Heights over the thresholds, NaN = a gap; ``intervals`` are drawn as a band, ``style`` is c0 to c3."""

    name: str
    heights: Sequence[float]
    style: str
    intervals: Sequence[Interval | None] = ()


def curves(thresholds: Sequence[float], data: Sequence[Curve], axis_title: str) -> Markup:
    """Contents of a picture of ``WIDTH`` by ``HEIGHT``: grid, bands, curves and legend."""
    across = Axis(_LEFT, _RIGHT, thresholds[0], thresholds[-1])
    up = Axis(_BOTTOM, _TOP, lower_end(height for curve in data for height in curve.heights))
    bands = [_band(across, up, thresholds, curve) for curve in data if curve.intervals]
    lines = [_line(across, up, thresholds, curve) for curve in reversed(data)]
    return join(_grid(across, up, axis_title), *bands, *lines, _legend(data))


def _grid(across: Axis, up: Axis, axis_title: str) -> Markup:
    parts = []
    for height in _marks(up):
        y = up.at(height)
        parts += [
            line(_LEFT, y, _RIGHT, y, "ax" if height == 0 else "gr"),
            label(_LEFT - 8, y + 4, short(height), "q", "end"),
        ]
    for place in _marks(across):
        x = across.at(place)
        parts += [line(x, _BOTTOM, x, _BOTTOM + 4, "ax"), label(x, _BOTTOM + 18, short(place), "q", "middle")]
    return join(*parts, label((_LEFT + _RIGHT) / 2, HEIGHT - 8, axis_title, "q", "middle"))


def _marks(axis: Axis) -> list[float]:
    step = 0.2 if axis.high - axis.low <= 1.0 else 0.5
    if axis.high - axis.low > 2.0:
        step = (axis.high - axis.low) / 5
    first = math.ceil(axis.low / step - 1e-9)
    last = math.floor(axis.high / step + 1e-9)
    return [round(step * number, 9) for number in range(first, last + 1)]


def _runs(known: Sequence[bool]) -> Iterator[range]:
    """Stretches without a gap."""
    start = None
    for place, here in enumerate([*known, False]):
        if here and start is None:
            start = place
        if not here and start is not None:
            yield range(start, place)
            start = None


def _line(across: Axis, up: Axis, thresholds: Sequence[float], curve: Curve) -> Markup:
    parts = []
    for run in _runs([math.isfinite(height) for height in curve.heights]):
        points = [(across.at(thresholds[k]), up.at(curve.heights[k])) for k in run]
        if len(points) == 1:
            parts.append(element("circle", cx=points[0][0], cy=points[0][1], r=2.5, class_=f"{curve.style} dot"))
        else:
            parts.append(element("polyline", points=_points(points), class_=curve.style))
    return join(*parts)


def _band(across: Axis, up: Axis, thresholds: Sequence[float], curve: Curve) -> Markup:
    limits = [None if i is None or not math.isfinite(i.low + i.high) else (i.low, i.high) for i in curve.intervals]
    parts = []
    for run in _runs([limit is not None for limit in limits]):
        found = [(across.at(thresholds[k]), limit) for k in run if (limit := limits[k]) is not None]
        edge = [(x, up.at(limit[0])) for x, limit in found] + [(x, up.at(limit[1])) for x, limit in reversed(found)]
        parts.append(element("polygon", points=_points(edge), class_="band"))
    return join(*parts)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _legend(data: Sequence[Curve]) -> Markup:
    parts = []
    for number, curve in enumerate(data):
        x, y = _LEFT + 256 * (number % 2), 18 + 20 * (number // 2)
        parts += [line(x, y - 4, x + 28, y - 4, curve.style), label(x + 36, y, curve.name)]
    return join(*parts)
