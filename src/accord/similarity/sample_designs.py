"""Which pairs of texts to score when all are too many: stratified by a cheap proxy, control variate, cyclic shifts.

Every design ends as the same thing: a level for each pair (what pairs like it score on average) and corrections at the
pairs drawn, (score - level) times how many pairs of answers each draw stands for. Their sum is a fixed bilinear form;
for levels that do not depend on the draws it is unbiased under every weighting of the answers.

References
----------
Cochran 1977, Sampling Techniques (stratification, Neyman allocation). Angelopoulos et al. 2023, Prediction-powered
inference (the control variate).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from accord.similarity.pair_population import PairPopulation
from accord.similarity.proxy_curve import expected_elsewhere
from accord.values import FloatArray, Index

Kind = Literal["stratified", "control", "shifts"]
#: Scores of members of a population, (n,); NaN = no answer.
Ask = Callable[[Index], FloatArray]

#: Strata are cut at these quantiles of the proxy.
QUANTILES: Final = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
#: Draws that every stratum gets, the share of the budget that the pilot takes, and the least spread it is believed.
LEAST, PILOT, LEAST_SPREAD = 10, 0.2, 0.02
#: Draws of every stratum that tell how many are needed, and the draws of a score of 1 that may have been missed.
PILOT_DRAWS, UNSEEN = 10, 0.5
#: What draws of other strata count for one, against draws of its own.
TRUST: Final = 2.0 / 3.0
#: Draws grow by one in so many at a time, so that few more are made than needed.
GROWTH: Final = 4
#: Draws of a random sample that tell how many are needed.
FIRST = 200
#: Half-width over standard error of the wanted precision.
Z: Final = 1.959963984540054


@dataclass(frozen=True)
class Sample:
    """Draws (n,): the member, its score, the level it is compared with, its group; and the groups (H,).

    ``level`` (K,) is the level of every member. ``size`` (H,) is the number of pairs of answers a group holds. Draws
    without a score are left out; ``failed`` counts them.
    """

    member: Index
    score: FloatArray
    fitted: FloatArray
    group: Index
    size: FloatArray
    level: FloatArray
    failed: int = 0

    @property
    def drawn(self) -> FloatArray:
        """Draws of each group, (H,)."""
        return np.bincount(self.group, minlength=len(self.size)).astype(np.float64)

    @property
    def weight(self) -> FloatArray:
        """Pairs of answers that each draw stands for, (n,)."""
        return (self.size / np.maximum(self.drawn, 1.0))[self.group]


@dataclass(frozen=True)
class Aim:
    """How much to draw: at most ``calls``, and no more than brings the mean score to a wanted standard error.

    ``error`` gives that from the mean score of the population, as a pilot sees it.
    """

    calls: int
    error: Callable[[float], float] | None = None


def stratified(population: PairPopulation, proxy: FloatArray, ask: Ask, aim: Aim, rng: np.random.Generator) -> Sample:
    """Draw by strata of the proxy (K,): a pilot everywhere, then in proportion to size and spread (Neyman).

    Where an error is wanted, a stratum without a 1 is believed empty the sooner the less a curve through the other
    strata expects there. Only the stop rests on that curve: the estimate and its limits are those of the strata.
    """
    cuts = np.unique(np.quantile(proxy, QUANTILES))
    _, stratum = np.unique(np.searchsorted(cuts, proxy, side="left"), return_inverse=True)
    count = int(stratum.max()) + 1
    members = [np.flatnonzero(stratum == h) for h in range(count)]
    size = np.array([population.multiplicity[some].sum() for some in members], dtype=np.float64)
    order = [population.drawn(some, aim.calls, rng) for some in members]
    place = np.array([proxy[some].mean() for some in members])
    each = max(LEAST, round(PILOT * aim.calls / count)) if aim.error is None else PILOT_DRAWS
    drawn = np.minimum(min(each, max(2, aim.calls // count)), size).astype(np.int64)
    scores = [ask(some[:n]) for some, n in zip(order, drawn, strict=True)]
    while (more := _wanted(size, place, drawn, scores, aim)).any():
        for h in np.flatnonzero(more).tolist():
            scores[h] = np.concatenate((scores[h], ask(order[h][drawn[h] : drawn[h] + more[h]])))
        drawn += more
    level = np.array([_mean(found) for found in scores])
    group = np.repeat(np.arange(count), drawn)
    chosen = np.concatenate([some[:n] for some, n in zip(order, drawn, strict=True)])
    return _kept(chosen, np.concatenate(scores), level[group], group, size, level[stratum])


def _wanted(size: FloatArray, place: FloatArray, drawn: Index, scores: list[FloatArray], aim: Aim) -> Index:
    """How many draws of each stratum come next, none where the aim is reached or all calls are used.

    A stratum grows by a quarter at a time: what few draws say about its spread is not believed for long.
    """
    part = size / size.sum()
    missed = np.full(len(size), UNSEEN) if aim.error is None else _missed(place, drawn, scores)
    spread = np.array([_spread(found, some) for found, some in zip(scores, missed.tolist(), strict=True)])
    share = part * spread
    total = float(aim.calls)
    if aim.error is not None:
        error = aim.error(float(part @ np.array([_mean(found) for found in scores])))
        if (share**2 * (1.0 / drawn - 1.0 / size)).sum() <= error**2:
            return np.zeros_like(drawn)
        left_out = float((part * spread**2).sum()) / size.sum()
        total = min(total, share.sum() ** 2 / (error**2 + left_out))
    wanted = np.minimum(np.ceil(total * share / share.sum()), size).astype(np.int64)
    more = np.maximum(wanted - drawn, 0)
    if aim.error is not None:
        more = np.minimum(more, np.maximum(drawn // GROWTH, 1))
    left = max(0, aim.calls - int(drawn.sum()))
    return np.floor(more * (left / more.sum())).astype(np.int64) if more.sum() > left else more


def _missed(place: FloatArray, drawn: Index, scores: list[FloatArray]) -> FloatArray:
    """Draws of a score of 1 that may have been missed in each stratum, ``UNSEEN`` where other strata say nothing, (H,).

    Half a 1 under the share that they expect is half over that share in draws without a 1, added to those of its own.
    """
    found = np.array([np.nansum(some**2) for some in scores])
    elsewhere = TRUST * UNSEEN / np.maximum(expected_elsewhere(place, drawn.astype(np.float64), found), 1e-12)
    return np.asarray(UNSEEN * (drawn / (drawn + elsewhere)) ** 2, dtype=np.float64)


def control_variate(
    population: PairPopulation, proxy: FloatArray, ask: Ask, aim: Aim, rng: np.random.Generator
) -> Sample:
    """Draw at random; the level of a pair is the mean score of drawn pairs with a proxy like its own.

    Draws fall into two halves, and each is compared with the levels that the other half gives: without bias.
    """
    cuts = np.unique(np.quantile(proxy, QUANTILES))
    bins = np.searchsorted(cuts, proxy, side="left")
    members = population.drawn(np.arange(len(population)), aim.calls, rng)
    scores = np.empty(0)
    residual, fitted, levels = scores, scores, np.zeros((2, len(cuts) + 1))
    while (wanted := _enough(residual, scores, aim, population.pairs, len(members))) > len(scores):
        scores = np.concatenate((scores, ask(members[len(scores) : wanted])))
        half = np.arange(len(scores)) % 2
        place = bins[members[: len(scores)]]
        levels = np.stack([_binned(scores[half == k], place[half == k], len(cuts) + 1) for k in (0, 1)])
        fitted = levels[1 - half, place]
        residual = scores - fitted
    level = levels.mean(axis=0)[bins]
    if len(scores) == population.pairs:
        # Nothing is left to estimate: the corrections bring every level to its scores.
        none = np.zeros(len(scores), dtype=np.int64)
        return _kept(members, scores, level[members], none, np.array([float(population.pairs)]), level)
    size = np.full(2, population.pairs / 2.0)
    return _kept(members[: len(scores)], scores, fitted, np.arange(len(scores)) % 2, size, level)


def _enough(residual: FloatArray, scores: FloatArray, aim: Aim, pairs: int, most: int) -> int:
    """Draws a random sample has next: all calls, or as many as the draws so far say, a quarter more at most."""
    if aim.error is None:
        return most
    drawn = len(scores)
    if not drawn:
        return min(FIRST, most)
    return min(most, drawn + max(1, drawn // GROWTH), max(drawn, _needed(residual, scores, aim, pairs)))


def _needed(residual: FloatArray, scores: FloatArray, aim: Aim, pairs: int) -> int:
    """Draws that the aim takes by what is known so far."""
    if aim.error is None:
        return aim.calls
    variance = _spread(residual) ** 2
    needed = variance / (aim.error(_mean(scores)) ** 2 + variance / max(pairs, 1))
    return min(aim.calls, int(np.ceil(needed)))


def _binned(scores: FloatArray, bins: Index, count: int) -> FloatArray:
    """Mean score in each bin, pulled towards the mean of all where a bin holds few, (count,)."""
    known = np.isfinite(scores)
    total = np.bincount(bins[known], scores[known], count)
    number = np.bincount(bins[known], minlength=count)
    return (total + _mean(scores)) / (number + 1.0)


def shifts(population: PairPopulation, ask: Ask, aim: Aim, rng: np.random.Generator) -> Sample:
    """Lay the answers in a random circle and compare each with the next, the one after it, and so on.

    Each shift is a random permutation without fixed points; no pair of answers comes twice, and all shifts together
    are all pairs.
    """
    answers = rng.permutation(np.repeat(np.arange(len(population.counts)), np.rint(population.counts).astype(np.int64)))
    steps = rng.permutation(max(1, (len(answers) - 1) // 2)) + 1
    drawn = _shifted(population, answers, steps[:1])[: aim.calls]
    scores, turned, each = ask(drawn), 1, max(1, len(drawn))
    while turned < len(steps) and (needed := _needed(scores, scores, aim, population.pairs)) > len(drawn):
        most = len(steps) if aim.error is None else turned + max(1, turned // GROWTH)
        wanted = min(len(steps), most, max(turned + 1, -(-needed // each)))
        fresh = _shifted(population, answers, steps[turned:wanted])[: aim.calls - len(drawn)]
        drawn, scores, turned = np.concatenate((drawn, fresh)), np.concatenate((scores, ask(fresh))), wanted
    # Pairs that are known already are left out of the draws as of the population: what remains stands for the rest.
    mean = _mean(scores)
    size = np.array([float(population.pairs)])
    group = np.zeros(len(drawn), dtype=np.int64)
    return _kept(drawn, scores, np.full(len(drawn), mean), group, size, np.full(len(population), mean))


def _shifted(population: PairPopulation, answers: Index, steps: Index) -> Index:
    """Members that meet when the circle is turned by each step; pairs that are known already are left out."""
    if not len(steps):
        return np.empty(0, dtype=np.int64)
    left, right = np.tile(answers, len(steps)), np.concatenate([np.roll(answers, -step) for step in steps.tolist()])
    member = _members(population, left, right)
    return member[member >= 0]


def _members(population: PairPopulation, left: Index, right: Index) -> Index:
    """Members of the population with these texts, -1 where there is none."""
    texts = len(population.counts)
    keys = population.left * texts + population.right
    wanted = np.minimum(left, right) * texts + np.maximum(left, right)
    if not len(keys):
        return np.full(len(wanted), -1)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, at, -1)


def _kept(
    member: Index, score: FloatArray, fitted: FloatArray, group: Index, size: FloatArray, level: FloatArray
) -> Sample:
    known = np.isfinite(score)
    return Sample(member[known], score[known], fitted[known], group[known], size, level, failed=int((~known).sum()))


def _spread(scores: FloatArray, missed: float = UNSEEN) -> float:
    """Standard deviation, as if so many draws more had been as far off as a score can be, and never next to nothing.

    Scores are mostly 0 with a few near 1, so that few draws without a 1 say little about how often it comes.
    """
    known = scores[np.isfinite(scores)]
    if not len(known):
        return 1.0
    mean = float(known.mean())
    squares = float(((known - mean) ** 2).sum()) + missed * (1.0 - mean) ** 2
    return max(LEAST_SPREAD, (squares / len(known)) ** 0.5)


def _mean(scores: FloatArray) -> float:
    known = scores[np.isfinite(scores)]
    return float(known.mean()) if len(known) else 0.0
