"""Shares as bars: labels by rater, a share with the share that chance would give, parts of a whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from accord.reporting.markup import join, label, line, picture, rect
from accord.reporting.words import count, percent, squeeze

RATERS_DRAWN = 4
#: Characters of a name that fit beside its bar; longer ones stand above.
BESIDE = 15


def by_rater(labels: Sequence[str], raters: Sequence[tuple[str, int, Mapping[str, float]]]) -> Markup:
    """Small bars, one row a label and one column a rater (name, answers, share of each label)."""
    left, width = 80.0, 220.0 / max(len(raters), 1)
    full = max([0.01, *(share for _, _, shares in raters for share in shares.values())])
    parts: list[Markup] = []
    for j, (rater, answers, _) in enumerate(raters):
        x = left + j * width
        parts += [label(x, 12, squeeze(rater, int(width / 7))), label(x, 26, count(answers), "q t11")]
    for i, name in enumerate(labels):
        y = 36 + 46 * i
        parts += [line(0, y, 298, y, "gr"), label(0, y + 26, squeeze(name, 11))]
        for j, (_, _, shares) in enumerate(raters):
            share = shares.get(name, 0.0)
            bar = rect(left + j * width, y + 30, (width - 12) * share / full, 8, "bar")
            parts += [label(left + j * width, y + 24, percent(share)), bar]
    return picture(300, 40 + 46 * len(labels), "Labels by rater, share of each rater's answers", *parts)


def against_chance(share: float, chance: float) -> Markup:
    """Share of the loss as a bar with a tick where chance or workload alone would be."""
    tick = Markup("") if math.isnan(chance) else line(120 * min(chance, 1), 0, 120 * min(chance, 1), 10, "tick")
    bar = rect(0, 0, 120 * min(max(share, 0), 1), 10, "bar")
    words = f"{percent(share)} of the loss; {percent(chance)} by chance or workload alone"
    return picture(120, 10, words, rect(0, 0, 120, 10, "mute"), bar, tick)


def meter(value: float, words: str) -> Markup:
    """Part of a whole, 0 … 1."""
    bar = rect(0, 0, 120 * min(max(value, 0), 1), 10, "bar")
    return picture(120, 10, words, rect(0, 0, 120, 10, "mute"), bar)


def amounts(title: str, parts: Sequence[tuple[str, float]]) -> Markup:
    """Named amounts as bars with their share printed."""
    total = sum(amount for _, amount in parts) or 1.0
    full = max([amount for _, amount in parts] + [1e-12])
    above = any(len(name) > BESIDE for name, _ in parts)
    left, width, row = (0.0, 254.0, 42.0) if above else (104.0, 150.0, 34.0)
    drawn: list[Markup] = []
    for i, (name, amount) in enumerate(parts):
        y = 8 + row * i
        top, end = y + (17 if above else 0), left + width * amount / full
        drawn += [label(0, y + 11, squeeze(name, 42 if above else BESIDE)), rect(left, top, end - left, 14, "bar")]
        drawn.append(label(end + 6, top + 11, percent(amount / total)))
    return picture(300, 12 + row * len(parts), title, join(*drawn))
