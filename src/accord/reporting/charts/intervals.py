"""Estimates with their intervals: one for a card, many in rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accord.coefficients.estimate import Estimate, Interval
from accord.reporting.charts.axis import Axis, backdrop, estimate, lower_end, ticks
from accord.reporting.markup import element, join, label, line, picture
from accord.reporting.words import bounds, level, number, reason, squeeze

WIDTH = 300


def card(name: str, main: Estimate, low: float, bands: tuple[float, ...], criterion: float | None) -> Markup:
    """One estimate on the axis shared by all cards, with bands and the criterion."""
    axis = Axis(10, 290, low)
    marks = bands if bands else (0.5,)
    parts = [backdrop(axis, 6, 32, bands), ticks(axis, 47, marks)]
    if criterion is not None:
        parts.append(_criterion(axis.at(criterion)))
    if main.undefined:
        parts.append(label(150, 22, "undefined", "q", "middle"))
    else:
        parts.append(estimate(axis, 19, main.value, main.interval, thin=main.interval is None))
    return picture(WIDTH, 52, _card_words(name, main, criterion), *parts)


def _criterion(x: float) -> Markup:
    triangle = element("path", d=f"M{x:.1f} 8 l-4.5 -7 h9 z", class_="ink")
    return join(triangle, line(x, 7, x, 32, "crit"))


def _card_words(name: str, main: Estimate, criterion: float | None) -> str:
    limit = "" if criterion is None else f"; criterion {number(criterion)}"
    if main.undefined:
        return f"{name}: undefined, {reason(main)}{limit}"
    interval = f", {level(main.interval)} interval {bounds(main.interval)}" if main.interval else ", no interval"
    return f"{name}: {number(main.value)}{interval}{limit}"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an interval chart; ``value`` NaN is drawn as words."""

    name: str
    note: str
    value: float
    interval: Interval | None
    thin: bool
    words: str = ""


def rows(title: str, data: Sequence[Row], overall: float | None, bands: tuple[float, ...]) -> Markup:
    """Dot-and-interval chart with one row each, and a dotted line at the overall value."""
    lows = [row.interval.low if row.interval else row.value for row in data]
    axis = Axis(96, 288, lower_end([*lows, overall]))
    step = 46
    bottom = 22 + step * len(data)
    parts = [backdrop(axis, 16, bottom, bands), ticks(axis, bottom + 17, bands if bands else (0.5,))]
    if overall is not None and overall == overall:
        x = axis.at(overall)
        parts += [line(x, 16, x, bottom, "all"), label(x, 10, f"all {number(overall)}", "acc t11", _anchor(x))]
    parts += [_row(axis, 40 + step * i, row) for i, row in enumerate(data)]
    return picture(WIDTH, bottom + 24, title, *parts)


def _anchor(x: float) -> str:
    return "end" if x > WIDTH - 40 else "middle"


def _row(axis: Axis, y: float, row: Row) -> Markup:
    head = [label(0, y + 2, squeeze(row.name, 13)), label(0, y + 16, row.note, "q t11")]
    if row.value != row.value:
        return join(*head, label(axis.at(0.5), y + 4, row.words or "undefined", "q t11", "middle"))
    x = min(max(axis.at(row.value), axis.left + 12), axis.right - 12)
    mark = estimate(axis, y, row.value, row.interval, thin=row.thin, caps=False)
    return join(*head, mark, label(x, y + 18, number(row.value), "halo", "middle"))
