"""Check whether the number of answers a unit got depends on how much its answers disagree.

If a third answer is asked for only where the first two disagree, every number that gives units equal weight is
wrong, usually too high. The check compares agreement between units with many and with few answers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.study import Study
from accord.values import FloatArray

#: Units needed on both sides of the comparison before anything is said.
FEWEST = 5
PERMUTATIONS = 2000
#: Above this many units the permutation distribution is the normal one.
LARGE = 4000


@dataclass(frozen=True, slots=True)
class DesignCheck:
    """Verdict, its p-value, and agreement by number of answers: {answers: (units, mean agreement)}.

    ``dependent`` is None where the data cannot tell.
    """

    dependent: bool | None
    p_value: float
    by_answers: dict[int, tuple[int, float]]
    sentence: str


def design_check(study: Study, agreement: FloatArray, *, rate: float = 0.05, seed: int = 0) -> DesignCheck:
    """Test whether units with more answers agree more or less.

    Parameters
    ----------
    agreement
        Mean similarity within each unit (U,), NaN where it does not exist.
    rate
        Two-sided error rate of the test.

    References
    ----------
    Chung and Romano 2013, Exact and asymptotically robust permutation tests.
    """
    known = np.isfinite(agreement) & (study.m > 1)
    m, y = study.m[known].astype(np.float64), agreement[known]
    sizes = np.unique(m)
    table = {int(size): (int((m == size).sum()), float(y[m == size].mean())) for size in sizes}
    if len(sizes) < 2:
        each = f"has {int(sizes[0])} answers" if len(sizes) else "has at most one answer"
        return DesignCheck(None, float("nan"), table, f"Every compared unit {each}: nothing to check.")
    fewer = m <= np.median(m) if (m > np.median(m)).any() else m < m.max()
    if min(fewer.sum(), (~fewer).sum()) < FEWEST:
        sentence = "Too few units differ in their number of answers to check whether it depends on disagreement."
        return DesignCheck(None, float("nan"), table, sentence)
    p_value = _p_value(m, y, seed)
    dependent = p_value < rate
    return DesignCheck(dependent, p_value, table, _sentence(dependent, float((m - m.mean()) @ y), table))


def _sentence(dependent: bool, slope: float, table: dict[int, tuple[int, float]]) -> str:
    if not dependent:
        return "No sign that the number of answers of a unit depends on disagreement."
    (few, (_, low)), (many, (_, high)) = min(table.items()), max(table.items())
    direction = "less" if slope < 0 else "more"
    return (
        f"Units with more answers agree {direction} ({low:.2f} with {few} answers, {high:.2f} with {many}): "
        "the number of answers seems to depend on disagreement, and numbers that weight units equally are biased. "
        "Compare with the first answers only (--first 2)."
    )


def _p_value(m: FloatArray, y: FloatArray, seed: int) -> float:
    """Two-sided permutation p-value of the slope divided by its robust standard error."""
    if np.ptp(y) == 0.0:
        return 1.0
    observed = abs(_studentized(m, y[None, :])[0])
    if len(y) > LARGE:
        return _normal_tail(float(observed))
    rng = np.random.default_rng(seed)
    exceed, done = 0, 0
    block = max(1, 2**20 // len(y))
    while done < PERMUTATIONS:
        size = min(block, PERMUTATIONS - done)
        shuffled = rng.permuted(np.broadcast_to(y, (size, len(y))), axis=1)
        exceed += int(np.count_nonzero(np.abs(_studentized(m, shuffled)) >= observed - 1e-12))
        done += size
    return (exceed + 1) / (PERMUTATIONS + 1)


def _studentized(m: FloatArray, y: FloatArray) -> FloatArray:
    """Slope of y (B, U) on m (U,) over its heteroscedasticity-robust error, (B,)."""
    x = m - m.mean()
    centred = y - y.mean(axis=1, keepdims=True)
    slope = centred @ x / (x @ x)
    residual = centred - slope[:, None] * x
    error = np.sqrt((residual**2) @ (x * x)) / (x @ x)
    return np.divide(slope, error, out=np.where(slope == 0.0, 0.0, np.inf), where=error > 0.0)


def _normal_tail(z: float) -> float:
    from scipy.special import ndtr

    return float(2.0 * ndtr(-z))
