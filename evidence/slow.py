"""Coverage of every interval method of every coefficient, through the product itself."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from scenarios import Scenario, draw, numbers

import accord.measures as measures
from accord.readers.arrays import from_matrix
from accord.study import Study
from accord.values import Kind, Ranking

LABELS = (
    *("percent_agreement", "plurality", "conger_kappa", "fleiss_kappa", "cohen_kappa", "light_kappa", "hubert_kappa"),
    *("weighted_kappa", "krippendorff_alpha", "brennan_prediger", "gwet_ac1", "gwet_ac2", "scott_pi"),
)
NUMBERS = ("icc", "lin_ccc", "bland_altman", "mean_absolute_difference", "kendall_w", "sigma", "ks", "auc")
RANKINGS = ("mean_spearman", "mean_tau")
TWO_RATERS = ("scott_pi", "lin_ccc", "bland_altman")
DISTRIBUTIONS = ("sigma", "ks", "auc")
#: Largest project simulated of the coefficients that take seconds each.
LARGEST = {"kendall_w": 200, "sigma": 200, "ks": 200, "auc": 200}
EVERY = (*LABELS, *NUMBERS, *RANKINGS)
METHODS = (None, "score", "exact", "analytic", "bootstrap", "bca", "jackknife")


def project(name: str, scenario: Scenario, rng: np.random.Generator) -> Study:
    """Draw one project that suits the coefficient."""
    if name in LABELS:
        return from_matrix(draw(scenario, 1, rng)[0].astype(np.int64), domain=range(len(scenario.shares)))
    if name in NUMBERS:
        table = numbers(scenario, rng)
        return from_matrix(np.round(2.0 * table) / 2.0 if name in DISTRIBUTIONS else table, level="interval")
    items = [numbers(scenario, rng) for _ in range(4)]
    orders = np.argsort(np.stack(items, axis=2), axis=2)
    rows = [[Ranking((("ranked", tuple("abcd"[i] for i in order)),)) for order in unit] for unit in orders]
    return replace(from_matrix(rows), kind=Kind.RANKING)


def value_of(name: str, study: Study, **how: Any) -> Any:
    """Measure by the public way, the two coefficients without a public function included."""
    return measures.ask.measure_one(name, study, **how)


@cache
def truth(name: str, scenario: Scenario) -> float:
    """Population value: known, or that of large projects of the same kind."""
    if name in scenario.truth:
        return scenario.truth[name]
    if name in ("cohen_kappa", "light_kappa", "hubert_kappa", "scott_pi"):
        return scenario.kappa
    if name in ("icc", "lin_ccc"):
        return scenario.kappa
    if name == "bland_altman":
        return 0.0
    if name == "mean_absolute_difference":
        return 2.0 * math.sqrt((1.0 - scenario.kappa) / math.pi)
    if name == "kendall_w":
        return (1.0 + (scenario.raters - 1.0) * 6.0 / math.pi * math.asin(scenario.kappa / 2.0)) / scenario.raters
    rng = np.random.default_rng(2026)
    size = 1500 if name in NUMBERS else 5000 if name in RANKINGS else 100_000
    large = [value_of(name, project(name, replace(scenario, n=size), rng), ci=None).value for _ in range(8)]
    return float(np.mean(large))


def simulate(name: str, scenario: Scenario, repetitions: int, seed: int) -> list[dict[str, Any]]:
    """One row for each method the coefficient has."""
    rng = np.random.default_rng(seed)
    target = truth(name, scenario)
    covered: dict[str, list[bool]] = {}
    width: dict[str, list[float]] = {}
    undefined = 0
    absent: set[str | None] = set()
    for repetition in range(repetitions):
        study = project(name, scenario, rng)
        default = value_of(name, study, seed=repetition)
        undefined += default.undefined is not None
        for method in METHODS:
            if method in absent:
                continue
            if default.interval is not None and method in (None, default.interval.method):
                found = default
            else:
                found = value_of(name, study, interval=method, seed=repetition)
            if any(f"no {method} interval" in note for note in found.notes):
                absent.add(method)
            if found.interval is None or method not in (None, found.interval.method):
                continue
            label = "default" if method is None else method
            hit = found.interval.low <= target + 1e-12 and target <= found.interval.high + 1e-12
            covered.setdefault(label, []).append(hit)
            width.setdefault(label, []).append(found.interval.high - found.interval.low)
    return [
        {
            "coefficient": name,
            "method": method,
            "coverage": float(np.mean(hits)),
            "width": float(np.median(width[method])),
            "undefined": undefined / repetitions,
        }
        for method, hits in covered.items()
    ]


def panel(scenario: Scenario, rng: np.random.Generator) -> np.ndarray:
    """Raters of different skill, drawn anew: answers (n, raters)."""
    skill = rng.beta(6.0, 2.0, scenario.raters)
    true = rng.integers(0, 3, (scenario.n, 1))
    return np.where(
        rng.random((scenario.n, scenario.raters)) < skill, true, rng.integers(0, 3, (scenario.n, scenario.raters))
    )


def simulate_panels(scenario: Scenario, repetitions: int, seed: int) -> list[dict[str, Any]]:
    """Coverage of the value of all raters of this kind, by both generalisations."""
    rng = np.random.default_rng(seed)
    names = ("krippendorff_alpha", "gwet_ac1", "conger_kappa", "percent_agreement")
    # Independent raters of mean skill s agree with s^2 beyond chance.
    agreement = 0.75**2
    target = dict.fromkeys(names, agreement) | {"percent_agreement": agreement + (1.0 - agreement) / 3.0}
    rows = []
    hits: dict[tuple[str, str], list[tuple[bool, float]]] = {}
    for _ in range(repetitions):
        study = from_matrix(panel(scenario, rng), domain=range(3))
        for name in names:
            for way in ("units", "units+raters"):
                interval = value_of(name, study, generalise=way).interval
                hit = interval.low <= target[name] <= interval.high
                hits.setdefault((name, way), []).append((hit, interval.high - interval.low))
    for (name, way), found in hits.items():
        covered, width = np.array(found, dtype=float).T
        rows.append(
            {
                "coefficient": name,
                "method": way,
                "coverage": float(covered.mean()),
                "width": float(np.median(width)),
                "undefined": 0.0,
            }
        )
    return rows
