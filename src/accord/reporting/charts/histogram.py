"""Distribution of task agreement: small for a card, large for a figure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from accord.reporting.markup import join, label, line, picture, rect
from accord.reporting.words import count, number


def bins(histogram: Sequence[int]) -> list[tuple[float, float, int]]:
    """Lower end, upper end and count of each bin of 0 … 1."""
    width = 1 / max(len(histogram), 1)
    return [(i * width, (i + 1) * width, n) for i, n in enumerate(histogram)]


def _words(name: str, histogram: Sequence[int]) -> str:
    filled = [f"{number(a, 1)} to {number(b, 1)}: {n:,}" for a, b, n in bins(histogram) if n]
    return f"Tasks by agreement, {name}: {', '.join(filled) or 'none'}"


def small(name: str, histogram: Sequence[int]) -> Markup:
    """Sparkline for a card."""
    bars = _bars(histogram, 0, 100, 34, 30)
    ends = join(label(0, 47, "0", "q t11"), label(100, 47, "1", "q t11", "end"))
    return picture(100, 50, _words(name, histogram), bars, line(0, 34, 100, 34, "ax"), ends)


def large(name: str, histogram: Sequence[int]) -> Markup:
    """Histogram with the counts printed above the bars."""
    base = 190
    parts = [_bars(histogram, 4, 292, base, 150), line(4, base, 296, base, "ax")]
    step = 292 / max(len(histogram), 1)
    peak = max([1, *histogram])
    for i, n in enumerate(histogram):
        if n:
            parts.append(label(4 + (i + 0.5) * step, base - 150 * n / peak - 5, count(n), "t11", "middle"))
    parts += [label(4 + 292 * v, base + 16, words, "q t11", anchor) for v, words, anchor in _ENDS]
    return picture(300, base + 38, _words(name, histogram), *parts)


_ENDS = ((0.0, "0 nobody agrees", "start"), (0.5, ".5", "middle"), (1.0, "all agree 1", "end"))


def _bars(histogram: Sequence[int], left: float, width: float, base: float, height: float) -> Markup:
    step = width / max(len(histogram), 1)
    peak = max([1, *histogram])
    drawn = [(i, max(1.5, height * n / peak)) for i, n in enumerate(histogram) if n]
    return join(*(rect(left + i * step + 0.5, base - h, step - 1, h, "bar") for i, h in drawn))
