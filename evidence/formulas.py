"""Every coefficient of score form with its linearised variance, over many simulated projects at once.

Written anew from the published formulas, independent of the product; a test compares the two.
Shapes: B projects, n units, q labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

COEFFICIENTS = (
    "percent_agreement",
    "conger_kappa",
    "fleiss_kappa",
    "krippendorff_alpha",
    "gwet_ac",
    "brennan_prediger",
)


@dataclass(frozen=True, slots=True)
class Results:
    """Observed, expected (B,), deviations of the linearisation (B, n), units and answers that count (B,)."""

    observed: Floats
    expected: Floats
    deviation: Floats
    counted: Floats
    units: Floats
    answers: Floats

    @property
    def value(self) -> Floats:
        """The coefficient, NaN where chance alone agrees always."""
        with np.errstate(divide="ignore", invalid="ignore"):
            value = (self.observed - self.expected) / (1.0 - self.expected)
        return np.where(1.0 - self.expected > 1e-12, value, np.nan)

    def grouped(self, clusters: int = 0) -> Floats:
        """Deviations (B, n), or their sums over equal runs of units as clusters (B, K)."""
        if not clusters:
            return self.deviation
        units = self.deviation.shape[1]
        edges = np.flatnonzero(np.diff(np.arange(units) * clusters // units, prepend=-1))
        return np.add.reduceat(self.deviation, edges, axis=1)

    def variance(self, clusters: int = 0) -> Floats:
        """Linearised variance (B,)."""
        groups = np.full(len(self.counted), float(clusters)) if clusters else self.counted
        return (self.grouped(clusters) ** 2).sum(axis=1) / self.counted**2 * groups / (groups - 1.0)

    def support(self, clusters: int = 0) -> Floats:
        """Effective number of units (clusters) behind the variance, (B,)."""
        squares = self.grouped(clusters) ** 2
        squares = np.where(squares > 1e-18, squares, 0.0)
        fourth = (squares**2).sum(axis=1)
        return np.divide(squares.sum(axis=1) ** 2, fourth, out=np.zeros(len(fourth)), where=fourth > 0.0)


def counts_of(answers: npt.NDArray[np.int8], q: int) -> Floats:
    """Answers (B, n, R) as counts (B, n, q)."""
    return np.stack([(answers == label).sum(axis=2) for label in range(q)], axis=2).astype(np.float64)


def compute(name: str, answers: npt.NDArray[np.int8], counts: Floats, S: Floats) -> Results:
    """One coefficient on all projects."""
    m = counts.sum(axis=2)
    paired = m > 1
    product = counts @ S
    within = (product * counts).sum(axis=2) - m
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(paired, within / (m * (m - 1.0)), 0.0)
    n2 = paired.sum(axis=1).astype(np.float64)
    mean_answers = (m * paired).sum(axis=1) / n2
    if name == "krippendorff_alpha":
        return _alpha(counts, S, m, paired, within, n2, mean_answers)
    present = m > 0
    n = present.sum(axis=1).astype(np.float64)
    observed = p.sum(axis=1) / n2
    expected, slope, chance = _CHANCE[name](answers, counts, S, m, present, n)
    scale = 1.0 / (1.0 - expected)
    value = (observed - expected) * scale
    z = (n / n2)[:, None] * (p - expected[:, None] * paired) * scale[:, None]
    z = z - 2.0 * slope * (1.0 - value)[:, None] * (chance - expected[:, None]) * scale[:, None]
    deviation = np.where(present, z - value[:, None], 0.0)
    return Results(observed, expected, deviation, n, n2, mean_answers)


def _alpha(counts: Floats, S: Floats, m: Floats, paired: Floats, within: Floats, n2: Floats, mean: Floats) -> Results:
    used = counts * paired[..., None]
    total = (m * paired).sum(axis=1)
    shares = used.sum(axis=1) / total[:, None]
    product = shares @ S
    chance = (product * shares).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = np.where(paired, within / (m - 1.0), 0.0)
    observed = pooled.sum(axis=1) / total
    # Krippendorff's expected agreement leaves each answer's pair with itself out.
    expected = (chance * total - 1.0) / (total - 1.0)
    excess = ((m - mean[:, None]) * paired) / mean[:, None]
    scale = 1.0 / (1.0 - chance)
    value = (observed - chance) * scale
    a = pooled / mean[:, None] - observed[:, None] * excess
    e = (used @ product[..., None])[..., 0] / mean[:, None] - chance[:, None] * excess
    x = (a - chance[:, None]) * scale[:, None] - 2.0 * (1.0 - value)[:, None] * (e - chance[:, None]) * scale[:, None]
    deviation = np.where(paired, x - value[:, None], 0.0)
    return Results(observed, expected, deviation, n2, n2, mean)


def _none(answers, counts, S, m, present, n):
    return np.zeros(len(n)), 0.0, np.zeros_like(m)


def _uniform(answers, counts, S, m, present, n):
    chance = S.sum() / len(S) ** 2
    return np.full(len(n), chance), 0.0, np.zeros_like(m)


def _relative(counts: Floats, m: Floats, n: Floats) -> tuple[Floats, Floats]:
    each = counts / np.maximum(m, 1.0)[..., None]
    return each, each.sum(axis=1) / n[:, None]


def _fleiss(answers, counts, S, m, present, n):
    each, shares = _relative(counts, m, n)
    product = shares @ S
    return (product * shares).sum(axis=1), 1.0, (each @ product[..., None])[..., 0]


def _gwet(answers, counts, S, m, present, n):
    each, shares = _relative(counts, m, n)
    q = len(S)
    factor = S.sum() / (q * (q - 1.0))
    return factor * (shares * (1.0 - shares)).sum(axis=1), 1.0, factor * (each @ (1.0 - shares)[..., None])[..., 0]


def _conger(answers, counts, S, m, present, n):
    raters, q = answers.shape[2], len(S)
    answered = (answers >= 0).sum(axis=1).astype(np.float64)
    margins = np.stack([(answers == v).sum(axis=1) for v in range(q)], axis=2) / answered[..., None]
    others = (margins.sum(axis=1, keepdims=True) - margins) @ S
    expected = (margins * others).sum(axis=(1, 2)) / (raters * (raters - 1.0))
    chance = np.zeros(answers.shape[:2])
    for g in range(raters):
        here = answers[..., g] >= 0
        said = np.take_along_axis(others[:, g], np.maximum(answers[..., g], 0).astype(np.int64), axis=1)
        mean = (margins[:, g] * others[:, g]).sum(axis=1)
        ratio = n / answered[:, g]
        chance += ratio[:, None] * (here * said - (here - 1.0 / ratio[:, None]) * mean[:, None])
    return expected, 1.0, chance / (raters * (raters - 1.0))


_CHANCE = {
    "percent_agreement": _none,
    "brennan_prediger": _uniform,
    "fleiss_kappa": _fleiss,
    "gwet_ac": _gwet,
    "conger_kappa": _conger,
}
