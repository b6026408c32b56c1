"""Coverage of the score and the linearised interval, thousands of projects at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from formulas import COEFFICIENTS, Floats, compute, counts_of
from scenarios import Scenario, draw
from scipy.special import stdtrit

from accord.inference.score import score_limits

#: Counts held in memory at once.
BLOCK = 4_000_000


def simulate(scenario: Scenario, repetitions: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """One row for each coefficient and method: coverage, median width, share of projects that were undefined."""
    step = max(1, BLOCK // (scenario.n * (len(scenario.shares) + scenario.raters)))
    found: dict[tuple[str, str], list[Floats]] = {}
    for start in range(0, repetitions, step):
        answers = draw(scenario, min(step, repetitions - start), rng)
        with np.errstate(divide="ignore", invalid="ignore"):
            for name, method, low, high in intervals(scenario, answers):
                found.setdefault((name, method), []).append(np.stack((low, high)))
    return [row(name, method, np.concatenate(limits, axis=1), scenario) for (name, method), limits in found.items()]


def intervals(scenario: Scenario, answers: Any) -> Any:
    """Yield (coefficient, method, low, high) with limits (B,), NaN where undefined."""
    counts = counts_of(answers, len(scenario.shares))
    size = typical(counts, scenario.S)
    answered = (answers >= 0).any(axis=2).sum(axis=1)
    for name in COEFFICIENTS:
        results = compute(name, answers, counts, scenario.S)
        for clusters in {0, scenario.clusters}:
            label = " by unit" if scenario.clusters and not clusters else ""
            quantile = stdtrit((clusters or results.units) - 1.0, 0.975)
            usual = stdtrit((clusters or answered) - 1.0, 0.975)
            variance = results.variance(clusters)
            low, high = score_limits(
                results.observed,
                results.expected,
                variance,
                units=results.units,
                support=results.support(clusters),
                quantile=quantile,
                level=0.95,
                size=size,
                clusters=clusters or None,
            )
            known = np.where(np.isfinite(results.value), 0.0, np.nan)
            yield name, f"score{label}", low + known, high + known
            half = usual * np.sqrt(variance)
            yield name, f"analytic{label}", results.value - half, np.minimum(results.value + half, 1.0)


def typical(counts: Floats, S: Floats) -> Floats:
    """Mean squared over mean distance between answers at random, (B,); 1 where none differ."""
    shares = counts.sum(axis=1)
    shares = shares / shares.sum(axis=1, keepdims=True)
    distance = 1.0 - S
    mean = ((shares @ distance) * shares).sum(axis=1)
    square = ((shares @ distance**2) * shares).sum(axis=1)
    return np.divide(square, mean, out=np.ones(len(mean)), where=mean > 0.0)


def row(name: str, method: str, limits: Floats, scenario: Scenario) -> dict[str, Any]:
    """Summary of the limits (2, B) of all projects."""
    low, high = limits[:, np.isfinite(limits).all(axis=0)]
    truth = scenario.truth[name]
    covered = (low <= truth + 1e-12) & (truth <= high + 1e-12)
    return {
        "coefficient": name,
        "method": method,
        "coverage": float(covered.mean()) if len(low) else None,
        "width": float(np.median(high - low)) if len(low) else None,
        "undefined": 1.0 - len(low) / limits.shape[1],
    }
