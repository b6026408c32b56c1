"""Simulated projects with known agreement: who answers what, and what every coefficient is in the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

MIXES: dict[str, tuple[float, ...]] = {
    "50/50": (0.5, 0.5),
    "90/10": (0.9, 0.1),
    "95/5": (0.95, 0.05),
    "20/30/50": (0.2, 0.3, 0.5),
    "40/30/15/10/5": (0.4, 0.3, 0.15, 0.1, 0.05),
    "80/5/5/5/5": (0.8, 0.05, 0.05, 0.05, 0.05),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One cell of the tables.

    ``error`` says how raters err: ``raters`` (each on their own) or ``units`` (hard units where everybody guesses).
    ``similarity`` is nominal or quadratic (positions of the labels). ``missing`` is the share of answers left out.
    ``clusters`` > 0 groups the units: units of a cluster share their true label with probability ``same``, and the
    share of hard units differs between clusters (a beta distribution; ``alike`` small = clusters differ much).
    """

    n: int
    kappa: float
    mix: str
    raters: int
    error: str = "raters"
    similarity: str = "nominal"
    missing: float = 0.0
    clusters: int = 0
    same: float = 0.0
    alike: float = 2.0

    @property
    def shares(self) -> Floats:
        """Shares of the labels."""
        return (
            np.array(MIXES[self.mix]) if self.mix in MIXES else np.array(list(map(float, self.mix.split("/")))) / 100.0
        )

    @property
    def S(self) -> Floats:
        """Similarity of the labels (q, q)."""
        q = len(self.shares)
        if self.similarity == "nominal":
            return np.eye(q)
        position = np.arange(q) / (q - 1)
        return 1.0 - (position[:, None] - position[None, :]) ** 2

    @property
    def truth(self) -> dict[str, float]:
        """Population value of every coefficient."""
        shares, S = self.shares, self.S
        chance = float(shares @ S @ shares)
        observed = self.kappa + (1.0 - self.kappa) * chance
        q = len(shares)
        uniform = float(S.sum()) / q**2
        gwet = float(S.sum()) / (q * (q - 1)) * float(shares @ (1.0 - shares))
        kappa_type = dict.fromkeys(("conger_kappa", "fleiss_kappa", "krippendorff_alpha"), self.kappa)
        return kappa_type | {
            "percent_agreement": observed,
            "brennan_prediger": (observed - uniform) / (1.0 - uniform),
            "gwet_ac": (observed - gwet) / (1.0 - gwet),
        }


def draw(scenario: Scenario, repetitions: int, rng: np.random.Generator) -> npt.NDArray[np.int8]:
    """Draw answers (repetitions, n, raters), -1 = missing."""
    shape = (repetitions, scenario.n, scenario.raters)
    true = labels(scenario, rng, (repetitions, scenario.n))
    guess = labels(scenario, rng, shape)
    if scenario.clusters:
        cluster = np.arange(scenario.n) * scenario.clusters // scenario.n
        shared = labels(scenario, rng, (repetitions, scenario.clusters))[:, cluster]
        true = np.where(rng.random(true.shape) < scenario.same, shared, true)
        shape_of_easy = (scenario.kappa * scenario.alike, (1.0 - scenario.kappa) * scenario.alike)
        easy = rng.beta(*shape_of_easy, (repetitions, scenario.clusters))
        knows = np.broadcast_to((rng.random(true.shape) < easy[:, cluster])[..., None], shape)
    elif scenario.error == "units":
        knows = np.broadcast_to((rng.random(true.shape) < scenario.kappa)[..., None], shape)
    else:
        knows = rng.random(shape) < np.sqrt(scenario.kappa)
    answers = np.where(knows, true[..., None], guess).astype(np.int8)
    if scenario.missing:
        answers[rng.random(shape) < scenario.missing] = -1
    return answers


def labels(scenario: Scenario, rng: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Draw labels with the scenario's shares."""
    edges = np.cumsum(scenario.shares)[:-1]
    return np.searchsorted(edges, rng.random(shape), side="right").astype(np.int8)


def numbers(scenario: Scenario, rng: np.random.Generator) -> Floats:
    """Draw one table of numbers (n, raters) whose intraclass correlation is kappa."""
    unit = np.sqrt(scenario.kappa) * rng.normal(size=(scenario.n, 1))
    return unit + np.sqrt(1.0 - scenario.kappa) * rng.normal(size=(scenario.n, scenario.raters))
