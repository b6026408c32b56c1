"""What the evaluation measures, with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.metrics import roc_auc_score

from training.exam import Pair, Study, kappa_errors

Floats = npt.NDArray[np.float64]
REPEATS = 300


@dataclass(frozen=True)
class Figure:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def auc(positive: Floats, negative: Floats, seed: int = 5) -> Figure:
    """Chance that a positive pair scores above a negative one; percentile bootstrap over pairs."""
    rng = np.random.default_rng(seed)

    def one(p: Floats, n: Floats) -> float:
        return float(roc_auc_score(np.r_[np.ones(len(p)), np.zeros(len(n))], np.r_[p, n]))

    drawn = [one(rng.choice(positive, len(positive)), rng.choice(negative, len(negative))) for _ in range(REPEATS)]
    return Figure(one(positive, negative), *map(float, np.percentile(drawn, [2.5, 97.5])))


def kappa_mae(studies: list[Study], score: dict[Pair, float], seed: int = 6) -> tuple[Figure, dict[str, float]]:
    """Mean absolute error of soft kappa, kinds weighted alike, bootstrapped over studies; and the bias by kind."""
    one = [kappa_errors([s], score) for s in studies]
    error = np.array([np.abs(next(iter(o.values()))).mean() for o in one])
    bias: dict[str, list[float]] = {}
    for study, o in zip(studies, one, strict=True):
        bias.setdefault(study.kind, []).extend(o[study.kind])
    rng = np.random.default_rng(seed)
    drawn = [float(rng.choice(error, len(error)).mean()) for _ in range(REPEATS)]
    figure = Figure(float(error.mean()), *map(float, np.percentile(drawn, [2.5, 97.5])))
    return figure, {k: float(np.mean(v)) for k, v in bias.items()}


@dataclass(frozen=True)
class Bin:
    """Pairs with about the same score: mean score, weighted share that is equivalent, weight."""

    score: float
    share: float
    weight: float


def reliability(score: Floats, label: Floats, weight: Floats, count: int = 10) -> tuple[float, list[Bin]]:
    """Expected calibration error over bins of equal weight, and the bins."""
    order = np.argsort(score, kind="stable")
    place = np.cumsum(weight[order]) / weight.sum()
    which = np.minimum((place * count - 1e-9).astype(int), count - 1)
    bins = []
    for k in range(count):
        at = order[which == k]
        w = weight[at]
        if w.sum() > 0:
            bins.append(
                Bin(float(np.average(score[at], weights=w)), float(np.average(label[at], weights=w)), float(w.sum()))
            )
    total = sum(b.weight for b in bins)
    return sum(b.weight * abs(b.score - b.share) for b in bins) / total, bins


def diagram(bins: list[Bin], title: str) -> str:
    """Reliability diagram as SVG: mean score against the share of equivalent pairs, the diagonal being perfect."""
    size, edge = 260, 40
    at = [(edge + b.score * size, edge + (1 - b.share) * size) for b in bins]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#1f5fa8"/>' for x, y in at)
    ticks = "".join(
        f'<text x="{edge + t * size:.0f}" y="{edge + size + 16}" text-anchor="middle">{t:g}</text>'
        f'<text x="{edge - 6}" y="{edge + (1 - t) * size + 4:.0f}" text-anchor="end">{t:g}</text>'
        for t in (0, 0.25, 0.5, 0.75, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 2 * edge} {size + 2 * edge + 8}" role="img" '
        f'aria-label="{title}" font-family="sans-serif" font-size="11" fill="#222">'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{edge + size / 2}" y="22" text-anchor="middle" font-size="12">{title}</text>'
        f'<rect x="{edge}" y="{edge}" width="{size}" height="{size}" fill="none" stroke="#999"/>'
        f'<line x1="{edge}" y1="{edge + size}" x2="{edge + size}" y2="{edge}" stroke="#999" stroke-dasharray="4 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>{dots}{ticks}'
        f'<text x="{edge + size / 2}" y="{edge + size + 34}" text-anchor="middle">mean score</text>'
        f'<text transform="translate(12 {edge + size / 2}) rotate(-90)" text-anchor="middle">share equivalent</text>'
        "</svg>\n"
    )
