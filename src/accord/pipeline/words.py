"""Sentences of the report: how values, numbers and results are said in words."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from accord.coefficients.estimate import UNDEFINED, Estimate
from accord.values import (
    EMPTY,
    Box,
    Ellipse,
    Frames,
    KeyPoint,
    Link,
    Mask,
    Polygon,
    Ranking,
    Raw,
    Region,
    Span,
    Track,
    Value,
    Vector,
)

LONGEST = 300
_ARROWS = {"right": "→", "left": "←", "bi": "↔"}


def show(value: Value, content: bool = True) -> str:
    """Text of an answer for people; with ``content`` False nothing that a rater typed is shown."""
    if value is EMPTY:
        return "(nothing)"
    if isinstance(value, frozenset):
        return ", ".join(sorted(show(item, content) for item in value))
    if isinstance(value, Ranking):
        return " > ".join(value.order)
    if isinstance(value, tuple):
        if value and all(isinstance(item, Region) for item in value):
            return "; ".join(show(item, content) for item in value)
        return " > ".join(str(item) for item in value)
    if isinstance(value, Region):
        return _region(value, content)
    if isinstance(value, float):
        return f"{value:.10g}"
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _region(region: Region, content: bool) -> str:
    labels = ", ".join(sorted(region.labels)) or "region"
    note = f" “{region.text}”" if region.text and content else ""
    colon = ":" if isinstance(region.geometry, Link) else ""
    return f"{labels}{colon} {_place(region)}{note}"


def _place(region: Region) -> str:
    match region.geometry:
        case Span(start, end, axis):
            return f"{start:g} to {end:g}" + (f" on {axis}" if axis else "")
        case Frames(ranges):
            return ", ".join(f"frames {a} to {b}" for a, b in ranges)
        case Box(x, y, width, height):
            return f"at {x:.4g}, {y:.4g} size {width:.4g} × {height:.4g}"
        case Ellipse(x, y) | KeyPoint(x, y):
            return f"at {x:.4g}, {y:.4g}"
        case Link(source, target, direction, ends):
            first, second = ends or (None, None)
            return f"{_end(source, first)} {_ARROWS.get(direction, '→')} {_end(target, second)}"
        case Polygon(points) if points:
            return f"polygon of {len(points)} corners from {points[0][0]:.4g}, {points[0][1]:.4g}"
        case Vector(lines) if lines and lines[0]:
            return f"line of {sum(map(len, lines))} points from {lines[0][0][0]:.4g}, {lines[0][0][1]:.4g}"
        case Track(_, sequence) if sequence:
            return f"track of {len(sequence)} key frames, {sequence[0].frame} to {sequence[-1].frame}"
        case Mask(_, data):
            return f"mask {_digest(data)}"
        case Raw(text):
            return f"drawing {_digest(text.encode('utf-8', 'replace'))}"
        case _:
            return type(region.geometry).__name__.lower()


def _end(name: str, region: Region | None) -> str:
    """End of a relation: what it is called, and which of the regions it is."""
    labels = ", ".join(sorted(region.labels)) if region is not None else ""
    return f"{labels} ({name})" if labels else name


def _digest(data: bytes) -> str:
    """Four characters that differ where shapes without words for them do."""
    return hashlib.blake2s(data, digest_size=2).hexdigest()


def number(value: float, digits: int = 2) -> str:
    """Rounded number with a true minus sign; "undefined" for NaN."""
    if not math.isfinite(value):
        return "undefined"
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


def percent(share: float) -> str:
    """Whole percent; "less than 1 %" instead of a rounded zero."""
    if not math.isfinite(share):
        return "undefined"
    return "less than 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def interval_words(estimate: Estimate) -> str:
    """Interval as "0.43 to 0.60", or why there is none."""
    if estimate.interval is None:
        return "no interval"
    return f"{number(estimate.interval.low)} to {number(estimate.interval.high)}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """Count with its noun: "1 task", "1,200 tasks"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(items: Sequence[str], word: str = "and") -> str:
    """Join as "a, b and c"."""
    if len(items) <= 1:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def why_undefined(estimate: Estimate) -> str:
    """Reason why there is no value."""
    return estimate.reason or UNDEFINED.get(estimate.undefined or "", "")
