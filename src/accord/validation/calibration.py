"""From a score to the chance that people call two texts equivalent: fitted maps, and how good scores are before them.

All functions take weights: labelled pairs come from a design, so each stands for others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from accord.values import FloatArray

Method = Literal["platt", "isotonic"]
#: Pairs, and pairs of each answer, from which the freer map is used.
ENOUGH, ENOUGH_OF_EACH = 500, 100
FOLDS = 5
#: Scores are kept this far from 0 and 1 before their logit is taken, and predictions before their logarithm.
EDGE = 1e-4
#: Weight of the prior that keeps slopes finite where scores separate the answers.
RIDGE = 1e-2
BINS = 10


@dataclass(frozen=True, slots=True)
class Platt:
    """1 / (1 + exp(-(slope logit(score) + shift)))."""

    slope: float
    shift: float

    def __call__(self, scores: FloatArray, /) -> FloatArray:
        """Map scores."""
        return 1.0 / (1.0 + np.exp(-(self.slope * logit(scores) + self.shift)))


@dataclass(frozen=True, slots=True)
class Isotonic:
    """Straight lines between the steps of the best rising function."""

    at: FloatArray
    value: FloatArray

    def __call__(self, scores: FloatArray, /) -> FloatArray:
        """Map scores; beyond the ends the map is flat."""
        return np.interp(scores, self.at, self.value)


#: A monotone map of scores.
Map: TypeAlias = Platt | Isotonic


def logit(scores: FloatArray) -> FloatArray:
    """Logit of scores kept off 0 and 1."""
    p = np.clip(scores, EDGE, 1.0 - EDGE)
    return np.log(p / (1.0 - p))


def chosen_method(truth: FloatArray) -> Method:
    """Isotonic with enough pairs of either answer, else Platt."""
    yes = int((truth >= 0.5).sum())
    enough = len(truth) >= ENOUGH and min(yes, len(truth) - yes) >= ENOUGH_OF_EACH
    return "isotonic" if enough else "platt"


def fitted(scores: FloatArray, truth: FloatArray, weight: FloatArray, method: Method) -> Map:
    """Fit a map of scores (n,) to answers (n,) from 0 to 1.

    References
    ----------
    Platt 1999, Probabilistic outputs for support vector machines. Zadrozny and Elkan 2002 for the isotonic map.
    """
    weight = weight * len(weight) / weight.sum()
    return _isotonic(scores, truth, weight) if method == "isotonic" else _platt(scores, truth, weight)


def _platt(scores: FloatArray, truth: FloatArray, weight: FloatArray) -> Platt:
    design = np.stack((logit(scores), np.ones(len(scores))), axis=1)
    prior = np.array([1.0, 0.0])
    beta = prior.copy()
    for _ in range(100):
        p = 1.0 / (1.0 + np.exp(-design @ beta))
        gradient = design.T @ (weight * (p - truth)) + RIDGE * (beta - prior)
        curve = (design.T * (weight * p * (1.0 - p))) @ design + RIDGE * np.eye(2)
        step = np.linalg.solve(curve, gradient)
        beta -= step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    return Platt(max(float(beta[0]), 0.0), float(beta[1]))


def _isotonic(scores: FloatArray, truth: FloatArray, weight: FloatArray) -> Isotonic:
    from scipy.optimize import isotonic_regression

    at, back = np.unique(scores, return_inverse=True)
    whole = np.bincount(back, weight)
    mean = np.bincount(back, weight * truth) / whole
    return Isotonic(at, np.asarray(isotonic_regression(mean, weights=whole).x, dtype=np.float64))


def out_of_fold(scores: FloatArray, truth: FloatArray, weight: FloatArray, method: Method, seed: int = 0) -> FloatArray:
    """Mapped scores, each by a map fitted without its own fold, (n,)."""
    fold = np.random.default_rng(seed).permutation(len(scores)) % FOLDS
    out = np.empty(len(scores))
    for k in range(FOLDS):
        rest = fold != k
        if (~rest).any():
            out[~rest] = fitted(scores[rest], truth[rest], weight[rest], method)(scores[~rest])
    return out


@dataclass(frozen=True, slots=True)
class Quality:
    """How good scores are: Brier score, log loss, calibration error, AUC, slope and intercept of recalibration."""

    brier: float
    log_loss: float
    error: float
    auc: float
    slope: float
    intercept: float


def quality(scores: FloatArray, truth: FloatArray, weight: FloatArray) -> Quality:
    """Judge scores as probabilities."""
    share = weight / weight.sum()
    p = np.clip(scores, EDGE, 1.0 - EDGE)
    again = _platt(scores, truth, weight * len(weight) / weight.sum())
    return Quality(
        float(share @ (scores - truth) ** 2),
        float(-share @ (truth * np.log(p) + (1.0 - truth) * np.log(1.0 - p))),
        sum(b.weight * abs(b.score - b.share) for b in bins(scores, truth, weight)),
        weighted_auc(scores, truth, weight),
        again.slope,
        again.shift,
    )


def weighted_auc(scores: FloatArray, truth: FloatArray, weight: FloatArray) -> float:
    """Chance that an equivalent pair scores above another one, ties half; a pair is both in part if answers differ.

    Examples
    --------
    >>> weighted_auc(np.array([0.1, 0.4, 0.4]), np.array([0.0, 0.0, 1.0]), np.ones(3))
    0.75
    """
    at, back = np.unique(scores, return_inverse=True)
    yes, no = np.bincount(back, weight * truth), np.bincount(back, weight * (1.0 - truth))
    whole = yes.sum() * no.sum()
    below = np.cumsum(no) - no / 2.0
    return float(yes @ below / whole) if whole > 0 and len(at) else float("nan")


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs of about one score: mean score, share that is equivalent, share of all weight."""

    score: float
    share: float
    weight: float


def bins(scores: FloatArray, truth: FloatArray, weight: FloatArray, count: int = BINS) -> list[Bin]:
    """Bins of about equal weight, in the order of scores."""
    order = np.argsort(scores, kind="stable")
    place = np.cumsum(weight[order]) / weight.sum()
    which = np.minimum((place * count - 1e-9).astype(np.int64), count - 1)
    found = []
    for k in np.unique(which).tolist():
        at = order[which == k]
        w = weight[at]
        found.append(
            Bin(float(w @ scores[at] / w.sum()), float(w @ truth[at] / w.sum()), float(w.sum() / weight.sum()))
        )
    return found
